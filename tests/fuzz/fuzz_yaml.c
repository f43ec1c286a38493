/* fuzz_yaml.c - a file of settings by a stranger is read, or refused by one line, in little memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/load/load.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY (4u << 20)

static bool unsaid(const struct config *c, enum option_id id)
{
	return id == OPTION_step_start || id == OPTION_step_end || /* folded into steps */
	       (id == OPTION_steps && !c->steps.given) || (id == OPTION_ranks && !c->ranks.given);
}

/* What was read prints as text that reads back as the same. */
static void read_back(const struct config *c)
{
	static struct config again;
	static char text[8192], printed[8192];
	char error[1400];
	struct loader l;

	loader_begin(&l, &again, error, sizeof(error));
	for (unsigned int id = 0; id < OPTIONS; id++) {
		if (unsaid(c, id))
			continue;
		option_text(c, id, text, sizeof(text));
		fuzz_promise(!loader_set(&l, id, "again", text), "printed settings read back");
		option_text(&again, id, printed, sizeof(printed));
		fuzz_promise(!strcmp(text, printed), "printed settings read back as the same");
	}
	fuzz_promise(!loader_finish(&l), "printed settings agree with each other");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(0, data, size);
	static struct config c;
	char error[1400], begin[64];
	int err;

	setenv("RANKTRACE_CONFIG", path, 1);
	fuzz_memory_reset();
	err = config_load(&c, error, sizeof(error));
	fuzz_promise(fuzz_memory_peak() <= MEMORY, "settings are read in 4 MiB");
	if (!err) {
		read_back(&c);
		return 0;
	}
	snprintf(begin, sizeof(begin), "%s:", path);
	fuzz_promise(!c.enable, "bad settings switch recording off");
	fuzz_promise(fuzz_one_line(error), "a complaint is one line");
	fuzz_promise(!strncmp(error, begin, strlen(begin)), "a complaint names the file");
	return 0;
}
