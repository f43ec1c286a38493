/*
 * code_lines - functions of Python and their instructions as tests/helpers/python/line_tables.py writes them: prints how many there are, and how
 * many instructions have another line than that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace/code_lines.h"
#include "analysis/util/alloc.h"

static void take_table(struct code_lines *l, const char *hex)
{
	unsigned int byte;

	l->table = alloc_zero(strlen(hex) + 1, 1);
	while (sscanf(hex + 2 * l->size, "%2x", &byte) == 1)
		l->table[l->size++] = (uint8_t)byte;
}

int main(void)
{
	static char line[1 << 20], hex[1 << 20], name[64];
	unsigned long codes = 0, instructions = 0, wrong = 0, largest = 0, at;
	struct code_lines l = { 0 };
	unsigned int form, first, wanted;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "code %u %u %s %63s", &form, &first, hex, name) == 4) {
			code_lines_free(&l);
			l = (struct code_lines){ .form = form, .first_line = first };
			take_table(&l, hex);
			codes++;
		} else if (sscanf(line, "%lu %u", &at, &wanted) == 2) {
			unsigned int got = code_lines_find(&l, at);

			instructions++;
			largest = at > largest ? at : largest;
			if (got != wanted && !wrong++)
				printf("%s, byte %lu: line %u in place of %u\n", name, at, got, wanted);
		}
	}
	code_lines_free(&l);
	printf("%s functions, %s of code, %lu wrong\n", codes > 12 ? "many" : "few", largest > 65536 ? "large ones" : "small ones", wrong);
	return instructions && !wrong ? 0 : 1;
}
