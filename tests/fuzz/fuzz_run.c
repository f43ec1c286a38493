/* fuzz_run.c - run.json of any content, as `ranktrace check` reads and explains it. */
#include <stdio.h>

#include "analysis/check/explain.h"
#include "analysis/run/run_json.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY(size) ((4u << 20) + 256 * (size))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run r;
	FILE *nowhere = fopen("/dev/null", "w");

	r = (struct run){ 0 };
	fuzz_memory_reset();
	if (!run_read(&r, fuzz_file(0, data, size)))
		explain(&r, nowhere, "");
	fuzz_promise(fuzz_memory_peak() <= MEMORY(size), "run.json is read in 4 MiB + 256 times its size");
	run_free(&r);
	fclose(nowhere);
	return 0;
}
