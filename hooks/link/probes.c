#include "hooks/link/probes.h"
#include <stdlib.h>
#include <string.h>
#include "agent/agent.h"
#include "agent/base/text.h"
#include "agent/os/elf.h"
#include "agent/record/gate.h"
#include "agent/stacks/stack_memory.h"
#include "agent/steps/source_symbol.h"
#include "config/step_source/step_source.h"
#include "config/step_source/symbol.h"
#include "hooks/link/got.h"
#include "hooks/link/resolve.h"
#include "hooks/link/trampoline.h"
#include "hooks/link/vectors.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/rows/index.h"

struct probe {
	struct symbol_spec spec;
	int hook;   /* its row, or -1 */
	void *real; /* NULL: its library is not loaded yet */
	bool used;
};

/* A call that ends at the source's function goes on to where it led: there, or to our wrapper. */
struct stub {
	unsigned int source;
	_Atomic(void *) target;
};

static struct probe probes[STEP_SOURCES];
static unsigned int probe_count;
static struct stub stubs[PROBE_STUBS];
_Static_assert(PROBE_STUBS >= 3 * STEP_SOURCES, "to the function itself, to our wrapper, to its trampoline");
static bool wanted;
static unsigned int at_start;		     /* so many objects were loaded with the program: the first in order */
static _Atomic unsigned long long adds_seen; /* objects ever loaded, at the last look */

extern const char probes_code[]; /* probes.S: 16 bytes a stub */

struct probe_target {
	void *address;
	long copy; /* 16 + bytes of stack arguments to copy; 0: its return does not matter */
};
struct probe_target probes_entered(unsigned long stub, const char *stack);
void probes_returned(unsigned long stub);

BARE bool probes_wanted(void)
{
	return wanted;
}

/* ---- what the probes in probes.S call ---- */

static void tell(unsigned long stub, bool at_return)
{
	if (!gate_load())
		agent_start();
	if (gate_may_record())
		source_symbol_passed(stubs[stub].source, at_return);
}

struct probe_target probes_entered(unsigned long stub, const char *stack)
{
	void *target = atomic_load_explicit(&stubs[stub].target, memory_order_relaxed);

	if (probes[stubs[stub].source].spec.at_return)
		return (struct probe_target){ target, 16 + (long)stack_memory_count((uintptr_t)stack, PROBE_COPIED) };
	tell(stub, false);
	return (struct probe_target){ target, 0 };
}

void probes_returned(unsigned long stub)
{
	tell(stub, true);
}

/* ---- leading calls through a probe ---- */

static void *code_of(unsigned int stub)
{
	return (void *)(probes_code + stub * 16);
}

static bool is_code(const void *address)
{
	return (const char *)address >= probes_code && (const char *)address < probes_code + PROBE_STUBS * 16;
}

/* NULL: there are no more, or there is nowhere to go. */
static void *stub_to(const struct probe *p, void *target)
{
	static _Atomic unsigned int used;
	unsigned int n = atomic_load(&used), source = (unsigned int)(p - probes), i;

	if (!target)
		return NULL;
	for (i = 0; i < n && i < PROBE_STUBS; i++)
		if (atomic_load(&stubs[i].target) == target && stubs[i].source == source)
			return code_of(i);
	i = atomic_fetch_add(&used, 1);
	if (i >= PROBE_STUBS) {
		atomic_store(&used, PROBE_STUBS);
		return NULL;
	}
	stubs[i].source = source;
	atomic_store(&stubs[i].target, target);
	return code_of(i);
}

static bool named(const char *text, const char *library)
{
	const char *base = text_basename(text);

	return !strncmp(base, library, strlen(library)); /* libtrainer.so also means libtrainer.so.1 */
}

struct search {
	struct probe *probe;
	const char *path; /* of the library that has it, or should have */
};

static bool find_real(const struct elf_object *o, void *data)
{
	struct search *s = data;
	struct probe *p = s->probe;

	if (elf_is_us(o) || !(named(o->path, p->spec.library) || (o->soname && named(o->soname, p->spec.library))))
		return false;
	s->path = o->path;
	p->real = elf_lookup(o, p->spec.name);
	return p->real;
}

/* The pointers that lead to us lead on to this library: from now on it stays. */
static void look_for(struct probe *p)
{
	struct search s = { .probe = p };

	elf_walk(find_real, &s);
	if (s.path)
		source_symbol_looked((unsigned int)(p - probes), p->real);
	if (p->real && !hook_pin(s.path))
		p->real = NULL;
}

/* Looks for a name in the scope that all objects have which were there when the program started. */
struct scope {
	const char *name;
	void *ours;		       /* what we have of that name */
	const struct elf_object *from; /* only behind it; NULL: it is passed, or all count */
	unsigned int left;
	void *function;
};

