/* python_function.h - a function of Python whose calls tell steps, their numbers, stages, mini- or micro-batches, as settings name it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum python_of {
	PYTHON_STEP,
	PYTHON_STAGE,
	PYTHON_MINI,
	PYTHON_MICRO,
	PYTHON_NUMBER /* what is told once for many calls: enum python_tells */
};

/* What a number source tells. */
enum python_tells {
	TELLS_STEP,    /* step=: the one that begins next, for other processes of the run */
	TELLS_REPLICA, /* replica=: which one this process is, and those that it starts */
	TELLS_LOADED,  /* loaded=: the step that a checkpoint was made in, the number in its path: counting goes on behind it */
	TELLS_PHASE    /* role=: what the engines of the run on this host do from now on is a stage of that role, of the step in step= */
};

/* Where a step source has its numbers from. */
enum python_number {
	NUMBER_CALLS,	 /* calls are counted; one that is over ends a step */
	NUMBER_READ,	 /* step=arg:NAME: each call says which step begins */
	NUMBER_COUNTED,	 /* step=counted: calls are counted; with each, at its return too, a step begins */
	NUMBER_PUBLISHED /* step=published: what a number source of another process of the run on this host has told last */
};

#define PYTHON_VALUE 96

/* MODULE:CLASS.METHOD@return{key=value,...}, taken apart. */
struct python_function {
	char text[512];		     /* MODULE:CLASS.METHOD..., as it was written */
	char module[128], path[128]; /* the path as it was written: a + behind a class means its subclasses, too */
	bool at_return;
	enum python_number number;
	enum python_tells tells;
	/* Values of a call: arg:NAME, attr:self or global:MODULE:NAME, and .name or [key] behind it. "": not asked. */
	char step[PYTHON_VALUE];			/* the step that begins, or whatever else a number source tells, */
	int64_t more;					/* less so many */
	char role[PYTHON_VALUE];			/* or a word */
	char rank[PYTHON_VALUE];			/* the process's rank, where no variable tells it */
	char stage[PYTHON_VALUE];			/* a word: of a batch, the stage that it is part of */
	char when[PYTHON_VALUE], when_is[PYTHON_VALUE]; /* calls count only if that value is, as a text, this, */
	char skip[PYTHON_VALUE], skip_is[PYTHON_VALUE]; /* and that one not this */
};

/* 0, or -EINVAL with the reason in why. */
int python_read(struct python_function *f, enum python_of of, const char *text, char *why, size_t size);
