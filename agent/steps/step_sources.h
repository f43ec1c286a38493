/* step_sources.h - what each step source of step_sources.def does: `const struct step_source NAME_source`, in source_NAME.c. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/format/trace_file.h"
#include "config/step_source/step_source.h"

/* A member that is NULL or 0 is nothing that it does. */
struct step_source {
	const char *usual; /* if the user names no source it is listened to, with this argument; NULL: it is not */
	const char *label; /* what the trace says instead of the usual argument; NULL: that */
	uint32_t gate;	   /* bits of the gate that are set while it may be the clock */

	/* This process may have steps to record, and listens to the source as number so and so. False: it cannot be heard. */
	bool (*start)(unsigned int source, const struct step_source_spec *spec);

	/* No source fired. CAUSE_NONE: that cannot be told from here. named: the user asked for this one. */
	enum session_cause (*why)(bool named);

	void (*forget)(void); /* in a forked child */
};

#define SOURCE(name, grammar, ends, help) extern const struct step_source name##_source OURS;
#include "config/step_source/step_sources.def"

/* Makes the list of those that are listened to: the settings', or the usual ones. */
void step_sources_read(void);

void step_sources_start(void);

/* Why none of them fired; listed: certain steps were to be recorded. CAUSE_NONE: nothing that the user would want to know. */
enum session_cause step_sources_why(bool listed);

void step_sources_forget(void); /* in a forked child */
