/* live_session.h - the process may not be over: what its session knows and its files do not, yet. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/session/sessions.h"

/* After the files were read: finds the session, if it is one of this user's. */
void live_session_add(struct report *r, uint64_t file_id, const struct sessions *all);
