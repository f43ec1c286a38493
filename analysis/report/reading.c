#include "analysis/report/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_parcel.h"
#include "analysis/util/alloc.h"
#include "analysis/util/crew.h"
#include "analysis/util/progress.h"

void (*reading_by)(struct reading *r);

/* Its files are whole, and their process is over. */
static bool is_settled(const struct process *p, const struct report *r)
{
	bool settled = !r->unreadable;

	for (size_t i = 0; i < p->file_count; i++)
		settled &= p->files[i].ended && !p->files[i].part && !p->files[i].newer;
	return settled;
}

/* ---- the record ---- */

static void record_head(struct parcel *p, uint64_t *number, bool *settled, char **said)
{
	PARCEL(p, *number);
	PARCEL(p, *settled);
	parcel_text_or_none(p, said);
}

void reading_make(struct process *p, size_t number, const struct choice *choice, int fd, struct parcel *record)
{
	struct report report = { 0 };
	struct parcel packed;
	char *said = NULL;
	bool settled;

	report_read_files(&report, p, choice);
	report_pack(&packed, &report);
	settled = is_settled(p, &report);
	said = crew_said(fd);
	report_free(&report);
	record_head(record, &number, &settled, &said);
	parcel_bytes(record, packed.bytes, packed.used);
	free(packed.bytes);
	free(said);
}

static bool is_wanted(const struct reading *r, size_t number)
{
	return number < r->trace->count && !r->there[number];
}

void reading_take(struct reading *r, const uint8_t *record, size_t size)
{
	struct parcel p = PARCEL_OF(record, size);
	uint64_t number = 0;
	bool settled = false;
	char *said = NULL;

	record_head(&p, &number, &settled, &said);
	if (p.broken || !is_wanted(r, number) || !report_unpack(&r->reports[number], record + p.used, size - p.used)) {
		free(said);
		return;
	}
	r->there[number] = true;
	r->said[number] = said;
	r->taken++;
	r->settled[number] = settled;
	/* They are the report's now. */
	key_values_free(&r->trace->processes[number].facts);
}

void reading_left_out(const struct reading *r, size_t number, const char *why)
{
	const struct process *p = &r->trace->processes[number];

	if (p->has_rank)
		fprintf(stderr, "ranktrace: report: rank %" PRId64 " is left out (%s): %s\n", p->rank, p->files[0].path, why);
	else
		fprintf(stderr, "ranktrace: report: a process is left out (%s): %s\n", p->files[0].path, why);
}

/* ---- here ---- */

static void read_here(struct reading *r)
{
	alloc_keep_room();
	for (size_t i = 0; i < r->count; i++) {
		struct parcel record = { 0 };

		progress("report", i, r->count);
		reading_make(&r->trace->processes[r->wanted[i]], r->wanted[i], r->choice, -1, &record);
		reading_take(r, record.bytes, record.used);
		free(record.bytes);
	}
}

/* ---- by forks ---- */

static void make(void *context, size_t number, int said, struct parcel *record)
{
	const struct reading *r = context;
	size_t wanted = r->wanted[number];

	reading_make(&r->trace->processes[wanted], wanted, r->choice, said, record);
}

static void take(void *context, size_t number, const uint8_t *record, size_t size)
{
	(void)number; /* the record has it, too */
	reading_take(context, record, size);
}

static void lost(void *context, size_t number, const char *why)
{
	const struct reading *r = context;

	reading_left_out(r, r->wanted[number], why);
}

static void read_by_forks(struct reading *r)
{
	crew_do(&(struct crew_work){ "report", r->count, r->jobs, r, make, take, lost });
}

bool reading_do(struct reading *r)
{
	r->said = alloc_zero(r->trace->count, sizeof(*r->said));
	if (reading_by)
		reading_by(r);
	else
		(r->jobs > 1 && r->count > 1 ? read_by_forks : read_here)(r);
	progress_end();
	for (size_t i = 0; i < r->trace->count; i++) {
		if (r->said[i])
			fputs(r->said[i], stderr);
		free(r->said[i]);
	}
	free(r->said);
	return r->taken == r->count;
}
