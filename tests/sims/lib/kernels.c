/* kernels.c - binaries, the kernels in them, and their launch. */
#include "tests/sims/lib/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct binary {
	uint32_t magic;
	struct kernel {
		struct sim_function function;
		struct kernel *next;
	} * kernels;
};

int sim_binary_new(void **binary)
{
	struct binary *b;

	if (!binary)
		return SIM_INVALID;
	b = calloc(1, sizeof(*b));
	b->magic = SIM_BINARY;
	*binary = b;
	return 0;
}

int sim_function_of(void *binary, const char *name, void **function)
{
	struct binary *b = binary;
	struct kernel *k;

	if (!sim_is(binary, SIM_BINARY) || !name || !function)
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	for (k = b->kernels; k && strcmp(k->function.name, name); k = k->next)
		;
	if (!k) {
		k = calloc(1, sizeof(*k));
		k->function.magic = SIM_FUNCTION;
		k->function.binary = binary;
		snprintf(k->function.name, sizeof(k->function.name), "%s", name);
		k->next = b->kernels;
		b->kernels = k;
	}
	pthread_mutex_unlock(&sim_lock);
	*function = &k->function;
	return 0;
}

void *sim_binary_kernel(void *binary)
{
	return sim_is(binary, SIM_BINARY) && ((struct binary *)binary)->kernels ? &((struct binary *)binary)->kernels->function : NULL;
}

int sim_launch(const struct sim_function *function, void *stream, const void *args, size_t size)
{
	struct sim_task task;

	if (!sim_is(function, SIM_FUNCTION) || (size && !args))
		return SIM_INVALID;
	task = (struct sim_task){ .name = function->name, .run = function->run, .meets = function->meets, .args = args, .size = size, .ns = (uint64_t)sim_setting("SIM_KERNEL_NS", 10000) };
	return sim_submit(stream, &task);
}
