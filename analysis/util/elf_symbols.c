#include "analysis/util/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/util/alloc.h"
#include "analysis/util/demangle.h"
#include "analysis/util/sorted.h"
#include "analysis/util/table.h"

#define SYMBOLS_MAX	(1u << 22) /* of all files together; more are left out */
#define SECTIONS_MAX	4096
#define NOTES_MAX	65536 /* bytes */
#define NAME_MAX_BYTES	4096
#define TABLES		2
#define AT_ONCE		1024 /* symbols */
#define IN_SECOND_TABLE (1u << 31)

struct symbol {
	uint64_t address;
	uint32_t size;
	uint32_t name; /* where it stands in its table of names; the highest bit: in the second */
};

struct elf_symbols {
	char *path;
	struct stat file; /* that was found there */
	int fd;		  /* while it is read: a trace may name more files than a process may have open */
	Elf64_Ehdr head;
	unsigned int tables;
	struct {
		uint64_t begin, size; /* of names, in the file */
	} names[TABLES];
	size_t count, capacity;
	struct symbol *list; /* by address */
	struct table found;  /* char * by number in the list: those that were asked for */
};

static size_t all_symbols;

static bool read_at(const struct elf_symbols *s, uint64_t offset, void *to, size_t size)
{
	return offset <= INT64_MAX && pread(s->fd, to, size, (off_t)offset) == (ssize_t)size;
}

/* ---- is it that file? ---- */

static uint64_t padded(uint64_t n)
{
	return (n + 3) & ~3ull;
}

static bool note_is(const uint8_t *notes, size_t size, const uint8_t *id, size_t id_size)
{
	Elf64_Nhdr note;

	for (size_t at = 0; at + sizeof(note) <= size;) {
		uint64_t name = at + sizeof(note), value, end;

		memcpy(&note, notes + at, sizeof(note));
		value = name + padded(note.n_namesz);
		end = value + note.n_descsz;
		if (end > size)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4))
			return note.n_descsz == id_size && !memcmp(notes + value, id, id_size);
		at = padded(end);
	}
	return false;
}

static bool has_note(const struct elf_symbols *s, const Elf64_Phdr *part, const uint8_t *id, size_t id_size)
{
	uint8_t *notes;
	bool same;

	if (part->p_type != PT_NOTE || part->p_filesz > NOTES_MAX)
		return false;
	notes = alloc_zero(part->p_filesz + 1, 1);
	same = read_at(s, part->p_offset, notes, part->p_filesz) && note_is(notes, part->p_filesz, id, id_size);
	free(notes);
	return same;
}

static bool is_file(struct elf_symbols *s, const uint8_t *id, size_t id_size)
{
	Elf64_Phdr part;

	if (!read_at(s, 0, &s->head, sizeof(s->head)))
		return false;
	if (memcmp(s->head.e_ident, ELFMAG, SELFMAG) || s->head.e_ident[EI_CLASS] != ELFCLASS64 || s->head.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	for (unsigned int i = 0; i < s->head.e_phnum && s->head.e_phentsize == sizeof(part); i++)
		if (read_at(s, s->head.e_phoff + i * sizeof(part), &part, sizeof(part)) && has_note(s, &part, id, id_size))
			return true;
	return false;
}

/* ---- its functions ---- */

static void add(struct elf_symbols *s, const Elf64_Sym *symbol)
{
	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_name >= IN_SECOND_TABLE)
		return;
	if (all_symbols == SYMBOLS_MAX)
		return;
	all_symbols++;
	if (s->count == s->capacity) {
		s->capacity = 2 * s->capacity + AT_ONCE;
		s->list = alloc_grow(s->list, s->capacity, sizeof(*s->list));
	}
	s->list[s->count++] = (struct symbol){
		.address = symbol->st_value,
		.size = symbol->st_size < UINT32_MAX ? (uint32_t)symbol->st_size : UINT32_MAX,
		.name = symbol->st_name | (s->tables ? IN_SECOND_TABLE : 0),
	};
}

