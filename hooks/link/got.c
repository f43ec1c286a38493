#include "hooks/link/got.h"
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#endif

void got_write(const struct slot *slot, void *value)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)slot->at & ~(page - 1);

	if (slot->read_only && mprotect((void *)at, page, PROT_READ | PROT_WRITE))
		return;
	__atomic_store_n(slot->at, value, __ATOMIC_RELEASE);
	if (slot->read_only)
		mprotect((void *)at, page, PROT_READ);
}

struct tables {
	const ElfW(Rela) * rela[2];
	size_t size[2];
	const ElfW(Sym) * symbols;
	const char *strings;
};

static struct tables tables_of(ElfW(Addr) base, const ElfW(Dyn) * d)
{
	struct tables t = { 0 };

	for (; d->d_tag != DT_NULL; d++) {
		ElfW(Addr) at = d->d_un.d_ptr < base ? base + d->d_un.d_ptr : d->d_un.d_ptr;

		switch (d->d_tag) {
		case DT_JMPREL: t.rela[0] = (const void *)at; break;
		case DT_PLTRELSZ: t.size[0] = d->d_un.d_val; break;
		case DT_RELA: t.rela[1] = (const void *)at; break;
		case DT_RELASZ: t.size[1] = d->d_un.d_val; break;
		case DT_SYMTAB: t.symbols = (const void *)at; break;
		case DT_STRTAB: t.strings = (const void *)at; break;
		}
	}
	return t;
}

struct image {
	ElfW(Addr) base, relro, relro_end;
	const ElfW(Dyn) * dynamic;
};

static void visit_slot(const struct image *m, const struct tables *t, const ElfW(Rela) * r,
		       void (*visit)(const struct slot *))
{
	struct slot slot = {
		.at = (void **)(m->base + r->r_offset),
		.name = t->strings + t->symbols[ELF64_R_SYM(r->r_info)].st_name,
	};

	slot.read_only = (uintptr_t)slot.at >= m->relro && (uintptr_t)slot.at < m->relro_end;
	visit(&slot);
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct image m = { .base = info->dlpi_addr };
	struct tables t;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_DYNAMIC)
			m.dynamic = (const void *)(m.base + p->p_vaddr);
		if (p->p_type == PT_GNU_RELRO) {
			m.relro = m.base + p->p_vaddr;
			m.relro_end = m.relro + p->p_memsz;
		}
	}
	if (!m.dynamic || m.dynamic == _DYNAMIC)
		return 0;
	t = tables_of(m.base, m.dynamic);
	for (int k = 0; k < 2 && t.symbols && t.strings; k++)
		for (size_t i = 0; t.rela[k] && i < t.size[k] / sizeof(ElfW(Rela)); i++)
			if (IS_SLOT(ELF64_R_TYPE(t.rela[k][i].r_info)))
				visit_slot(&m, &t, &t.rela[k][i], *(void (**)(const struct slot *))data);
	return 0;
}

void got_walk(void (*visit)(const struct slot *))
{
	dl_iterate_phdr(visit_object, &visit);
}
