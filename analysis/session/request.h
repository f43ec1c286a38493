/* request.h - what `ranktrace ctl` asks of a process that runs: written into its session, where its next boundary looks. */
#pragma once
#include "analysis/session/sessions.h"

/*
 * Number and check sum are filled in. 0 or a negative errno: -EPERM: the status record is not what this user's process made; -ESTALE:
 * it is another one's by now.
 */
int request_write(const struct session_entry *e, struct session_request *r);

/* The same for processes on all hosts that trace into this folder of a job, and were started with on_demand_shared. */
int request_share(const char *folder, struct session_request *r);

/* Of one that was read: is its check sum right? */
bool request_is_whole(const struct session_request *r);
