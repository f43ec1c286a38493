/* defs_parse.c - definitions as they stand in a file, into tables; nothing in them is believed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/defs.h"
#include "analysis/util/alloc.h"
#include "hooks/rows/index.h"
#include "hooks/rows/table.h"

static void replace_text(char **text, const uint8_t *bytes, size_t size)
{
	free(*text);
	*text = alloc_text(bytes, size);
}

/* Older files say the kind alone; rows are never dropped. */
static uint8_t flags_of_row(const char *name)
{
	int row = index_find(name);

	return row < 0 ? 0 : hook_rows[row].flags;
}

static void take_hook(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct hook_name *hook;

	if (size < sizeof(struct def_hook) || id >= CTRL_FIRST)
		return;
	hook = table_put(&d->hooks, id);
	hook->kind = body[0] < EV_KINDS ? body[0] : EV_KINDS;
	replace_text(&hook->name, body + sizeof(struct def_hook), size - sizeof(struct def_hook));
	hook->flags = body[1] & DEF_HOOK_SAID ? body[1] : flags_of_row(hook->name);
	hook->family = strchr(hook->name, '*');
}

static void take_string(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct text *string = table_put(&d->strings, id);

	replace_text(&string->text, body, size);
}

static void take_device(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct device *device = table_put(&d->devices, id);

	replace_text(&device->name, body, size);
}

static void take_time_source(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct device *device = table_put(&d->devices, id);

	replace_text(&device->source, body, size);
}

static void take_device_rank(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct device *device;

	if (size < sizeof(device->rank))
		return;
	device = table_put(&d->devices, id);
	memcpy(&device->rank, body, sizeof(device->rank));
	device->has_rank = device->rank.rank >= 0;
}

/* Its fixed part, which an item of the table begins with. NULL: there is less. */
static void *take_fixed(struct table *table, uint64_t id, const uint8_t *body, size_t size, size_t fixed)
{
	void *item = size < fixed ? NULL : table_put(table, id);

	return item ? memcpy(item, body, fixed) : NULL;
}

static void take_launch(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct launch *launch = take_fixed(&d->launches, id, body, size, sizeof(launch->def));

	if (!launch)
		return;
	if (launch->def.dimensions > 3)
		launch->def.dimensions = 0;
	launch->has_shared = size >= sizeof(launch->def) + sizeof(launch->shared);
	if (launch->has_shared)
		memcpy(&launch->shared, body + sizeof(launch->def), sizeof(launch->shared));
}

/* One tensor; returns the bytes it has, 0: that makes no sense. */
static size_t take_tensor(struct def_tensor *tensor, const uint8_t *bytes, size_t size)
{
	size_t length;

	*tensor = (struct def_tensor){ 0 };
	if (size < DEF_TENSOR_BYTES(0))
		return 0;
	memcpy(tensor, bytes, DEF_TENSOR_BYTES(0));
	length = DEF_TENSOR_BYTES(tensor->dimensions);
	if (tensor->dimensions > SHAPES_DIMENSIONS || length > size)
		return 0;
	memcpy(tensor, bytes, length);
	if (tensor->type >= DATA_COUNT)
		tensor->type = DATA_OTHER;
	if (tensor->format >= FORMAT_COUNT)
		tensor->format = FORMAT_OTHER;
	return length;
}

static void take_shapes(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct shapes *shapes;
	size_t at = sizeof(shapes->def), length, most;
	uint32_t n = 0;

	if (size < at)
		return;
	shapes = table_put(&d->shapes, id);
	memcpy(&shapes->def, body, at);
	most = (size - at) / DEF_TENSOR_BYTES(0);
	most = most < shapes->def.tensors ? most : shapes->def.tensors;
	most = most < SHAPES_TENSORS ? most : SHAPES_TENSORS;
	free(shapes->tensors);
	shapes->tensors = alloc_zero(most + 1, sizeof(*shapes->tensors));
	while (n < most && (length = take_tensor(&shapes->tensors[n], body + at, size - at))) {
		at += length;
		n++;
	}
	shapes->def.left_out += shapes->def.tensors - n;
	shapes->def.tensors = n;
}

static void take_graph(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct graph *graph = take_fixed(&d->graphs, id, body, size, sizeof(graph->def));
	size_t there;

	if (!graph)
		return;
	there = (size - sizeof(graph->def)) / sizeof(struct def_graph_kernel);
	there = there < GRAPH_NAMES ? there : GRAPH_NAMES;
	if (graph->def.names > there)
		graph->def.names = (uint32_t)there;
	free(graph->kernels);
	graph->kernels = alloc_zero(graph->def.names + 1, sizeof(*graph->kernels));
	for (uint32_t i = 0; i < graph->def.names; i++)
		memcpy(&graph->kernels[i].def, body + sizeof(graph->def) + i * sizeof(struct def_graph_kernel), sizeof(struct def_graph_kernel));
}

static void take_communicator(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct communicator *communicator = take_fixed(&d->communicators, id, body, size, sizeof(communicator->def));

	if (!communicator)
		return;
	if (communicator->def.group)
		snprintf(communicator->group, sizeof(communicator->group), "0x%" PRIx64, communicator->def.group);
	replace_text(&communicator->name, body + sizeof(communicator->def), size - sizeof(communicator->def));
}

