/* trace.h - traces by process: which files there are, what they define, every event resolved. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/process.h"

struct trace {
	size_t count, capacity;
	struct process *processes; /* by rank, host, pid */
	bool trouble;		   /* something could not be read; said on stderr */
};

struct trace_event {
	const struct process *process;
	const char *name;	     /* of the entry point */
	const struct launch *launch; /* NULL: not a launch, or its definition is lost; its name may be, too */
	const void *definition;	     /* of a struct collective, communicator, marker or pool, by kind; NULL as above */
	enum event_kind kind;	     /* EV_KINDS: unknown */
	uint16_t hook, stream;
	uint32_t tid, epoch, ring;
	uint64_t slot;			/* position in the ring */
	int64_t step;			/* STEP_NULL: none */
	const struct step_place *place; /* in it; NULL: in no stage, mini- or micro-batch */
	uint64_t begin_ns, duration_ns; /* Unix epoch */
	int64_t result;
	uint64_t bytes, items;		    /* items: of a batch; 0: it is none */
	uint64_t plan;			    /* joins an operator and its prepare; 0: not known */
	uint64_t address, source;	    /* 0: none */
	uint8_t direction;		    /* enum copy_direction */
	uint8_t flags;			    /* DEF_HOOK_, of the entry point */
	uint64_t allocated, reserved;	    /* by the allocator that tells, where has_totals */
	const struct stack *stack, *native; /* who asked for it, of Python and below; NULL: not known, or not asked */
	uint8_t stack_of;		    /* enum stack_of: whose they are, or why there are none; STACK_OF_COUNT: unknown */
	bool has_stack;			    /* it was recorded with one, or with why there is none */
	bool stack_lost;		    /* the definition of one is not in the files */
	bool nested;
	bool captured; /* its stream was: what it gave it did not run */
	bool has_totals;
	bool nameless; /* the definition of what it names, or that one's name, is not in the files */
	bool unusual;  /* one of these may be true, or the result not 0 */
	bool stepless; /* the definition of its epoch is not in the files */
};

/* The device's side of an event. */
struct trace_device {
	const struct process *process;
	const char *name;
	const struct launch *launch;
	const struct collective *collective; /* NULL: not one, or its definition is lost */
	enum event_kind kind;
	uint16_t hook, stream, ring;
	uint32_t slot; /* low 32 bits of the event's position */
	uint64_t begin_ns, duration_ns;
	const char *source; /* how it was had, as a word; NULL: not told */
};

/* One more piece of memory, beside the one that the event of the call tells of. */
struct trace_piece {
	const struct pool *pool; /* NULL: the vendor's memory */
	uint64_t address, bytes, ns;
	int64_t step; /* of the call */
	uint16_t hook;
	bool is_free;
};

/* Calls of a thread that found its ring full: none of them has an event. */
struct trace_lost {
	const struct process *process;
	uint64_t calls, begin_ns, end_ns; /* when the first and the last of them were entered */
	int64_t first_step, last_step;	  /* where they were; STEP_NULL: outside all steps */
	uint32_t tid;
};

struct visitor {
	void (*event)(void *context, const struct trace_event *ev);

	/* In place of that one: some that follow each other, all of one ring, thread and epoch. */
	void (*events)(void *context, const struct trace_event *list, size_t count);
	void (*device)(void *context, const struct trace_device *dev);
	void (*piece)(void *context, const struct trace_piece *piece);
	void (*lost)(void *context, const struct trace_lost *lost);
	void (*step)(void *context, uint32_t ring, uint64_t slot, uint32_t epoch);
	void *context;
};

/* What may be known of trace files without opening them. */
struct known_file {
	uint64_t file_id, first_ticks, first_monotonic, first_realtime;
};

struct known_files {
	/* Told of all files first. */
	void (*found)(void *context, char *const *paths, size_t count);

	/* NULL: this one has to be opened. */
	const struct known_file *(*file)(void *context, const char *path);

	/* Of a process all of whose files are known: who it is, as facts. False: its files have to be opened after all. */
	bool (*process)(void *context, struct process *p);
	void *context;
};

/* trace_open() where some are known. */
void trace_open_knowing(struct trace *t, char *const *paths, int count, const struct known_files *known);

/* Finds the files under the paths and sorts them into processes. Complains on stderr. */
void trace_open(struct trace *t, char *const *paths, int count);
void trace_close(struct trace *t);

/* Reads everything but the events of a process (first_pass.c). 0, or -1 with the reason on stderr. */
int process_load(struct process *p);

/* Puts among the facts which group of workers the process came to know after its files' beginnings, if it did. */
void process_find_group(struct process *p);

/* Back to what trace_open() knew. */
void process_unload(struct process *p);

/* Calls the visitor for every slot, ring by ring as the chunks stand in the files (second_pass.c). */
void process_events(struct process *p, const struct visitor *v);

/* The same of one of its files. Device times of earlier files' events may be among them. */
void process_events_of(struct process *p, size_t file, const struct visitor *v);

/* The rank of the stream's device, where each is one, else the process's. False: neither is known. */
bool trace_rank_on(const struct process *p, uint16_t stream, int64_t *rank);
bool trace_rank_of(const struct trace_event *ev, int64_t *rank);

/* How device times of this stream were had, as a word; NULL: not told. */
const char *trace_time_source(const struct process *p, uint16_t stream);
