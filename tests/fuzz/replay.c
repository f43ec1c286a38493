/* replay.c - runs a fuzz target over kept inputs: replay FOLDER, one line for all of them. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_MAX (1u << 20)
#define SECONDS	  60 /* an input that takes so long is a hang */

/* The file's bytes in a block of just their size, so that a sanitizer sees the end. */
static void replay(const char *path)
{
	static uint8_t buffer[INPUT_MAX];
	FILE *file = fopen(path, "r");
	size_t size = file ? fread(buffer, 1, sizeof(buffer), file) : 0;
	uint8_t *input = malloc(size + 1);

	fuzz_promise(file && input, path);
	fclose(file);
	memcpy(input, buffer, size);
	alarm(SECONDS);
	LLVMFuzzerTestOneInput(input, size);
	alarm(0);
	free(input);
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	char path[1024];
	int n, count = 0;

	n = argc > 1 ? scandir(argv[1], &entries, NULL, alphasort) : -1;
	for (int i = 0; i < n; i++) {
		if (*entries[i]->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name);
		fprintf(stderr, "%s\n", path);
		replay(path);
		count++;
	}
	printf("%d inputs\n", count);
	return count ? 0 : 1;
}
