/* fuzz_setting.c - one RANKTRACE_ variable of any text, and the variables that tell the rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/session/identity.c"
#include "config/load/load.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY (8u << 20)

/* What agent/session/identity.c writes to; nothing of it is looked at here. */
static struct session_status status;
struct session_status *session = &status;

bool definitions_text(enum definition_type type, uint64_t id, const char *text)
{
	(void)type, (void)id, (void)text;
	return true;
}

static void set_option(const char *name, const char *text)
{
	static struct config c, again;
	static char printed[8192];
	char error[1400];

	setenv(name, text, 1);
	if (config_load(&c, error, sizeof(error))) {
		fuzz_promise(!strncmp(error, name, strlen(name)), "a complaint names the variable");
		fuzz_promise(fuzz_one_line(error), "a complaint is one line");
	} else {
		option_text(&c, option_find("steps"), printed, sizeof(printed));
		setenv("RANKTRACE_STEPS", c.steps.given ? printed : "", 1);
		fuzz_promise(!c.steps.given || !config_load(&again, error, sizeof(error)) ||
				     c.step_start >= 0 || c.step_end >= 0,
			     "printed steps read back");
		unsetenv("RANKTRACE_STEPS");
	}
	unsetenv(name);
}

static void set_rank(const char *text)
{
	setenv("RANK", text, 1);
	identity.rank = -1;
	fuzz_promise(identity_read() == (identity.rank >= 0), "a rank is known or it is not");
	fuzz_promise(identity.rank >= -1, "no rank is negative");
	identity_publish();
	unsetenv("RANK");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[OPTION_NAME], *text;
	unsigned int id;

	if (!size)
		return 0;
	id = data[0] % (OPTIONS + 1);
	text = strndup((const char *)data + 1, size - 1);
	fuzz_memory_reset();
	if (id == OPTIONS) {
		set_rank(text);
	} else {
		option_variable(options[id].key, name);
		set_option(name, text);
	}
	fuzz_promise(fuzz_memory_peak() <= MEMORY, "a setting is read in 8 MiB");
	free(text);
	return 0;
}
