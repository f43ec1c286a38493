/* check_stacks.c - who asked for a call: frames as they were recorded, lines of Python's tables, and definitions that strangers made. */
#include "tests/lib/made_ascend.h"

#include "tests/lib/unit.h"
#include "analysis/report/collect.h"
#include "analysis/report/lines.h"
#include "analysis/report/section.h"
#include "analysis/trace/trace.h"

static struct trace_event seen[3];
static unsigned int with_stack, events;

static void see_event(void *context, const struct trace_event *ev)
{
	(void)context;
	events++;
	if (ev->has_stack)
		seen[with_stack++ % 3] = *ev;
}

START_TEST(a_call_has_the_stacks_that_stand_behind_it)
{
	struct visitor v = { .event = see_event };
	char *paths[] = { path };
	struct trace trace;
	const struct frame *f;

	make_ascend_trace();
	trace_open(&trace, paths, 1);
	ck_assert_int_eq(process_load(&trace.processes[0]), 0);
	process_events(&trace.processes[0], &v);
	ck_assert_uint_eq(events, 29);
	ck_assert_uint_eq(with_stack, 3);

	ck_assert_int_eq(seen[0].kind, EV_OPERATOR);
	ck_assert(seen[0].stack && !seen[0].native && seen[0].stack_of == STACK_CALLER);

	ck_assert_int_eq(seen[1].kind, EV_COPY);
	ck_assert_uint_eq(seen[1].stack_of, STACK_IN_QUEUE);
	ck_assert(!seen[1].stack && !seen[1].native && !seen[1].stack_lost);

	ck_assert_int_eq(seen[2].kind, EV_POOL_ALLOC);
	ck_assert_uint_eq(seen[2].stack_of, STACK_ASKED);
	ck_assert(seen[2].stack->truncated && seen[2].stack->count == 3);
	f = seen[2].stack->frames;
	ck_assert_str_eq(f[0].code->name, "train_step");
	ck_assert_str_eq(f[0].code->file, "/job/train.py");
	ck_assert_uint_eq(frame_line(&f[0]), 42);
	ck_assert(!f[1].code && !frame_line(&f[1]));
	ck_assert_uint_eq(frame_line(&f[2]), 40);
	f = seen[2].native->frames;
	ck_assert_str_eq(f[0].module->file, "/a/libtorch_npu.so");
	ck_assert_uint_eq(f[0].module->build_id_size, 4);
	ck_assert_uint_eq(f[0].at, 0x1234);
	ck_assert_str_eq(f[1].module->file, "/usr/bin/python3.11");
	ck_assert(!f[2].module && !f[1].module->build_id_size);
	process_unload(&trace.processes[0]);
	trace_close(&trace);
	close_file();
}
END_TEST

/* ---- tables of lines ---- */

static void has_lines(enum line_table form, const char *table, size_t size, const char *wanted)
{
	struct code_lines l = { .form = form, .first_line = 10, .size = size, .table = (uint8_t *)table };
	char got[256] = "";

	for (uint64_t at = 0; at < 12; at += 2)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%u ", code_lines_find(&l, at));
	ck_assert_str_eq(got, wanted);
	free(l.marks);
}

#define LINES(form, table, wanted) has_lines(form, table, sizeof(table) - 1, wanted)

START_TEST(an_instruction_has_the_line_of_its_table)
{
	LINES(LINES_3_8, "", "10 10 10 10 10 10 ");
	LINES(LINES_3_8, "\x02\x01\x04\xfe\x00\x05", "10 11 11 14 14 14 ");
	LINES(LINES_3_10, "\x02\x00\x02\x80\x04\x02\x00\x07\x02\xff", "10 0 12 12 18 0 ");
	/* one line, three on, without any, without columns and two back, ending before its number does */
	LINES(LINES_3_11, "\x80\x00\xd8\x01\x02\xf8\xe8\x05\xf0\x02\x00\x01\x02", "10 11 0 9 10 0 ");
	LINES(LINES_3_11, "", "0 0 0 0 0 0 ");
	LINES(LINES_NONE, "\x02\x01", "0 0 0 0 0 0 ");
}
END_TEST

