#include "analysis/session/complete_file.h"

#include <stdlib.h>
#include <string.h>

#include "agent/format/causes.h"
#include "agent/format/encode.h"
#include "analysis/session/complete_text.h"
#include "analysis/trace/defs.h"
#include "analysis/util/alloc.h"

#define PAYLOAD (1u << 20)

bool complete_file_wanted(const struct session_status *s)
{
	bool all = !s->ranks[0] || !strcmp(s->ranks, "all");

	return !session_cause_is_final(s->cause) && (all || s->rank >= 0 || strstr(s->ranks, "unknown"));
}

bool complete_file_waited(const struct session_status *s)
{
	return !session_cause_is_final(s->cause) && !complete_file_wanted(s);
}

static uint64_t first_missing(const struct incomplete_file *s, const struct ring_header *h)
{
	const struct ring_reach *reach = table_find(&s->reached, h->id);
	uint64_t first = reach && reach->next_slot > h->tail ? reach->next_slot : h->tail;

	return first < h->head ? first : h->head;
}

/* A window that no file tells of; the process may have called nothing in it. */
static bool has_unwritten_stage(const struct incomplete_file *s)
{
	uint64_t told = s->totals > s->status->ended ? s->totals : s->status->ended;

	return s->status->windows > told && s->image->known.stages.count;
}

bool complete_file_pending(const struct incomplete_file *s)
{
	if (has_unwritten_stage(s))
		return true;
	for (size_t i = 0; i < s->image->ring_count; i++) {
		const struct ring_header *h = s->image->rings[i].header;

		if (first_missing(s, h) < h->head)
			return true;
	}
	return false;
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
			.entered = r->entered - complete_text_base(s, r->base)->entered,
			.dropped = r->dropped - complete_text_base(s, r->base)->dropped,
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

/* After the epoch that the first of them was in had begun, and no later than the last call that such a ring knows of. */
static int put_gone(struct incomplete_file *s)
{
	struct def_lost gone = { .calls = complete_text_gone(s) };
	const struct def_epoch *first_epoch;
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < s->image->ring_count; i++) {
		const struct ring_image *ring = &s->image->rings[i];
		uint32_t epoch = context_at_tail(ring->header).epoch;

		if (!ring_is_gone(ring))
			continue;
		first = epoch < first ? epoch : first;
		gone.until = ring->header->call_begin > gone.until ? ring->header->call_begin : gone.until;
		gone.tid = ring->header->tid;
	}
	first_epoch = table_find(&s->image->known.epochs, first);
	gone.since = first_epoch ? first_epoch->begin : 0;
	s->gone = gone.calls;
	return put_lost(s, 0, gone);
}

int complete_file_write(struct incomplete_file *s)
{
	int err = s->fresh ? complete_text_file(s) : 0;

	if (!err)
		err = put_definitions(s);
	if (!err)
		err = put_losses(s);
	if (!err)
		err = put_rings(s);
	if (!err)
		err = put_gone(s);
	return err ? err : complete_text_end(s);
}
