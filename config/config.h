/* config.h - every setting, as the agent wants it: fixed size, no allocation, ready to ask. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "config/selection.h"

#define SHM_SIZE_MIN (4u << 20) /* a thread's buffer, the spare ones, and what the events speak of */

enum level { LEVEL_NONE = -1,
	     LEVEL_0,
	     LEVEL_1,
	     LEVEL_2 };

/* Which of torch_npu's gates are opened: by names in LD_PRELOAD, or by what it is answered when it asks. */
enum ascend_gate { ASCEND_GATE_AUTO, /* markers, if there is an Ascend environment; else ask */
		   ASCEND_GATE_MARKERS,
		   ASCEND_GATE_ASK,
		   ASCEND_GATE_ALLOCATOR,
		   ASCEND_GATE_BOTH,
		   ASCEND_GATE_NONE };

enum content {
	CONTENT_CPU = 1,
	CONTENT_NPU = 2,
	CONTENT_MEMORY = 4,
	CONTENT_SHAPES = 8,
	CONTENT_MODULE = 16,
	CONTENT_STACK = 32,
};

struct config {
	bool enable;
	char save_path[1024];	      /* absolute once loaded */
	struct selection steps;	      /* step_start/step_end are folded in by config_load() */
	struct selection ranks;	      /* unset with steps set means all: config_load() says so here */
	int64_t step_start, step_end; /* half-open; -1: not given; step_end -1 with a start: open end */
	int level;		      /* enum level */
	unsigned int contents;	      /* enum content bits */
	char step_source[512];	      /* specs, semicolon between; empty: the default list */
	uint64_t max_size;	      /* bytes over all files of a process */
	uint64_t shm_size;	      /* bytes of tmpfs that this process may take */
	char job[64];
	char launch[64];    /* set by ranktrace-run: who collects the status records */
	bool undo_deepbind; /* take RTLD_DEEPBIND from libraries that are opened */
	int ascend_gate;    /* enum ascend_gate */
	int log;	    /* 0: one line per cause, 1: more */
};
