/* check_parcel.c - what is kept as bytes and back: what was packed is opened as it was, and what nobody packed is refused. */
#include <glob.h>
#include <string.h>

#include "agent/base/crc32c.h"
#include "analysis/report/report_parcel.h"
#include "analysis/report/section.h"
#include "analysis/util/durations.h"
#include "analysis/util/spans.h"
#include "tests/lib/told_traces.h"

/* ---- its parts ---- */

START_TEST(numbers_and_texts_are_opened_as_they_were_packed)
{
	const uint64_t numbers[] = { 0, 127, 128, UINT32_MAX, 1ull << 63, UINT64_MAX };
	const int64_t signed_numbers[] = { 0, -1, 64, INT64_MIN, INT64_MAX };
	struct parcel made = { 0 }, p;

	for (unsigned int turn = 0; turn < 2; turn++) {
		char *text = turn ? NULL : "a text", *none = NULL, room[7] = "";
		double half = turn ? 0 : 0.5;

		p = turn ? PARCEL_OF(made.bytes, made.used) : (struct parcel){ 0 };
		for (size_t i = 0; i < 6; i++) {
			uint64_t n = turn ? 0 : numbers[i];

			PARCEL(&p, n);
			ck_assert_uint_eq(n, numbers[i]);
		}
		for (size_t i = 0; i < 5; i++) {
			int64_t n = turn ? 0 : signed_numbers[i];

			PARCEL(&p, n);
			ck_assert_int_eq(n, signed_numbers[i]);
		}
		PARCEL(&p, half);
		ck_assert(half == 0.5);
		parcel_text(&p, &text);
		parcel_text_or_none(&p, &none);
		parcel_short_text(&p, strcpy(room, turn ? "" : "room"), sizeof(room));
		ck_assert_str_eq(text, "a text");
		ck_assert_ptr_null(none);
		ck_assert_str_eq(room, "room");
		ck_assert(!p.broken);
		made = turn ? made : p;
		if (turn)
			free(text);
	}
	ck_assert_uint_eq(p.used, made.used);
	free(made.bytes);
}
END_TEST

START_TEST(a_number_that_its_type_cannot_hold_is_refused)
{
	uint64_t wide = 1ull << 32;
	struct parcel made = { 0 }, p;
	unsigned int word = 0;
	int32_t small = 1;
	uint32_t n = 1;
	bool yes = true;

	PARCEL(&made, wide);
	PARCEL((p = PARCEL_OF(made.bytes, made.used), &p), n);
	ck_assert(p.broken && !n);
	PARCEL((p = PARCEL_OF(made.bytes, made.used), &p), small);
	ck_assert(p.broken && !small);
	PARCEL((p = PARCEL_OF(made.bytes, made.used), &p), yes);
	ck_assert(p.broken && !yes);
	parcel_word((p = PARCEL_OF("\x05", 1), &p), &word, 5);
	ck_assert(p.broken && !word);
	free(made.bytes);
}
END_TEST

START_TEST(a_list_is_not_believed_to_be_longer_than_its_bytes)
{
	struct parcel made = { 0 }, p;
	uint64_t count = UINT64_MAX / 2, *list;

	PARCEL(&made, count);
	p = PARCEL_OF(made.bytes, made.used);
	for (size_t i = 0; parcel_has(&p, i, &list, &count, sizeof(*list)); i++)
		PARCEL(&p, list[i]);
	ck_assert(p.broken);
	ck_assert_uint_le(count, 1);
	free(list);
	free(made.bytes);
}
END_TEST

static void pass_on(struct durations *d)
{
	struct durations opened = { 0 }, twice = { 0 };
	struct parcel made = { 0 }, p;

	durations_parcel(&made, d);
	p = PARCEL_OF(made.bytes, made.used);
	durations_parcel(&p, &opened);
	ck_assert(!p.broken && p.used == p.size);
	ck_assert_uint_eq(durations_count(&opened), durations_count(d));
	ck_assert_uint_eq(durations_median(&opened), durations_median(d));
	ck_assert_uint_eq(durations_p99(&opened), durations_p99(d));
	durations_add(d, 77777);
	durations_add(&opened, 77777);
	durations_join(&opened, d);
	durations_join(&twice, d);
	durations_join(&twice, d);
	ck_assert_uint_eq(durations_count(&opened), durations_count(&twice));
	ck_assert_uint_eq(durations_median(&opened), durations_median(&twice));
	durations_free(&opened);
	durations_free(&twice);
	free(made.bytes);
}

START_TEST(durations_are_the_same_in_a_parcel)
{
	for (unsigned int n = 0; n < 3 * DURATIONS_EXACT; n += 100) {
		struct durations d = { 0 };

		for (unsigned int i = 0; i < n; i++)
			durations_add(&d, unit_random() >> unit_random() % 64);
		pass_on(&d);
		durations_free(&d);
	}
}
END_TEST

START_TEST(spans_are_the_same_in_a_parcel)
{
	struct spans s = { 0 }, opened = { 0 };
	struct parcel made = { 0 }, p;

	for (unsigned int i = 0; i < 100; i++)
		spans_add(&s, unit_random() % 10000, unit_random() % 10000);
	spans_parcel(&made, &s);
	p = PARCEL_OF(made.bytes, made.used);
	spans_parcel(&p, &opened);
	ck_assert(!p.broken);
	ck_assert_uint_eq(spans_total(&opened), spans_total(&s));
	spans_free(&s);
	spans_free(&opened);
	free(made.bytes);
}
END_TEST

/* ---- a report ---- */

