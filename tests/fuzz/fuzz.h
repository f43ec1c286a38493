/*
 * fuzz.h - what the fuzz targets share. Each fuzz_NAME.c defines LLVMFuzzerTestOneInput(); libFuzzer
 * drives it in `make fuzz`, replay.c over the kept inputs in `make test`.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise to the user: ends the run with the sentence if it is broken. */
void fuzz_promise(bool kept, const char *sentence);

/* The bytes as a file that any reader can open; good until the next call of the same number. */
#define FUZZ_FILES 2
const char *fuzz_file(unsigned int number, const void *bytes, size_t size);

/* The most that the code under test held at once since the last reset, in bytes. */
void fuzz_memory_reset(void);
size_t fuzz_memory_peak(void);

/* What goes to standard output between these two; the text is good until the next begin. */
void fuzz_output_begin(void);
char *fuzz_output_end(size_t *size);

/* One line without control characters: what a complaint must be. */
bool fuzz_one_line(const char *text);
