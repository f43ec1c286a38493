#include "hooks/capture/records/records.h"
#include <sys/mman.h>
#include "agent/os/pages.h"

#define BUFFER (4u << 20) /* msPTI warns of less than 2 MiB */

/* In front of a buffer. */
struct filled {
	struct filled *next;
	size_t valid;
} __attribute__((aligned(64)));

/* correlation % TOLD. What came before its number waits here. */
struct correlated {
	uint64_t correlation, number;
	struct span early[OF_ALL];
};

bool records_room(struct records *r)
{
	if (!pages_once(&r->tolds, TOLD * (sizeof(*r->tolds) + sizeof(*r->correlated))))
		return false;
	r->correlated = (void *)(r->tolds + TOLD);
	return true;
}

/* ---- buffers ---- */

void records_request(uint8_t **buffer, size_t *size, size_t *most)
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

void records_bring(struct records *r, uint8_t *buffer, size_t valid)
{
	struct filled *f = buffer ? (struct filled *)(void *)buffer - 1 : NULL;

	if (!f)
		return;
	if (!valid) {
		release(f);
		return;
	}
	f->valid = valid;
	f->next = atomic_load(&r->arrived);
	while (!atomic_compare_exchange_weak(&r->arrived, &f->next, f))
		;
}

static struct filled *take_in_order(struct records *r)
{
	struct filled *f = atomic_exchange(&r->arrived, NULL), *first = NULL, *next;

	for (; f; f = next) {
		next = f->next;
		f->next = first;
		first = f;
	}
	return first;
}

void records_read(struct records *r, record_next *next, void (*take)(const void *record))
{
	struct filled *f = take_in_order(r), *following;

	for (; f; f = following) {
		void *record = NULL;

		following = f->next;
		while (!next((uint8_t *)(f + 1), f->valid, &record))
			take(record);
		release(f);
	}
}

/* ---- records ---- */

void span_add(struct span *sum, const struct span *more)
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

static struct correlated *correlated_of(struct records *r, uint64_t correlation)
{
	struct correlated *c = &r->correlated[correlation % TOLD];

	if (c->correlation != correlation)
		*c = (struct correlated){ .correlation = correlation };
	return c;
}

static void tell(struct records *r, uint64_t number, unsigned int of, const struct span *span)
{
	struct told *t = &r->tolds[number % TOLD];

	if (t->number != number)
		*t = (struct told){ .number = number };
	span_add(&t->of[of], span);
}

void records_number(struct records *r, uint64_t correlation, uint64_t number)
{
	struct correlated *c = correlated_of(r, correlation);

	c->number = number;
	for (unsigned int of = 0; of < OF_ALL && number; of++) {
		if (c->early[of].records)
			tell(r, number, of, &c->early[of]);
		c->early[of] = (struct span){ 0 };
	}
}

void records_span(struct records *r, unsigned int of, uint64_t correlation, const struct span *span)
{
	struct correlated *c;

	if (!span->begin || !span->end)
		return;
	c = correlated_of(r, correlation);
	if (c->number)
		tell(r, c->number, of, span);
	else
		span_add(&c->early[of], span);
}

const struct told *records_of(const struct records *r, uint64_t number)
{
	return r->tolds[number % TOLD].number == number ? &r->tolds[number % TOLD] : NULL;
}
