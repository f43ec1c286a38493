/* An operator's device time is that of what it gave the device, in whatever order times and calls come. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/operator_times.h"
#include "tests/lib/unit.h"

#define HOOK_OPERATOR	1
#define HOOK_LAUNCH	2
#define HOOK_COPY	3
#define HOOK_COLLECTIVE 4
#define MOST		512

/* What is told, in this order: a call, or a device time. */
struct told {
	bool is_time, is_gap;
	struct trace_event call;
	struct trace_device time;
};

static struct told told[2 * MOST];
static size_t told_count;

/* What settled, by slot. */
static struct trace_device settled[MOST];
static unsigned int times_settled[MOST];

static void note(void *context, const struct trace_device *dev)
{
	(void)context;
	ck_assert_uint_lt(dev->slot, MOST);
	settled[dev->slot] = *dev;
	times_settled[dev->slot]++;
}

static void begin(void)
{
	told_count = 0;
	memset(settled, 0, sizeof(settled));
	memset(times_settled, 0, sizeof(times_settled));
}

static struct trace_event *call(enum event_kind kind, uint16_t hook, uint64_t slot, uint64_t begin_ns, uint64_t end_ns)
{
	struct told *t = &told[told_count++];

	*t = (struct told){ .call = { .kind = kind, .hook = hook, .ring = 1, .slot = slot, .stream = 7, .begin_ns = begin_ns, .duration_ns = end_ns - begin_ns } };
	return &t->call;
}

/* Calls are lost here. */
static void gap(void)
{
	told[told_count++] = (struct told){ .is_gap = true };
}

static void device_time(enum event_kind kind, uint16_t hook, uint32_t slot, uint64_t begin_ns, uint64_t end_ns)
{
	told[told_count++] = (struct told){
		.is_time = true,
		.time = { .kind = kind, .hook = hook, .ring = 1, .slot = slot, .stream = 7, .begin_ns = begin_ns, .duration_ns = end_ns - begin_ns },
	};
}

/* A launch that takes 5 ns of the host, and an operator; each with its time on the device. */
static void launch(uint32_t slot, uint64_t at, uint64_t from, uint64_t to)
{
	call(EV_LAUNCH, HOOK_LAUNCH, slot, at, at + 5);
	device_time(EV_LAUNCH, HOOK_LAUNCH, slot, from, to);
}

static void operate(uint32_t slot, uint64_t at, uint64_t end, uint64_t from, uint64_t to)
{
	call(EV_OPERATOR, HOOK_OPERATOR, slot, at, end);
	device_time(EV_OPERATOR, HOOK_OPERATOR, slot, from, to);
}

static void tell(void)
{
	struct process p = { .defs = { .devices = TABLE(struct device), .hooks = TABLE(struct hook_name) } };
	struct operator_times o;

	((struct device *)table_put(&p.defs.devices, 1))->clock_count = 1;
	*(struct hook_name *)table_put(&p.defs.hooks, HOOK_OPERATOR) = (struct hook_name){ .kind = EV_OPERATOR };
	operator_times_begin(&o, &p, note, NULL);
	ck_assert(o.wanted);
	for (size_t i = 0; i < told_count; i++) {
		if (told[i].is_gap)
			operator_times_gap(&o, 1);
		else if (told[i].is_time)
			operator_times_device(&o, &told[i].time);
		else
			operator_times_calls(&o, &told[i].call, 1);
	}
	operator_times_end(&o);
	table_free(&p.defs.devices);
	table_free(&p.defs.hooks);
}

static void expect(uint32_t slot, uint64_t begin_ns, uint64_t end_ns)
{
	ck_assert_uint_eq(times_settled[slot], 1);
	ck_assert_uint_eq(settled[slot].begin_ns, begin_ns);
	ck_assert_uint_eq(settled[slot].begin_ns + settled[slot].duration_ns, end_ns);
}

/* Times come in any order, before and behind their calls, which keep theirs. */
static void shuffle_times(void)
{
	for (size_t i = told_count; i-- > 1;) {
		size_t k = unit_random() % (i + 1);
		struct told one = told[i];

		if (!told[i].is_time && !told[k].is_time)
			continue;
		told[i] = told[k];
		told[k] = one;
	}
}

/* Swapping a time with a call may change the calls' order: they are put back in that of their slots. */
static void order_calls(void)
{
	struct trace_event calls[MOST];
	size_t n = 0;

	memset(calls, 0, sizeof(calls));
	for (size_t i = 0; i < told_count; i++)
		if (!told[i].is_time)
			calls[told[i].call.slot] = told[i].call;
	for (size_t i = 0; i < told_count; i++) {
		if (told[i].is_time)
			continue;
		while (!calls[n].hook)
			n++;
		told[i].call = calls[n++];
	}
}

/* Where the n-th operator's launches begin and end on the device, and how many it has. */
struct made {
	uint32_t slot, launches;
	bool lost;	/* one of its launches has no time */
	bool no_launch; /* nor anything but a copy */
};

/* An operator's call is from 1000 n on, and its own time on the device from there, too; what it launches runs inside. */
static struct made make_operator(uint32_t *slot, uint64_t at)
{
	struct made m = { .launches = (uint32_t)(unit_random() % 4), .lost = unit_random() % 8 == 0 };
	bool copies = unit_random() % 4 == 0;

