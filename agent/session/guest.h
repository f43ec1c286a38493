/* guest.h - the library that the agent works in (the hooks), as far as the agent asks it for anything. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include "agent/base/attributes.h"

struct agent_guest {
	unsigned int hooks;	   /* rows */
	void (*started)(void);	   /* a session has begun, also in a forked child */
	void (*thread_ends)(void); /* one that had a ring */

	const char *(*hook_name)(unsigned int hook); /* NULL past the last */

	bool (*launches_later)(void);		   /* does a framework of this process launch from a thread of its own? */
	bool (*is_queue_thread)(const char *name); /* is a thread of this name such a one? */

	/* Libraries opened on roads that nobody can follow: with RTLD_DEEPBIND, or into another namespace. */
	const _Atomic unsigned long *deepbind, *namespaces;
};

/* NULL: it has not said so yet. */
extern _Atomic(const struct agent_guest *) agent_guest OURS;