START_TEST(a_line_behind_the_end_of_a_cut_table_is_unknown)
{
	uint8_t table[] = { 2, 1, 4, 1 };
	struct code_lines l = { .form = LINES_3_8, .cut = true, .first_line = 1, .size = sizeof(table), .table = table };

	ck_assert_uint_eq(code_lines_find(&l, 4), 2);
	ck_assert_uint_eq(code_lines_find(&l, 6), 0);
	free(l.marks);
}
END_TEST

START_TEST(lines_that_a_stranger_counts_are_none)
{
	LINES(LINES_3_10, "\x02\xf6\x02\x9c\x02\x7f", "0 0 27 0 0 0 ");
	LINES(LINES_3_11, "\x70\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f", "0 0 0 0 0 0 ");
	LINES(LINES_3_8, "\xff", "10 10 10 10 10 10 ");
}
END_TEST

/* ---- strangers' definitions ---- */

static struct defs defs;
static struct key_values facts;

static void define(enum definition_type type, uint64_t id, const void *body, size_t size)
{
	struct maker m = { 0 };

	maker_define(&m, type, id, body, size, "");
	ck_assert_uint_eq(defs_parse(&defs, &facts, m.defs, m.defs_size), m.defs_size);
}

START_TEST(a_stack_has_no_more_frames_than_are_there_and_may_be)
{
	struct {
		struct def_stack head;
		struct def_frame frames[STACK_FRAMES + 6];
	} many = { .head = { .frames = UINT32_MAX, .kind = 9 } };
	const struct stack *s;

	defs_init(&defs);
	define(DEF_STACK, 1, &many, sizeof(many));
	define(DEF_STACK, 2, &many, sizeof(many.head) + 2 * sizeof(*many.frames) + 15);
	define(DEF_STACK, 3, &many, sizeof(many.head) - 1);
	many.head.kind = STACK_NATIVE;
	define(DEF_STACK, 2, &many, sizeof(many.head) + sizeof(*many.frames)); /* once more */
	defs_finish(&defs);
	s = stacks_find(&defs.stacks, 1, STACK_PYTHON);
	ck_assert(s && s->count == STACK_FRAMES && s->truncated && !s->frames[63].code);
	ck_assert_ptr_null(stacks_find(&defs.stacks, 1, STACK_NATIVE));
	s = stacks_find(&defs.stacks, 2, STACK_NATIVE);
	ck_assert(s && s->count == 1 && s->truncated);
	ck_assert_ptr_null(stacks_find(&defs.stacks, 3, STACK_PYTHON));
	ck_assert_ptr_null(stacks_find(&defs.stacks, 0, STACK_PYTHON));
	defs_free(&defs);
}
END_TEST

START_TEST(sizes_beyond_a_definition_are_cut_to_it)
{
	struct {
		struct def_code code;
		char text[8];
	} code = { { .first_line = 7, .lines = UINT32_MAX, .name = 3, .file = UINT16_MAX, .table = 200 }, "f\xff\n/x.p" };
	struct {
		struct def_module module;
		char text[4];
	} module = { { .build_id = UINT32_MAX }, "abcd" };
	const struct code *c;
	const struct module *m;

	defs_init(&defs);
	define(DEF_CODE, 1, &code, sizeof(code));
	define(DEF_CODE, 2, &code, sizeof(code.code) - 1);
	define(DEF_MODULE, 1, &module, sizeof(module));
	define(DEF_MODULE, 2, &module, sizeof(module.module) - 1);
	c = table_find(&defs.stacks.codes, 1);
	ck_assert_str_eq(c->name, "f\xff\n");
	ck_assert_str_eq(c->file, "/x.p");
	ck_assert(c->lines.form == LINES_NONE && !c->lines.size && c->lines.cut);
	m = table_find(&defs.stacks.modules, 1);
	ck_assert_uint_eq(m->build_id_size, 4);
	ck_assert_str_eq(m->file, "");
	ck_assert(!table_find(&defs.stacks.codes, 2) && !table_find(&defs.stacks.modules, 2));
	defs_free(&defs);
}
END_TEST

