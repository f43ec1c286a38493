/* program.c - looks at a command's ELF file, behind `#!` lines too. */
#include "analysis/launch/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "agent/base/text.h"

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#endif

const char *const program_words[] = { "fine", "missing", "static", "privileged", "foreign" };

struct image {
	const unsigned char *bytes;
	size_t size;
};

/* Returns size bytes of the file at offset, or NULL if it ends before. */
static const void *image_at(const struct image *i, uint64_t offset, uint64_t size)
{
	return offset <= i->size && size <= i->size - offset ? i->bytes + offset : NULL;
}

static bool runs(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* As execvp() would look. */
static bool find_in_path(const char *command, char *path, size_t size)
{
	const char *dir = getenv("PATH"), *end;

	if (strchr(command, '/')) {
		snprintf(path, size, "%s", command);
		return runs(path);
	}
	for (dir = dir ? dir : "/bin:/usr/bin"; dir; dir = *end ? end + 1 : NULL) {
		end = strchrnul(dir, ':');
		snprintf(path, size, "%.*s%s%s", (int)(end - dir), dir, end > dir ? "/" : "",
			 command);
		if (runs(path))
			return true;
	}
	return false;
}

/* The same for what is read as numbers, which lie on eights in every file that a loader takes. */
static const void *entry_at(const struct image *i, uint64_t offset, uint64_t size)
{
	return offset % 8 ? NULL : image_at(i, offset, size);
}

static const Elf64_Phdr *header(const struct image *i, unsigned int n)
{
	const Elf64_Ehdr *e = image_at(i, 0, sizeof(*e));

	return n < e->e_phnum ? entry_at(i, e->e_phoff + n * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr))
			      : NULL;
}

static const Elf64_Phdr *segment(const struct image *i, uint32_t type)
{
	const Elf64_Phdr *p;

	for (unsigned int n = 0; (p = header(i, n)); n++)
		if (p->p_type == type)
			return p;
	return NULL;
}

/* Where an address of the running program lies in the file. */
static uint64_t file_offset(const struct image *i, uint64_t address)
{
	const Elf64_Phdr *p;

	for (unsigned int n = 0; (p = header(i, n)); n++)
		if (p->p_type == PT_LOAD && address - p->p_vaddr < p->p_filesz)
			return p->p_offset + (address - p->p_vaddr);
	return UINT64_MAX;
}

static const Elf64_Dyn *dynamic(const struct image *i, const Elf64_Phdr *p, unsigned int n)
{
	const Elf64_Dyn *d = NULL;

	if (p && n < p->p_filesz / sizeof(*d))
		d = entry_at(i, p->p_offset + n * sizeof(*d), sizeof(*d));
	return d && d->d_tag != DT_NULL ? d : NULL;
}

static uint64_t string_table(const struct image *i, const Elf64_Phdr *p)
{
	const Elf64_Dyn *d;

	for (unsigned int n = 0; (d = dynamic(i, p, n)); n++)
		if (d->d_tag == DT_STRTAB)
			return file_offset(i, d->d_un.d_ptr);
	return UINT64_MAX;
}

static bool is_sanitizer(const char *name)
{
	static const char *const names[] = {
		"libasan.so",
		"libtsan.so",
		"liblsan.so",
		"libubsan.so",
		"libclang_rt.",
	};

	for (unsigned int k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		if (!strncmp(name, names[k], strlen(names[k])))
			return true;
	return false;
}

/* The first sanitizer among the needed libraries: it wants to be first in LD_PRELOAD too. */
static void find_sanitizer(struct program *p, const struct image *i)
{
	const Elf64_Phdr *table = segment(i, PT_DYNAMIC);
	uint64_t strings = string_table(i, table);
	const Elf64_Dyn *d;
	const char *name;
	size_t length;

	for (unsigned int n = 0; strings != UINT64_MAX && (d = dynamic(i, table, n)); n++) {
		name = d->d_tag == DT_NEEDED ? image_at(i, strings + d->d_un.d_val, 16) : NULL;
		if (!name || !is_sanitizer(name))
			continue;
		length = strnlen(name, (size_t)((const char *)i->bytes + i->size - name));
		snprintf(p->sanitizer, sizeof(p->sanitizer), "%.*s", (int)length, name);
		return;
	}
}

static void inspect_elf(struct program *p, const struct image *i)
{
	const Elf64_Ehdr *e = image_at(i, 0, sizeof(*e));

	if (!e || e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_machine != OWN_MACHINE) {
		p->kind = PROGRAM_FOREIGN;
		return;
	}
	if (!segment(i, PT_INTERP))
		p->kind = PROGRAM_STATIC;
	find_sanitizer(p, i);
}

static bool privileged(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return true;
	if ((st.st_mode & S_ISGID) && st.st_gid != getgid())
		return true;
	return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

/* Puts what `#! /usr/bin/env -S python3 -u` runs into command. Returns false if it is no script. */
static bool script_command(const struct image *i, char *command, size_t size)
{
	size_t length = i->size < 256 ? i->size : 256;
	char line[257], *word, *save = NULL;

	if (length < 3 || memcmp(i->bytes, "#!", 2))
		return false;
	memcpy(line, i->bytes, length);
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	word = strtok_r(line + 2, " \t", &save);
	if (word && strlen(word) > 4 && !strcmp(word + strlen(word) - 4, "/env"))
		do
			word = strtok_r(NULL, " \t", &save);
		while (word && (*word == '-' || strchr(word, '=')));
	snprintf(command, size, "%s", word ? word : "");
	return word != NULL;
}

static bool image_map(struct image *i, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	*i = (struct image){ 0 };
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_size > 0) {
		i->bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		i->size = i->bytes == MAP_FAILED ? 0 : st.st_size;
	}
	close(fd);
	return i->size;
}

/* python3.11 as well; a link's own name tells where its modules are. */
static void note_python(struct program *p)
{
	if (!p->python[0] && text_starts(text_basename(p->path), "python"))
		snprintf(p->python, sizeof(p->python), "%s", p->path);
}

void program_inspect(struct program *p, const char *command)
{
	char next[256];
	struct image i;
	bool script = true;

	*p = (struct program){ 0 };
	snprintf(next, sizeof(next), "%s", strlen(command) < sizeof(next) ? command : "");
	for (int depth = 0; script && depth < 4; depth++) {
		if (!find_in_path(depth ? next : command, p->path, sizeof(p->path))) {
			p->kind = PROGRAM_MISSING;
			return;
		}
		script = false;
		note_python(p);
		if (privileged(p->path))
			p->kind = PROGRAM_PRIVILEGED;
		if (!image_map(&i, p->path))
			return; /* unreadable is runnable: say nothing */
		if (i.size >= SELFMAG && !memcmp(i.bytes, ELFMAG, SELFMAG) &&
		    p->kind == PROGRAM_FINE)
			inspect_elf(p, &i);
		else
			script = script_command(&i, next, sizeof(next));
		munmap((void *)i.bytes, i.size);
	}
}
