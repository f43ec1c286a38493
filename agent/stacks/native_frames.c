#include "agent/stacks/native_frames.h"
#include <dlfcn.h>
#include "agent/base/hash.h"
#include "agent/base/text.h"
#include "agent/os/apart.h"
#include "agent/os/elf.h"

#define LIBRARY	  "libunwind.so.8"
#define OURS_MOST 16 /* of our own frames, on top */

static int (*unwind)(void **frames, int count);
static uintptr_t ours, behind_ours; /* where this library lies */

/* Of all that is loaded: the unwinder, and us. */
static bool find_both(const struct elf_object *o, void *unused)
{
	(void)unused;
	if (elf_is_us(o)) {
		ours = o->first;
		behind_ours = o->last;
	}
	if (o->soname && text_equal(o->soname, LIBRARY))
		*(void **)&unwind = elf_lookup(o, "unw_backtrace");
	return false;
}

/* By the loader itself, not by our own dlopen(): nobody is to learn of it. */
static void open_library(void *unused)
{
	void *(*open)(const char *, int) = elf_find("dlopen", true);

	(void)unused;
	if (open && open(LIBRARY, RTLD_NOW | RTLD_LOCAL))
		elf_walk(find_both, NULL);
}

bool native_frames_open(void)
{
	if (!unwind)
		apart_run(open_library, NULL);
	return unwind;
}

static bool is_ours(const void *address)
{
	return (uintptr_t)address >= ours && (uintptr_t)address < behind_ours;
}

/* Where the program's begin: behind the last one of ours on top. */
static int first_of(void *const *frames, int count)
{
	int first = 0;

	for (int i = 0; i < count && i < OURS_MOST; i++)
		if (is_ours(frames[i]))
			first = i + 1;
	return first;
}

bool native_frames_read(struct native_stack *s)
{
	void *frames[OURS_MOST + STACK_FRAMES];
	int count = unwind ? unwind(frames, OURS_MOST + STACK_FRAMES) : 0, first = first_of(frames, count);

	s->count = 0;
	s->hash = HASH_BEGIN;
	s->truncated = count == OURS_MOST + STACK_FRAMES;
	for (int i = first; i < count && s->count < STACK_FRAMES; i++) {
		s->frames[s->count++] = (uintptr_t)frames[i];
		s->hash = (s->hash ^ (uintptr_t)frames[i]) * 0xff51afd7ed558ccdull;
		s->hash ^= s->hash >> 32;
	}
	s->truncated |= count - first > STACK_FRAMES;
	return s->count;
}