/* ---- by line ---- */

/* From train_step, line 40 and 41: a launch inside an operator, then a launch alone. */
static void put_inside(void)
{
	static const struct event slots[] = {
		{ .begin = 1100, .duration = 300, .hook = EV_LAUNCH },
		{ .hook = CTRL_STACK, .key = 3 },
		{ .begin = 1500, .duration = 100, .hook = EV_LAUNCH },
		{ .hook = CTRL_NESTED },
		{ .hook = CTRL_STACK, .key = 3 },
		{ .begin = 1000, .duration = 1000, .hook = EV_OPERATOR },
		{ .hook = CTRL_STACK, .key = 4 },
		{ .begin = 2100, .duration = 50, .hook = EV_LAUNCH },
		{ .hook = CTRL_STACK, .key = 3 },
	};
	struct {
		struct def_stack head;
		struct def_frame frame;
	} at_40 = { { .frames = 1 }, { 1, 0 } }, at_41 = { { .frames = 1 }, { 1, 2 } };

	define_names();
	define_stacks();
	maker_define(&maker, DEF_STACK, 3, &at_40, sizeof(at_40), "");
	maker_define(&maker, DEF_STACK, 4, &at_41, sizeof(at_41), "");
	maker_put_defs(&maker);
	must(!maker_events(&maker, 1, 21, 0, 0, slots, sizeof(slots) / sizeof(*slots), 4, 0));
}

START_TEST(time_inside_another_call_is_of_the_line_of_the_inner_one)
{
	char *paths[] = { path };
	const struct kernel_row *rows;
	struct report r = { 0 };
	struct trace trace;
	struct lines *l;

	open_file();
	maker_clock(&maker, 0);
	maker_text(&maker, CHUNK_FILE, "host=h\npid=42\nrank=1\nclock=ns\nlevel=level1\n");
	put_inside();
	maker_text(&maker, CHUNK_END, "reason=exit\n");
	trace_open(&trace, paths, 1);
	ck_assert_int_eq(process_load(&trace.processes[0]), 0);
	sections_make(&r);
	collect_events(&r, &trace.processes[0], &CHOICE_ALL);
	l = r.sections[SECTION_lines];
	rows = l->rows.list.rows;
	ck_assert_uint_eq(l->rows.list.count, 2);
	ck_assert_str_eq(rows[0].name, "/job/train.py:41 train_step");
	ck_assert_uint_eq(rows[0].host_ns, 700);
	ck_assert_str_eq(rows[1].name, "/job/train.py:40 train_step");
	ck_assert_uint_eq(rows[1].host_ns, 350);
	ck_assert_uint_eq(rows[1].count, 2);
	report_free(&r);
	process_unload(&trace.processes[0]);
	trace_close(&trace);
	close_file();
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("stacks");

	tcase_add_test(t, a_call_has_the_stacks_that_stand_behind_it);
	tcase_add_test(t, an_instruction_has_the_line_of_its_table);
	tcase_add_test(t, a_line_behind_the_end_of_a_cut_table_is_unknown);
	tcase_add_test(t, lines_that_a_stranger_counts_are_none);
	tcase_add_test(t, a_stack_has_no_more_frames_than_are_there_and_may_be);
	tcase_add_test(t, sizes_beyond_a_definition_are_cut_to_it);
	tcase_add_test(t, time_inside_another_call_is_of_the_line_of_the_inner_one);
	return unit_run("stacks", t);
}
