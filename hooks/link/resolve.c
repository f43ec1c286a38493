#include "hooks/link/resolve.h"
#include <string.h>
#include "agent/agent.h"
#include "agent/base/hash.h"
#include "agent/os/elf.h"
#include "agent/os/signal_context.h"
#include "agent/os/slow_path.h"
#include "agent/record/gate.h"
#include "agent/record/handles.h"
#include "agent/record/launch_cache.h"
#include "agent/record/recent_keys.h"
#include "agent/record/record.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "hooks/link/call_sites.h"
#include "hooks/link/providers.h"
#include "hooks/link/trampoline.h"
#include "hooks/link/vendor.h"
#include "hooks/rows/family.h"
#include "hooks/rows/index.h"
#include "hooks/rows/table.h"

struct hook_slot hook_slots[HOOK_COUNT];
_Atomic bool hook_rivals;
void *(*hook_below)(const char *name);
void (*_Atomic hook_arm_probes)(void);
_Atomic unsigned long hook_deepbind, hook_namespaces;

/* ---- who is meant ---- */

/* Found out once for all that is loaded now: what is closed makes no rivals. */
bool hook_has_rivals(unsigned int hook)
{
	uint32_t now = (uint32_t)elf_adds() + 1;
	struct provider first;

	if (atomic_load_explicit(&hook_slots[hook].alone_at, memory_order_relaxed) == now)
		return false;
	if (providers_count(hook_rows[hook].name, &first) > 1)
		return true;
	atomic_store_explicit(&hook_slots[hook].alone_at, now, memory_order_relaxed);
	return false;
}

/* ---- a second provider that is loaded later ---- */

static _Atomic bool any_loaded;		     /* a real function was found */
static _Atomic unsigned long long adds_seen; /* objects ever loaded, at the last look */

/* From now on it matters who calls: hooks that this object defines, too, are looked up every time. */
static bool doubt(const struct elf_object *o, void *unused)
{
	(void)unused;
	for (unsigned int i = 0; !elf_is_us(o) && i < HOOK_COUNT; i++) {
		void *real = hook_real(i), *other;

		if (!real || !family_has(hook_rows[i].family, o->soname))
			continue;
		other = elf_lookup(o, hook_rows[i].name);
		if (other && other != real) {
			atomic_store(&hook_slots[i].real, NULL);
			launch_cache_void();
		}
	}
	return false;
}

BARE void hook_recheck_providers(void)
{
	unsigned long long adds;

	if (!atomic_load_explicit(&any_loaded, memory_order_relaxed))
		return;
	adds = elf_adds();
	if (atomic_exchange(&adds_seen, adds) == adds)
		return;
	call_sites_renew();
	elf_walk(doubt, NULL);
	vendors_libraries_changed();
}

BARE void hook_unresolve_all(void)
{
	static _Atomic unsigned long long subs_seen;
	unsigned long long subs;

	if (!atomic_load_explicit(&any_loaded, memory_order_relaxed))
		return;
	for (unsigned int i = 0; i < HOOK_COUNT; i++)
		atomic_store_explicit(&hook_slots[i].real, NULL, memory_order_relaxed);
	subs = elf_subs();
	if (atomic_exchange(&subs_seen, subs) == subs)
		return;
	call_sites_renew(); /* what is opened may lie where something was closed */
}

/* ---- what is known once is written down ---- */

static void define_hook(unsigned int hook)
{
	struct def_hook d = { .kind = hook_rows[hook].kind, .flags = hook_rows[hook].flags | DEF_HOOK_SAID };

	if (hook_rows[hook].kind >= EV_KINDS)
		return; /* it has no events */
	definitions_add(DEF_HOOK, hook, &d, sizeof(d), hook_rows[hook].name, strlen(hook_rows[hook].name));
}

/* A row whose calls turn out to be of another kind has a second number right behind (HOOK_AS). */
static void define_hooks(unsigned int hook)
{
	define_hook(hook);
	for (unsigned int i = hook + 1; i < HOOK_COUNT && !hook_entries[i].exported; i++)
		define_hook(i);
}

static void define_once(unsigned int hook)
{
	if (!atomic_exchange(&hook_slots[hook].defined, true))
		define_hooks(hook);
}

