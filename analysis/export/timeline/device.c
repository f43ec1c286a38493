#include "analysis/export/timeline/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/timeline/categories.h"
#include "analysis/export/timeline/lanes.h"
#include "analysis/export/timeline/nccl_names.h"
#include "analysis/export/timeline/titles.h"
#include "analysis/trace/device_join.h"
#include "analysis/trace/words.h"

/* Durations are the device's own, beginnings were converted: neighbours may cross by rounding. */
#define ROUNDING	 100u /* ns */

/* Work in no stream that is known is in the one that readers expect of such, unless there is another of that number. */
#define NO_STREAM	 7
#define NO_STREAM_EITHER 65536

/* What a slice of the device is to those who add up. */
enum role {
	WORK,
	SPAN, /* from the first to the last work of an operator, or of a range */
	PART, /* a kernel that a collective launched which has a time itself: it would count twice */
	ROLES
};

struct device_row {
	const struct trace_device *dev;
	struct call call; /* begin_ns 0: not known */
	enum role role;
};

/* ---- tracks ---- */

static uint32_t stream_number(const struct device_tracks *t, uint16_t stream)
{
	if (stream)
		return stream;
	return table_find(&t->process->defs.streams, NO_STREAM) ? NO_STREAM_EITHER : NO_STREAM;
}

/* From 0. */
static uint32_t device_number(const struct device_tracks *t, uint16_t stream)
{
	const struct def_stream *s = table_find(&t->process->defs.streams, stream);

	return s && s->device ? s->device - 1 : 0;
}

/* In a file of one process a device has its number, as PyTorch's profiler has it. */
static uint32_t pid_of(struct device_tracks *t, uint16_t stream)
{
	uint32_t device = t->writer->only ? device_number(t, stream) : 0, pid = t->pid + device;
	bool *named;
	char title[256];

	if (pid == t->host)
		pid += 1u << 22; /* beyond all processes */
	named = table_put(&t->devices, pid);
	if (!*named) {
		title_device(title, sizeof(title), t->process, device, t->writer->only);
		t->writer->format->process(t->writer, pid, title, t->host + 1 + device);
	}
	*named = true;
	return pid;
}

static const char *const track_titles[ROLES] = { [WORK] = "", [SPAN] = "operators of ", [PART] = "in collectives of " };

#define STREAMS (1u << 16) /* a stream has tracks for each role; a role's keys stand behind those of all streams of the one before */

static struct lane *free_lane(struct device_tracks *t, uint32_t pid, const struct device_row *row, uint64_t begin)
{
	struct lanes *lanes = table_put(&t->streams, row->dev->stream + row->role * STREAMS);
	uint32_t number = stream_number(t, row->dev->stream);
	bool fresh;
	struct lane *lane = lanes_free(lanes, begin + ROUNDING, &fresh);
	char title[64];

	if (!fresh)
		return lane;
	snprintf(title, sizeof(title), lanes->count > 1 ? "%sstream %u (%zu)" : "%sstream %u", track_titles[row->role], number, lanes->count);
	if (lanes->count > 1 || row->role != WORK) {
		lane->track = line_track(t->writer, pid, title, number);
		return lane;
	}
	lane->track = number;
	t->writer->format->track(t->writer, pid, number, title, number);
	return lane;
}

/* ---- slices ---- */

static const char *const copy_titles[DIR_COUNT] = {
	[DIR_NONE] = "Memcpy",
	[DIR_H2D] = "Memcpy HtoD",
	[DIR_D2H] = "Memcpy DtoH",
	[DIR_D2D] = "Memcpy DtoD",
	[DIR_H2H] = "Memcpy HtoH",
	[DIR_OTHER] = "Memcpy",
};

static bool is_copy(enum event_kind kind)
{
	return kind == EV_COPY || kind == EV_MAP;
}

static bool has_bytes(const struct device_row *row)
{
	return row->call.begin_ns && (is_copy(row->dev->kind) || row->dev->kind == EV_FILL);
}

static enum role role_of(const struct device_tracks *t, const struct device_row *row)
{
	enum event_kind kind = row->dev->kind;

	if (kind == EV_OPERATOR || kind == EV_MARKER)
		return SPAN;
	if ((kind == EV_LAUNCH || kind == EV_COLLECTIVE) && row->call.around != CALL_NONE && table_find(&t->whole, row->call.around))
		return PART;
	return WORK;
}

/* As readers tell copies, fills and communication from computation: by how the name begins. */
static const char *title_of(const struct line_format *format, const struct device_row *row, char *room, size_t size)
{
	const struct trace_device *dev = row->dev;
	const char *name = dev->launch && dev->launch->shown ? dev->launch->shown : dev->name;

	if (is_copy(dev->kind))
		return copy_titles[row->call.direction];
	if (dev->kind == EV_FILL)
		return "Memset";
	if (!format->begins_names || !row->call.is_collective || row->role == PART || collective_has_title(name))
		return name;
	snprintf(room, size, COLLECTIVE_TITLE, name);
	return room;
}