static bool has_it(const struct elf_object *o, void *data)
{
	struct scope *s = data;

	if (!s->left--)
		return true;
	if (s->from)
		s->from = o->dynamic == s->from->dynamic ? NULL : s->from;
	else
		s->function = elf_is_us(o) ? s->ours : elf_lookup(o, s->name);
	return s->function;
}

static void *first_in_scope(const char *name, void *ours, const struct elf_object *from)
{
	struct scope s = { name, ours, from, at_start, NULL };

	elf_walk(has_it, &s);
	return s.function;
}

static bool count_object(const struct elf_object *o, void *count)
{
	(void)o;
	++*(unsigned int *)count;
	return false;
}

/*
 * Where a slot that still points into its own object will lead, if that ends at the probe's function: to the first
 * in the program's scope, which may be us or another tool, or to the first definer that the object depends on.
 */
static void *bound_later(const struct elf_object *own, const struct probe *p)
{
	void *ours = p->hook < 0 ? NULL : hook_entries[p->hook].own;
	void *first = first_in_scope(p->spec.name, ours, NULL);

	if (ours && first == ours)
		return wrapper_at_call_site((unsigned int)p->hook, own->dynamic, p->real);
	if (!first)
		first = elf_find_needed(own, p->spec.name);
	return !first || first == p->real ? p->real : NULL;
}

/*
 * Where the slot leads, if that ends at the probe's function, or NULL: another library may define the same name.
 * What a runtime calls in itself is not the program's call.
 */
static void *led_to(void *const *slot, const struct probe *p)
{
	struct elf_object own;

	if (p->hook >= 0 && hook_from_vendor((unsigned int)p->hook, slot))
		return NULL;
	if (*slot == p->real)
		return p->real;
	if (p->hook >= 0 && *slot == hook_entries[p->hook].own)
		return wrapper_at_call_site((unsigned int)p->hook, slot, p->real);
	if (!elf_object_at(slot, &own) || (uintptr_t)*slot < own.first || (uintptr_t)*slot >= own.last)
		return NULL;
	return bound_later(&own, p);
}

static void lead(const struct slot *slot)
{
	void *code;

	for (unsigned int i = 0; i < probe_count; i++) {
		if (!probes[i].used || !probes[i].real || strcmp(slot->name, probes[i].spec.name) || is_code(*slot->at))
			continue;
		code = stub_to(&probes[i], led_to(slot->at, &probes[i]));
		if (code)
			got_write(slot, code);
	}
}

void probes_arm(void)
{
	unsigned long long adds;

	if (!wanted)
		return;
	adds = elf_adds();
	if (atomic_exchange(&adds_seen, adds) == adds)
		return;
	for (unsigned int i = 0; i < probe_count; i++)
		if (probes[i].used && !probes[i].real)
			look_for(&probes[i]);
	got_walk(lead);
}

/* Probe numbers are source numbers: agent/steps reads the same text in the same order. */
void probes_early(void)
{
	struct step_source_spec specs[STEP_SOURCES];
	const char *text = getenv("RANKTRACE_STEP_SOURCE");
	char why[128];
	unsigned int n = 0;

	if (!text || !strstr(text, "symbol:") || step_source_parse(text, specs, &n, why, sizeof(why)))
		return;
	for (unsigned int i = 0; i < n; i++) {
		probes[i].used = specs[i].kind == STEP_SOURCE_symbol && symbol_read(&probes[i].spec, specs[i].argument);
		probes[i].hook = index_find(probes[i].spec.name);
	}
	probe_count = n;
	wanted = true;
	atomic_store(&hook_arm_probes, probes_arm);
	atomic_store(&wrapper_probe, probes_find);
	vectors_ask();
	elf_walk(count_object, &at_start);
	probes_arm();
}

void *probes_find(const char *name, const void *real, void *target)
{
	for (unsigned int i = 0; i < probe_count; i++)
		if (probes[i].used && probes[i].real && probes[i].real == real && !strcmp(name, probes[i].spec.name))
			return stub_to(&probes[i], target);
	return NULL;
}

void *probes_next(const char *name, const void *caller)
{
	struct elf_object from;
	void *next = elf_object_at(caller, &from) ? first_in_scope(name, NULL, &from) : NULL;

	return probes_find(name, next, next);
}

void *probes_linked(int hook, const void *caller)
{
	void *target;

	for (unsigned int i = 0; i < probe_count; i++) {
		if (!probes[i].used || !probes[i].real || probes[i].hook != hook)
			continue;
		target = wrapper_at_call_site((unsigned int)hook, caller, probes[i].real);
		if (target)
			return stub_to(&probes[i], target);
	}
	return NULL;
}

bool probes_named(const char *name)
{
	for (unsigned int i = 0; i < probe_count; i++)
		if (probes[i].used && probes[i].real && !strcmp(name, probes[i].spec.name))
			return true;
	return false;
}