static void arm_probes(void)
{
	void (*arm)(void) = atomic_load(&hook_arm_probes);

	if (arm && !signal_context_running())
		arm();
}

/* The agent of a forked child knows nothing of what its parent had written down. */
static void started(void)
{
	for (unsigned int i = 0; i < HOOK_COUNT; i++)
		if (atomic_load(&hook_slots[i].defined))
			define_hooks(i);
	vendors_started();
	arm_probes();
}

static void note_library(const char *path)
{
	static _Atomic unsigned int libraries;
	static struct handles noted; /* by hash of their paths */
	uint64_t key = hash_text(session_generation, path) | 1;

	if (!*path || handles_get(&noted, key))
		return;
	handles_put(&noted, key, 0, 0);
	session_note_library(path);
	definitions_text(DEF_LIBRARY, atomic_fetch_add(&libraries, 1) + 1, path);
}

static const char *name_of(unsigned int hook)
{
	return hook < HOOK_COUNT ? hook_rows[hook].name : NULL;
}

const struct agent_guest hook_guest = { HOOK_COUNT, started, vendors_thread_ends, name_of, vendors_launch_later, vendors_queue_thread, &hook_deepbind, &hook_namespaces };

/* A hook may be called before the constructor. */
static void register_with_agent(void)
{
	if (!atomic_load(&agent_guest))
		atomic_store(&agent_guest, &hook_guest);
}

/* No library behind us exports it: an extension that a look-up of the vendor's found, or what lies below a layer. */
static void *keep_hint(unsigned int hook, void *hint)
{
	struct elf_object o;

	if (!hint)
		return NULL;
	define_once(hook);
	if (elf_object_at(hint, &o)) {
		note_library(o.path);
		if (!hook_pin(o.path))
			return hint;
	}
	atomic_store_explicit(&hook_slots[hook].real, hint, memory_order_release);
	return hint;
}

/* Of the libraries that are loaded the one that is meant: whoever asks (sole), or by this caller. False: none has it. */
static bool choose(unsigned int hook, const void *caller, struct provider *p, bool *sole)
{
	const char *name = hook_rows[hook].name, *family = hook_rows[hook].family;
	unsigned int count = providers_count(name, p);

	if (!count)
		return false;
	*sole = count == 1 || !family_has(family, p->object.soname);
	if (count > 1)
		providers_choose(name, family, caller, atomic_load(&hook_slots[hook].hint), p);
	return true;
}

static void *remember(unsigned int hook, const void *caller, const struct provider *p, bool sole, uint64_t when)
{
	if (!hook_pin(p->object.path))
		return p->function;
	if (sole) {
		atomic_store_explicit(&hook_slots[hook].real, p->function, memory_order_release);
		atomic_store(&hook_slots[hook].last, p->function);
	} else {
		atomic_store(&hook_rivals, true);
		call_sites_put(hook, caller, p->function, when);
	}
	atomic_store(&any_loaded, true);
	return p->function;
}

/*
 * To a signal handler: its thread may be inside of the loader, whose lists are being changed then, and whose lock it may be about to take.
 * What was found once is kept (hook_pin).
 */
static void *found_before(unsigned int hook, const void *caller)
{
	void *real = call_sites_last(hook, caller);

	if (!real)
		real = atomic_load(&hook_slots[hook].last);
	return real && signal_context_running() ? real : NULL;
}

static void *find(unsigned int hook, const void *caller)
{
	uint64_t when = call_sites_moment();
	void *before;
	struct provider p;
	bool sole;

	if (hook_below)
		return keep_hint(hook, hook_below(hook_rows[hook].name));
	before = found_before(hook, caller);
	if (before)
		return before;
	if (!choose(hook, caller, &p, &sole))
		return keep_hint(hook, atomic_load(&hook_slots[hook].hint));
	note_library(p.object.path);
	define_once(hook);
	return remember(hook, caller, &p, sole, when);
}

/* Constructors of others run before ours, and behind libc's. False: not now. */
static bool begin_agent(void)
{
	register_with_agent();
	elf_libc_ready();
	if (!gate_acquire())
		agent_start();
	return gate_acquire();
}

