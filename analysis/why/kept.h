/*
 * kept.h - what the steps of each rank were spent on, as bytes on the run's shelf until it is asked for: of most of them it never is. Each list is
 * the caller's, for free(); changes are none before they are put back.
 */
#pragma once
#include "analysis/util/parcel.h"
#include "analysis/why/ranks.h"

/* Of one rank, while it is read. */
struct keeping {
	struct parcel shares;
	size_t time_count, time_capacity, piece_count, piece_capacity;
	struct meeting_time *times;
	struct meeting_piece *pieces;
};

/* The next step's. The step learns where its own ends. */
void keeping_add(struct keeping *k, struct why_step *step, const struct split *split);
void keeping_free(struct keeping *k);

/* Onto the shelf. numbers: the subjects' by those that the shares have; those of pieces are the run's. */
void kept_put(struct why_run *run, struct why_rank *rank, const struct keeping *k, const uint32_t *numbers, size_t count);
void kept_drop(struct why_run *run, struct why_rank *rank);

/* Collectives of a rank, step by step. */
struct meeting_time *kept_times(const struct why_run *run, const struct why_rank *rank, size_t *count);
void kept_change_times(const struct why_run *run, const struct why_rank *rank, const struct meeting_time *times);

struct meeting_piece *kept_pieces(const struct why_run *run, const struct why_rank *rank, size_t *count);
struct meeting_piece *kept_pieces_of(const struct why_run *run, const struct why_step *step, size_t *count);
void kept_change_pieces(const struct why_run *run, const struct why_rank *rank, const struct meeting_piece *pieces);

/* struct share by subject, for table_free(). What pieces were spent on is among them, if meetings_share() has said what that is. */
struct table kept_shares(const struct why_run *run, const struct why_step *step);
