/*
 * perfetto.c - the time line in Perfetto's own format (https://perfetto.dev/docs/reference/trace-packet-proto): a Trace of
 * TracePackets. Times are nanoseconds since the Unix epoch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/perfetto/bytes.h"
#include "analysis/export/perfetto/fields.h"
#include "analysis/export/perfetto/interned.h"
#include "analysis/export/perfetto/tracks.h"
#include "analysis/export/timeline/timeline.h"
#include "analysis/trace/shapes.h"
#include "analysis/util/alloc.h"

#define SEQUENCE 1 /* all packets are of one */

enum sort { CATEGORIES,
	    NAMES,
	    KEYS,
	    TEXTS,
	    SORTS };
static const uint32_t field_of_sort[SORTS] = { INTERNED_CATEGORIES, INTERNED_NAMES, INTERNED_KEYS, INTERNED_TEXTS };

struct perfetto {
	struct interned interned[SORTS];
	struct bytes packet; /* that is made, or a slice's two */
	struct bytes texts;  /* of which its event is the first to speak */
	size_t packet_length, event_length;
	bool clears;  /* the next texts have numbers anew */
	uint64_t end; /* of the slice that is open */
	uint64_t track;
	bool is_mark;
	struct tracks tracks;
};

/* ---- packets ---- */

static uint32_t number_of(struct perfetto *p, enum sort sort, const char *text)
{
	return interned_number(&p->interned[sort], text, &p->texts, field_of_sort[sort]);
}

/* Texts are numbers in it, and a slice has not so many arguments: bytes_open() is enough. */
static void begin_packet(struct perfetto *p, uint32_t flags)
{
	p->packet_length = bytes_open(&p->packet, TRACE_PACKET);
	bytes_number(&p->packet, PACKET_SEQUENCE, SEQUENCE);
	if (flags)
		bytes_number(&p->packet, PACKET_FLAGS, flags);
}

static void begin_event(struct perfetto *p, uint64_t ns, uint32_t type, uint64_t track)
{
	bytes_number(&p->packet, PACKET_TIMESTAMP, ns);
	p->event_length = bytes_open(&p->packet, PACKET_EVENT);
	bytes_number(&p->packet, EVENT_TYPE, type);
	bytes_number(&p->packet, EVENT_TRACK, track);
}

static void end_event(struct perfetto *p)
{
	bytes_close(&p->packet, p->event_length);
	bytes_close(&p->packet, p->packet_length);
}

/* A packet whose last field is a message of any length. */
static void put_message(struct line_writer *w, uint32_t flags, uint32_t field, const struct bytes *message)
{
	struct bytes packet = { 0 }, head = { 0 };

	bytes_number(&packet, PACKET_SEQUENCE, SEQUENCE);
	if (flags)
		bytes_number(&packet, PACKET_FLAGS, flags);
	bytes_message(&packet, field, message);
	bytes_varint(&head, TRACE_PACKET << 3 | 2);
	bytes_varint(&head, packet.used);
	out_bytes(w->out, (const char *)head.data, head.used);
	out_bytes(w->out, (const char *)packet.data, packet.used);
	bytes_free(&packet);
	bytes_free(&head);
}

/* Before the event that is the first to speak of them. */
static void put_texts(struct line_writer *w)
{
	struct perfetto *p = w->own;

	put_message(w, p->clears ? STATE_CLEARED | NEEDS_STATE : NEEDS_STATE, PACKET_INTERNED, &p->texts);
	p->texts.used = 0;
	p->clears = false;
}

static void put_packets(struct line_writer *w)
{
	struct perfetto *p = w->own;

	if (p->texts.used)
		put_texts(w);
	out_bytes(w->out, (const char *)p->packet.data, p->packet.used);
	p->packet.used = 0;
}

/* ---- processes and tracks ---- */

#define PROCESS_UUID UINT32_MAX /* in place of a thread's number */

static uint64_t uuid_of(struct line_writer *w, uint32_t pid, uint32_t tid)
{
	struct perfetto *p = w->own;

	return tracks_uuid(&p->tracks, w, pid, tid);
}

