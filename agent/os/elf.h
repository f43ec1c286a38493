/* elf.h - find functions in loaded objects without asking libc: it may not be ready, or may lie about RTLD_LOCAL. */
#pragma once
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One loaded object, as far as looking up a symbol needs it. */
struct elf_object {
	ElfW(Addr) base;
	const char *path; /* "" for the program itself */
	const ElfW(Dyn) * dynamic;
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *gnu_hash, *sysv_hash;
	const ElfW(Half) * versions;
	const char *soname;    /* NULL: has none */
	uintptr_t first, last; /* address range; 0 before libc is ready */
	const ElfW(Phdr) * headers;
	unsigned int header_count; /* 0 before libc is ready */
};

/* Calls visit for every loaded object in link-map order until it returns true. */
bool elf_walk(bool (*visit)(const struct elf_object *, void *), void *data);

/* Address of the exported function in this object, default version, or NULL. */
void *elf_lookup(const struct elf_object *object, const char *name);

/* What stands in a dynamic section: glibc relocates such pointers, musl and the vdso do not. */
const void *elf_pointer(ElfW(Addr) base, ElfW(Addr) value);

/* Its number in the table of symbols; 0: none. */
uint32_t elf_symbol(const struct elf_object *object, const char *name);

/* The same of a variable. */
void *elf_lookup_variable(const struct elf_object *object, const char *name);

/* Do these bytes stand among what the object only reads? Megabytes are looked through. */
bool elf_has_text(const struct elf_object *object, const char *text);

bool elf_is_us(const struct elf_object *object);

/* Does a copy of us stand in front of us? There is one agent in a process: the first. */
bool elf_is_copy(void);

/* First definer in link-map order. after_us: only objects behind ourselves (what RTLD_NEXT would mean). */
void *elf_find(const char *name, bool after_us);

/* The object that holds an address. Returns false if none does. */
bool elf_object_at(const void *address, struct elf_object *object);

/* What other objects know it by: its soname, or its file's name. "" for the program itself. */
const char *elf_name(const struct elf_object *object);

/* Does object depend, directly or through others, on the library with this name? */
bool elf_depends(const struct elf_object *object, const char *name);

/*
 * ld.so binds a name that is wanted in a version to who has it in that version, whoever comes first: the version in which the object exports
 * this function, or NULL; and does the object want any name in this version?
 */
const char *elf_version_of(const struct elf_object *object, const char *name);
bool elf_wants_version(const struct elf_object *object, const char *version);

/* First definer among the object itself and what it depends on, other than us. */
void *elf_find_needed(const struct elf_object *object, const char *name);

/* Was it loaded in front of us? */
bool elf_before_us(const struct elf_object *object);

/* How many objects were ever loaded: another number, another look. */
unsigned long long elf_adds(void);
unsigned long long elf_subs(void); /* and closed */

/* Called by the constructor: from now on walks take the loader's lock. */
void elf_libc_ready(void);
