#include "analysis/why/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/report/memory.h"
#include "analysis/report/run_of.h"
#include "analysis/report/whole_steps.h"
#include "analysis/trace/words.h"
#include "analysis/util/alloc.h"
#include "analysis/util/cores.h"
#include "analysis/util/crew.h"
#include "analysis/util/progress.h"
#include "analysis/why/kept.h"
#include "analysis/why/rank_parcel.h"

#define LENGTH_MOST (1ull << 53) /* ns, 104 days: what a damaged file says may be any number, and sums of these are none too large */

#define BYTES_ALONE (4u << 20) /* of a trace: less than that is read by one */

static void split_steps(struct why_rank *rank, struct keeping *k, struct process *p, struct activity *a, struct subjects *subjects, bool by_host)
{
	bool device = false;

	if (!rank->report.step_count || process_load(p))
		return;
	for (size_t i = 0; i < rank->report.step_count; i++)
		device |= rank->report.steps[i].by_device;
	activity_read(a, p, subjects);
	rank->steps = alloc_zero(rank->report.step_count, sizeof(*rank->steps));
	for (size_t i = 0; i < rank->report.step_count; i++) {
		const struct step_row *row = &rank->report.steps[i];
		struct why_step *step = &rank->steps[rank->count];
		struct split split;

		if (row->step == STEP_NULL || row->end <= row->begin || row->end - row->begin > LENGTH_MOST)
			continue;
		*step = (struct why_step){
			.step = row->step,
			.begin = row->begin,
			.end = row->end,
			.length = step_row_length(row),
			.lacks = whole_steps_lack(&rank->report, row),
			.by_device = (row->by_device || (device && !row->computes)) && !by_host,
		};
		split_make(&split, a, subjects, row->begin, row->end, step->by_device);
		keeping_add(k, step, &split);
		split_free(&split);
		rank->count++;
	}
	process_unload(p);
}

static int by_rank(const void *a, const void *b)
{
	const struct why_rank *x = a, *y = b;

	return report_order(&x->report, &y->report);
}

void why_rank_free(struct why_rank *rank)
{
	free(rank->steps);
	report_free(&rank->report);
}

static bool same_run(const struct report *a, const struct report *b)
{
	return a->folder && b->folder && !strcmp(a->folder, b->folder);
}

static size_t count_runs(const struct why_run *run)
{
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++) {
		size_t same = 0;

		while (same < i && !same_run(&run->ranks[same].report, &run->ranks[i].report))
			same++;
		count += same == i && run->ranks[i].report.folder;
	}
	return count;
}

/* Steps of two runs are no steps of each other. What no launcher wrote of is in each. */
static void keep_newest(struct why_run *run)
{
	const struct report *newest = NULL;
	size_t runs = count_runs(run), kept = 0;
	char *folder;

	if (runs < 2)
		return;
	for (size_t i = 0; i < run->count; i++)
		if (run->ranks[i].report.folder && (!newest || run->ranks[i].report.started >= newest->started))
			newest = &run->ranks[i].report;
	if (!newest)
		return;
	folder = alloc_text(newest->folder, strlen(newest->folder));
	for (size_t i = 0; i < run->count; i++) {
		const char *own = run->ranks[i].report.folder;

		if (!own || !strcmp(own, folder)) {
			run->ranks[kept++] = run->ranks[i];
			continue;
		}
		kept_drop(run, &run->ranks[i]);
		why_rank_free(&run->ranks[i]);
	}
	run->count = kept;
	run->other_runs = runs - 1;
	free(folder);
}

static void tell_apart(struct why_run *run)
{
	struct told_apart t = { 0 };

	for (size_t i = 0; i < run->count; i++)
		told_apart_take(&t, &run->ranks[i].report);
	for (size_t i = 0; i < run->count; i++)
		told_apart_note(&t, &run->ranks[i].report);
}

/* ---- all ranks ---- */

struct record {
	bool here; /* it has come, or will not: bytes is NULL then */
	uint8_t *bytes;
	size_t size;
};

struct reading {
	struct why_run *run;
	struct trace *trace;
	const struct choice *asked;
	bool by_host;
	struct activity activity;
	struct known_runs runs;
	struct sessions sessions;
	struct record *records; /* by number of the process */
	size_t next;		/* that was not settled */
};

static uint64_t peak_of(const struct report *r)
{
	const struct memory *memory = r->sections[SECTION_memory];

	return memory->places[PLACE_DEVICE].peak_bytes;
}

/* False: it was not asked for. */
static bool read_one(struct reading *r, size_t number, struct why_rank *rank, struct keeping *k, struct subjects *subjects)
{
	struct process *p = &r->trace->processes[number];

	*rank = (struct why_rank){ 0 };
	if (p->has_rank && !choice_has_rank(r->asked, true, p->rank))
		return false;
	report_read(&rank->report, p, r->asked, &r->sessions, &r->runs);
	if (!rank->report.chosen) {
		report_free(&rank->report);
		return false;
	}
	rank->peak_bytes = peak_of(&rank->report);
	split_steps(rank, k, p, &r->activity, subjects, r->by_host);
	return true;
}

/* ---- by forks ---- */