static void put_track_of(struct line_writer *w, uint64_t uuid, uint32_t field, const struct bytes *what)
{
	struct bytes descriptor = { 0 };

	bytes_number(&descriptor, TRACK_UUID, uuid);
	bytes_message(&descriptor, field, what);
	put_message(w, 0, PACKET_TRACK, &descriptor);
	bytes_free(&descriptor);
}

static void put_process(struct line_writer *w, uint32_t pid, const char *title, uint32_t index)
{
	struct bytes what = { 0 };

	bytes_number(&what, PROCESS_PID, pid);
	bytes_number(&what, PROCESS_ORDER, index);
	bytes_text(&what, PROCESS_NAME, title);
	put_track_of(w, uuid_of(w, pid, PROCESS_UUID), TRACK_PROCESS, &what);
	bytes_free(&what);
}

static void put_label(struct line_writer *w, uint32_t pid, const char *text)
{
	struct bytes what = { 0 };

	bytes_number(&what, PROCESS_PID, pid);
	bytes_text(&what, PROCESS_LABEL, text);
	put_track_of(w, uuid_of(w, pid, PROCESS_UUID), TRACK_PROCESS, &what);
	bytes_free(&what);
}

static void put_track(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, int64_t index)
{
	struct bytes what = { 0 };

	bytes_number(&what, THREAD_PID, pid);
	bytes_number(&what, THREAD_TID, tid);
	bytes_number(&what, THREAD_ORDER, (uint64_t)index);
	bytes_text(&what, THREAD_NAME, title);
	put_track_of(w, uuid_of(w, pid, tid), TRACK_THREAD, &what);
	bytes_free(&what);
}

/* ---- counters ---- */

/* Named as the reader names those of Chrome's JSON. */
static void put_counter(struct line_writer *w, const struct counter *c)
{
	struct bytes what = { 0 };
	char title[160];

	snprintf(title, sizeof(title), "%s %s", c->title, c->unit);
	bytes_number(&what, TRACK_UUID, uuid_of(w, c->pid, c->tid));
	bytes_text(&what, TRACK_NAME, title);
	bytes_number(&what, TRACK_PARENT, uuid_of(w, c->pid, PROCESS_UUID));
	bytes_piece(&what, TRACK_COUNTER, NULL, 0);
	put_message(w, 0, PACKET_TRACK, &what);
	bytes_free(&what);
}

static void put_count(struct line_writer *w, const struct counter *c, uint64_t ns, uint64_t value)
{
	struct perfetto *p = w->own;

	begin_packet(p, 0);
	begin_event(p, ns, TYPE_COUNT, uuid_of(w, c->pid, c->tid));
	bytes_number(&p->packet, EVENT_COUNT, value);
	end_event(p);
	put_packets(w);
}

/* ---- slices and marks ---- */

static void forget_texts(struct perfetto *p)
{
	for (int i = 0; i < SORTS; i++)
		interned_free(&p->interned[i]);
	p->clears = true;
}

static void open_event(struct line_writer *w, uint32_t type, uint64_t ns, uint64_t track, const char *title, const char *category)
{
	struct perfetto *p = w->own;

	for (int i = 0; i < SORTS; i++)
		if (interned_is_full(&p->interned[i]))
			forget_texts(p);
	p->track = track;
	p->is_mark = type == TYPE_INSTANT;
	begin_packet(p, NEEDS_STATE);
	begin_event(p, ns, type, track);
	bytes_number(&p->packet, EVENT_CATEGORY, number_of(p, CATEGORIES, category));
	p->interned[NAMES].stays = !w->passing;
	bytes_number(&p->packet, EVENT_NAME, number_of(p, NAMES, title));
}

static void open_slice(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t begin, uint64_t duration)
{
	struct perfetto *p = w->own;

	open_event(w, TYPE_BEGIN, begin, uuid_of(w, pid, tid), title, category);
	p->end = begin + duration;
}

static void open_mark(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t ns)
{
	open_event(w, TYPE_INSTANT, ns, uuid_of(w, pid, tid), title, category);
}

/* Returns where its length stands. */
static size_t begin_argument(struct perfetto *p, const char *key)
{
	size_t length;

	bytes_varint(&p->packet, EVENT_ARGUMENT << 3 | 2);
	length = p->packet.used;
	bytes_varint(&p->packet, 0); /* two numbers take less than 128 bytes */
	bytes_number(&p->packet, ARGUMENT_KEY, number_of(p, KEYS, key));
	return length;
}

