#include "hooks/capture/functions.h"

void functions_new(struct functions *of, const void *function, const char *name)
{
	bool matches = false;
	uint64_t id;

	if (!function || !record_may_learn())
		return;
	id = name ? name_id(name, &matches) : of->name_of(function, &matches);
	if (id != NAME_LATER)
		handles_put(&of->table, (uintptr_t)function, id | (matches ? FUNCTION_MATCHES : 0), session_generation);
}

static struct handle_slot *slot(struct functions *of, const void *function)
{
	struct handle_slot *s = handles_get(&of->table, (uintptr_t)function);

	if (s && atomic_load_explicit(&s->b, memory_order_relaxed) == session_generation)
		return s;
	functions_new(of, function, NULL);
	return handles_get(&of->table, (uintptr_t)function);
}

void functions_tick(struct functions *of, const void *function)
{
	struct handle_slot *s = handles_get(&of->table, (uintptr_t)function);

	source_time_launch();
	source_kernel_launch(s && atomic_load(&s->a) & FUNCTION_MATCHES);
}

uint64_t functions_launch_slowly(struct functions *of, const void *function, bool good, uint32_t dims, const size_t *global,
				 const size_t *local)
{
	struct handle_slot *s = good ? slot(of, function) : handles_get(&of->table, (uintptr_t)function);
	uint64_t name = s ? atomic_load_explicit(&s->a, memory_order_relaxed) & ~FUNCTION_MATCHES : 0;

	return launch_id_slowly(name, good ? dims : 0, global, local);
}

uint64_t functions_named(const char *name)
{
	bool matches;
	uint64_t id = name ? name_id(name, &matches) : 0;

	return launch_id(id == NAME_LATER ? 0 : id, 0, NULL, NULL);
}
