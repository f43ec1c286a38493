/* step_source.h - what --step-source may say: several sources of step_sources.def, each with its argument. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define STEP_SOURCES	  24 /* at most so many are given at once */

#define KERNEL_OPTIMIZERS "(well-known optimizers)" /* what kernel: is called that nobody has named */

enum step_source_kind {
#define SOURCE(name, grammar, ends, help) STEP_SOURCE_##name,
#include "config/step_source/step_sources.def"
	STEP_SOURCE_KINDS
};

struct step_source_spec {
	enum step_source_kind kind;
	bool ends;	    /* it says that a step has ended, not that one begins */
	char argument[512]; /* behind its name and the colon */
};

/* Each reads the spec's argument. Returns 0, or -EINVAL with the reason in why. */
#define SOURCE(name, grammar, ends, help) int name##_parse(struct step_source_spec *s, char *why, size_t size);
#include "config/step_source/step_sources.def"

/* What a source tells of: that a step begins, or that one ends. */
enum step_source_ends {
	STEP_BEGINS,
	STEP_ENDS,
	STEP_EITHER, /* as its argument says */
};

struct step_source_row {
	const char *name, *usage; /* kernel, kernel:REGEX */
	const char *help;
	enum step_source_ends tells;
	int (*parse)(struct step_source_spec *s, char *why, size_t size); /* NULL: no argument */
};
extern const struct step_source_row step_source_rows[STEP_SOURCE_KINDS];

/* How each is written, NULL at the end. */
extern const char *const step_source_usages[STEP_SOURCE_KINDS + 1];

/*
 * `api;symbol:libtrainer.so:train@return;kernel:adam` in order; the first that fires is the clock.
 * Empty text gives count 0: the default list. Returns 0, or -EINVAL with the reason in why.
 */
int step_source_parse(const char *text, struct step_source_spec specs[STEP_SOURCES],
		      unsigned int *count, char *why, size_t size);

/* One of them, with this argument. */
int step_source_make(struct step_source_spec *s, enum step_source_kind kind, const char *argument,
		     size_t length, char *why, size_t size);
