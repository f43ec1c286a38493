/* records.c - what a vendor's tool tells of work: kept until it is asked for, then handed over in buffers of the listener's. */
#include "tests/sims/lib/sim.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t sim_host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool sim_records_enable(struct sim_records *r, int kind, bool on)
{
	if (kind <= 0 || kind >= r->kinds)
		return false;
	r->enabled[kind] = on;
	return true;
}

void sim_records_add(struct sim_records *r, const void *record, size_t size)
{
	if (r->used + size > r->room)
		r->bytes = realloc(r->bytes, (r->room = r->room ? 2 * r->room : 4096));
	memcpy(r->bytes + r->used, record, size);
	r->used += size;
}

/* SIM_RECORDS_ENDED=1: what still runs by the host's clock is not told yet. */
static bool is_ready(const struct sim_records *r, const void *record, uint64_t now)
{
	return r->end_of(record) <= now || !sim_setting("SIM_RECORDS_ENDED", 0);
}

/* As many as fit; the others stay in their order. */
static size_t fill(struct sim_records *r, uint8_t *buffer, size_t size, size_t most)
{
	size_t n = 0, count = 0, kept = 0, length;
	uint64_t now = sim_host_ns();

	for (size_t at = 0; at < r->used; at += length) {
		length = r->size_of(r->bytes + at);
		if (n + length <= size && (!most || count < most) && is_ready(r, r->bytes + at, now)) {
			memcpy(buffer + n, r->bytes + at, length);
			n += length;
			count++;
		} else {
			memmove(r->bytes + kept, r->bytes + at, length);
			kept += length;
		}
	}
	r->used = kept;
	return n;
}

static bool hand_out(struct sim_records *r)
{
	uint8_t *buffer = NULL;
	size_t size = 0, most = 0, n;

	r->request(&buffer, &size, &most);
	if (!buffer)
		return false;
	pthread_mutex_lock(r->lock);
	n = fill(r, buffer, size, most);
	pthread_mutex_unlock(r->lock);
	r->complete(buffer, size, n);
	return n > 0;
}

void sim_records_flush(struct sim_records *r)
{
	while (r->request && r->complete && r->used && hand_out(r))
		;
}

/* Where the last one given out ends is told from where it lies. */
bool sim_records_next(const struct sim_records *r, uint8_t *buffer, size_t valid, void **record)
{
	uint8_t *next = *record ? (uint8_t *)*record + r->size_of(*record) : buffer;

	if (!buffer || next >= buffer + valid)
		return false;
	*record = next;
	return true;
}
