/* recover.c - for one dead process: finds and opens its file, has complete_file.c complete it, gives it its name, deletes the session. */
#include "analysis/session/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/session/host_clock.h"
#include "analysis/session/complete_file.h"
#include "analysis/session/trace_location.h"
#include "analysis/trace/defs.h"
#include "analysis/trace/reader.h"
#include "analysis/util/alloc.h"
#include "analysis/util/trace_paths.h"

static struct session_entry *entry_of(struct sessions *all, const char *dir)
{
	for (size_t i = 0; i < all->count; i++) {
		if (trace_paths_same(all->list[i].path, dir))
			return &all->list[i];
	}
	return NULL;
}

/* ---- threads inside a call ---- */

void recovered_free(struct recovered *result)
{
	free(result->calls);
	result->calls = NULL;
	result->call_count = 0;
}

static void note_calls(struct recovered *result, const struct session_status *st,
		       const struct ring_images *image)
{
	struct key_values facts = { 0 };

	key_values_parse(&facts, st->facts, strlen(st->facts));
	for (size_t i = 0; i < image->ring_count; i++) {
		const struct ring_header *h = image->rings[i].header;
		const struct hook_name *hook = table_find(&image->known.hooks, (uint32_t)h->call_hook - 1);
		struct recovered_call *call;

		if (!h->call_hook)
			continue;
		result->calls = alloc_grow(result->calls, result->call_count + 1, sizeof(*result->calls));
		call = &result->calls[result->call_count++];
		call->tid = h->tid;
		call->seconds = host_clock_since(st->clock, h->call_begin,
						 key_values_number(&facts, "tick_hz", 0));
		snprintf(call->hook, sizeof(call->hook), "%s", hook ? hook->name : "unknown");
	}
	key_values_free(&facts);
}

static void note_totals(struct recovered *result, const struct session_status *st,
			const struct ring_images *image)
{
	result->entered = st->no_ring;
	result->dropped = st->no_ring + st->discarded;
	for (size_t i = 0; i < image->ring_count; i++) {
		result->entered += image->rings[i].header->entered;
		result->dropped += image->rings[i].header->dropped;
	}
}

/* ---- the file ---- */

static void take_end(struct incomplete_file *s, struct reader *r, const struct chunk *chunk)
{
	struct key_values facts = { 0 };
	const uint8_t *text;
	size_t size;

	text = reader_payload(r, chunk, &size);
	if (text)
		key_values_parse(&facts, text, size);
	s->totals = key_values_number(&facts, "totals", s->totals);
	s->ended = true;
	key_values_free(&facts);
}

/* What the file holds already: how far each ring is in it, and where to go on. */
static int scan(struct incomplete_file *s, const char *path)
{
	struct reader r;
	struct chunk chunk;
	size_t chunks = 0;
	int err = reader_open(&r, path, UINT64_MAX);

	if (err)
		return err;
	s->before_us = 0;
	while (reader_next(&r, &chunk)) {
		const struct chunk_header *h = &chunk.header;

		if (h->file_id != s->status->file_id) {
			err = -EEXIST; /* somebody else's: nothing may be put behind it */
			break;
		}
		if (h->type == CHUNK_EVENTS) {
			struct ring_reach *reach = table_put(&s->reached, h->ring);

			if (h->next_slot > reach->next_slot)
				reach->next_slot = h->next_slot;
			s->before_us += h->events;
		}
		if (h->type == CHUNK_END)
			take_end(s, &r, &chunk);
		s->writer.clock =
			(struct clock_reading){ h->ticks, h->monotonic, h->realtime };
		chunks++;
	}
	s->fresh = !chunks;
	s->writer.sequence = r.sequence;
	s->writer.offset = r.size;
	reader_close(&r);

	/* With one reading alone no rate can be told: ours, later, makes the second. */
	if (chunks < 2)
		host_clock_triple(s->status->clock, &s->writer.clock);
	return err;
}

static int complete(struct incomplete_file *s, const struct trace_location *l)
{
	int err;

	err = s->ended ? 0 : complete_file_write(s);
	if (err)
		return err;
	s->result->events = s->events;
	s->result->dropped += s->discarded + s->gone;
	s->result->gone = s->gone;
	if (fsync(s->writer.fd))
		return -errno;
	err = trace_location_keep(l, s->result->file, sizeof(s->result->file));
	if (!err)
		fsync(l->folder);
	return err;
}

/* What is in memory and goes to no file. */
static void note_unwanted(struct incomplete_file *s)
{
	uint64_t events = complete_file_wanted(s->status) ? 0 : complete_file_events(s);

	s->result->dropped += events;
	if (complete_file_waited(s->status))
		s->result->waited += events;
}

