/* check_segments.c - who fills which part of time, against a row of squares that are given away one by one; and how a step's time is split. */
#include <string.h>

#include "analysis/why/split.h"
#include "tests/lib/unit.h"

#define SQUARES 1000
#define NOBODY	UINT32_MAX

/* Owners that come by begin, and do not take what has one. */
static void draw(struct segments *s, uint32_t *squares, uint32_t owner)
{
	uint64_t at = unit_random() % 20;

	for (; at < SQUARES - 40; at += unit_random() % 25, owner++) {
		uint64_t end = at + unit_random() % 40;

		segments_add(s, at, end, owner);
		for (uint64_t i = at; i < end; i++)
			if (squares[i] == NOBODY)
				squares[i] = owner;
	}
}

START_TEST(what_lies_above_covers_what_lies_below)
{
	for (int round = 0; round < 50; round++) {
		struct segments above = { 0 }, below = { 0 }, room = { 0 };
		uint32_t upper[SQUARES], lower[SQUARES];

		memset(upper, 0xFF, sizeof(upper));
		memset(lower, 0xFF, sizeof(lower));
		draw(&above, upper, 0);
		draw(&below, lower, 10000);
		segments_lay_over(&above, &below, &room);
		for (uint64_t i = 0, at = 0; i < SQUARES; i++) {
			uint32_t owner = upper[i] == NOBODY ? lower[i] : upper[i];

			while (at < above.count && above.list[at].end <= i)
				at++;
			ck_assert_uint_eq(at < above.count && above.list[at].begin <= i ? above.list[at].owner : NOBODY, owner);
			ck_assert_uint_eq(segments_find(&above, i), at);
		}
		segments_free(&above);
		segments_free(&below);
		segments_free(&room);
	}
}
END_TEST

/* ---- a step ---- */

static struct subjects subjects;

static uint64_t spent(const struct split *s, enum why_kind kind, const char *name, const char *detail)
{
	const struct share *share = table_find(&s->shares, subjects_number(&subjects, kind, name, detail));

	return share ? share->ns : 0;
}

static struct activity made_of(struct item *calls, size_t call_count, struct item *works, size_t work_count)
{
	struct activity a = { .calls = { .count = call_count, .list = calls }, .works = { .count = work_count, .list = works } };

	items_lay(&a.host, &a.calls, 1);
	items_lay(&a.device, &a.works, 1);
	return a;
}

/* The device waits for the host until work is given to it, and for nothing that is known from then on. */
START_TEST(each_ns_of_a_step_is_on_one_thing)
{
	struct activity a;
	struct split s;
	uint32_t launch, kernel;

	subjects_init(&subjects);
	launch = subjects_number(&subjects, WHY_HOST_CALL, "launch", "k");
	kernel = subjects_number(&subjects, WHY_KERNEL_TIME, "k", "8");
	a = made_of((struct item[]){ { .begin = 110000, .end = 120000, .subject = launch }, { .begin = 200000, .end = 210000, .subject = launch } }, 2,
		    (struct item[]){ { .begin = 125000, .end = 150000, .given = 120000, .subject = kernel },
				     { .begin = 215000, .end = 300000, .given = 210000, .subject = kernel } },
		    2);
	split_make(&s, &a, &subjects, 100000, 260000, true);
	ck_assert_uint_eq(spent(&s, WHY_KERNEL_TIME, "k", "8"), 25000 + 45000);
	ck_assert_uint_eq(spent(&s, WHY_IDLE, "k", ""), 5000 + 5000);
	ck_assert_uint_eq(spent(&s, WHY_HOST_CALL, "launch", "k"), 10000 + 10000);
	ck_assert_uint_eq(spent(&s, WHY_HOST_GAP, "", "launch"), 10000);
	ck_assert_uint_eq(spent(&s, WHY_HOST_GAP, "launch", "launch"), 50000);
	split_free(&s);
	split_make(&s, &a, &subjects, 100000, 260000, false);
	ck_assert_uint_eq(spent(&s, WHY_KERNEL_TIME, "k", "8"), 0);
	ck_assert_uint_eq(spent(&s, WHY_HOST_GAP, "launch", "launch"), 80000);
	ck_assert_uint_eq(spent(&s, WHY_HOST_GAP, "launch", ""), 50000);
	split_free(&s);
	segments_free(&a.host);
	segments_free(&a.device);
	subjects_free(&subjects);
}
END_TEST

/* Its launches are one, and a kernel may hide it. */
START_TEST(a_collective_is_met_wherever_it_runs)
{
	struct item works[] = {
		{ .begin = 100, .end = 900, .layer = WORKS_LAUNCHES },
		{ .begin = 200, .end = 300, .layer = WORKS_COLLECTIVES, .meeting = 7 },
		{ .begin = 250, .end = 700, .layer = WORKS_COLLECTIVES, .meeting = 8 },
		{ .begin = 300, .end = 950, .layer = WORKS_COLLECTIVES, .meeting = 7 },
	};
	struct activity a = { .works = { .count = 4, .list = works } };
	struct split s;

	subjects_init(&subjects);
	for (size_t i = 0; i < 4; i++)
		works[i].subject = subjects_number(&subjects, i ? WHY_TRANSFER : WHY_KERNEL_TIME, "k", "");
	items_lay(&a.device, &a.works, WORK_LAYERS);
	split_make(&s, &a, &subjects, 0, 1000, true);
	ck_assert_uint_eq(s.time_count, 2);
	ck_assert_uint_eq(s.times[0].meeting, 7);
	ck_assert_uint_eq(s.times[0].arrived, 200);
	ck_assert_uint_eq(s.times[0].left, 950);
	ck_assert_uint_eq(s.times[1].meeting, 8);
	ck_assert_uint_eq(s.meeting_count, 1);
	split_free(&s);
	segments_free(&a.device);
	subjects_free(&subjects);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("segments");

	tcase_add_test(t, what_lies_above_covers_what_lies_below);
	tcase_add_test(t, each_ns_of_a_step_is_on_one_thing);
	tcase_add_test(t, a_collective_is_met_wherever_it_runs);
	return unit_run("segments", t);
}
