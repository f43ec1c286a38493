/* lookers.c - preloaded in front: LOOKERS=path is told, when the process ends, how often all loaded libraries were looked at. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic unsigned long looks;

typedef int (*walk_fn)(int (*)(struct dl_phdr_info *, size_t, void *), void *);

static const void *entry(const struct link_map *map, ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return (const void *)d->d_un.d_ptr;
	return NULL;
}

/* By libc's own table: dlsym() is ranktrace's, which looks at libraries. */
static walk_fn find_real(void)
{
	struct link_map *map = _r_debug.r_map;
	const ElfW(Sym) * s;
	const char *names;

	while (!strstr(map->l_name, "libc.so.6"))
		map = map->l_next;
	names = entry(map, DT_STRTAB);
	for (s = entry(map, DT_SYMTAB); !s->st_value || strcmp(names + s->st_name, "dl_iterate_phdr"); s++)
		;
	return (walk_fn)(map->l_addr + s->st_value);
}

int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data)
{
	static walk_fn real;

	if (!real)
		real = find_real();
	looks++;
	return real(callback, data);
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("LOOKERS");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%lu\n", looks);
	fclose(file);
}
