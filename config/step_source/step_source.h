/* step_source.h - the grammar of --step-source: what begins a step. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define STEP_SOURCES 8

enum step_source_kind {
	STEP_SOURCE_API,    /* ranktrace_step(n) */
	STEP_SOURCE_SYMBOL, /* a call of library's symbol */
	STEP_SOURCE_KERNEL, /* a run of launches whose kernel matches regex ends the step */
	STEP_SOURCE_PYTHON, /* the step of one of PyTorch's optimizers ends it */
};

/* The one function of Python that this version watches: every subclass's step, and the most steps of any counts. */
#define STEP_SOURCE_OPTIMIZER "python:torch.optim.optimizer:Optimizer+.step@return{group=max}"

struct step_source_spec {
	enum step_source_kind kind;
	bool at_return;				   /* of a symbol: the boundary is its return, not its entry */
	char library[64], symbol[128], regex[256]; /* regex: POSIX extended */
};

/*
 * `api;symbol:libtrainer.so:train@return;kernel:adam` in order; the first that fires is the clock.
 * Empty text gives count 0: the default list. Returns 0, or -EINVAL with the reason in why.
 */
int step_source_parse(const char *text, struct step_source_spec specs[STEP_SOURCES],
		      unsigned int *count, char *why, size_t size);
