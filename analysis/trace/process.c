#include "analysis/trace/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_part(const char *path)
{
	size_t n = strlen(path), m = strlen(TRACE_PART);

	return n > m && !strcmp(path + n - m, TRACE_PART);
}

/* A file being written loses its .part when it is whole, which may be just now. */
static int open_or_final(struct reader *r, char *path, uint64_t limit)
{
	int err = reader_open(r, path, limit);

	if (err != -ENOENT || !is_part(path))
		return err;
	path[strlen(path) - strlen(TRACE_PART)] = '\0';
	return reader_open(r, path, limit);
}

int trace_file_open(struct reader *r, struct trace_file *f, uint64_t limit)
{
	int err = open_or_final(r, f->path, limit);

	f->part = is_part(f->path);
	return err;
}

void process_identify(struct process *p)
{
	uint64_t rank = key_values_number(&p->facts, "rank", UINT64_MAX);

	p->has_rank = rank <= INT64_MAX;
	p->rank = p->has_rank ? (int64_t)rank : INT64_MAX;
	p->pid = key_values_number(&p->facts, "pid", 0);
}

const char *process_fact(const struct process *p, const char *key)
{
	const char *value = key_values_get(&p->facts, key);

	return value ? value : "";
}

bool process_has_one_ring(const struct process *p)
{
	uint64_t one = UINT64_MAX;

	for (size_t i = 0; i < p->file_count; i++)
		for (size_t k = 0; k < p->files[i].rings.count; k++) {
			const struct table *rings = &p->files[i].rings;

			if (!((const struct ring_count *)table_item(rings, k))->events || rings->keys[k] == one)
				continue;
			if (one != UINT64_MAX)
				return false;
			one = rings->keys[k];
		}
	return true;
}

void process_loss(const struct process *p, struct loss *sum, uint64_t *slots)
{
	*sum = (struct loss){ 0 };
	*slots = 0;
	for (size_t i = 0; i < p->file_count; i++) {
		loss_add(sum, &p->files[i].loss);
		*slots += p->files[i].lost_slots;
	}
}

bool trace_file_lost(const struct trace_file *f)
{
	if (f->loss.missing_chunks || f->lost_slots || f->refused)
		return true;
	/* The tail of a file still being written is on its way. */
	return !f->part && (f->loss.tail_bytes || !f->ended);
}

bool process_lost(const struct process *p)
{
	for (size_t i = 0; i < p->file_count; i++)
		if (trace_file_lost(&p->files[i]))
			return true;
	return false;
}

uint64_t process_dropped(const struct process *p)
{
	uint64_t called, dropped, sum = 0;

	for (size_t i = 0; i < p->file_count; i++) {
		trace_file_calls(&p->files[i], &called, &dropped);
		sum += dropped;
	}
	return sum - process_unselected(p, sum);
}

/* Counted since the process began, whatever of its files is read. */
uint64_t process_unselected(const struct process *p, uint64_t dropped)
{
	uint64_t n = key_values_number(&p->facts, "unselected", 0);

	return n < dropped ? n : dropped;
}

static size_t add_missing(char *text, size_t size, size_t used, uint64_t n, const char *what)
{
	if (n && used < size)
		used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64 " %s", used ? ", " : "", n, what);
	return used;
}

void process_missing(const struct process *p, char *text, size_t size)
{
	struct loss loss;
	uint64_t slots, unreadable = 0, unfinished = 0;
	size_t used;

	*text = '\0';
	process_loss(p, &loss, &slots);
	for (size_t i = 0; i < p->file_count; i++) {
		unreadable += p->files[i].refused;
		unfinished += !p->files[i].part && (p->files[i].loss.tail_bytes || !p->files[i].ended);
	}
	used = add_missing(text, size, 0, process_dropped(p), "calls dropped");
	used = add_missing(text, size, used, loss.missing_chunks, "chunks missing");
	used = add_missing(text, size, used, unreadable, "chunks unreadable");
	used = add_missing(text, size, used, slots, "records lost");
	add_missing(text, size, used, unfinished, "files cut off");
}

/* Until the totals are told, the rings as the chunks tell of them: with calls of windows to come among them. */
void trace_file_calls(const struct trace_file *f, uint64_t *called, uint64_t *dropped)
{
	*called = f->entered;
	*dropped = f->dropped;
	for (size_t i = 0; i < f->rings.count && !f->totals; i++) {
		const struct ring_count *ring = table_item(&f->rings, i);

		*called += ring->entered;
		*dropped += ring->dropped;
	}
}