/* Is there a file at all, or a reason to make one? 0, 1: nothing to do, or a negative errno. */
static int open_file(struct incomplete_file *s, struct trace_location *l)
{
	const char *save_path = s->status->save_path;

	s->writer.fd = trace_location_open(l, save_path, false);
	if (s->writer.fd >= 0)
		return scan(s, l->part);
	if (s->writer.fd != -ENOENT)
		return s->writer.fd;

	/* Closed and renamed already: what it holds need not be saved again. */
	if (l->folder >= 0 && trace_location_has(l, l->final))
		scan(s, l->final);
	note_unwanted(s);
	if (!complete_file_pending(s) || !complete_file_wanted(s->status))
		return 1;
	s->before = s->writer.clock;
	s->ended = false;
	s->fresh = true;
	s->writer.sequence = s->writer.offset = 0;
	s->writer.fd = trace_location_open(l, save_path, true);
	return s->writer.fd < 0 ? s->writer.fd : scan(s, l->part);
}

static void close_file(struct incomplete_file *s)
{
	if (s->writer.fd >= 0)
		close(s->writer.fd);
	s->writer.fd = -1;
}

/*
 * Killed between a file's end and its new name, with calls of the next window in the rings: they go
 * to a file of their own, because the totals of this one are told already.
 */
static int name_ended_file(struct incomplete_file *s, struct trace_location *l)
{
	char name[1100];
	int err = 0;

	if (s->writer.fd < 0 || !s->ended || !complete_file_pending(s))
		return 0;
	if (fsync(s->writer.fd))
		err = -errno;
	if (!err)
		err = trace_location_keep(l, name, sizeof(name));
	close_file(s);
	if (err)
		return err;
	snprintf(l->final, sizeof(l->final), "%s", name);
	return open_file(s, l);
}

static int recover_file(struct incomplete_file *s)
{
	struct trace_location l;
	int err;

	if (!trace_location_name(s->status, &l))
		return complete_file_pending(s) && complete_file_wanted(s->status) ? -EINVAL : 0;
	err = open_file(s, &l);
	if (!err)
		err = name_ended_file(s, &l);
	if (!err)
		err = complete(s, &l);
	close_file(s);
	chunk_writer_free(&s->writer);
	if (l.folder >= 0)
		close(l.folder);
	return err < 0 ? err : 0;
}

static int recover_dead(const struct session_entry *e, struct ring_images *image,
			struct recovered *result)
{
	struct incomplete_file s = {
		.status = e->status,
		.image = image,
		.result = result,
		.reached = TABLE(struct ring_reach),
		.writer = { .fd = -1, .file_id = e->status->file_id },
	};
	int err = recover_file(&s);

	table_free(&s.reached);
	if (!err)
		session_delete(e->path);
	return err;
}

static int recover_entry(const struct session_entry *e, struct recovered *result)
{
	struct ring_images image;
	int err = ring_images_read(&image, e->path);

	if (err)
		return err;
	note_calls(result, e->status, &image);
	note_totals(result, e->status, &image);
	result->bad = image.bad;
	result->live = e->alive && e->status->state != SESSION_EXECUTED;
	result->busy = !result->live && flock(image.dir, LOCK_EX | LOCK_NB);
	if (!result->live && !result->busy) {
		result->lost_buffers = e->status->unsafe_rings;
		err = recover_dead(e, &image, result);
	}
	ring_images_free(&image);
	return err;
}

/* What of the rings no file has yet. */
static void count_waiting(const struct session_entry *e, const struct ring_images *image, struct recovered *result)
{
	struct incomplete_file s = { .status = e->status, .image = image, .result = result, .reached = TABLE(struct ring_reach) };
	struct trace_location l;

	if (trace_location_name(e->status, &l) && scan(&s, l.part))
		scan(&s, l.final);
	if (complete_file_wanted(e->status))
		result->events = complete_file_events(&s);
	else
		note_unwanted(&s);
	table_free(&s.reached);
}

int recover_inspect(const struct session_entry *e, struct recovered *result)
{
	struct ring_images image;
	int err;

	*result = (struct recovered){ .live = e->alive };
	err = ring_images_read(&image, e->path);
	if (err)
		return err;
	note_calls(result, e->status, &image);
	note_totals(result, e->status, &image);
	if (session_is_over(e))
		count_waiting(e, &image, result);
	ring_images_free(&image);
	return 0;
}

int recover_session(const char *dir, struct recovered *result)
{
	struct sessions all;
	struct session_entry *e;
	int err = -ENOENT;

	*result = (struct recovered){ 0 };
	sessions_read(&all);
	e = entry_of(&all, dir);
	if (e)
		err = recover_entry(e, result);
	sessions_free(&all);
	return err;
}
