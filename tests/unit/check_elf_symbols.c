/* check_elf_symbols.c - functions of libraries by address: those that a library really has, and files that claim anything. */
#include "analysis/util/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/unit.h"

/* ---- this program ---- */

static uint8_t build_id[64];
static size_t build_id_size;
static uint64_t base;

static int take_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	base = info->dlpi_addr;
	for (unsigned int i = 0; i < info->dlpi_phnum; i++) {
		const uint8_t *at = (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), *end = at + info->dlpi_phdr[i].p_memsz;

		for (const ElfW(Nhdr) *n = (const void *)at; info->dlpi_phdr[i].p_type == PT_NOTE && (const uint8_t *)n < end;
		     n = (const void *)((const uint8_t *)(n + 1) + ((n->n_namesz + 3) & ~3u) + ((n->n_descsz + 3) & ~3u)))
			if (n->n_type == NT_GNU_BUILD_ID) {
				build_id_size = n->n_descsz;
				memcpy(build_id, (const uint8_t *)(n + 1) + 4, build_id_size);
			}
	}
	return 1; /* the first is the program */
}

static char program[4096];

static void setup(void)
{
	dl_iterate_phdr(take_module, NULL);
	program[readlink("/proc/self/exe", program, sizeof(program) - 1)] = '\0';
	ck_assert_uint_gt(build_id_size, 0);
}

__attribute__((noinline)) static uint64_t a_function_of_ours(void)
{
	return (uint64_t)__builtin_return_address(0) - base;
}

START_TEST(an_address_is_of_the_function_around_it)
{
	struct elf_symbols *s = elf_symbols_open(program, build_id, build_id_size);
	uint64_t here = a_function_of_ours(), there = (uint64_t)a_function_of_ours - base;

	ck_assert_ptr_nonnull(s);
	ck_assert_str_eq(elf_symbols_find(s, there), "a_function_of_ours");
	ck_assert_str_eq(elf_symbols_find(s, there + 1), "a_function_of_ours");
	ck_assert_ptr_nonnull(strstr(elf_symbols_find(s, here - 1), "an_address_is_of_the_function_around_it"));
	ck_assert_ptr_null(elf_symbols_find(s, 0));
	elf_symbols_close(s);
}
END_TEST

START_TEST(another_file_at_the_same_path_is_not_asked)
{
	ck_assert_ptr_null(elf_symbols_open(program, build_id, build_id_size - 1));
	build_id[0] ^= 1;
	ck_assert_ptr_null(elf_symbols_open(program, build_id, build_id_size));
	ck_assert_ptr_null(elf_symbols_open(program, build_id, 0));
	ck_assert_ptr_null(elf_symbols_open("/dev/zero", build_id, build_id_size));
	ck_assert_ptr_null(elf_symbols_open("nothing/here", build_id, build_id_size));
	ck_assert_ptr_null(elf_symbols_open("", build_id, build_id_size));
	ck_assert_ptr_null(elf_symbols_open("/proc", build_id, build_id_size));
}
END_TEST

/* ---- a small file, with numbers that chance has changed ---- */

static struct small {
	Elf64_Ehdr head;
	Elf64_Phdr part;
	struct {
		Elf64_Nhdr note;
		char name[4];
		uint8_t id[4];
	} notes;
	Elf64_Shdr sections[3];
	Elf64_Sym symbols[3];
	char names[16];
} small = {
	.head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
		  .e_phoff = offsetof(struct small, part),
		  .e_phentsize = sizeof(Elf64_Phdr),
		  .e_phnum = 1,
		  .e_shoff = offsetof(struct small, sections),
		  .e_shentsize = sizeof(Elf64_Shdr),
		  .e_shnum = 3 },
	.part = { .p_type = PT_NOTE, .p_offset = offsetof(struct small, notes), .p_filesz = sizeof(small.notes) },
	.notes = { { .n_namesz = 4, .n_descsz = 4, .n_type = NT_GNU_BUILD_ID }, "GNU", { 1, 2, 3, 4 } },
	.sections = { { 0 },
		      { .sh_type = SHT_SYMTAB, .sh_link = 2, .sh_offset = offsetof(struct small, symbols), .sh_size = sizeof(small.symbols) },
		      { .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct small, names), .sh_size = sizeof(small.names) } },
	.symbols = { { 0 }, { .st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 100, .st_size = 10 }, { .st_name = 5, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 200 } },
	.names = "\0one\0two",
};

static char small_path[] = "/tmp/ranktrace-elf-XXXXXX";
static int small_file;

static struct elf_symbols *open_small(const struct small *as)
{
	ck_assert_int_eq(pwrite(small_file, as, sizeof(*as), 0), sizeof(*as));
	return elf_symbols_open(small_path, small.notes.id, 4);
}

START_TEST(a_function_without_a_size_goes_on_to_the_next)
{
	struct elf_symbols *s = open_small(&small);

	ck_assert_ptr_nonnull(s);
	ck_assert_str_eq(elf_symbols_find(s, 109), "one");
	ck_assert_ptr_null(elf_symbols_find(s, 110));
	ck_assert_ptr_null(elf_symbols_find(s, 99));
	ck_assert_str_eq(elf_symbols_find(s, 12345), "two");
	elf_symbols_close(s);
}
END_TEST

START_TEST(a_file_that_was_replaced_meanwhile_tells_no_names)
{
	char other[] = "/tmp/ranktrace-elf-XXXXXX";
	struct elf_symbols *s = open_small(&small);

	close(mkstemp(other));
	ck_assert_int_eq(rename(other, small_path), 0);
	ck_assert_ptr_null(elf_symbols_find(s, 100));
	elf_symbols_close(s);
}
END_TEST

START_TEST(whatever_a_file_claims_it_is_read_within_bounds)
{
	unit_limit_memory(256u << 20);
	for (unsigned int round = 0; round < 20000; round++) {
		struct small other = small;
		struct elf_symbols *s;

		for (unsigned int i = 0; i < 1 + unit_random() % 4; i++) {
			uint64_t n = unit_random() >> unit_random() % 64;
			size_t at = unit_random() % (sizeof(other) - 8);

			memcpy((uint8_t *)&other + at, &n, 1u << unit_random() % 4);
		}
		s = open_small(&other);
		for (uint64_t at = 90; s && at < 300; at += 10)
			elf_symbols_find(s, at);
		elf_symbols_close(s);
	}
}
END_TEST

static void make_small(void)
{
	small_file = mkstemp(small_path);
	ck_assert_int_ge(small_file, 0);
}

static void remove_small(void)
{
	unlink(small_path);
}

int main(void)
{
	TCase *t = tcase_create("elf_symbols");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_checked_fixture(t, make_small, remove_small);
	tcase_add_test(t, an_address_is_of_the_function_around_it);
	tcase_add_test(t, another_file_at_the_same_path_is_not_asked);
	tcase_add_test(t, a_function_without_a_size_goes_on_to_the_next);
	tcase_add_test(t, a_file_that_was_replaced_meanwhile_tells_no_names);
	tcase_add_test(t, whatever_a_file_claims_it_is_read_within_bounds);
	return unit_run("elf_symbols", t);
}
