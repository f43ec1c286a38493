/* config.h - every setting, as the agent wants it: fixed size, no allocation, ready to ask. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_RANGES 128
#define SHM_SIZE_MIN  (4u << 20) /* a thread's buffer, the spare ones, and what the events speak of */

/* A set of numbers as the user wrote it. Nothing given and an empty list are different things. */
struct selection {
	bool given; /* false: the user said nothing */
	bool all;
	unsigned int count; /* sorted, disjoint, inclusive ranges */
	struct {
		int64_t first, last;
	} range[CONFIG_RANGES];
};

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

/*
 * Defaults, then the YAML file named by RANKTRACE_CONFIG, then RANKTRACE_* variables.
 * Returns 0, or -EINVAL with one line in error that names file, line or variable, and the remedy.
 */
int config_load(struct config *c, char *error, size_t size);

/* A variable RANKTRACE_... of the environment that means nothing, as NAME=value; NULL: there is none. */
const char *config_stray_variable(void);

bool selection_has(const struct selection *s, int64_t n);

/* The run of consecutive selected numbers around n (n must be selected): [first, last]. */
void selection_run(const struct selection *s, int64_t n, int64_t *first, int64_t *last);

/* Is any selected number greater than n? */
bool selection_after(const struct selection *s, int64_t n);
