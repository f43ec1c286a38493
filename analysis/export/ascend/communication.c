#include "analysis/export/ascend/communication.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/hash.h"
#include "analysis/export/ascend/strings.h"
#include "analysis/export/ascend/words.h"
#include "analysis/util/alloc.h"

struct one_collective {
	const char *entry_point;
	const struct collective *definition;
	uint64_t begin, duration, bytes; /* ns; bytes UINT64_MAX: not known */
	char *name;
};

/* ---- names ---- */

void collective_name(struct collective_names *n, const struct trace_device *dev, char name[COLLECTIVE_NAME])
{
	const char *group = words_group(dev->collective);
	uint64_t *count = table_put(&n->counts, hash_text(hash_text(HASH_BEGIN, group), dev->name));
	char kind[64];

	words_collective(kind, sizeof(kind), dev->name);
	snprintf(name, COLLECTIVE_NAME, "%s_%03llu_%llu_1", kind, (unsigned long long)(words_group_number(group) % 1000), (unsigned long long)(*count)++);
}

/* ---- a step ---- */

static void put_ms(struct out *o, uint64_t ns)
{
	out_u64(o, ns / 1000000);
	out_char(o, '.');
	out_digits(o, ns % 1000000, 6);
}

static void put_key(struct out *o, const struct one_collective *one, const char *name)
{
	char key[COLLECTIVE_NAME + 32];

	snprintf(key, sizeof(key), "%s@%llu", name, (unsigned long long)words_group_number(words_group(one->definition)));
	out_json_plain(o, key);
	out_text(o, ": {");
}

/* How much of it was waiting for others, and by which way the bytes went, the device alone knows: these keys are left out. */
static void put_times(struct out *o, const struct one_collective *one)
{
	put_key(o, one, one->name);
	out_text(o, "\"Communication Time Info\": {\"Start Timestamp(us)\": ");
	out_micro(o, one->begin);
	out_text(o, ", \"Elapse Time(ms)\": ");
	put_ms(o, one->duration);
	out_text(o, "}, \"Communication Bandwidth Info\": {}}");
}

static void put_total(struct out *o, uint64_t ns, bool comma)
{
	out_text(o, comma ? ",\n\"Total Op Info\": {\"Communication Time Info\": {\"Elapse Time(ms)\": " : "\n\"Total Op Info\": {\"Communication Time Info\": {\"Elapse Time(ms)\": ");
	put_ms(o, ns);
	out_text(o, "}, \"Communication Bandwidth Info\": {}}");
}

static void put_all_times(struct out *o, const struct one_collective *list, size_t count, bool between_two)
{
	uint64_t total = 0;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (words_between_two(list[i].entry_point) != between_two)
			continue;
		out_text(o, n++ ? ",\n" : "\n");
		put_times(o, &list[i]);
		total += list[i].duration;
	}
	if (!between_two)
		put_total(o, total, n);
}

static int by_kind(const void *a, const void *b)
{
	const struct one_collective *x = a, *y = b;
	int order = strcmp(x->entry_point, y->entry_point);

	if (!order)
		order = strcmp(words_group(x->definition), words_group(y->definition));
	if (!order && x->definition && y->definition)
		order = (x->definition->def.peer > y->definition->def.peer) - (x->definition->def.peer < y->definition->def.peer);
	return order ? order : (x->begin > y->begin) - (x->begin < y->begin);
}

static bool is_alike(const struct one_collective *a, const struct one_collective *b)
{
	return !strcmp(a->entry_point, b->entry_point) && !strcmp(words_group(a->definition), words_group(b->definition));
}

static void put_link(struct out *o, const struct one_collective *one, uint64_t bytes)
{
	const struct collective *c = one->definition;
	int64_t own = c->communicator->def.rank, peer = words_between_two(one->entry_point) ? c->def.peer : own;
	bool receives = words_receives(one->entry_point);

	out_format(o, "\"%lld-%lld\": {\"Transport Type\": \"%s\"", (long long)(receives ? peer : own), (long long)(receives ? own : peer),
		   peer == own ? "LOCAL" : "");
	if (peer != own && bytes)
		out_format(o, ", \"Transit Size(MB)\": %.6f", (double)bytes / 1e6);
	out_text(o, ", \"Op Name\": ");
	out_json_plain(o, one->name);
	out_char(o, '}');
}

