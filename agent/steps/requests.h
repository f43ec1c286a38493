/*
 * requests.h - what `ranktrace ctl` asks of a process that runs, where on_demand allows it. A request stands in the first page of the
 * session's status record, which the process has made and mapped anyway: each boundary looks at one word there, and no thread waits.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/session/session.h"

extern _Atomic uint32_t requests_heard OURS;

/* Is there one that was not looked at? */
ALWAYS_INLINE bool requests_wait(void)
{
	return UNLIKELY(atomic_load_explicit(&session->asked, memory_order_relaxed) !=
			atomic_load_explicit(&requests_heard, memory_order_relaxed));
}

void requests_start(void);

/* Looks at them, before step `next` may begin; what makes no sense changes nothing. Under the steps' lock. False: there was none. */
bool requests_take(int64_t next);

/* The newest mark that was asked for since the last one was taken; false: none. Under the lock, too. */
bool requests_take_mark(char text[ROLE_HEARD]);

/* May there be windows that no setting tells of? */
bool requests_may_come(void);

void requests_forget(void); /* in a forked child */
