#include "agent/stacks/native_frames.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include "agent/base/attributes.h"
#include "agent/base/text.h"
#include "agent/os/apart.h"
#include "agent/os/elf.h"
#include "agent/stacks/frame_pointers.h"
#include "agent/stacks/own_frames.h"
#include "agent/stacks/stack_memory.h"

#define LIBRARY	  "libunwind.so.8"
#define OURS_MOST 16 /* of our own frames, on top */

#if defined(__x86_64__)
#define FLUSH_CACHE "_Ux86_64_flush_cache"
#define SPACE	    "_ULx86_64_local_addr_space"
#define ACCESSORS   "_Ux86_64_get_accessors"
#elif defined(__aarch64__)
#define FLUSH_CACHE "_Uaarch64_flush_cache"
#define SPACE	    "_ULaarch64_local_addr_space"
#define ACCESSORS   "_Uaarch64_get_accessors"
#endif

/* Its unw_accessors_t, as far as it matters here. */
struct accessors {
	void (*others[3])(void);
	int (*access_mem)(void *space, uintptr_t at, uintptr_t *word, int write, void *cursor);
};

/* native_unwind.S: calls by(frames, count). */
int native_unwind_slowly(void **frames, int count, int (*by)(void **, int)) OURS;

static bool by_pointers; /* not by the library */
static int (*unwind)(void **frames, int count);
static void (*flush_cache)(void *space, uintptr_t low, uintptr_t high);
static void **space;
static struct accessors *(*accessors)(void *space);

static bool find_unwinder(const struct elf_object *o, void *unused)
{
	(void)unused;
	if (!o->soname || !text_equal(o->soname, LIBRARY))
		return false;
	*(void **)&unwind = elf_lookup(o, "unw_backtrace");
	*(void **)&flush_cache = elf_lookup(o, FLUSH_CACHE);
	space = elf_lookup_variable(o, SPACE);
	*(void **)&accessors = elf_lookup(o, ACCESSORS);
	return true;
}

/*
 * In the place of the library's own, which finds out whether there is memory by writing from there into a pipe: it takes two of the program's
 * descriptors, and goes on reading, writing and closing them when the program has closed them and has files of its own there.
 */
static int access_memory(void *unused, uintptr_t at, uintptr_t *word, int write, void *cursor)
{
	(void)unused, (void)cursor;
	if (write)
		*(uintptr_t *)at = *word;
	else if (!stack_memory_has(at))
		return -1;
	else
		*word = *(const uintptr_t *)at;
	return 0;
}

/* By the loader itself, not by our own dlopen(): nobody is to learn of it. */
static void open_library(void *unused)
{
	void *(*open)(const char *, int) = elf_find("dlopen", true);

	(void)unused;
	if (open && open(LIBRARY, RTLD_NOW | RTLD_LOCAL))
		elf_walk(find_unwinder, NULL);
	if (unwind && accessors && space)
		accessors(*space)->access_mem = access_memory; /* it begins here, apart: its pipe is none of the program's */
	else
		unwind = NULL;
}

bool native_frames_open(bool pointers)
{
	own_frames_find();
	stack_memory_start();
	by_pointers = pointers;
	if (!by_pointers && !unwind)
		apart_run(open_library, NULL);
	return by_pointers || unwind;
}

/* ---- what the library remembers ---- */

static _Atomic uint32_t forgotten;					      /* so many times */
static __thread uint32_t began_in __attribute__((tls_model("initial-exec"))); /* forgotten + 1 at the thread's first stack */

/* What it has for all threads goes; what it keeps for each cannot. */
void native_frames_forget(void)
{
	atomic_fetch_add(&forgotten, 1);
	if (flush_cache && space)
		flush_cache(*space, 0, 0);
}

static bool remembers_too_much(void)
{
	uint32_t now = atomic_load_explicit(&forgotten, memory_order_relaxed) + 1;

	if (!began_in)
		began_in = now;
	return began_in != now;
}

static int unwind_here(void **frames, int count)
{
	if (!unwind)
		return 0;
	stack_memory_begin();
	return remembers_too_much() ? native_unwind_slowly(frames, count, unwind) : unwind(frames, count);
}

/* ---- frames ---- */

/* Where the program's begin: behind those of ours on top. Further out there may be more of ours: a call that calls the program back. */
static int first_of(void *const *frames, int count)
{
	int first = 0;

	while (first < count && !own_frames_has((uintptr_t)frames[first]))
		first++;
	while (first < count && own_frames_has((uintptr_t)frames[first]))
		first++;
	return first;
}

/* For aarch64 the library's fast way tells the byte in front of where a call returns to, as one looks up what is said of the call. */
static uintptr_t returns_to(const void *told)
{
#if defined(__aarch64__)
	return ((uintptr_t)told + 3) & ~(uintptr_t)3;
#else
	return (uintptr_t)told;
#endif
}

static void read_by_library(struct native_stack *s)
{
	void *frames[OURS_MOST + STACK_FRAMES];
	int count = unwind_here(frames, OURS_MOST + STACK_FRAMES), i = first_of(frames, count);

	for (; i < count && s->count < STACK_FRAMES; i++)
		if (!own_frames_has((uintptr_t)frames[i]))
			native_stack_add(s, returns_to(frames[i]));
	s->truncated = i < count || count == OURS_MOST + STACK_FRAMES;
}

bool native_frames_read(struct native_stack *s)
{
	native_stack_begin(s);
	if (by_pointers)
		frame_pointers_read(s);
	else
		read_by_library(s);
	return s->count;
}

bool native_frames_cut(struct native_stack *s)
{
	unsigned int count = 0, all = s->count;

	if (!by_pointers)
		return false;
	while (count < all && frame_pointers_behind_call(s->frames[count]))
		count++;
	if (count == all)
		return false;
	native_stack_begin(s);
	while (s->count < count)
		native_stack_add(s, s->frames[s->count]);
	s->truncated = true;
	return true;
}
