/*
 * schedule_states N - of each schedule on standard input a line: what becomes of its first N numbers, 0 (nothing), 1 (warm-up),
 * 2 (recorded) or 3 (recorded, and the last of its window).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/schedule.h"

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	struct schedule s;
	char line[256], why[256];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (schedule_read(&s, line, why, sizeof(why))) {
			fprintf(stderr, "%s: %s\n", line, why);
			return 1;
		}
		for (long i = 0; i < n; i++)
			putchar('0' + (int)schedule_state(&s, i));
		putchar('\n');
	}
	return 0;
}
