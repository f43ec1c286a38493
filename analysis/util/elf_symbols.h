/* elf_symbols.h - the functions of a program or library, by address. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct elf_symbols;

/* Of the file at this path, if it is there and has this build id; NULL: it is not, or has none. Whoever made it is not believed. */
struct elf_symbols *elf_symbols_open(const char *path, const uint8_t *build_id, size_t build_id_size);

/* The function that has the byte at this address of the file's own; NULL: none is known. Good until elf_symbols_close(). */
const char *elf_symbols_find(struct elf_symbols *s, uint64_t address);
void elf_symbols_close(struct elf_symbols *s);
