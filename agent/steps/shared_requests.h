/*
 * shared_requests.h - requests of `ranktrace ctl --shared`, for processes on several hosts: a file in the job's folder, beside the traces.
 * Boundaries have it read, once a second at most, by a thread that lives as long as that takes: should the file system stand still,
 * nobody waits for it.
 */
#pragma once
#include <stdbool.h>
#include "agent/format/session_files.h"

/* At a boundary. Under the steps' lock, as is the next one. */
void shared_requests_look(void);

/* Is there one for this slot that was not taken? One that was there before the first look is none of this process's. */
bool shared_requests_take(enum request_slot slot, struct session_request *r);

void shared_requests_forget(void); /* in a forked child */
