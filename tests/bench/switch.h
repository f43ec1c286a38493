/* switch.h - what both programs that lead calls in turn through ranktrace and past it share. */
#pragma once
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

/* A call goes on to whoever is next, which is ranktrace, or to the real function. */
enum { NEXT,
       REAL,
       WAYS };

/* NULL: it has none. By the library's own table: dlsym() would be answered by ranktrace. */
static void *look_up(struct link_map *map, const char *wanted)
{
	const ElfW(Sym) *symbols = NULL;
	const char *names = NULL;

	for (const ElfW(Dyn) *d = map ? map->l_ld : &(ElfW(Dyn)){ 0 }; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			symbols = (const void *)d->d_un.d_ptr;
		if (d->d_tag == DT_STRTAB)
			names = (const void *)d->d_un.d_ptr;
	}
	/* The string table lies behind the symbols in every library that a linker made. */
	for (const ElfW(Sym) *s = symbols; (const char *)s < names; s++)
		if (s->st_value && !strcmp(names + s->st_name, wanted))
			return (void *)(map->l_addr + s->st_value);
	return NULL;
}
