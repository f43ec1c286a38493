/* step_sources.h - what each line of step_sources.def does: NAME_source, in source_NAME.c. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/format/causes.h"
#include "config/step_source/step_source.h"

/* A member that is NULL or 0 is not asked. */
struct step_source {
	const char *usual; /* its argument when the user names no source; NULL: then it is not listened to */
	uint32_t gate;	   /* bits of the gate, set while it may be the clock */

	/* Begins to listen, as source number so and so. False: the source cannot be heard. */
	bool (*start)(unsigned int source, const struct step_source_spec *spec);

	/* Why it never fired; named: the user asked for it. CAUSE_NONE: nothing to tell. */
	enum session_cause (*why)(bool named);

	void (*forget)(void); /* in a forked child */

	bool finds; /* step_clock_note() tells whether what it listens to is there: it need not be */
};

#define SOURCE(name, grammar, ends, help) extern const struct step_source name##_source OURS;
#include "config/step_source/step_sources.def"

/* Makes the list of those that are listened to: the settings', or the usual ones. */
void step_sources_read(void);

void step_sources_start(void);

/* Why none fired; listed: the user selected certain steps. CAUSE_NONE: nothing to tell. */
enum session_cause step_sources_why(bool listed);

void step_sources_forget(void); /* in a forked child */
