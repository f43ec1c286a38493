/*
 * ascend.h - a window of a rank as the profilers of Ascend lay it out, whichever format it is written in: calls, work of the
 * device with the call that it is of, bars of what overlapped, steps, markers, memory; each handed to a format in order of time.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "analysis/export/ascend/folder.h"
#include "analysis/export/ascend/parents.h"
#include "analysis/export/ascend/steps.h"
#include "analysis/export/device_steps.h"
#include "analysis/trace/ranges.h"
#include "analysis/util/overlap.h"

struct ascend;

/* Work of the device. */
enum ascend_work { ASCEND_KERNEL,
		   ASCEND_COPY,
		   ASCEND_COLLECTIVE,
		   ASCEND_COLLECTIVE_TASK, /* a kernel that a collective launched */
		   ASCEND_RANGE,	   /* from its begin to its end in the stream that it was given: no work */
		   ASCEND_WORKS };

struct ascend_task {
	enum ascend_work work;
	const struct trace_device *device;
	uint64_t id;			/* of the call */
	const struct parent *parent;	/* what is known of that; NULL: nothing */
	const struct launch *operator_; /* that the call was in; NULL: in none */
	const struct ascend_step *step; /* that it begins in; NULL: in none */
};

/* A piece of memory that was handed out. Totals are of its component, when that was done and when it was given back. */
struct ascend_memory {
	const char *name;
	const struct pool *pool;	     /* NULL: of the vendor */
	bool host;			     /* it lies there */
	uint64_t bytes, allocated, released; /* ns; 0: not in the trace */
	struct ascend_totals {
		uint64_t allocated, reserved; /* bytes; UINT64_MAX: not known */
	} then, now;
};

struct ascend_format {
	const char *kind; /* "text" or "db": as export_type has it */
	void (*open)(struct ascend *a);
	void (*call)(struct ascend *a, const struct trace_event *ev);
	void (*task)(struct ascend *a, const struct ascend_task *task);
	void (*bar)(struct ascend *a, enum overlap_bar bar, uint64_t begin, uint64_t end);
	void (*range)(struct ascend *a, const struct range *range);
	void (*mark)(struct ascend *a, const struct trace_event *ev);
	void (*memory)(struct ascend *a, const struct ascend_memory *memory);
	void (*usage)(struct ascend *a, const struct ascend_memory *memory); /* how much there is from `allocated` on: `then` */
	void (*close)(struct ascend *a);				     /* its steps are known */
};

struct ascend {
	const struct ascend_format *format;
	struct export *export;
	struct process *process;
	void *own;   /* the format's, of the process */
	bool opened; /* it has something */
	struct ascend_folder folder;
	struct sorter tasks; /* struct trace_device by begin */
	struct device_steps device_steps;
	struct table first_slots; /* uint64_t by ring: of this window */
	struct parents parents;
	struct ascend_steps steps;
	struct overlap overlap;
	bool device_times; /* there are any */
	bool is_sampled;   /* of launches only in some steps (device_every) */
	struct ranges ranges;
	struct ascend_memories *memories;
	uint32_t device;		 /* the vendor's number of that which most likely did the work */
	int level;			 /* that was recorded: 0, 1, 2; -1: none */
	uint64_t first_ns, last_ns;	 /* from the first of its epochs to the end of the last */
	uint64_t epoch_begin, epoch_end; /* of the events that come now; 0: not known */
	bool epoch_new, in_stretch, wants_times;
	uint64_t events_before;
	struct ascend_told *told;
};

/* The exporter of a format hands on what export.c tells. */
void ascend_begin(struct export *e, const struct ascend_format *format);
void ascend_process(struct export *e, struct process *p);
void ascend_event(struct export *e, const struct trace_event *ev);
void ascend_process_end(struct export *e, struct process *p);
void ascend_end(struct export *e);

/* What their exporters have in common; the format's own begin() calls ascend_begin(). */
#define ASCEND_EXPORTER                                                                                                      \
	.apart = true, .beside = true, .sums_up = true, .by_window = true, .process = ascend_process, .event = ascend_event, \
	.visitor = { .device = ascend_take_device,                                                                           \
		     .event = ascend_take_event,                                                                             \
		     .step = ascend_take_step,                                                                               \
		     .piece = ascend_take_piece },                                                                           \
	.process_end = ascend_process_end, .end = ascend_end
void ascend_take_step(void *context, uint32_t ring, uint64_t position, uint32_t epoch);
void ascend_take_event(void *context, const struct trace_event *ev);
void ascend_take_device(void *context, const struct trace_device *dev);
void ascend_take_piece(void *context, const struct trace_piece *piece);

/* A number for a call in its process; never 0. Whatever the device does for it has the same. */
static inline uint64_t ascend_id(uint32_t ring, uint64_t slot)
{
	return (uint64_t)(ring & UINT16_MAX) << 32 | (uint32_t)slot;
}

/* Has the step figures of device times? Not where none were taken of its launches, but of those of other steps. */
bool ascend_has_times(const struct ascend *a, const struct ascend_step *step);

/* Its folder gets something. */
void ascend_open(struct ascend *a);

/* The vendor's number of a stream's device; and of a DEF_DEVICE, which has it at the end of its name, if it has one. */
uint32_t ascend_device(const struct ascend *a, uint16_t stream);
uint32_t ascend_device_number(const struct process *p, uint64_t id);

/* aclnnAdd; Cast, of what one entry point for all of them was asked for. */
static inline const char *ascend_operator_name(const struct trace_event *ev)
{
	return ev->launch && ev->launch->name ? ev->launch->name : ev->name;
}

const char *ascend_task_name(const struct ascend_task *task);
const char *ascend_task_type(const struct ascend_task *task);

/* How many blocks a launch has; false: not known. */
bool ascend_blocks(const struct launch *launch, uint64_t *blocks);

enum ascend_shape_part { PART_DIMENSIONS,
			 PART_TYPES,
			 PART_FORMATS };

/* 8,4;4,1 of all tensors, or their types or formats. */
void ascend_shapes_text(struct out *o, const struct shapes *shapes, enum ascend_shape_part part);

/* Does it speak of the device? A call that failed, or that is part of another, does not. */
static inline bool ascend_call_works(const struct trace_event *ev)
{
	return ev->stream && !ev->nested && !ev->result;
}
