/*
 * vendor.h - what a vendor may do besides its rows: hooks/<vendor>/vendor.c defines its struct vendor. A member that is NULL
 * is not asked.
 */
#pragma once
#include <stdbool.h>
#include "agent/base/attributes.h"

struct vendor_times;

struct vendor {
	const char *name;
	struct vendor_times *times;			/* of its streams (hooks/capture/pairs) ... */
	const char *companions;				/* ... which libraries of these families take, whoever has rows for them */
	void (*started)(void);				/* a session has begun, also in a forked child */
	void (*libraries_changed)(void);		/* something was opened */
	void (*thread_ends)(void);			/* one that has made calls; producer.guest is of whoever has set it */
	bool (*launches_later)(void);			/* is a framework here that launches from a thread of its own? */
	const char *queue_thread;			/* what it calls that thread */
	void *(*handout)(const char *name, void *real); /* what dlsym answers for a name that a HOOK_ANY row's pattern fits; NULL: the truth */
};

#define VENDOR(name) extern const struct vendor name##_vendor OURS;
#include "hooks/rows/vendors.def"

/* All of them; NULL ends the list. */
extern const struct vendor *const vendors[] OURS;

void vendors_started(void);
void vendors_libraries_changed(void);
void vendors_thread_ends(void);
bool vendors_launch_later(void);
bool vendors_queue_thread(const char *name);
void *vendors_handout(const char *name, void *real);
