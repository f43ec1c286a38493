#include "analysis/session/complete_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/format/encode.h"
#include "analysis/trace/defs.h"
#include "analysis/util/alloc.h"

#define PAYLOAD (1u << 20)

bool complete_file_wanted(const struct session_status *s)
{
	bool all = !s->ranks[0] || !strcmp(s->ranks, "all");

	return !session_cause_is_final(s->cause) && (all || s->rank >= 0);
}

/*
 * The counters behind which the calls of the file to be completed begin. Killed behind a file's totals, the
 * process may not have come to say that the next file's base is in force.
 */
static const struct file_base *file_base(const struct incomplete_file *s, const struct file_base base[2])
{
	uint64_t ended = s->status->ended;

	return &base[(s->totals > ended ? s->totals : ended) & 1];
}

static uint64_t first_missing(const struct incomplete_file *s, const struct ring_header *h)
{
	const struct ring_reach *reach = table_find(&s->reached, h->id);
	uint64_t first = reach && reach->next_slot > h->tail ? reach->next_slot : h->tail;

	return first < h->head ? first : h->head;
}

bool complete_file_pending(const struct incomplete_file *s)
{
	for (size_t i = 0; i < s->image->ring_count; i++) {
		const struct ring_header *h = s->image->rings[i].header;

		if (first_missing(s, h) < h->head)
			return true;
	}
	return false;
}

/* ---- text ---- */

/* What the agent wrote last, and what has become known since. */
static int put_file(struct incomplete_file *s)
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
	if (st->rank >= 0)
		fprintf(f, "rank=%" PRId64 "\nrank_source=%s\n", st->rank, st->rank_source);
	fclose(f);
	if (s->before.ticks) /* so that times of both files, put side by side, stay in order */
		s->writer.clock = s->before;
	err = chunk_writer_put(&s->writer, &h, text, size);
	s->writer.clock = now;
	free(text);
	return err;
}

/* Calls since the file began. What was thrown away after a limit counts as dropped. */
static struct file_base file_totals(const struct incomplete_file *s)
{
	const struct file_base *base = file_base(s, s->status->base);
	struct file_base t = { s->status->no_ring - base->entered, s->status->no_ring + s->status->discarded + s->discarded - base->dropped };

	for (size_t i = 0; i < s->image->ring_count; i++) {
		const struct ring_header *h = s->image->rings[i].header;

		base = file_base(s, h->base);
		t.entered += h->entered - base->entered;
		t.dropped += h->dropped - base->dropped;
	}
	return t;
}

/* Calls that were entered and went nowhere: some rings had their slots in memory that ended with the process. */
static uint64_t count_gone(const struct incomplete_file *s)
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
	struct key_values facts = { 0 };
	struct defs defs;

	defs_init(&defs);
	defs_parse(&defs, &facts, s->image->defs, s->image->defs_size);
	for (unsigned int i = 0; i < st->hooks; i++) {
		const struct hook_name *hook = table_find(&defs.hooks, i);

		if (st->unrecorded[i] && hook)
			fprintf(f, "unrecorded.%s=%" PRIu64 "\n", hook->name, st->unrecorded[i]);
	}
	for (size_t i = 0; i < s->result->call_count; i++)
		fprintf(f, "in_call.%u=%s\n", s->result->calls[i].tid, s->result->calls[i].hook);
	key_values_free(&facts);
	defs_free(&defs);
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

