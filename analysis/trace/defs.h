/* defs.h - the definitions of one process: what the numbers in its slots mean. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/format/event.h"
#include "agent/format/trace_file.h"
#include "analysis/trace/stacks.h"
#include "analysis/trace/torch_npu_message.h"
#include "analysis/util/key_values.h"
#include "analysis/util/table.h"
#include "analysis/util/timeline.h"

struct hook_name {
	char *name;
	enum event_kind kind; /* EV_KINDS: of a newer version */
	uint8_t flags;	      /* DEF_HOOK_ */
	bool family;	      /* the name is a pattern (aclnn*): which function was called is its launch's name */
};

struct text {
	char *text;
	char *shown; /* of a name of C++, as its source has it; else NULL. Set by defs_finish() for kernels */
};

struct shapes {
	struct def_shapes def;
	struct def_tensor *tensors;
};

struct graph_kernel {
	struct def_graph_kernel def;
	const char *name; /* set by defs_finish(): without those whose name is lost, which count as others then */
};

struct graph {
	struct def_graph def;
	struct graph_kernel *kernels; /* by nodes, most first */
	char *line;		      /* graphs.h; set by defs_finish() */
};

struct launch {
	struct def_launch def;
	const char *name;	     /* NULL: unknown; set by defs_finish() ... */
	const char *shown;	     /* ... as is this: to people, and to viewers; NULL: unknown */
	const struct shapes *shapes; /* ... as is this; NULL: none */
	const struct graph *graph;   /* and this; NULL: it is of a kernel, or what the graph has is not known */
	bool has_shared;	     /* it is told how much */
	uint64_t shared;	     /* dynamic shared memory of a block, in bytes */
};

struct communicator {
	struct def_communicator def;
	char *name;	/* NULL: unknown */
	char group[20]; /* "0x...", or empty: unknown */
};

struct collective {
	struct def_collective def;
	const struct communicator *communicator; /* NULL: unknown; set by defs_finish() */
};

struct marker {
	struct def_marker def;
	const char *message, *domain;	     /* NULL: none; set by defs_finish() */
	struct communication *communication; /* that the message tells of; NULL: none */
};

struct pool {
	struct def_pool def;
	const char *domain; /* NULL: none; set by defs_finish() */
};

struct stage {
	struct def_stage def;
	char *role;
};

struct step_place {
	struct def_place def;
	const struct stage *stage; /* NULL: in none; set by defs_finish() */
};

struct device {
	char *name;
	char *source; /* how its times were had; NULL: not told */
	bool has_rank;
	struct def_device_rank rank; /* where the process's devices are a rank each */
	size_t clock_count, clock_capacity;
	struct def_device_clock *clocks;
	struct timeline to_host; /* filled by the trace, which knows host ticks */
};

struct defs {
	struct table hooks;    /* struct hook_name */
	struct table strings;  /* struct text */
	struct table launches; /* struct launch */
	struct table shapes;   /* struct shapes, by launch */
	struct table graphs;   /* struct graph, by launch */
	struct table streams;  /* struct def_stream */
	struct table epochs;   /* struct def_epoch */
	struct table devices;  /* struct device */
	struct table communicators, collectives, markers, pools;
	struct table losses; /* struct def_lost */
	struct table stages; /* struct stage */
	struct table places; /* struct step_place by epoch */
	struct stack_tables stacks;
};

void defs_init(struct defs *d);

/* Takes in definitions; libraries and identity go to facts. Returns how many bytes made sense. */
size_t defs_parse(struct defs *d, struct key_values *facts, const uint8_t *bytes, size_t size);

/* Call when all are in: resolves names. */
void defs_finish(struct defs *d);
void defs_free(struct defs *d);

/* Length of the whole definition at bytes, padding included; 0: none is there. */
size_t defs_length(const uint8_t *bytes, size_t size);
