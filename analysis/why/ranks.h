/* ranks.h - what each step of each rank was spent on: all processes of a run, read one behind the other. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/shelf.h"
#include "analysis/why/split.h"

/* What is kept of steps, on the run's shelf: kept.h. */
struct kept {
	struct shelved numbers, shares, times, pieces;
};

/* Where of that a step's own ends; it begins where that of the step before ends. */
struct kept_ends {
	uint64_t shares, times, pieces;
};

struct why_step {
	int64_t step;
	uint64_t begin, end, length; /* ns since the Unix epoch; length: without what lies between windows */
	uint64_t waited;	     /* of the length: in collectives for ranks that came later; set by meetings_share() */
	const char *lacks;	     /* why it may not be compared with others, as "lost calls"; NULL: it may */
	bool by_device;
	uint32_t rank; /* its number in run->ranks */
	struct kept_ends ends;
};

struct why_rank {
	struct report report; /* who it is, and its facts */
	size_t count;
	struct why_step *steps; /* by begin; none lies outside of steps */
	int64_t offset;		/* ns: what its host's clock lacks of the first host's; set by meetings_share() */
	uint64_t peak_bytes;	/* of device memory; 0: no allocation was recorded */
	struct kept kept;
};

struct why_run {
	struct subjects subjects;
	struct shelf shelf;
	size_t count;
	struct why_rank *ranks; /* by rank */
	size_t other_runs;	/* older ones that lie there, too, and were left out */
};

/*
 * The newest run that is there. asked: its ranks are read; the steps are not looked at, as others are their references. by_host: steps are split by the host's calls alone,
 * whatever device times there are. jobs: so many processes are read at a time, by children, of which reports hold who they are and their facts only;
 * 0: as there are cores, if there is much to read.
 */
void why_run_read(struct why_run *run, struct trace *t, const struct choice *asked, bool by_host, unsigned int jobs);
/* On stderr, that there are older ones. */
void why_run_say_which(const struct why_run *run);

/* What is kept of it is not freed by that. */
void why_rank_free(struct why_rank *rank);
void why_run_free(struct why_run *run);

/* The object of a rank, that is still open: with its group of workers where there are several. */
void why_rank_json(struct out *o, const struct why_rank *rank);

/* At level0 calls that wait, build or load are not among them. */
bool why_rank_has_all_calls(const struct why_rank *rank);