static void make_record(struct reading *r, size_t number, struct parcel *record)
{
	struct keeping kept = { 0 };
	struct subjects own;
	struct why_rank rank;
	bool there;

	subjects_init(&own);
	there = read_one(r, number, &rank, &kept, &own);
	PARCEL(record, there);
	if (there) {
		rank_pack(record, &rank, &kept, &own);
		why_rank_free(&rank);
	}
	keeping_free(&kept);
	subjects_free(&own);
}

static void make(void *context, size_t number, int fd, struct parcel *record)
{
	char *said;

	make_record(context, number, record);
	said = crew_said(fd);
	parcel_text_or_none(record, &said);
	free(said);
}

/* The next one becomes one of the run, if it was asked for. said: what there is behind it. False: these bytes are none. */
static bool open_record(struct reading *r, const uint8_t *bytes, size_t size, char **said)
{
	struct why_rank *rank = &r->run->ranks[r->run->count];
	struct process *process = &r->trace->processes[r->next];
	struct parcel p = PARCEL_OF(bytes, size);
	bool there = false;

	PARCEL(&p, there);
	if (there && !p.broken && !rank_unpack(rank, r->run, &p))
		return false;
	if (said)
		parcel_text_or_none(&p, said);
	if (there && p.broken) {
		kept_drop(r->run, rank);
		why_rank_free(rank);
		*rank = (struct why_rank){ 0 };
	}
	if (p.broken)
		return false;
	if (there) { /* what it told of itself at its end */
		process->has_rank = rank->report.has_rank;
		process->rank = rank->report.rank;
	}
	r->run->count += there;
	return true;
}

/* The next one: as if there were no forks. */
static void settle(struct reading *r)
{
	const struct record *record = &r->records[r->next];
	struct parcel own = { 0 };
	char *said = NULL;

	if (!record->bytes || !open_record(r, record->bytes, record->size, &said)) {
		make_record(r, r->next, &own);
		open_record(r, own.bytes, own.used, NULL);
	} else if (said) {
		fputs(said, stderr);
	}
	r->next++;
	free(own.bytes);
	free(said);
}

static void settle_those_there(struct reading *r)
{
	for (; r->next < r->trace->count && r->records[r->next].here; free(r->records[r->next - 1].bytes))
		settle(r);
}

/* In order of the trace, so that the answer is the same whoever is first. */
static void take(void *context, size_t number, const uint8_t *bytes, size_t size)
{
	struct reading *r = context;
	struct record *record = &r->records[number];

	*record = (struct record){ .bytes = alloc_zero(size, 1), .size = size, .here = true };
	memcpy(record->bytes, bytes, size);
	settle_those_there(r);
}

/* Then we read it. */
static void lost(void *context, size_t number, const char *why)
{
	struct reading *r = context;

	(void)why;
	r->records[number].here = true;
	settle_those_there(r);
}

/* A child is worth it where there is something to read. */
static unsigned int jobs_for(const struct trace *t)
{
	uint64_t bytes = 0;
	struct stat st;

	for (size_t i = 0; i < t->count; i++)
		for (size_t k = 0; k < t->processes[i].file_count; k++)
			bytes += stat(t->processes[i].files[k].path, &st) ? 0 : (uint64_t)st.st_size;
	return bytes < BYTES_ALONE ? 1 : cores_count();
}

static void read_all(struct reading *r, unsigned int jobs)
{
	size_t count = r->trace->count;

	r->records = alloc_zero(count, sizeof(*r->records));
	if (jobs > 1 && count > 1)
		crew_do(&(struct crew_work){ "why", count, jobs, r, make, take, lost });
	for (; r->next < count; settle(r))
		progress("why", r->next, count);
	progress_end();
	free(r->records);
}

void why_run_read(struct why_run *run, struct trace *t, const struct choice *asked, bool by_host, unsigned int jobs)
{
	struct reading r = { .run = run, .trace = t, .asked = asked, .by_host = by_host };

	*run = (struct why_run){ .ranks = alloc_zero(t->count + 1, sizeof(*run->ranks)), .shelf = SHELF };
	subjects_init(&run->subjects);
	sessions_read(&r.sessions);
	read_all(&r, jobs ? jobs : jobs_for(t));
	sessions_free(&r.sessions);
	run_of_free(&r.runs);
	activity_free(&r.activity);
	keep_newest(run);
	tell_apart(run);
	qsort(run->ranks, run->count, sizeof(*run->ranks), by_rank);
	for (uint32_t i = 0; i < run->count; i++)
		for (size_t k = 0; k < run->ranks[i].count; k++)
			run->ranks[i].steps[k].rank = i;
}

void why_run_free(struct why_run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		kept_drop(run, &run->ranks[i]);
		why_rank_free(&run->ranks[i]);
	}
	free(run->ranks);
	shelf_free(&run->shelf);
	subjects_free(&run->subjects);
}

void why_run_say_which(const struct why_run *run)
{
	if (run->other_runs)
		fprintf(stderr, "ranktrace: %zu runs lie there: this is of the newest, %s; name another by its folder\n", run->other_runs + 1,
			run->count && run->ranks[0].report.folder ? run->ranks[0].report.folder : "-");
}

void why_rank_json(struct out *o, const struct why_rank *rank)
{
	const char *group = report_fact(&rank->report, "worker_group");

	report_json_begin(o, &rank->report);
	if (rank->report.grouped)
		out_json_text(o, "worker_group", *group ? group : NULL);
}

bool why_rank_has_all_calls(const struct why_rank *rank)
{
	return level_of_word(report_fact(&rank->report, "level")) > 0;
}
