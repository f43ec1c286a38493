/*
 * fuzz_trace.c - a trace file of any content through report, why, compare, dump and export. An input of even size
 * gets its check sums put right first, so that what is behind them is reached too.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/crc32c.h"
#include "agent/format/trace_file.h"
#include "analysis/commands/commands.h"
#include "analysis/util/json_reader.h"
#include "tests/fuzz/fuzz.h"

/* docs/format.md promises no more to whoever opens a stranger's trace. */
#define MEMORY(size) ((160u << 20) + 128 * (size))

static void seal(uint8_t *at, size_t left)
{
	struct chunk_header h;

	memcpy(&h, at, sizeof(h));
	if (h.magic != CHUNK_MAGIC)
		return;
	if (h.length <= left - sizeof(h))
		h.payload_crc = crc32c(0, at + sizeof(h), h.length);
	h.header_crc = crc32c(0, &h, offsetof(struct chunk_header, header_crc));
	memcpy(at, &h, sizeof(h));
}

/* From the end on: a chunk may lie inside the claim of one before it. */
static void seal_all(uint8_t *bytes, size_t size)
{
	for (size_t at = size & ~(size_t)(CHUNK_ALIGN - 1);; at -= CHUNK_ALIGN) {
		if (size - at >= sizeof(struct chunk_header))
			seal(bytes + at, size - at);
		if (!at)
			return;
	}
}

static void no_leaf(void *context, const struct json_leaf *leaf)
{
	(void)context, (void)leaf;
}

static void check_json(char *text)
{
	fuzz_promise(!json_read(text, no_leaf, NULL), "JSON is JSON, whatever names the file holds");
}

static void check_json_lines(char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		check_json(line);
}

static void check_text(char *text)
{
	(void)text;
}

static void run(int (*command)(int, char **), const char *option, const char *value, const char *path,
		void (*check)(char *text))
{
	char *argv[] = { "ranktrace", (char *)option, (char *)value, (char *)path, NULL };
	size_t size;
	char *text;
	int rc;

	optind = 0;
	fuzz_output_begin();
	rc = command(4, argv);
	text = fuzz_output_end(&size);
	fuzz_promise(rc == 0 || rc == EXIT_LOST, "the exit status is 0 or 1");
	for (size_t i = 0; i < size; i++)
		fuzz_promise((unsigned char)text[i] >= ' ' || text[i] == '\n', "no control character gets out");
	if (size || rc == 0)
		check(text); /* else there was nothing to tell, and nothing is no JSON */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + 1);
	const char *path;

	memcpy(bytes, data, size);
	if (size % 2 == 0)
		seal_all(bytes, size);
	path = fuzz_file(0, bytes, size);
	free(bytes);
	fuzz_memory_reset();
	run(cmd_report, "--format", "json", path, check_json);
	run(cmd_report, "--format", "text", path, check_text);
	run(cmd_why, "--format", "json", path, check_json);
	run(cmd_why, "--format", "text", path, check_text);
	run(cmd_compare, "--format=json", "--steps-a=all", path, check_json); /* with itself */
	run(cmd_compare, "--format=text", "--steps-a=all", path, check_text);
	run(cmd_dump, "--format", "jsonl", path, check_json_lines);
	run(cmd_dump, "--format", "text", path, check_text);
	run(cmd_export, "--to", "chrome", path, check_json);
	fuzz_promise(fuzz_memory_peak() <= MEMORY(size), "a trace is read in 160 MiB + 128 times its size");
	return 0;
}