static void take_collective(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct collective *collective = take_fixed(&d->collectives, id, body, size, sizeof(collective->def));

	if (!collective)
		return;
	if (collective->def.type >= DATA_COUNT)
		collective->def.type = DATA_OTHER;
	if (collective->def.reduction >= REDUCE_COUNT)
		collective->def.reduction = REDUCE_OTHER;
}

/* A ring may have some in each file, of other times. */
static void take_lost(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct def_lost lost;

	if (size < sizeof(lost))
		return;
	memcpy(&lost, body, sizeof(lost));
	*(struct def_lost *)table_put(&d->losses, id << 48 ^ lost.since) = lost;
}

static void take_epoch(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct def_epoch e = { 0 };

	if (size < offsetof(struct def_epoch, offset))
		return;
	if (size > sizeof(e))
		size = sizeof(e);
	memcpy(&e, body, size / sizeof(e.step) * sizeof(e.step)); /* whole ones: the later are left out where they are 0 */
	*(struct def_epoch *)table_put(&d->epochs, id) = e;
}

static void take_stage(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct stage *stage = take_fixed(&d->stages, id, body, size, sizeof(stage->def));

	if (stage)
		replace_text(&stage->role, body + sizeof(stage->def), size - sizeof(stage->def));
}

static void take_device_clock(struct defs *d, uint64_t id, const uint8_t *body, size_t size)
{
	struct device *device;

	if (size < sizeof(*device->clocks))
		return;
	device = table_put(&d->devices, id);
	if (device->clock_count == device->clock_capacity) {
		device->clock_capacity = device->clock_capacity ? 2 * device->clock_capacity : 4;
		device->clocks = alloc_grow(device->clocks, device->clock_capacity,
					    sizeof(*device->clocks));
	}
	memcpy(&device->clocks[device->clock_count++], body, sizeof(*device->clocks));
}

static void take_library(struct key_values *facts, const uint8_t *body, size_t size)
{
	char *path = alloc_text(body, size);

	key_values_add(facts, "library", path);
	free(path);
}

static void take(struct defs *d, struct key_values *facts, const struct definition *head,
		 const uint8_t *body, size_t size)
{
	switch (head->type) {
	case DEF_HOOK:
		take_hook(d, head->id, body, size);
		break;
	case DEF_STRING:
		take_string(d, head->id, body, size);
		break;
	case DEF_LAUNCH:
		take_launch(d, head->id, body, size);
		break;
	case DEF_SHAPES:
		take_shapes(d, head->id, body, size);
		break;
	case DEF_GRAPH:
		take_graph(d, head->id, body, size);
		break;
	case DEF_STREAM:
		take_fixed(&d->streams, head->id, body, size, sizeof(struct def_stream));
		break;
	case DEF_EPOCH:
		take_epoch(d, head->id, body, size);
		break;
	case DEF_DEVICE:
		take_device(d, head->id, body, size);
		break;
	case DEF_DEVICE_CLOCK:
		take_device_clock(d, head->id, body, size);
		break;
	case DEF_LIBRARY:
		take_library(facts, body, size);
		break;
	case DEF_COMMUNICATOR:
		take_communicator(d, head->id, body, size);
		break;
	case DEF_COLLECTIVE:
		take_collective(d, head->id, body, size);
		break;
	case DEF_MARKER:
		take_fixed(&d->markers, head->id, body, size, sizeof(struct def_marker));
		break;
	case DEF_POOL:
		take_fixed(&d->pools, head->id, body, size, sizeof(struct def_pool));
		break;
	case DEF_LOST:
		take_lost(d, head->id, body, size);
		break;
	case DEF_STAGE:
		take_stage(d, head->id, body, size);
		break;
	case DEF_PLACE:
		take_fixed(&d->places, head->id, body, size, sizeof(struct def_place));
		break;
	case DEF_DEVICE_RANK:
		take_device_rank(d, head->id, body, size);
		break;
	case DEF_TIME_SOURCE:
		take_time_source(d, head->id, body, size);
		break;
	case DEF_STACK:
		stacks_take_stack(&d->stacks, head->id, body, size);
		break;
	case DEF_CODE:
		stacks_take_code(&d->stacks, head->id, body, size);
		break;
	case DEF_MODULE:
		stacks_take_module(&d->stacks, head->id, body, size);
		break;
	case DEF_IDENTITY:
		key_values_parse(facts, body, size);
		break;
	}
}

size_t defs_length(const uint8_t *bytes, size_t size)
{
	struct definition head;
	size_t padded;

	if (size < sizeof(head))
		return 0;
	memcpy(&head, bytes, sizeof(head));
	padded = ((size_t)head.length + 7) & ~(size_t)7;
	return head.length < sizeof(head) || head.length > size || padded > size ? 0 : padded;
}

size_t defs_parse(struct defs *d, struct key_values *facts, const uint8_t *bytes, size_t size)
{
	struct definition head;
	size_t at = 0, length;

	for (; at < size && (length = defs_length(bytes + at, size - at)); at += length) {
		memcpy(&head, bytes + at, sizeof(head));
		take(d, facts, &head, bytes + at + sizeof(head), head.length - sizeof(head));
	}
	return at;
}
