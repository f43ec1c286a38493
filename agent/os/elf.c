#include "agent/os/elf.h"
#include <string.h>
#include "agent/base/text.h"

/* Weak: a musl child has none, and a strong reference would drag ld-linux into DT_NEEDED. */
extern struct r_debug _r_debug __attribute__((weak));
static _Atomic bool libc_ready; /* several threads may make their first call */

void elf_libc_ready(void)
{
	libc_ready = true;
}

BARE const void *elf_pointer(ElfW(Addr) base, ElfW(Addr) value)
{
	return (const void *)(value < base ? base + value : value);
}

BARE static bool read_dynamic(struct elf_object *o)
{
	ElfW(Addr) soname = 0;
	bool has_soname = false;

	for (const ElfW(Dyn) *d = o->dynamic; d && d->d_tag != DT_NULL; d++) {
		switch (d->d_tag) {
		case DT_SYMTAB: o->symbols = elf_pointer(o->base, d->d_un.d_ptr); break;
		case DT_STRTAB: o->strings = elf_pointer(o->base, d->d_un.d_ptr); break;
		case DT_GNU_HASH: o->gnu_hash = elf_pointer(o->base, d->d_un.d_ptr); break;
		case DT_HASH: o->sysv_hash = elf_pointer(o->base, d->d_un.d_ptr); break;
		case DT_VERSYM: o->versions = elf_pointer(o->base, d->d_un.d_ptr); break;
		case DT_SONAME:
			soname = d->d_un.d_val;
			has_soname = true;
			break;
		}
	}
	if (!o->symbols || !o->strings)
		return false;
	if (has_soname)
		o->soname = o->strings + soname;
	return true;
}

struct walk {
	bool (*visit)(const struct elf_object *, void *);
	void *data;
	bool found;
};

static int visit_locked(struct dl_phdr_info *info, size_t size, void *data)
{
	struct walk *w = data;
	struct elf_object o = { .base = info->dlpi_addr, .path = info->dlpi_name, .headers = info->dlpi_phdr, .header_count = info->dlpi_phnum };

	(void)size;
	o.first = UINTPTR_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_DYNAMIC)
			o.dynamic = (const void *)(o.base + p->p_vaddr);
		if (p->p_type != PT_LOAD)
			continue;
		if (o.base + p->p_vaddr < o.first)
			o.first = o.base + p->p_vaddr;
		if (o.base + p->p_vaddr + p->p_memsz > o.last)
			o.last = o.base + p->p_vaddr + p->p_memsz;
	}
	w->found = read_dynamic(&o) && w->visit(&o, w->data);
	return w->found;
}

/* Before libc is ready (a sanitizer looking for dlsym in its own start) there is one thread: no lock is missed. */
BARE static bool walk_bare(struct walk *w)
{
	if (!&_r_debug)
		return false;
	for (struct link_map *m = _r_debug.r_map; m; m = m->l_next) {
		struct elf_object o = { .base = m->l_addr, .path = m->l_name, .dynamic = m->l_ld };

		if (read_dynamic(&o) && w->visit(&o, w->data))
			return true;
	}
	return false;
}

BARE bool elf_walk(bool (*visit)(const struct elf_object *, void *), void *data)
{
	struct walk w = { .visit = visit, .data = data };

	if (!libc_ready)
		return walk_bare(&w);
	dl_iterate_phdr(visit_locked, &w);
	return w.found;
}

/* A definition that an unversioned reference would bind to. */
BARE static bool defines(const struct elf_object *o, uint32_t index, const char *name, unsigned int wanted)
{
	const ElfW(Sym) *s = &o->symbols[index];
	unsigned int type = s->st_info & 15, bind = s->st_info >> 4;

	return s->st_shndx != SHN_UNDEF && s->st_value && type == wanted &&
	       (bind == STB_GLOBAL || bind == STB_WEAK) &&
	       !(o->versions && o->versions[index] & 0x8000) && /* hidden: an old version */
	       text_equal(o->strings + s->st_name, name);
}

BARE static uint32_t find_gnu(const struct elf_object *o, const char *name, unsigned int type)
{
	uint32_t buckets = o->gnu_hash[0], first = o->gnu_hash[1], bloom = o->gnu_hash[2];
	const uint32_t *bucket = o->gnu_hash + 4 + bloom * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + buckets;
	uint32_t hash = 5381, i;

	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		hash = hash * 33 + *c;
	if (!buckets)
		return 0;
	for (i = bucket[hash % buckets]; i >= first && i; i++) {
		if ((chain[i - first] | 1) == (hash | 1) && defines(o, i, name, type))
			return i;
		if (chain[i - first] & 1)
			break;
	}
	return 0;
}

