/* copies.c - copies and fills: SIM_COPY_NS each on the clock, and SIM_COPY_KB_NS for every KiB. */
#include "tests/sims/lib/copies.h"
#include "tests/sims/lib/queue.h"
#include <string.h>

struct copy {
	char *dst;
	const char *src;
	size_t dpitch, spitch, width, height;
	uint32_t value;
	char unit; /* of a fill: bytes of the value */
};

static void run_copy(const void *args)
{
	const struct copy *c = args;

	for (size_t row = 0; row < c->height; row++)
		memmove(c->dst + row * c->dpitch, c->src + row * c->spitch, c->width);
}

static void run_fill(const void *args)
{
	const struct copy *c = args;

	if (c->unit == 1)
		memset(c->dst, (int)c->value, c->width);
	else
		for (size_t i = 0; i < c->width; i += 4)
			memcpy(c->dst + i, &c->value, 4);
}

static int submit(const struct copy *c, void *stream)
{
	uint64_t bytes = c->width * c->height;
	struct sim_task task = { .kind = c->unit ? SIM_FILL : SIM_COPY, .name = c->unit ? "memset" : "memcpy", .run = c->unit ? run_fill : run_copy, .args = c, .size = sizeof(*c) };

	task.ns = (uint64_t)(sim_setting("SIM_COPY_NS", 1000) + (long)(bytes >> 10) * sim_setting("SIM_COPY_KB_NS", 0));
	if (!c->dst || (!c->unit && !c->src))
		return SIM_INVALID;
	if (stream != SIM_NOW)
		return sim_submit(stream, &task);
	task.ns = sim_work_ns(task.ns);
	if (sim_async())
		sim_queue_block(task.ns);
	else
		task.run(c);
	return 0;
}

int sim_copy(void *dst, size_t room, const void *src, size_t bytes, void *stream)
{
	struct copy c = { .dst = dst, .src = src, .width = bytes, .height = 1 };

	return bytes > room ? SIM_INVALID : submit(&c, stream);
}

int sim_copy_2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, void *stream)
{
	struct copy c = { .dst = dst, .src = src, .dpitch = dpitch, .spitch = spitch, .width = width, .height = height };

	return width > dpitch || width > spitch ? SIM_INVALID : submit(&c, stream);
}

int sim_fill(void *dst, size_t room, int value, size_t bytes, void *stream)
{
	struct copy c = { .dst = dst, .value = (uint32_t)value, .width = bytes, .height = 1, .unit = 1 };

	return bytes > room ? SIM_INVALID : submit(&c, stream);
}

int sim_fill32(void *dst, size_t room, uint32_t value, size_t n, void *stream)
{
	struct copy c = { .dst = dst, .value = value, .width = 4 * n, .height = 1, .unit = 4 };

	return 4 * n > room ? SIM_INVALID : submit(&c, stream);
}
