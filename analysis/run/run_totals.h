/* run_totals.h - how many processes of how many ranks recorded how much. */
#pragma once
#include "analysis/run/run_json.h"

#define RUN_NAME 192 /* bytes of who a process is */

/* The processes that recorded something, by rank; the caller frees the list. */
const struct run_process **run_recorders(const struct run *r, size_t *count);

/* By rank, then by group of workers, then by pid. */
int run_order(const struct run_process *p, const struct run_process *q);

/* Of one rank in one group of workers? */
bool run_is_same_rank(const struct run_process *p, const struct run_process *q);

/* Are its ranks of several groups of workers? Only then it has to be said of which. */
bool run_has_groups(const struct run *r);

/* "rank 0", "rank 0 of GROUP" or, of an unknown rank, "process 1234" */
void run_name_process(const struct run *r, const struct run_process *p, char name[RUN_NAME]);

/* Its files hold stages, and nothing was called in them: such as of the process that drives the others. */
bool run_has_stages_alone(const struct run_process *p);

/* Of one rank and group, and neither is what the other became by exec. */
bool run_are_duplicates(const struct run_process *p, const struct run_process *q);

/* It runs, or ran when its launcher ended and nothing newer is known (`stale`). */
bool run_is_alive(const struct run_process *p);

/* Others had to save what it recorded: it was killed, say. */
bool run_was_cut(const struct run_process *p);

/* How many run on that nothing keeps from recording: what they do is in no file yet. */
unsigned int run_still_record(const struct run *r);

/* Of those that it dropped the ones that waited for a rank which is not selected, or never came. */
int64_t run_unselected(const struct run_process *p);

/* Did it end, and not by its exit, while its calls waited for its rank? */
bool run_ended_waiting(const struct run_process *p);

/* Calls of it that are lost. Of a process without a selected rank nobody wanted any. */
int64_t run_lost(const struct run_process *p);

struct run_totals {
	unsigned int recorders;	   /* processes that recorded something; after exec another one */
	unsigned int ranks;	   /* of how many ranks they are, in all groups */
	unsigned int stages_alone; /* processes besides, which have stages and no event */
	bool all_ranked;	   /* all of them know theirs */
	bool duplicates;	   /* several are of one */
	int64_t kept, lost;
	bool lost_more; /* how many is not known */
};
struct run_totals run_totals(const struct run *r);

/* "2 ranks, 1234 events, 0 lost" */
void run_summary(const struct run *r, char *text, size_t size);
