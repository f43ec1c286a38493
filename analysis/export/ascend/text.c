/* text.c - ascend-text: a folder of JSON and CSV files for each window of a rank. */
#include <stdlib.h>

#include "analysis/export/ascend/ascend.h"
#include "analysis/export/ascend/communication.h"
#include "analysis/export/ascend/info.h"
#include "analysis/export/ascend/tables.h"
#include "analysis/export/ascend/trace_view.h"
#include "analysis/export/ascend/words.h"
#include "analysis/util/alloc.h"

struct text_files {
	struct trace_view view;
	struct communication_files communication;
	struct collective_names names;
	struct out *tables[TABLES];
	struct table kernels, calls;	   /* struct sum */
	uint64_t kernel_end, kernel_total; /* ns */
};

static struct out *table_of(struct ascend *a, enum ascend_table table)
{
	struct text_files *t = a->own;
	char *name;

	if (t->tables[table])
		return t->tables[table];
	name = alloc_format("ASCEND_PROFILER_OUTPUT/%s.csv", ascend_tables[table]);
	t->tables[table] = folder_file(a, name);
	free(name);
	tables_head(t->tables[table], table, a->level);
	return t->tables[table];
}

static void put_line(struct ascend *a, enum ascend_table table, const struct ascend_row *row)
{
	tables_line(table_of(a, table), a, table, row);
}

static void text_open(struct ascend *a)
{
	struct text_files *t = a->own = alloc_zero(1, sizeof(*t));

	t->kernels = t->calls = SUMS;
	t->names = COLLECTIVE_NAMES;
	trace_view_begin(&t->view, a);
	communication_begin(&t->communication, a);
}

static void text_call(struct ascend *a, const struct trace_event *ev)
{
	struct text_files *t = a->own;

	trace_view_call(&t->view, a, ev);
	sums_add(&t->calls, ev->name, ev->duration_ns);
}

static void put_kernel(struct ascend *a, const struct ascend_task *task)
{
	struct text_files *t = a->own;
	uint64_t begin = task->device->begin_ns, end = begin + task->device->duration_ns;
	struct ascend_row row = { .task = task, .wait = t->kernel_end && begin > t->kernel_end ? begin - t->kernel_end : 0 };

	put_line(a, TABLE_kernel_details, &row);
	sums_add(&t->kernels, ascend_task_type(task), task->device->duration_ns);
	t->kernel_total += task->device->duration_ns;
	t->kernel_end = end > t->kernel_end ? end : t->kernel_end;
}

static void text_task(struct ascend *a, const struct ascend_task *task)
{
	struct text_files *t = a->own;
	char collective[COLLECTIVE_NAME];

	if (task->work == ASCEND_RANGE) {
		trace_view_range_task(&t->view, a, task);
		return;
	}
	if (task->work == ASCEND_COLLECTIVE) {
		collective_name(&t->names, task->device, collective);
		communication_take(&t->communication, task, collective);
		trace_view_task(&t->view, a, task, collective);
		return;
	}
	if (task->work == ASCEND_KERNEL)
		put_kernel(a, task);
	trace_view_task(&t->view, a, task, ascend_task_name(task));
}

static void text_bar(struct ascend *a, enum overlap_bar bar, uint64_t begin, uint64_t end)
{
	trace_view_bar(&((struct text_files *)a->own)->view, a, bar, begin, end);
}

static void text_range(struct ascend *a, const struct range *range)
{
	trace_view_range(&((struct text_files *)a->own)->view, a, range);
}

static void text_mark(struct ascend *a, const struct trace_event *ev)
{
	trace_view_mark(&((struct text_files *)a->own)->view, a, ev);
}

static void text_memory(struct ascend *a, const struct ascend_memory *memory)
{
	put_line(a, TABLE_operator_memory, &(struct ascend_row){ .memory = memory });
}

static void text_usage(struct ascend *a, const struct ascend_memory *memory)
{
	put_line(a, TABLE_memory_record, &(struct ascend_row){ .memory = memory });
}

static void put_steps(struct ascend *a)
{
	struct text_files *t = a->own;

	for (size_t i = 0; i < a->steps.count; i++) {
		const struct ascend_step *step = &a->steps.list[i];

		if (!step->seen)
			continue;
		trace_view_step(&t->view, a, step);
		if (ascend_has_times(a, step))
			put_line(a, TABLE_step_trace_time, &(struct ascend_row){ .step = step });
	}
}

static void put_sums(struct ascend *a, enum ascend_table table, struct table *sums, uint64_t all)
{
	size_t count;
	struct sum *list = sums_hand_over(sums, &count);

	for (size_t i = 0; i < count; i++)
		put_line(a, table, &(struct ascend_row){ .sum = &list[i], .all = all });
	free(list);
}

static void text_close(struct ascend *a)
{
	struct text_files *t = a->own;

	put_steps(a);
	if (a->level) {
		put_sums(a, TABLE_op_statistic, &t->kernels, t->kernel_total);
		put_sums(a, TABLE_api_statistic, &t->calls, 0);
	}
	trace_view_end(&t->view);
	communication_end(&t->communication);
	info_put(a);
	table_free(&t->kernels);
	table_free(&t->calls);
	table_free(&t->names.counts);
	free(t);
}

static const struct ascend_format format = {
	.kind = "text",
	.open = text_open,
	.call = text_call,
	.task = text_task,
	.bar = text_bar,
	.range = text_range,
	.mark = text_mark,
	.memory = text_memory,
	.usage = text_usage,
	.close = text_close,
};

static void begin(struct export *e)
{
	ascend_begin(e, &format);
}

const struct exporter ascend_text_exporter = {
	ASCEND_EXPORTER,
	.begin = begin,
};
