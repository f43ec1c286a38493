#include "hooks/symbol.h"
#include "agent/agent.h"
#include "agent/elf.h"
#include "agent/gate.h"
#include "agent/peek.h"
#include "agent/sources.h"
#include "config/step_source.h"
#include "hooks/resolve.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#endif

_Static_assert(SYMBOL_PROBES >= STEP_SOURCES, "a probe for each source");

struct probe {
	struct step_source_spec spec;
	void *real; /* NULL: its library is not loaded yet */
	bool used;
};

static struct probe probes[SYMBOL_PROBES];
static unsigned int probe_count;
static bool wanted;
static _Atomic unsigned int objects_seen; /* loaded objects at the last look */

int symbol_vectors OURS;	 /* for symbol.S: 0: 128 bits wide, 1: 256, 2: 512 */
extern const char symbol_code[]; /* symbol.S: 16 bytes a probe */

struct symbol_target {
	void *real;
	long copy; /* 16 + bytes of stack arguments to copy; 0: its return does not matter */
};
struct symbol_target symbol_entered(unsigned long probe, const char *stack);
void symbol_returned(unsigned long probe);

BARE bool symbol_wanted(void)
{
	return wanted;
}

/* ---- what the probes in symbol.S call ---- */

static void tell(unsigned long probe, bool at_return)
{
	if (!gate_load())
		agent_start();
	if (agent_may_record())
		sources_symbol((unsigned int)probe, at_return);
}

/* A call may stand at the very end of a stack that somebody made: behind it is nothing. */
static long stack_arguments(const char *stack)
{
	const char *next_page = (const char *)(((uintptr_t)stack | 4095) + 1);

	if (stack + SYMBOL_COPIED <= next_page || peek(next_page, 8))
		return SYMBOL_COPIED;
	return next_page - stack;
}

struct symbol_target symbol_entered(unsigned long probe, const char *stack)
{
	const struct probe *p = &probes[probe];

	if (p->spec.at_return)
		return (struct symbol_target){ p->real, 16 + stack_arguments(stack) };
	tell(probe, false);
	return (struct symbol_target){ p->real, 0 };
}

void symbol_returned(unsigned long probe)
{
	tell(probe, true);
}

/* ---- leading calls through a probe ---- */

static void *code_of(unsigned int i)
{
	return (void *)(symbol_code + i * 16);
}

static bool named(const char *text, const char *library)
{
	const char *base = own_basename(text);

	return !strncmp(base, library, strlen(library)); /* libtrainer.so also means libtrainer.so.1 */
}

struct search {
	struct probe *probe;
	const char *path; /* of the library that has it */
};

static bool find_real(const struct elf_object *o, void *data)
{
	struct search *s = data;
	struct probe *p = s->probe;

	if (elf_is_us(o) || !(named(o->path, p->spec.library) || (o->soname && named(o->soname, p->spec.library))))
		return false;
	p->real = elf_lookup(o, p->spec.symbol);
	s->path = o->path;
	return p->real;
}

/* The pointers that lead to us lead on to this library: from now on it stays. */
static void look_for(struct probe *p)
{
	struct search s = { .probe = p };

	elf_walk(find_real, &s);
	if (p->real && !hook_pin(s.path))
		p->real = NULL;
}

static void write_slot(void **slot, void *value, bool read_only)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)slot & ~(page - 1);

	if (read_only && mprotect((void *)at, page, PROT_READ | PROT_WRITE))
		return;
	__atomic_store_n(slot, value, __ATOMIC_RELEASE);
	if (read_only)
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

/*
 * Does the slot lead to the real function? Another library may define the same name. A slot that still
 * points into its own object is bound at its first call, to the first definer that the object depends on.
 */
static bool leads_to(void *const *slot, const struct probe *p)
{
	struct elf_object own;
	void *first;

	if (*slot == p->real)
		return true;
	if (!elf_object_at(slot, &own) || (uintptr_t)*slot < own.first || (uintptr_t)*slot >= own.last)
		return false;
	first = elf_find_needed(&own, p->spec.symbol);
	return !first || first == p->real;
}

static void lead_one(const struct image *m, const struct tables *t, const ElfW(Rela) * r)
{
	const ElfW(Sym) *s = &t->symbols[ELF64_R_SYM(r->r_info)];
	void **slot = (void **)(m->base + r->r_offset);

	for (unsigned int i = 0; i < probe_count; i++) {
		if (!probes[i].used || !probes[i].real || *slot == code_of(i) ||
		    strcmp(t->strings + s->st_name, probes[i].spec.symbol) || !leads_to(slot, &probes[i]))
			continue;
		write_slot(slot, code_of(i), (uintptr_t)slot >= m->relro && (uintptr_t)slot < m->relro_end);
	}
}

static int lead_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct image m = { .base = info->dlpi_addr };
	struct tables t;

	(void)size, (void)data;
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
				lead_one(&m, &t, &t.rela[k][i]);
	return 0;
}

static bool count_object(const struct elf_object *o, void *data)
{
	(void)o;
	++*(unsigned int *)data;
	return false;
}

void symbol_arm(void)
{
	unsigned int objects = 0;

	if (!wanted)
		return;
	elf_walk(count_object, &objects);
	if (atomic_exchange(&objects_seen, objects) == objects)
		return;
	for (unsigned int i = 0; i < probe_count; i++)
		if (probes[i].used && !probes[i].real)
			look_for(&probes[i]);
	dl_iterate_phdr(lead_object, NULL);
}

/* What symbol.S is to save: as far as the processor has it and the system keeps it. */
static int vector_width(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d, kept, high;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
		return 0;
	__asm__("xgetbv"
		: "=a"(kept), "=d"(high)
		: "c"(0));
	if ((kept & 0x06) != 0x06)
		return 0;
	return (kept & 0xe6) == 0xe6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX512F ? 2 : 1;
#else
	return 0;
#endif
}

/* Probe numbers are source numbers: sources.c reads the same text in the same order. */
void symbol_early(void)
{
	struct step_source_spec specs[STEP_SOURCES];
	const char *text = getenv("RANKTRACE_STEP_SOURCE");
	char why[128];
	unsigned int n = 0;

	if (!text || !strstr(text, "symbol:") || step_source_parse(text, specs, &n, why, sizeof(why)))
		return;
	for (unsigned int i = 0; i < n; i++) {
		probes[i].spec = specs[i];
		probes[i].used = specs[i].kind == STEP_SOURCE_SYMBOL;
	}
	probe_count = n;
	wanted = true;
	symbol_vectors = vector_width();
	symbol_arm();
}

void *symbol_probe(void *answer, const char *name)
{
	for (unsigned int i = 0; i < probe_count; i++)
		if (probes[i].used && probes[i].real == answer && !strcmp(name, probes[i].spec.symbol))
			return code_of(i);
	return NULL;
}

bool symbol_named(const char *name)
{
	symbol_arm();
	for (unsigned int i = 0; i < probe_count; i++)
		if (probes[i].used && probes[i].real && !strcmp(name, probes[i].spec.symbol))
			return true;
	return false;
}
