#include "analysis/util/usage.h"

#include <stdio.h>

int usage_word(const char *option, const char *word, const char *known)
{
	fprintf(stderr, "ranktrace: %s '%.64s' is not known: write %s\n", option, word, known);
	return EXIT_USAGE;
}

int usage_no_path(const char *usage)
{
	fprintf(stderr, "ranktrace: nothing to read: name a trace file or a folder of them\n%s", usage);
	return EXIT_USAGE;
}
