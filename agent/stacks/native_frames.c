#include "agent/stacks/native_frames.h"
#include <dlfcn.h>
#include "agent/base/attributes.h"
#include "agent/base/hash.h"
#include "agent/base/text.h"
#include "agent/os/apart.h"
#include "agent/os/elf.h"

#define LIBRARY	  "libunwind.so.8"
#define OURS_MOST 16 /* of our own frames, on top */

extern const char __ehdr_start[] OURS, _end[] OURS; /* the linker's: this library's */

static int (*unwind)(void **frames, int count);

static bool find_unwind(const struct elf_object *o, void *unused)
{
	(void)unused;
	if (!o->soname || !text_equal(o->soname, LIBRARY))
		return false;
	*(void **)&unwind = elf_lookup(o, "unw_backtrace");
	return unwind;
}

/* By the loader itself, not by our own dlopen(): nobody is to learn of it. */
static void open_library(void *unused)
{
	void *(*open)(const char *, int) = elf_find("dlopen", true);

	(void)unused;
	if (open && open(LIBRARY, RTLD_NOW | RTLD_LOCAL))
		elf_walk(find_unwind, NULL);
}

bool native_frames_open(void)
{
	if (!unwind)
		apart_run(open_library, NULL);
	return unwind;
}

static bool is_ours(const void *address)
{
	return (const char *)address >= __ehdr_start && (const char *)address < _end;
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