static bool has_link(const struct one_collective *one)
{
	const struct collective *c = one->definition;

	return c && c->communicator && c->communicator->def.rank >= 0 && (!words_between_two(one->entry_point) || c->def.peer >= 0);
}

/* Links of one kind in one group, each peer once. */
static void put_links(struct out *o, const struct one_collective *list, size_t count)
{
	uint64_t bytes = 0;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		bool last = i + 1 == count || list[i + 1].definition->def.peer != list[i].definition->def.peer;

		bytes += list[i].bytes == UINT64_MAX ? 0 : list[i].bytes;
		if (!last || (!words_between_two(list[i].entry_point) && i + 1 < count))
			continue;
		if (n++)
			out_text(o, ", ");
		put_link(o, &list[i], bytes);
		bytes = 0;
	}
}

/* By which links a group's operation moved its bytes is not known: of whole groups there is the rank itself alone. */
static void put_all_links(struct out *o, const struct one_collective *list, size_t count, bool between_two)
{
	char kind[64], name[80];
	size_t n = 0;

	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && is_alike(&list[i], &list[next]); next++)
			;
		if (words_between_two(list[i].entry_point) != between_two || !has_link(&list[i]))
			continue;
		out_text(o, n++ ? ",\n" : "\n");
		words_collective(kind, sizeof(kind), list[i].entry_point);
		snprintf(name, sizeof(name), "%s-total", kind);
		put_key(o, &list[i], name);
		put_links(o, &list[i], next - i);
		out_char(o, '}');
	}
}

static void put_step(struct communication_files *c, struct one_collective *list, size_t count, const struct ascend_step *step)
{
	struct out *files[] = { c->times, c->matrix };
	void (*put[])(struct out *, const struct one_collective *, size_t, bool) = { put_all_times, put_all_links };

	for (size_t i = 0; i < 2; i++) {
		if (i)
			qsort(list, count, sizeof(*list), by_kind);
		out_text(files[i], c->steps ? ",\n" : "\n");
		if (step)
			out_format(files[i], "\"step%lld\": {\"p2p\": {", (long long)step->step);
		else
			out_text(files[i], "\"step\": {\"p2p\": {");
		put[i](files[i], list, count, true);
		out_text(files[i], "},\n\"collective\": {");
		put[i](files[i], list, count, false);
		out_text(files[i], "}}");
	}
	c->steps++;
	for (size_t i = 0; i < count; i++)
		free(list[i].name);
}

/* ---- the files ---- */

void communication_begin(struct communication_files *c, struct ascend *a)
{
	*c = (struct communication_files){ .ascend = a };
}

static void open_files(struct communication_files *c)
{
	if (c->times)
		return;
	c->times = folder_file(c->ascend, "ASCEND_PROFILER_OUTPUT/communication.json");
	c->matrix = folder_file(c->ascend, "ASCEND_PROFILER_OUTPUT/communication_matrix.json");
	out_char(c->times, '{');
	out_char(c->matrix, '{');
}

static void add(struct one_collective **list, size_t *count, size_t *capacity, const struct one_collective *one)
{
	if (*count == *capacity) {
		*capacity = *capacity ? 2 * *capacity : 256;
		*list = alloc_grow(*list, *capacity, sizeof(**list));
	}
	(*list)[(*count)++] = *one;
}

void communication_take(struct communication_files *c, const struct ascend_task *task, const char *name)
{
	struct one_collective one = {
		.entry_point = task->device->name,
		.definition = task->device->collective,
		.begin = task->device->begin_ns,
		.duration = task->device->duration_ns,
		.bytes = task->parent ? task->parent->bytes : UINT64_MAX,
		.name = alloc_text(name, strlen(name)),
	};

	open_files(c);
	if (!task->step) {
		add(&c->outside, &c->outside_count, &c->outside_capacity, &one);
		return;
	}
	if (c->count && c->step != task->step) {
		put_step(c, c->list, c->count, c->step);
		c->count = 0;
	}
	c->step = task->step;
	add(&c->list, &c->count, &c->capacity, &one);
}

void communication_end(struct communication_files *c)
{
	if (!c->times)
		return;
	if (c->count)
		put_step(c, c->list, c->count, c->step);
	if (c->outside_count)
		put_step(c, c->outside, c->outside_count, NULL);
	out_text(c->times, "}\n");
	out_text(c->matrix, "}\n");
	free(c->list);
	free(c->outside);
}