	m.no_launch = m.launches <= (uint32_t)copies;
	for (uint32_t i = 0; i < m.launches; i++) {
		enum event_kind kind = copies && !i ? EV_COPY : EV_LAUNCH;
		uint16_t hook = copies && !i ? HOOK_COPY : HOOK_LAUNCH;

		call(kind, hook, *slot, at + i, at + i + 1);
		if (!m.lost || i)
			device_time(kind, hook, *slot, at + 100 + 50 * i, at + 130 + 50 * i);
		++*slot;
	}
	m.slot = (*slot)++;
	call(EV_OPERATOR, HOOK_OPERATOR, m.slot, at, at + 900);
	device_time(EV_OPERATOR, HOOK_OPERATOR, m.slot, at + 10, at + 900);
	return m;
}

START_TEST(whatever_the_order_an_operator_has_the_times_of_what_it_gave)
{
	for (int round = 0; round < 500; round++) {
		struct made made[40];
		uint32_t slot = 1, n = (uint32_t)(1 + unit_random() % 40);

		begin();
		for (uint32_t i = 0; i < n; i++) {
			if (unit_random() % 4 == 0) { /* outside of all operators */
				call(EV_LAUNCH, HOOK_LAUNCH, slot, 1000 * i + 950, 1000 * i + 951);
				device_time(EV_LAUNCH, HOOK_LAUNCH, slot, 1000 * i + 950, 1000 * i + 990);
				slot++;
			}
			made[i] = make_operator(&slot, 1000 * (i + 1));
		}
		if (round) {
			shuffle_times();
			order_calls();
		}
		tell();
		for (uint32_t i = 0; i < n; i++) {
			const struct made *m = &made[i];
			uint64_t at = 1000 * (i + 1);

			if (m->no_launch || m->lost)
				expect(m->slot, at + 10, at + 900);
			else
				expect(m->slot, at + 100, at + 130 + 50 * (m->launches - 1));
			for (uint32_t k = m->lost ? 1 : 0; k < m->launches; k++)
				expect(m->slot - m->launches + k, at + 100 + 50 * k, at + 130 + 50 * k);
		}
	}
}
END_TEST

/* What failed, was captured, or is told by an outer call, and a copy that blocks, have no times: nobody waits for them. */
START_TEST(what_has_no_time_is_not_waited_for)
{
	begin();
	call(EV_LAUNCH, HOOK_LAUNCH, 1, 1000, 1001)->result = 5;
	call(EV_LAUNCH, HOOK_LAUNCH, 2, 1001, 1002)->captured = true;
	call(EV_LAUNCH, HOOK_LAUNCH, 3, 1002, 1003)->nested = true;
	call(EV_COPY, HOOK_COPY, 4, 1003, 1004)->stream = 0;
	launch(5, 1005, 1200, 1300);
	operate(6, 1000, 1900, 1000, 1900);
	tell();
	expect(6, 1200, 1300);
}
END_TEST

/* The inner one has taken what the outer one gave, too. */
START_TEST(an_operator_around_another_keeps_its_own_time)
{
	begin();
	launch(1, 1200, 1210, 1220);
	operate(2, 1100, 1300, 1100, 1300);
	launch(3, 1400, 1410, 1420);
	operate(4, 1000, 1900, 1000, 1900);
	tell();
	expect(2, 1210, 1220);
	expect(4, 1000, 1900);
}
END_TEST

START_TEST(a_collective_is_given_too)
{
	begin();
	launch(1, 1010, 1200, 1250);
	call(EV_COLLECTIVE, HOOK_COLLECTIVE, 2, 1020, 1025);
	device_time(EV_COLLECTIVE, HOOK_COLLECTIVE, 2, 1300, 6300);
	operate(3, 1000, 1100, 1005, 7000);
	tell();
	expect(3, 1200, 6300);
}
END_TEST

/* It may have given what is lost. The next one has not. */
START_TEST(an_operator_with_lost_calls_keeps_its_own_time)
{
	begin();
	launch(1, 1010, 1200, 1250);
	gap();
	launch(4, 1040, 1260, 1270);
	operate(5, 1000, 1100, 1005, 7000);
	launch(6, 1210, 8000, 8100);
	operate(7, 1200, 1300, 7500, 9000);
	tell();
	expect(5, 1005, 7000);
	expect(7, 8000, 8100);
}
END_TEST

/* Its call is lost. */
START_TEST(a_time_without_a_call_is_told_as_it_is)
{
	begin();
	device_time(EV_OPERATOR, HOOK_OPERATOR, 4, 1000, 1900);
	device_time(EV_LAUNCH, HOOK_LAUNCH, 3, 1410, 1420);
	tell();
	expect(3, 1410, 1420);
	expect(4, 1000, 1900);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("operator times");

	tcase_add_test(t, whatever_the_order_an_operator_has_the_times_of_what_it_gave);
	tcase_add_test(t, what_has_no_time_is_not_waited_for);
	tcase_add_test(t, an_operator_around_another_keeps_its_own_time);
	tcase_add_test(t, a_collective_is_given_too);
	tcase_add_test(t, an_operator_with_lost_calls_keeps_its_own_time);
	tcase_add_test(t, a_time_without_a_call_is_told_as_it_is);
	return unit_run("operator times", t);
}