void *hook_resolve(unsigned int hook, const void *caller)
{
	void *real = gate_load() ? call_site_get(hook, caller) : NULL;
	struct slow_path guard;

	if (LIKELY(real)) {
		producer.provider = real;
		return real;
	}
	guard = slow_path_begin();
	if (!begin_agent())
		gate_missed((unsigned int)hook_rows[hook].kind);
	arm_probes();
	real = hook_real(hook);
	if (!real)
		real = call_sites_get(hook, caller);
	if (!real)
		real = find(hook, caller);
	producer.provider = real; /* says hook_vendor() whose objects these are */
	slow_path_end(guard);
	return real;
}

bool hook_given(unsigned int hook, const void *real)
{
	struct slow_path guard = slow_path_begin();
	bool began = begin_agent(), tells = began && !signal_context_running(); /* see found_before(): the next call does */
	struct elf_object o;

	if (began) {
		atomic_store(&any_loaded, true);
		define_once(hook);
	}
	if (tells) {
		arm_probes();
		if (elf_object_at(real, &o))
			note_library(o.path);
	}
	slow_path_end(guard);
	return tells;
}

void hook_given_again(unsigned int hook, const void *real)
{
	if (!hook_given(hook, real) && !gate_load())
		gate_missed((unsigned int)hook_rows[hook].kind);
}

void *hook_look_up(unsigned int hook, const void *caller)
{
	uint64_t when = call_sites_moment();
	struct slow_path guard = slow_path_begin();
	void *real = call_sites_get(hook, caller);
	struct provider p;
	bool sole;

	elf_libc_ready();
	if (!real && choose(hook, caller, &p, &sole))
		real = remember(hook, caller, &p, sole, when);
	slow_path_end(guard);
	return real;
}

void hook_begin(unsigned int hook, const void *caller)
{
	hook_resolve(hook, caller);
	if (gate_acquire())
		define_once(hook);
}

/* Of several providers, the one whose function this is: what belongs to one is no other's. */
static void *of_provider(void *real, const char *name)
{
	static struct handles asked; /* a = the function of that name beside this one */
	uint64_t key = ((uintptr_t)real * 0x9E3779B97F4A7C15ull ^ (uintptr_t)name) | 1;
	struct handle_slot *s = handles_get(&asked, key);
	struct elf_object o;
	void *f = NULL;

	if (s)
		return (void *)(uintptr_t)atomic_load_explicit(&s->a, memory_order_relaxed);
	if (real && elf_object_at(real, &o))
		f = elf_lookup(&o, name);
	handles_put(&asked, key, (uintptr_t)f, 0);
	return f;
}

void *hook_vendor(_Atomic(void *) *cache, const char *name)
{
	void *f = NULL;
	int hook;

	if (UNLIKELY(atomic_load_explicit(&hook_rivals, memory_order_relaxed)))
		f = of_provider(producer.provider, name);
	if (!f)
		f = atomic_load_explicit(cache, memory_order_relaxed);
	if (f)
		return f;
	if (hook_below)
		return hook_below(name);
	hook = index_find(name);
	f = hook >= 0 ? hook_real((unsigned int)hook) : NULL;
	if (!f)
		f = elf_find(name, true);
	atomic_store(cache, f);
	return f;
}

bool hook_from_vendor(unsigned int hook, const void *address)
{
	struct elf_object o;

	return !hook_below && elf_object_at(address, &o) && family_has(hook_rows[hook].family, o.soname);
}

/* Callers and their family: is it one of its own libraries? To find out takes a look at all that are loaded. */
enum { OTHERS = 1,
       THEIRS };
static struct recent_keys callers;

bool hook_called_by_vendor(unsigned int hook, const void *caller)
{
	uint64_t family = (uintptr_t)hook_rows[hook].family ^ call_sites_moment() << 48;
	uint64_t key = recent_keys_of((uintptr_t)caller, family), known = recent_keys_get(&callers, key);

	if (LIKELY(known))
		return known == THEIRS;
	if (signal_context_running()) /* see found_before() */
		return false;
	known = hook_from_vendor(hook, caller) ? THEIRS : OTHERS;
	recent_keys_put(&callers, key, known);
	return known == THEIRS;
}
