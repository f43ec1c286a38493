/* bad_settings.h - reads tests/data/bad_settings.txt: files of settings, and the line each one gets. */
#pragma once
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bad_settings {
	unsigned int line; /* of the data file, to name it by */
	size_t size;
	char text[(64 << 10) + 64];
	char complaint[1024];
};

/* \xHH is a byte, %{N text} is text N times over. */
static void bad_settings_add(struct bad_settings *b, const char *from, const char *end)
{
	while (from < end && b->size < sizeof(b->text) - 1) {
		char *rest;

		if (!strncmp(from, "\\x", 2)) {
			char digits[3] = { from[2], from[3] };

			b->text[b->size++] = (char)strtol(digits, NULL, 16);
			from += 4;
		} else if (!strncmp(from, "%{", 2)) {
			long times = strtol(from + 2, &rest, 10);
			/* The text may hold a brace itself. */
			const char *close = memchr(rest + 2, '}', (size_t)(end - rest - 2));

			for (; times; times--)
				bad_settings_add(b, rest + 1, close);
			from = close + 1;
		} else {
			b->text[b->size++] = *from++;
		}
	}
}

/* The next one; false at the end of the file. */
static bool bad_settings_next(FILE *file, struct bad_settings *b)
{
	static unsigned int line_number;
	char line[1024];

	b->size = 0;
	b->line = line_number + 1;
	while (fgets(line, sizeof(line), file)) {
		line_number++;
		if (!strncmp(line, "## ", 3) || (b->size == 0 && b->line == line_number && *line == '\n')) {
			b->line = line_number + 1;
			continue;
		}
		if (!strncmp(line, "=> ", 3)) {
			line[strcspn(line, "\n")] = '\0';
			snprintf(b->complaint, sizeof(b->complaint), "%s", line + 3);
			return true;
		}
		bad_settings_add(b, line, line + strlen(line));
	}
	return false;
}