static int put_end(struct incomplete_file *s)
{
	const struct session_status *st = s->status;
	struct chunk_header h = { .type = CHUNK_END, .flags = CHUNK_RECOVERED };
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err;

	fprintf(f, "reason=recovered\nrecovered=%" PRIu64 "\nuntimed=%" PRIu64 "\ncause=%s\n"
		   "step_source=%s\nboundaries=%" PRIu64 "\n",
		s->events, st->untimed,
		session_cause_word(st->cause), st->step_source, st->boundaries);
	if (st->rank >= 0)
		fprintf(f, "rank=%" PRId64 "\nrank_source=%s\n", st->rank, st->rank_source);
	if (st->last_step != STEP_NULL)
		fprintf(f, "last_step=%" PRId64 "\n", st->last_step);
	put_totals(s, f);
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

/* ---- definitions and slots ---- */

static int put_definitions(struct incomplete_file *s)
{
	const uint8_t *bytes = s->image->defs;
	size_t left = s->image->defs_size, size, length;
	int err = 0;

	for (; left && !err; bytes += size, left -= size) {
		struct chunk_header h = { .type = CHUNK_DEFS, .flags = CHUNK_RECOVERED };

		size = 0;
		while ((length = defs_length(bytes + size, left - size)) &&
		       size + length <= PAYLOAD)
			size += length;
		if (!size && !length)
			return 0;
		if (!size) { /* no agent makes one so large */
			s->result->bad++;
			size = length;
			continue;
		}
		err = chunk_writer_put(&s->writer, &h, bytes, size);
	}
	return err;
}

static int put_lost(struct incomplete_file *s, uint64_t ring, struct def_lost lost)
{
	struct chunk_header h = { .type = CHUNK_DEFS, .flags = CHUNK_RECOVERED };
	struct {
		struct definition d;
		struct def_lost lost;
	} line = { { sizeof(line), DEF_LOST, 0, (uint32_t)ring }, lost };

	return lost.calls ? chunk_writer_put(&s->writer, &h, &line, sizeof(line)) : 0;
}

/* Calls that found no room, and the process ended before anything told of them. */
static int put_losses(struct incomplete_file *s)
{
	int err = 0;

	for (size_t i = 0; i < s->image->ring_count && !err; i++) {
		const struct ring_header *r = s->image->rings[i].header;

		err = put_lost(s, r->id, (struct def_lost){ r->lost, r->lost_since, r->lost_until, r->tid });
	}
	return err;
}

/* Thread and epoch in force at a position, carried along slot by slot. */
struct context {
	uint32_t tid, epoch;
};

static void follow(struct context *c, const struct event *slot)
{
	if (slot->hook == CTRL_THREAD)
		c->tid = (uint32_t)slot->key;
	else if (slot->hook == CTRL_STEP)
		c->epoch = (uint32_t)slot->key;
}

/* Encodes from `at` on, and returns how far the payload reaches. */
static uint64_t encode_run(struct encoder *e, const struct ring_image *ring, uint64_t at,
			   struct context *context)
{
	uint64_t head = ring->header->head;

	while (at < head) {
		uint64_t span = ring->header->slots - (at & (ring->header->slots - 1));
		uint64_t n = head - at < span ? head - at : span;
		size_t done = encode_slots(e, ring_slot(ring, at), (size_t)n);

		for (size_t i = 0; i < done; i++)
			follow(context, ring_slot(ring, at + i));
		at += done;
		if (done < n)
			break;
	}
	return at;
}

/* The agent moves tail between writing the new context and the old one over it. */
static struct context context_at_tail(const struct ring_header *r)
{
	if (r->tail && r->next_tail == r->tail)
		return (struct context){ (uint32_t)r->next_tid, (uint32_t)r->next_epoch };
	return (struct context){ (uint32_t)r->tail_tid, (uint32_t)r->tail_epoch };
}

static int put_ring(struct incomplete_file *s, const struct ring_image *ring, struct encoder *e,
		    uint8_t *payload)
{
	const struct ring_header *r = ring->header;
	struct context context = context_at_tail(r);
	uint64_t at = r->tail, first = first_missing(s, r), next;
	int err = 0;

	if (ring_is_gone(ring))
		return 0;
	for (; at < first; at++)
		follow(&context, ring_slot(ring, at));
	for (; at < r->head && !err; at = next) {
		struct chunk_header h = {
			.type = CHUNK_EVENTS,
			.flags = CHUNK_RECOVERED,
			.ring = r->id,
			.tid = context.tid,
			.epoch = context.epoch,
			.entered = r->entered - file_base(s, r->base)->entered,
			.dropped = r->dropped - file_base(s, r->base)->dropped,
			.first_slot = at,
		};

		encode_begin(e, payload, PAYLOAD);
		h.next_slot = next = encode_run(e, ring, at, &context);
		h.events = e->events;
		err = chunk_writer_put(&s->writer, &h, payload, encode_end(e));
		s->events += err ? 0 : e->events;
	}
	return err;
}

static uint64_t ring_events(const struct incomplete_file *s, const struct ring_image *ring)
{
	uint64_t events = 0;

	if (ring_is_gone(ring))
		return 0;
	for (uint64_t at = first_missing(s, ring->header); at < ring->header->head; at++)
		events += ring_slot(ring, at)->hook < CTRL_FIRST;
	return events;
}

uint64_t complete_file_events(const struct incomplete_file *s)
{
	uint64_t events = 0;

	for (size_t i = 0; i < s->image->ring_count; i++)
		events += ring_events(s, &s->image->rings[i]);
	return events;
}

static int put_rings(struct incomplete_file *s)
{
	struct encoder *e = alloc_zero(1, sizeof(*e));
	uint8_t *payload = alloc_grow(NULL, PAYLOAD, 1);
	bool wanted = complete_file_wanted(s->status);
	int err = 0;

	for (size_t i = 0; i < s->image->ring_count && !err; i++) {
		if (wanted)
			err = put_ring(s, &s->image->rings[i], e, payload);
		else
			s->discarded += ring_events(s, &s->image->rings[i]);
	}
	free(payload);
	free(e);
	return err;
}

static uint64_t epoch_began(const struct incomplete_file *s, uint32_t epoch)
{
	struct key_values facts = { 0 };
	const struct def_epoch *def;
	struct defs defs;
	uint64_t begin;

	defs_init(&defs);
	defs_parse(&defs, &facts, s->image->defs, s->image->defs_size);
	def = table_find(&defs.epochs, epoch);
	begin = def ? def->begin : 0;
	key_values_free(&facts);
	defs_free(&defs);
	return begin;
}

/* After the epoch that the first of them was in had begun, and no later than the last call that such a ring knows of. */
static int put_gone(struct incomplete_file *s)
{
	struct def_lost gone = { .calls = count_gone(s) };
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; gone.calls && i < s->image->ring_count; i++) {
		const struct ring_image *ring = &s->image->rings[i];
		uint32_t epoch = context_at_tail(ring->header).epoch;

		if (!ring_is_gone(ring))
			continue;
		first = epoch < first ? epoch : first;
		gone.until = ring->header->call_begin > gone.until ? ring->header->call_begin : gone.until;
		gone.tid = ring->header->tid;
	}
	gone.since = epoch_began(s, first);
	s->gone = gone.calls;
	return put_lost(s, 0, gone);
}

int complete_file_write(struct incomplete_file *s)
{
	int err = s->fresh ? put_file(s) : 0;

	if (!err)
		err = put_definitions(s);
	if (!err)
		err = put_losses(s);
	if (!err)
		err = put_rings(s);
	if (!err)
		err = put_gone(s);
	return err ? err : put_end(s);
}
