/*
 * untraced.h - looks, while a run lasts, for processes below the launcher that call a vendor without us: LD_PRELOAD got lost on
 * their way, or nobody may look into them, or they may not enter the folder of the traces, or have set a seccomp filter.
 */
#pragma once
#include <stdint.h>

#include "analysis/run/run_json.h"
#include "analysis/util/table.h"

struct untraced_watch {
	struct table known; /* what was found out of the processes that there were at the last look */
	uint64_t next;	    /* when to look again, in ns */
	int filters;	    /* of seccomp, that we run under ourselves; 0: not known yet */
};

/* Until then nobody need look, in ms: at least a second behind the start or the last look, and longer where a look takes long. */
int untraced_pause(struct untraced_watch *w);

/* If it is time to: adds to r->untraced, each program once. */
void untraced_look(struct untraced_watch *w, struct run *r);