static void put_collective(struct line_writer *w, const struct device_row *row)
{
	const struct trace_event ev = { .kind = EV_COLLECTIVE, .definition = row->call.collective };
	struct field fields[EVENT_FIELDS_MAX];

	line_fields(w, fields, event_fields(&ev, fields));
}

static void put_arguments(struct device_tracks *t, const struct device_row *row, int64_t step)
{
	const struct trace_device *dev = row->dev;
	struct line_writer *w = t->writer;

	if (row->call.operator!= CALL_NONE)
		w->format->number(w, "External id", (int64_t)row->call.operator);
	w->format->number(w, "correlation", (int64_t)call_id(dev->ring, dev->slot));
	w->format->number(w, "device", device_number(t, dev->stream));
	/* What has a "stream" is taken for work of the device. */
	w->format->number(w, row->role == WORK ? "stream" : "to_stream", stream_number(t, dev->stream));
	line_step(w, step);
	line_launch(w, dev->launch);
	if (has_bytes(row))
		w->format->number(w, "bytes", (int64_t)row->call.bytes);
	if (has_bytes(row) && row->call.bytes && dev->duration_ns)
		w->format->fraction(w, "memory bandwidth (GB/s)", (double)row->call.bytes / (double)dev->duration_ns);
	w->format->text(w, "entry_point", dev->name);
	if (row->call.collective)
		put_collective(w, row);
}

/* By then its call has been read. */
static void put_device(void *context, const void *item)
{
	const struct trace_device *dev = item;
	struct device_tracks *t = context;
	const struct call *call = calls_find(&t->calls, dev);
	struct device_row row = { .dev = dev, .call = call ? *call : (struct call){ .operator= CALL_NONE, .around = CALL_NONE } };
	int64_t step = device_steps_of(&t->steps, t->export, dev);
	struct lane *lane;
	uint64_t begin;
	uint32_t pid;
	char room[512];

	if (step == STEP_LEFT_OUT)
		return;
	row.role = role_of(t, &row);
	pid = pid_of(t, dev->stream);
	lane = free_lane(t, pid, &row, dev->begin_ns);
	begin = dev->begin_ns > lane->end ? dev->begin_ns : lane->end;
	lane->end = begin + dev->duration_ns;
	line_passing_slice(t->writer, pid, lane->track, title_of(t->writer->format, &row, room, sizeof(room)),
			   row.role == PART ? DEVICE_ANNOTATION : device_category(dev->kind), begin, dev->duration_ns);
	put_arguments(t, &row, step);
	line_arrow(t->writer, ARROW_LAUNCHED, true, call_id(dev->ring, dev->slot));
	t->writer->format->close(t->writer);
	if (call && row.role != SPAN)
		in_flight_take(&t->in_flight, call->begin_ns, lane->end);
}

/* ---- a process ---- */

void device_tracks_init(struct device_tracks *t, struct line_writer *writer, const struct export *export)
{
	t->writer = writer;
	t->export = export;
	sorter_init(&t->sorter, sizeof(struct trace_device), SORTER_WINDOW, put_device, t);
	in_flight_init(&t->in_flight, writer);
}

void device_tracks_begin(struct device_tracks *t, uint32_t host, uint32_t pid, const struct process *p)
{
	t->process = p;
	t->host = host;
	t->pid = pid;
	t->wanted = device_join_may(p);
	t->streams = TABLE(struct lanes);
	t->devices = TABLE(bool);
	t->whole = TABLE(bool);
	device_steps_begin(&t->steps, p);
	calls_begin(&t->calls);
	in_flight_begin(&t->in_flight, host);
}

void device_tracks_take(struct device_tracks *t, const struct trace_device *dev)
{
	if (dev->kind == EV_COLLECTIVE && export_wants_kind(t->export, EV_COLLECTIVE))
		table_put(&t->whole, call_id(dev->ring, dev->slot));
	sorter_push(&t->sorter, dev->begin_ns, UINT64_MAX - dev->duration_ns, dev);
}

void device_tracks_end(struct device_tracks *t)
{
	sorter_flush(&t->sorter);
	in_flight_end(&t->in_flight);
	calls_end(&t->calls);
	device_steps_end(&t->steps, t->export);
	for (size_t i = 0; i < t->streams.count; i++)
		free(((struct lanes *)table_item(&t->streams, i))->list);
	table_free(&t->streams);
	table_free(&t->devices);
	table_free(&t->whole);
}

void device_tracks_free(struct device_tracks *t)
{
	sorter_free(&t->sorter);
	in_flight_free(&t->in_flight);
}