static void read_symbols(struct elf_symbols *s, const Elf64_Shdr *section)
{
	static Elf64_Sym symbols[AT_ONCE];
	uint64_t all = section->sh_size / sizeof(*symbols);

	for (uint64_t done = 0, n; done < all && all_symbols < SYMBOLS_MAX; done += n) {
		n = all - done < AT_ONCE ? all - done : AT_ONCE;
		if (!read_at(s, section->sh_offset + done * sizeof(*symbols), symbols, n * sizeof(*symbols)))
			return;
		for (uint64_t i = 0; i < n; i++)
			add(s, &symbols[i]);
	}
}

static bool read_section(const struct elf_symbols *s, uint32_t number, Elf64_Shdr *section)
{
	return number < s->head.e_shnum && number < SECTIONS_MAX && s->head.e_shentsize == sizeof(*section) &&
	       read_at(s, s->head.e_shoff + number * sizeof(*section), section, sizeof(*section));
}

static void read_tables(struct elf_symbols *s)
{
	Elf64_Shdr section, names;

	for (uint32_t i = 0; s->tables < TABLES && read_section(s, i, &section); i++) {
		if ((section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) || !read_section(s, section.sh_link, &names))
			continue;
		s->names[s->tables].begin = names.sh_offset;
		s->names[s->tables].size = names.sh_size;
		read_symbols(s, &section);
		s->tables++;
	}
}

/* Of several at one address the longest comes last, which is found. */
static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (x->name < y->name) - (x->name > y->name);
}

/* A path that a stranger wrote may be a FIFO's, or a device's. False: it is no file, or not the one that was here before. */
static bool open_file(struct elf_symbols *s)
{
	struct stat st;

	if (stat(s->path, &st) || !S_ISREG(st.st_mode) || (s->file.st_ino && (st.st_ino != s->file.st_ino || st.st_dev != s->file.st_dev)))
		return false;
	s->fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (s->fd < 0)
		return false;
	s->file = st;
	return true;
}

struct elf_symbols *elf_symbols_open(const char *path, const uint8_t *build_id, size_t build_id_size)
{
	struct elf_symbols *s;
	bool is;

	if (!build_id_size || *path != '/' || all_symbols == SYMBOLS_MAX)
		return NULL;
	s = alloc_zero(1, sizeof(*s));
	s->path = alloc_text(path, strlen(path));
	s->found = TABLE(char *);
	if (!open_file(s)) {
		elf_symbols_close(s);
		return NULL;
	}
	is = is_file(s, build_id, build_id_size);
	if (is)
		read_tables(s);
	close(s->fd);
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), by_address);
	if (is)
		return s;
	elf_symbols_close(s);
	return NULL;
}

void elf_symbols_close(struct elf_symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->found.count; i++)
		free(*(char **)table_item(&s->found, i));
	table_free(&s->found);
	all_symbols -= s->count;
	free(s->list);
	free(s->path);
	free(s);
}

/* ---- one of them ---- */

static char *read_name(struct elf_symbols *s, uint32_t where)
{
	char name[NAME_MAX_BYTES + 1], *shown;
	uint64_t at = where & ~IN_SECOND_TABLE, size = s->names[where >> 31].size, begin = s->names[where >> 31].begin;
	ssize_t n;

	if (at >= size || begin + at > INT64_MAX || !open_file(s))
		return NULL;
	n = pread(s->fd, name, size - at < NAME_MAX_BYTES ? size - at : NAME_MAX_BYTES, (off_t)(begin + at));
	close(s->fd);
	if (n <= 0)
		return NULL;
	name[n] = '\0';
	if (!*name)
		return NULL;
	shown = demangle(name);
	return shown ? shown : alloc_text(name, strlen(name));
}

const char *elf_symbols_find(struct elf_symbols *s, uint64_t address)
{
	size_t number = SORTED_UP_TO(address, s->list, address, s->count);
	char **name;

	/* What is written in assembly may have no size. */
	if (!number-- || (s->list[number].size && address - s->list[number].address >= s->list[number].size))
		return NULL;
	name = table_find(&s->found, number);
	if (!name) {
		name = table_add(&s->found, number);
		*name = read_name(s, s->list[number].name);
	}
	return *name;
}
