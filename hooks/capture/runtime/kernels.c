#include "hooks/capture/runtime/kernels.h"
#include "agent/record/launch_cache.h"
#include "agent/record/question.h"

/* ---- modules and what is theirs ---- */

static struct handle_slot *module_slot(struct kernels *of, const void *module)
{
	struct handle_slot *s = handles_get(&of->modules, (uintptr_t)module);

	return s ? s : handles_put(&of->modules, (uintptr_t)module, 0, 0);
}

static void own(struct kernels *of, const void *module, const void *function)
{
	struct handle_slot *known = handles_get(&of->owners, (uintptr_t)function), *m;

	if (!module || (known && atomic_load(&known->a) == (uintptr_t)module))
		return;
	m = module_slot(of, module);
	if (m)
		handles_put(&of->owners, (uintptr_t)function, (uintptr_t)module, atomic_exchange(&m->a, (uintptr_t)function));
}

static const void *owner_of(struct kernels *of, const void *function)
{
	struct handle_slot *s = handles_get(&of->owners, (uintptr_t)function);
	const void *module = NULL;

	if (s)
		return (const void *)(uintptr_t)atomic_load(&s->a);
	return registered_name(&of->registered, function, &module) ? module : NULL;
}

static void forget(void *kernels, const void *function)
{
	struct kernels *of = kernels;

	handles_forget(handles_get(&of->table, (uintptr_t)function));
}

void kernels_module_ends(struct kernels *of, const void *module)
{
	struct handle_slot *m = handles_get(&of->modules, (uintptr_t)module), *s;
	uint64_t function = m ? atomic_load(&m->a) : 0;

	registered_end(&of->registered, module, forget, of);
	handles_forget(m);
	while (function && (s = handles_get(&of->owners, function)) && atomic_load(&s->a) == (uintptr_t)module) {
		uint64_t next = atomic_load(&s->b);

		handles_forget(s);
		forget(of, (const void *)(uintptr_t)function);
		function = next;
	}
	launch_cache_void();
}

/* ---- names ---- */

void kernels_registered(struct kernels *of, const void *module, const void *stub, const char *name)
{
	if (module && stub && name)
		registered_add(&of->registered, module, stub, name);
}

static bool define(struct kernels *of, const void *function, const char *name)
{
	bool matches = false;
	uint64_t id = name_id(name, &matches);

	if (id == NAME_LATER)
		return false;
	handles_put(&of->table, (uintptr_t)function, id | (matches ? KERNEL_MATCHES : 0), session_generation);
	launch_cache_void();
	return true;
}

void kernels_new(struct kernels *of, const void *function, const void *module, const char *name)
{
	if (!function || !name || !record_may_learn())
		return;
	if (define(of, function, name))
		own(of, module, function);
}

/* NULL: it is no stub, which is remembered until there are more. */
static const char *name_of_stub(struct kernels *of, const void *function)
{
	struct handle_slot *s = handles_get(&of->strangers, (uintptr_t)function);
	uint64_t count = atomic_load(&of->registered.count);
	const void *module;
	const char *name;

	if (s && atomic_load_explicit(&s->a, memory_order_relaxed) == count)
		return NULL;
	name = registered_name(&of->registered, function, &module);
	if (!name)
		handles_put(&of->strangers, (uintptr_t)function, count, 0);
	return name;
}

/* By what was registered, without a question to anybody. */
static struct handle_slot *known_function(struct kernels *of, const void *function)
{
	struct handle_slot *s = handles_get(&of->table, (uintptr_t)function);
	const char *name;

	if (s && atomic_load_explicit(&s->b, memory_order_relaxed) == session_generation)
		return s;
	name = gate_may_record() ? name_of_stub(of, function) : NULL;
	if (!name || !define(of, function, name))
		return NULL;
	return handles_get(&of->table, (uintptr_t)function);
}

void kernels_same(struct kernels *of, const void *function, const void *other)
{
	struct handle_slot *s;

	if (!function || function == other || !record_may_learn())
		return;
	s = known_function(of, other);
	if (!s)
		return;
	handles_put(&of->table, (uintptr_t)function, atomic_load(&s->a), session_generation);
	own(of, owner_of(of, other), function);
	launch_cache_void();
}

/* Made where we did not look, or before a fork: the vendor may know it. The text is the vendor's. NULL: it does not. */
static const char *vendor_says(struct kernels *of, const void *function)
{
	struct question question = question_begin();
	const char *name = of->ask(function);

	question_end(question);
	return name;
}

static struct handle_slot *asked_function(struct kernels *of, const void *function)
{
	const char *name = vendor_says(of, function);

	return define(of, function, name ? name : "") ? handles_get(&of->table, (uintptr_t)function) : NULL;
}

/* ---- launches ---- */

void kernels_tick(struct kernels *of, const void *function)
{
	struct handle_slot *s = known_function(of, function);

	source_time_launch();
	source_kernel_launch(s && atomic_load(&s->a) & KERNEL_MATCHES);
}

static uint64_t name_of(const struct handle_slot *s)
{
	return s ? atomic_load_explicit(&s->a, memory_order_relaxed) & ~KERNEL_MATCHES : 0;
}

uint64_t kernels_known_name(struct kernels *of, const void *function)
{
	return name_of(function ? known_function(of, function) : NULL);
}

/* Nothing is kept: whether the handle ends, or is another kernel's one day, need not be seen. */
uint64_t kernels_name(struct kernels *of, const void *function)
{
	uint64_t known = kernels_known_name(of, function);
	const char *name = known || !function ? NULL : vendor_says(of, function);
	bool matches;

	if (name)
		known = name_id(name, &matches);
	return known == NAME_LATER ? 0 : known;
}

uint64_t kernels_launch_slowly(struct kernels *of, const void *function, uint32_t dims, const size_t *threads, const size_t *block, size_t shared)
{
	struct handle_slot *s = known_function(of, function);

	return kernels_launch_named(name_of(s ? s : asked_function(of, function)), dims, threads, block, shared);
}

uint64_t kernels_launch_refused(struct kernels *of, const void *function)
{
	return launch_id_slowly(name_of(known_function(of, function)), 0, NULL, NULL);
}
