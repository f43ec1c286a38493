#include "hooks/ascend/time/mspti_records.h"
#include <stdatomic.h>
#include <sys/mman.h>
#include "agent/os/pages.h"

#define BUFFER (4u << 20) /* msPTI warns of less than 2 MiB */

/* In front of a buffer. */
struct filled {
	struct filled *next;
	size_t valid;
} __attribute__((aligned(64)));

static _Atomic(struct filled *) arrived; /* a stack: the last comes first */

/* Of the one who reads: */
static struct told *tolds;
static struct {
	uint64_t correlation, number;
} * correlations; /* correlation % TOLD */

bool mspti_records_room(void)
{
	if (!pages_once(&tolds, TOLD * (sizeof(*tolds) + sizeof(*correlations))))
		return false;
	correlations = (void *)(tolds + TOLD);
	return true;
}

/* ---- buffers ---- */

void mspti_records_request(uint8_t **buffer, size_t *size, size_t *most)
{
	struct filled *f = mmap(NULL, sizeof(*f) + BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*buffer = f == MAP_FAILED ? NULL : (uint8_t *)(f + 1);
	*size = f == MAP_FAILED ? 0 : BUFFER;
	*most = 0;
}

static void release(struct filled *f)
{
	munmap(f, sizeof(*f) + BUFFER);
}

void mspti_records_complete(uint8_t *buffer, size_t size, size_t valid)
{
	struct filled *f = buffer ? (struct filled *)(void *)buffer - 1 : NULL;

	(void)size;
	if (!f)
		return;
	if (!valid) {
		release(f);
		return;
	}
	f->valid = valid;
	f->next = atomic_load(&arrived);
	while (!atomic_compare_exchange_weak(&arrived, &f->next, f))
		;
}

static struct filled *take_in_order(void)
{
	struct filled *f = atomic_exchange(&arrived, NULL), *first = NULL, *next;

	for (; f; f = next) {
		next = f->next;
		f->next = first;
		first = f;
	}
	return first;
}

/* ---- records ---- */

void mspti_span_add(struct span *sum, const struct span *more)
{
	if (!more->records)
		return;
	if (!sum->records || more->begin < sum->begin)
		sum->begin = more->begin;
	if (more->end > sum->end)
		sum->end = more->end;
	sum->device = more->device;
	sum->records += more->records;
	sum->wrong |= more->wrong;
}

static void take_times(unsigned int of, uint64_t correlation, const struct span *times)
{
	uint64_t at = correlation % TOLD, number = correlations[at].number;
	struct told *t = &tolds[number % TOLD];

	if (correlations[at].correlation != correlation || !number || !times->begin || !times->end)
		return;
	if (t->number != number)
		*t = (struct told){ .number = number };
	mspti_span_add(&t->of[of], times);
}

static void take_kernel(const mspti_kernel *k)
{
	take_times(OF_KERNELS, k->correlation, &(struct span){ k->start, k->end, k->device, 1, k->end < k->start });
}

static void take_communication(const mspti_communication *c)
{
	take_times(OF_COLLECTIVES, c->correlation, &(struct span){ c->start, c->end, c->device, 1, c->end < c->start });
}

static void take_external(const mspti_external *e)
{
	if (e->of != MSPTI_CORRELATION_CUSTOM2)
		return;
	correlations[e->correlation % TOLD].correlation = e->correlation;
	correlations[e->correlation % TOLD].number = e->number;
}

static void take(const mspti_record *record)
{
	if (record->kind == MSPTI_KIND_KERNEL)
		take_kernel((const mspti_kernel *)(const void *)record);
	else if (record->kind == MSPTI_KIND_COMMUNICATION)
		take_communication((const mspti_communication *)(const void *)record);
	else if (record->kind == MSPTI_KIND_EXTERNAL_CORRELATION)
		take_external((const mspti_external *)(const void *)record);
}

void mspti_records_read(mspti_next *next)
{
	struct filled *f = take_in_order(), *following;

	for (; f; f = following) {
		mspti_record *record = NULL;

		following = f->next;
		while (!next((uint8_t *)(f + 1), f->valid, &record))
			take(record);
		release(f);
	}
}

const struct told *mspti_records_of(uint64_t number)
{
	return tolds[number % TOLD].number == number ? &tolds[number % TOLD] : NULL;
}
