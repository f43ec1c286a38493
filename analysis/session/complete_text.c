#include "analysis/session/complete_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/format/causes.h"
#include "analysis/util/alloc.h"

static void put_rank(const struct session_status *st, FILE *f)
{
	if (st->rank >= 0)
		fprintf(f, "rank=%" PRId64 "\nrank_source=%s\n", st->rank, st->rank_source);
	if (st->worker_group[0])
		fprintf(f, "worker_group=%s\n", st->worker_group);
}

static void put_waited(const struct session_status *st, FILE *f)
{
	if (st->step_source[0] && st->waited_for[0])
		fprintf(f, "waited_for=%s\nwaited_seconds=%" PRIu64 "\n", st->waited_for, st->waited_seconds);
}

int complete_text_file(struct incomplete_file *s)
{
	const struct session_status *st = s->status;
	struct chunk_header h = { .type = CHUNK_FILE, .flags = CHUNK_RECOVERED };
	struct clock_reading now = s->writer.clock;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err;

	fprintf(f, "%s", st->facts);
	fprintf(f, "host=%s\npid=%u\nfile_id=%016" PRIx64 "\njob=%s\nlaunch=%s\nclock=%s\n",
		st->host, st->pid, st->file_id, st->job, st->launch,
		st->clock == CLOCK_TSC ? "tsc" : st->clock == CLOCK_CNTVCT ? "cntvct"
									   : "ns");
	put_rank(st, f);
	fclose(f);
	if (s->before.ticks) /* so that times of both files, put side by side, stay in order */
		s->writer.clock = s->before;
	err = chunk_writer_put(&s->writer, &h, text, size);
	s->writer.clock = now;
	free(text);
	return err;
}

const struct file_base *complete_text_base(const struct incomplete_file *s, const struct file_base base[2])
{
	uint64_t ended = s->status->ended;

	return &base[(s->totals > ended ? s->totals : ended) & 1];
}

/* Calls since the file began. What was thrown away after a limit counts as dropped. */
static struct file_base file_totals(const struct incomplete_file *s)
{
	const struct file_base *base = complete_text_base(s, s->status->base);
	struct file_base t = { s->status->no_ring - base->entered, s->status->no_ring + s->status->discarded + s->discarded - base->dropped };

	for (size_t i = 0; i < s->image->ring_count; i++) {
		const struct ring_header *h = s->image->rings[i].header;

		base = complete_text_base(s, h->base);
		t.entered += h->entered - base->entered;
		t.dropped += h->dropped - base->dropped;
	}
	return t;
}

uint64_t complete_text_gone(const struct incomplete_file *s)
{
	struct file_base t = file_totals(s);
	uint64_t accounted = t.dropped + s->before_us + s->events;
	bool any = false;

	for (size_t i = 0; i < s->image->ring_count; i++) {
		const struct ring_image *ring = &s->image->rings[i];

		any |= ring_is_gone(ring);
		accounted += ring->header->call_hook && !(ring->header->call_hook & CALL_LEFT_OUT);
	}
	return any && t.entered > accounted ? t.entered - accounted : 0;
}

static void put_totals(const struct incomplete_file *s, FILE *f)
{
	struct file_base t = file_totals(s);

	fprintf(f, "entered=%" PRIu64 "\ndropped=%" PRIu64 "\n", t.entered, t.dropped + s->gone);
	if (s->gone)
		fprintf(f, "gone=%" PRIu64 "\n", s->gone);
}

static void put_hooks(const struct incomplete_file *s, FILE *f)
{
	const struct session_status *st = s->status;

	for (unsigned int i = 0; i < st->hooks; i++) {
		const struct hook_name *hook = table_find(&s->image->known.hooks, i);

		if (st->unrecorded[i] && hook)
			fprintf(f, "unrecorded.%s=%" PRIu64 "\n", hook->name, st->unrecorded[i]);
	}
	for (size_t i = 0; i < s->result->call_count; i++)
		fprintf(f, "in_call.%u=%s\n", s->result->calls[i].tid, s->result->calls[i].hook);
}

static void put_libraries(const char *lines, FILE *f)
{
	char *copy = alloc_text(lines, strlen(lines)), *rest = NULL;

	for (char *l = strtok_r(copy, "\n", &rest); l; l = strtok_r(NULL, "\n", &rest))
		fprintf(f, "library=%s\n", l);
	free(copy);
}

static void put_limits(const struct session_status *st, FILE *f)
{
#define LIMIT(key)                   \
	if (st->beyond[LIMIT_##key]) \
		fprintf(f, #key "=%" PRIu64 "\n", st->beyond[LIMIT_##key]);
	SESSION_LIMITS(LIMIT)
#undef LIMIT
}

int complete_text_end(struct incomplete_file *s)
{
	const struct session_status *st = s->status;
	struct chunk_header h = { .type = CHUNK_END, .flags = CHUNK_RECOVERED };
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err;

	fprintf(f, "reason=%s\nrecovered=%" PRIu64 "\nuntimed=%" PRIu64 "\ntimes_later=0\ncause=%s\n"
		   "step_source=%s\nboundaries=%" PRIu64 "\n",
		st->state == SESSION_LEFT ? RECOVERED_REASON : "recovered", s->events, st->untimed,
		session_cause_word(st->cause), st->step_source, st->boundaries);
	put_waited(st, f);
	put_rank(st, f);
	if (st->last_step != STEP_NULL)
		fprintf(f, "last_step=%" PRId64 "\n", st->last_step);
	if (st->queue_waits)
		fprintf(f, "queue_waits=%" PRIu64 "\nqueue_wait_ns=%" PRIu64 "\n", st->queue_waits, st->queue_wait_ns);
	put_totals(s, f);
	if (st->unselected)
		fprintf(f, "unselected=%" PRIu64 "\n", st->unselected);
	if (st->unsafe_rings)
		fprintf(f, "lost_buffers=%" PRIu64 "\n", st->unsafe_rings);
	put_limits(st, f);
	put_libraries(st->libraries, f);
	put_hooks(s, f);
	fclose(f);
	err = chunk_writer_put(&s->writer, &h, text, size);
	free(text);
	return err;
}
