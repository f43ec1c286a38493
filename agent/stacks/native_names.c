#include "agent/stacks/native_names.h"
#include <elf.h>
#include <string.h>
#include <unistd.h>
#include "agent/os/elf.h"
#include "agent/record/recent_keys.h"
#include "agent/session/session.h"
#include "agent/stacks/stack_definition.h"

#define BUILD_ID_MOST 64
#define PATH_MOST     4096

static struct recent_keys stacks;  /* addresses: DEF_STACK id */
static struct recent_keys modules; /* base and path of a loaded file: DEF_MODULE id */
static _Atomic uint32_t opened;	   /* files so far: where one lies, another may have lain */

/* ---- files that are gone ---- */

#define SEEN_MOST 256

static struct {
	_Atomic uintptr_t base[SEEN_MOST];
	_Atomic unsigned int count;
	_Atomic unsigned long long subs; /* when it was last looked whether they are all there */
} seen;					 /* files of stacks */

static void note_seen(uintptr_t base)
{
	unsigned int count = atomic_load(&seen.count), place;

	for (unsigned int i = 0; i < count && i < SEEN_MOST; i++)
		if (atomic_load(&seen.base[i]) == base)
			return;
	place = atomic_fetch_add(&seen.count, 1);
	if (place < SEEN_MOST)
		atomic_store(&seen.base[place], base);
}

static bool count_seen(const struct elf_object *o, void *found)
{
	unsigned int count = atomic_load(&seen.count);

	for (unsigned int i = 0; i < count && i < SEEN_MOST; i++)
		*(unsigned int *)found += atomic_load(&seen.base[i]) == o->base;
	return false;
}

static bool some_are_gone(void)
{
	unsigned long long subs;
	unsigned int found = 0;

	if (!atomic_load(&seen.count))
		return false;
	subs = elf_subs();
	if (atomic_exchange(&seen.subs, subs) == subs)
		return false;
	elf_walk(count_seen, &found);
	return found < atomic_load(&seen.count);
}

BARE void native_names_opening(void)
{
	atomic_fetch_add_explicit(&opened, 1, memory_order_relaxed);
	if (!some_are_gone())
		return;
	atomic_store(&seen.count, 0);
	native_frames_forget();
}

/* A key for what lies there now, in this session. */
static uint64_t key_of(uint64_t hash)
{
	return recent_keys_of(hash, (uint64_t)atomic_load_explicit(&opened, memory_order_relaxed) << 32 | session_generation);
}

/* ---- files ---- */

/* The GNU build id among an object's notes. */
static size_t build_id_in(const char *at, const char *end, const char **id)
{
	while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		const char *name = at + sizeof(*note), *body = name + ((note->n_namesz + 3u) & ~3u);

		if (body > end || note->n_descsz > (size_t)(end - body))
			return 0;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
			*id = body;
			return note->n_descsz < BUILD_ID_MOST ? note->n_descsz : BUILD_ID_MOST;
		}
		at = body + ((note->n_descsz + 3u) & ~3u);
	}
	return 0;
}

static size_t build_id_of(const struct elf_object *o, const char **id)
{
	for (unsigned int i = 0; i < o->header_count; i++) {
		const ElfW(Phdr) *p = &o->headers[i];
		const char *notes = (const char *)o->base + p->p_vaddr;
		size_t size = p->p_type == PT_NOTE ? build_id_in(notes, notes + p->p_memsz, id) : 0;

		if (size)
			return size;
	}
	return 0;
}

static uint64_t define_module(const struct elf_object *o)
{
	char program[PATH_MOST];
	ssize_t length = *o->path ? 0 : readlink("/proc/self/exe", program, sizeof(program));
	const char *id = NULL, *path = length > 0 ? program : o->path;
	struct {
		struct def_module def;
		char id[BUILD_ID_MOST];
	} m = { .def = { .build_id = (uint32_t)build_id_of(o, &id) } };
	uint64_t number = definitions_id();

	note_seen(o->base);
	if (id)
		memcpy(m.id, id, m.def.build_id);
	return definitions_add(DEF_MODULE, number, &m, sizeof(m.def) + m.def.build_id, path, length > 0 ? (size_t)length : strnlen(path, PATH_MOST)) ? number : 0;
}

static uint64_t module_id(const struct elf_object *o)
{
	uint64_t key = key_of(o->base ^ (uintptr_t)o->path << 1);

	return recent_keys_get(&modules, key) ?: recent_keys_keep(&modules, key, define_module(o));
}

/* ---- stacks ---- */

static uint64_t define_stack(const struct native_stack *s)
{
	struct stack_definition d = { .def = { .frames = s->count, .kind = STACK_NATIVE, .truncated = s->truncated } };

	for (unsigned int i = 0; i < s->count; i++) {
		struct elf_object o;

		d.frames[i] = (struct def_frame){ 0, s->frames[i] };
		if (!elf_object_at((const void *)s->frames[i], &o))
			continue;
		d.frames[i] = (struct def_frame){ module_id(&o), s->frames[i] - o.base };
		if (!d.frames[i].of)
			return 0;
	}
	return stack_define(&d);
}

static uint64_t name_stack(struct native_stack *s)
{
	if (native_frames_cut(s))
		return s->count ? native_names_of(s) : 0;
	return define_stack(s);
}

uint64_t native_names_of(struct native_stack *s)
{
	uint64_t key = key_of(s->hash + s->count);

	return recent_keys_get(&stacks, key) ?: recent_keys_keep(&stacks, key, name_stack(s));
}
