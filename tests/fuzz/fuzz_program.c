/* fuzz_program.c - a command's file of any content: `#!` line, ELF headers, dynamic section. */
#include "analysis/launch/program.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program p;

	program_inspect(&p, fuzz_file(0, data, size));
	fuzz_promise(p.kind <= PROGRAM_FOREIGN, "a program is of a known kind");
	return 0;
}
