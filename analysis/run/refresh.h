/* refresh.h - what became of processes that outlived the launcher that wrote run.json. */
#pragma once
#include "analysis/run/run_json.h"
#include "analysis/session/sessions.h"

/*
 * run.json tells what was true when its launcher ended. Of each process that ran on then its session is asked, or,
 * where that is gone, its files below the folder. One of another host, or whose session is not ours to see, keeps
 * what was written, and `stale` says so.
 */
void refresh(struct run *r, const char *folder);

/* What a session and the memory beside it tell: counts, and events that no file has yet. */
void refresh_from_session(struct run_process *p, const struct session_entry *e);