START_TEST(every_section_that_keeps_something_packs_it)
{
	for (size_t i = 0; i < SECTIONS; i++)
		ck_assert_msg(!section_list[i]->kept == !section_list[i]->parcel, "the %zuth section of sections.def", i + 1);
}
END_TEST

/* Text and JSON; the caller frees it. */
static char *shown(const struct report *r)
{
	struct out o = { .fd = memfd_create("report", 0) };
	char *text;

	report_text(&o, r, 1, &(struct shown){ .top = 1000 });
	report_json(&o, r, 1, &(struct shown){ .top = 1000 });
	out_flush(&o);
	text = calloc(o.written + 1, 1);
	ck_assert_int_eq(pread(o.fd, text, o.written, 0), (ssize_t)o.written);
	close(o.fd);
	return text;
}

static void read_golden(struct report *r, char *name)
{
	char *names[] = { name };

	*r = (struct report){ 0 };
	trace_open(&trace, names, 1);
	ck_assert_uint_eq(trace.count, 1);
	report_read_files(r, &trace.processes[0], &CHOICE_ALL);
	r->all_rows = true;
}

static struct report opened_of(const struct parcel *made)
{
	struct report r = { 0 };

	ck_assert(report_unpack(&r, made->bytes, made->used));
	r.all_rows = true;
	return r;
}

static void each_golden(void (*test)(struct parcel *made, const char *told))
{
	glob_t found;

	ck_assert_int_eq(glob("tests/golden/*.rtrace*", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct parcel made;
		struct report r;
		char *told;

		if (!strcmp(strrchr(found.gl_pathv[i], '.'), ".dump") || !strcmp(strrchr(found.gl_pathv[i], '.'), ".report"))
			continue;
		read_golden(&r, found.gl_pathv[i]);
		r.command = "";
		report_pack(&made, &r);
		told = shown(&r);
		test(&made, told);
		r.command = NULL;
		report_free(&r);
		trace_close(&trace);
		free(told);
		free(made.bytes);
	}
	globfree(&found);
}

static void opens_the_same(struct parcel *made, const char *told)
{
	struct report r = opened_of(made);
	struct parcel again;
	char *text;

	report_pack(&again, &r);
	ck_assert_uint_eq(again.used, made->used);
	ck_assert_mem_eq(again.bytes, made->bytes, made->used);
	r.command = "";
	text = shown(&r);
	ck_assert_str_eq(text, told);
	r.command = NULL;
	report_free(&r);
	free(again.bytes);
	free(text);
}

START_TEST(a_report_that_was_packed_is_shown_as_it_was)
{
	each_golden(opens_the_same);
}
END_TEST

static void is_cut(struct parcel *made, const char *told)
{
	struct report r = { 0 };

	(void)told;
	for (size_t size = 0; size < made->used; size += 1 + size / 100)
		ck_assert(!report_unpack(&r, made->bytes, size));
}

START_TEST(a_report_that_is_cut_off_is_refused)
{
	each_golden(is_cut);
}
END_TEST

/* What is taken is shown, and packed once more: nothing of it leads out of it. */
static void is_changed(struct parcel *made, const char *told)
{
	uint8_t *bytes = malloc(made->used);

	(void)told;
	for (unsigned int i = 0; i < 200; i++) {
		struct report r = { 0 };
		struct parcel again;

		memcpy(bytes, made->bytes, made->used);
		for (unsigned int k = 0; k <= i % 4; k++)
			bytes[unit_random() % made->used] = (uint8_t)unit_random();
		if (!report_unpack(&r, bytes, made->used))
			continue;
		r.command = "";
		free(shown(&r));
		report_pack(&again, &r);
		free(again.bytes);
		r.command = NULL;
		report_free(&r);
	}
	free(bytes);
}

START_TEST(a_report_that_was_changed_is_refused_or_shown)
{
	each_golden(is_changed);
}
END_TEST

/* ---- what an older program wrote ---- */

#define LAYOUT_OF    5
#define LAYOUT_BYTES 0x87f34008u

/* All but the number itself, and whose it is. */
static uint32_t bytes_of_all;
static void add_bytes(struct parcel *made, const char *told)
{
	struct parcel head = { 0 };

	(void)told;
	parcel_expect(&head, REPORT_PARCEL);
	parcel_expect_text(&head, RANKTRACE_VERSION);
	bytes_of_all = crc32c(bytes_of_all, made->bytes + head.used, made->used - head.used);
	free(head.bytes);
}

START_TEST(other_bytes_have_another_number)
{
	each_golden(add_bytes);
	ck_assert_msg(REPORT_PARCEL == LAYOUT_OF && bytes_of_all == LAYOUT_BYTES,
		      "parcels of the golden traces have other bytes than those of number %u: raise REPORT_PARCEL, and write here that number and 0x%08xu", LAYOUT_OF,
		      bytes_of_all);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("parcel");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, numbers_and_texts_are_opened_as_they_were_packed);
	tcase_add_test(t, a_number_that_its_type_cannot_hold_is_refused);
	tcase_add_test(t, a_list_is_not_believed_to_be_longer_than_its_bytes);
	tcase_add_test(t, durations_are_the_same_in_a_parcel);
	tcase_add_test(t, spans_are_the_same_in_a_parcel);
	tcase_add_test(t, every_section_that_keeps_something_packs_it);
	tcase_add_test(t, a_report_that_was_packed_is_shown_as_it_was);
	tcase_add_test(t, a_report_that_is_cut_off_is_refused);
	tcase_add_test(t, a_report_that_was_changed_is_refused_or_shown);
	tcase_add_test(t, other_bytes_have_another_number);
	return unit_run("parcel", t);
}
