#include "hooks/capture/device_times.h"
#include "agent/os/pages.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"

#define NODES (1u << 18)

_Atomic(struct timing *) device_times_nodes;
static _Atomic uint64_t free_list; /* tag << 32 | number: the tag makes a stale compare fail */
static _Atomic uint32_t fresh;	   /* nodes never used before */

uint32_t device_times_take(void)
{
	uint64_t head = atomic_load(&free_list);
	uint32_t number;

	if (!atomic_load(&device_times_nodes) && !pages_once(&device_times_nodes, NODES * sizeof(struct timing)))
		return 0;
	while ((uint32_t)head) {
		uint64_t next = ((head >> 32) + 1) << 32 | timing_at((uint32_t)head)->next;

		if (atomic_compare_exchange_weak(&free_list, &head, next))
			return (uint32_t)head;
	}
	number = atomic_fetch_add(&fresh, 1) + 1;
	if (number <= NODES)
		return number;
	atomic_fetch_sub(&fresh, 1);
	return 0;
}

void device_times_give(uint32_t number)
{
	uint64_t head = atomic_load(&free_list), mine;

	do {
		timing_at(number)->next = (uint32_t)head;
		mine = ((head >> 32) + 1) << 32 | number;
	} while (!atomic_compare_exchange_weak(&free_list, &head, mine));
}

/* ---- around a call ---- */

void device_times_missed(void)
{
	atomic_fetch_add_explicit(&session->untimed, 1, memory_order_relaxed);
}

/* ---- reading ---- */

void device_times_clock(uint32_t device, uint64_t device_ns, uint64_t from, uint64_t to)
{
	static uint64_t best_width[UINT16_MAX + 1], last_clock[UINT16_MAX + 1], second;
	uint64_t half = clock_passed(to - from) / 2;
	struct def_device_clock d = { device_ns, from + half, half + 1 };
	uint32_t i = device & UINT16_MAX; /* devices.c gives no higher number */
	bool old;

	if (!second)
		second = clock_hz();
	old = clock_passed(d.ticks - last_clock[i]) > second;
	if (last_clock[i] && d.width >= best_width[i] - best_width[i] / 8 && !(old && d.width < 2 * best_width[i]))
		return;
	definitions_add(DEF_DEVICE_CLOCK, device, &d, sizeof(d), NULL, 0);
	if (!last_clock[i] || d.width < best_width[i])
		best_width[i] = d.width;
	last_clock[i] = d.ticks;
}

/* New ones come as a stack; they are read in the order in which the work was given. */
static uint32_t reversed(uint32_t list)
{
	uint32_t result = 0, next;

	for (; list; list = next) {
		next = timing_at(list)->next;
		timing_at(list)->next = result;
		result = list;
	}
	return result;
}

static void append(struct timings *list, uint32_t more)
{
	uint32_t *end = &list->waiting;

	while (*end)
		end = &timing_at(*end)->next;
	*end = more;
}

/* Times that came and are not told yet: of one window. */
struct came {
	uint8_t window;
	int32_t count;
};

static void tell_of(struct came *came, uint8_t window)
{
	if (came->count)
		doorbell_times_came(came->window, came->count);
	*came = (struct came){ .window = window };
}

/* Those of a parent that forked us are the parent's. */
static bool done(struct timing *t, bool (*collect)(struct timing *t), struct came *came)
{
	if (t->generation != session_generation)
		return true;
	if (!collect(t))
		return false;
	if (t->window != came->window)
		tell_of(came, t->window);
	came->count++;
	return true;
}

void device_times_harvest(struct timings *list, bool (*collect)(struct timing *t))
{
	struct came came = { .count = 0 };
	uint32_t *link;

	if (atomic_load(&doorbell.pending) <= 0 || atomic_flag_test_and_set(&list->busy))
		return;
	append(list, reversed(atomic_exchange(&list->incoming, 0)));
	for (link = &list->waiting; *link;) {
		uint32_t number = *link;

		if (!done(timing_at(number), collect, &came)) {
			link = &timing_at(number)->next;
			continue;
		}
		*link = timing_at(number)->next;
		device_times_give(number);
	}
	tell_of(&came, 0);
	atomic_flag_clear(&list->busy);
	if (!((uint32_t)gate_load() & GATE_WINDOW) && !doorbell_awaits_times())
		doorbell_ring();
}
