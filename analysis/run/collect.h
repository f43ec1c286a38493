/* collect.h - takes the sessions of processes that are over out of tmpfs, into a struct run. */
#pragma once
#include "analysis/run/run_json.h"
#include "analysis/session/recover.h"
#include "analysis/session/sessions.h"

/* What a live or dead session says, as a process of a run. */
void collect_status(struct run_process *p, const struct session_entry *e);

/* Its rings may know of more calls than that; and the call in which it ended. */
void collect_counts(struct run_process *p, const struct recovered *found);
void collect_call(struct run_process *p, const struct recovered *found);

/*
 * Recovers what killed processes left, gathers the sessions of this launch in r and deletes the ended
 * ones. Sessions of launchers that are gone are recovered and deleted too. Where no session is left, the
 * traces in the job's folder are asked.
 */
void collect(struct run *r, const char *folder);