BARE static uint32_t find_sysv(const struct elf_object *o, const char *name, unsigned int type)
{
	for (uint32_t i = 1; i < o->sysv_hash[1]; i++)
		if (defines(o, i, name, type))
			return i;
	return 0;
}

BARE static uint32_t find_symbol(const struct elf_object *o, const char *name, unsigned int type)
{
	if (o->gnu_hash)
		return find_gnu(o, name, type);
	return o->sysv_hash ? find_sysv(o, name, type) : 0;
}

BARE static void *look_up(const struct elf_object *o, const char *name, unsigned int type)
{
	uint32_t i = find_symbol(o, name, type);

	return i ? (void *)(o->base + o->symbols[i].st_value) : NULL;
}

uint32_t elf_symbol(const struct elf_object *o, const char *name)
{
	return find_symbol(o, name, STT_FUNC);
}

BARE void *elf_lookup(const struct elf_object *o, const char *name)
{
	return look_up(o, name, STT_FUNC);
}

void *elf_lookup_variable(const struct elf_object *o, const char *name)
{
	return look_up(o, name, STT_OBJECT);
}

BARE bool elf_is_us(const struct elf_object *o)
{
	return o->dynamic == _DYNAMIC;
}

static bool copy_visit(const struct elf_object *o, void *found)
{
	if (!elf_is_us(o))
		*(bool *)found = elf_lookup(o, "ranktrace_version");
	return elf_is_us(o) || *(bool *)found;
}

bool elf_is_copy(void)
{
	bool found = false;

	elf_walk(copy_visit, &found);
	return found;
}

struct find {
	const char *name;
	bool after_us, passed;
	void *result;
};

BARE static bool find_visit(const struct elf_object *o, void *data)
{
	struct find *f = data;

	if (elf_is_us(o)) {
		f->passed = true;
		return false;
	}
	if (f->after_us && !f->passed)
		return false;
	f->result = elf_lookup(o, f->name);
	return f->result;
}

BARE void *elf_find(const char *name, bool after_us)
{
	struct find f = { .name = name, .after_us = after_us };

	elf_walk(find_visit, &f);
	return f.result;
}

struct ever {
	unsigned long long adds, subs;
};

static int read_ever(struct dl_phdr_info *info, size_t size, void *ever)
{
	(void)size;
	*(struct ever *)ever = (struct ever){ info->dlpi_adds, info->dlpi_subs };
	return 1;
}

static BARE struct ever ever(void)
{
	struct ever e = { 0, 0 };

	dl_iterate_phdr(read_ever, &e);
	return e;
}

BARE unsigned long long elf_adds(void)
{
	return ever().adds;
}

BARE unsigned long long elf_subs(void)
{
	return ever().subs;
}

struct at {
	uintptr_t address;
	struct elf_object *object;
};

static bool at_visit(const struct elf_object *o, void *data)
{
	struct at *a = data;

	if (a->address < o->first || a->address >= o->last)
		return false;
	*a->object = *o;
	return true;
}

bool elf_object_at(const void *address, struct elf_object *object)
{
	struct at a = { .address = (uintptr_t)address, .object = object };

	return elf_walk(at_visit, &a);
}

const char *elf_name(const struct elf_object *o)
{
	return o->soname ? o->soname : text_basename(o->path);
}

static bool before_visit(const struct elf_object *o, void *data)
{
	const struct elf_object **wanted = data;

	if (o->dynamic == (*wanted)->dynamic)
		*wanted = NULL;
	return !*wanted || elf_is_us(o);
}

bool elf_before_us(const struct elf_object *object)
{
	const struct elf_object *wanted = object;

	elf_walk(before_visit, &wanted);
	return !wanted;
}

/* Among pieces with these rights. *any: there are some. */
BARE static bool has_text(const struct elf_object *o, const char *text, uint32_t rights, bool *any)
{
	for (unsigned int i = 0; i < o->header_count; i++) {
		const ElfW(Phdr) *p = &o->headers[i];

		if (p->p_type != PT_LOAD || p->p_flags != rights)
			continue;
		*any = true;
		if (memmem((const void *)(o->base + p->p_vaddr), p->p_filesz, text, strlen(text)))
			return true;
	}
	return false;
}

/* What is only read stands among the code where a linker was told to save pages. */
bool elf_has_text(const struct elf_object *o, const char *text)
{
	bool any = false;

	return has_text(o, text, PF_R, &any) || (!any && has_text(o, text, PF_R | PF_X, &any));
}