static void end_argument(struct perfetto *p, size_t length)
{
	p->packet.data[length] = (uint8_t)(p->packet.used - length - 1);
}

static void put_argument(struct line_writer *w, const char *key, uint32_t field, uint64_t value)
{
	struct perfetto *p = w->own;
	size_t length = begin_argument(p, key);

	bytes_number(&p->packet, field, value);
	end_argument(p, length);
}

static void put_number(struct line_writer *w, const char *key, int64_t number)
{
	put_argument(w, key, ARGUMENT_INTEGER, (uint64_t)number);
}

static void put_fraction(struct line_writer *w, const char *key, double number)
{
	struct perfetto *p = w->own;
	size_t length = begin_argument(p, key);
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	bytes_fixed(&p->packet, ARGUMENT_FRACTION, bits);
	end_argument(p, length);
}

static void put_truth(struct line_writer *w, const char *key, bool yes)
{
	put_argument(w, key, ARGUMENT_TRUTH, yes);
}

static void put_text(struct line_writer *w, const char *key, const char *text)
{
	struct perfetto *p = w->own;

	p->interned[TEXTS].stays = !w->passing;
	put_argument(w, key, ARGUMENT_TEXT, number_of(p, TEXTS, text));
}

static void put_shapes(struct line_writer *w, const struct shapes *shapes)
{
	char line[SHAPES_LINE];

	shapes_line(line, sizeof(line), shapes);
	w->passing = true;
	put_text(w, "shapes", line);
	w->passing = false;
}

static void put_arrow(struct line_writer *w, enum arrow kind, bool ends, uint64_t id)
{
	struct perfetto *p = w->own;

	(void)kind;
	bytes_fixed(&p->packet, ends ? EVENT_LAST_FLOW : EVENT_FLOW, id);
}

/* Readers sort packets by time and keep the order of those of one time: of two slices that end at once either may end first. */
static void close_slice(struct line_writer *w)
{
	struct perfetto *p = w->own;

	end_event(p);
	if (!p->is_mark) {
		begin_packet(p, 0);
		begin_event(p, p->end, TYPE_END, p->track);
		end_event(p);
	}
	put_packets(w);
}

/* ---- the file ---- */

static void begin_file(struct line_writer *w)
{
	struct perfetto *p = w->own = alloc_zero(1, sizeof(*p));

	p->clears = true;
	tracks_begin(&p->tracks);
	p->interned[CATEGORIES].stays = p->interned[KEYS].stays = true;
}

static void restart(struct line_writer *w)
{
	struct perfetto *p = w->own;

	forget_texts(p);
	tracks_end(&p->tracks);
	tracks_begin(&p->tracks);
}

static void resume(struct line_writer *w)
{
	forget_texts(w->own);
}

static void end_file(struct line_writer *w)
{
	struct perfetto *p = w->own;

	forget_texts(p);
	tracks_end(&p->tracks);
	bytes_free(&p->packet);
	bytes_free(&p->texts);
	free(p);
}

static const struct line_format format = {
	.suffix = "pftrace",
	.begin = begin_file,
	.restart = restart,
	.resume = resume,
	.process = put_process,
	.label = put_label,
	.track = put_track,
	.counter = put_counter,
	.count = put_count,
	.slice = open_slice,
	.mark = open_mark,
	.number = put_number,
	.fraction = put_fraction,
	.truth = put_truth,
	.text = put_text,
	.shapes = put_shapes,
	.arrow = put_arrow,
	.close = close_slice,
	.end = end_file,
};

static void begin(struct export *e)
{
	timeline_begin(e, &format);
}

const struct exporter perfetto_exporter = {
	.apart = true,
	.is_binary = true,
	.may_be_folder = true,
	.may_be_packed = true,
	.begin = begin,
	.process = timeline_process,
	.event = timeline_event,
	.visitor = TIMELINE_VISITOR,
	.process_end = timeline_process_end,
	.turn = timeline_turn,
	.end = timeline_end,
};
