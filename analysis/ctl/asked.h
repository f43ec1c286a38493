/* asked.h - the processes that `ranktrace ctl` means, and what it asks of them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/session/sessions.h"

struct asked {
	uint64_t steps, align;	 /* start: how many; 0: until a stop */
	const char *role, *text; /* text: of a mark */
	bool shared;		 /* by a file in the job's folder, for processes of all hosts */
	uint64_t at;		 /* start: not before this step; stop: with this one; 0: as the processes of this host are */
	uint32_t pid;		 /* 0: any */
	const char *path;	 /* save_path or folder of a job; NULL: any */
	struct sessions all;
	size_t count;
	struct session_entry **list; /* those that are meant */
};

/* Those that run now; what was found is forgotten before the next look. */
void asked_find(struct asked *c);
void asked_forget(struct asked *c);

/* Will this one do what it is asked? */
bool asked_obeys(const struct session_status *s);

/* Is there one, and one that obeys? False: it was said. */
bool asked_found_any(const struct asked *c);
bool asked_any_obeys(const struct asked *c);

/* Rank, process and host, to begin a line with. */
void asked_say_who(FILE *out, const struct session_status *s);

/* The highest step that one of them is in; STEP_NULL: none is in any. */
int64_t asked_highest_step(const struct asked *c);
