/*
 * record_tool.h - a tool of the vendor's that tells when work ran, besides our events: it is started with a window and stopped behind
 * it. A number that it is given around a call comes back with the records of that call's work. What it takes for work of kernels or
 * copies it tells alone; of a collective its time is written if it has come when the events are read.
 */
#pragma once
#include "agent/record/record.h"
#include "agent/record/rings.h"
#include "hooks/capture/records/records.h"
#include "hooks/capture/streams/contexts.h"

/* What a call gives: one kernel; kernels, with launches inside; one copy or fill; a collective, with launches inside. */
enum record_work { RECORD_LAUNCH = 1,
		   RECORD_OPERATOR = 2,
		   RECORD_COPY = 4,
		   RECORD_COLLECTIVE = 8,
		   RECORD_OTHER = 16 };

#define RECORD_LANES 16
#define RECORD_DEPTH 3 /* calls in calls that have numbers */

struct waiting;

struct record_tool {
	const char *name; /* of the device's time source in the trace */
	struct streams *streams;
	uint64_t devices; /* in the table of devices: the first one by its clock */

	/*
	 * How many threads may be inside at once, a power of two, RECORD_LANES at most: the tool keeps the numbers of each thread apart. 1: it has one
	 * stack of them for all: only one thread at a time can be told apart. Who comes second has no number.
	 */
	unsigned int lanes;

	/*
	 * Work that is given inside of a call that nobody sees, as those of a runtime that is linked statically, has the number that was pushed when
	 * that one began: so each thread pushes the number of its next call before that begins. Only where each thread has numbers of its own, and
	 * while all launches are told.
	 */
	_Atomic bool ahead;
	bool each_seen;		/* each record is of a call of which we know: so many there are to be, or its time is not known */
	bool collectives_apart; /* their records are others than those of their kernels */
	unsigned int asked;	/* about which work: of the settings */
	unsigned int tells;	/* of which, once it has started */

	int32_t number_kind; /* as what numbers are pushed */

	bool (*may)(void);	 /* it is to be used, and is nobody else's */
	bool (*start)(void);	 /* sets vendor, and of the above what is not known before */
	uint64_t (*now)(void);	 /* ns of its clock */
	void (*flush)(bool all); /* all: and nothing more is to be told from now on */
	void (*take)(const void *record);
	void (*end)(void); /* NULL: nothing is to be done */

	/* The vendor's functions that all tools have alike; 0: done. */
	struct record_functions {
		int (*push)(int32_t kind, uint64_t number), (*pop)(int32_t kind, uint64_t *number);
		record_next *next;
	} vendor;

	/* ---- its own ---- */
	struct records records;
	struct waiting *calls;
	uint16_t twins[UINT16_MAX + 1]; /* of streams, by its clock */
	_Atomic bool running;
	atomic_flag deciding, busy;
	uint32_t generation;
	_Atomic uint32_t starts; /* windows that it was to be used in */
	uint64_t window;	 /* windows when it was last decided */
	struct record_lane {
		uint64_t oldest;	    /* the reader's: so many numbers, the first ones, do not wait */
		_Atomic uint64_t newest;    /* so many were given: number = count * lanes + lane */
		_Atomic uint32_t inside;    /* threads between begin and end */
		_Atomic uint32_t contested; /* counts up when there was more than one */
	} __attribute__((aligned(64))) lane[RECORD_LANES];
	struct record_thread {
		uint32_t owner, contested, depth, start;
		bool alone;			   /* when its outermost call began */
		uint64_t pushed[RECORD_DEPTH + 1]; /* by depth: of the call that is under way, or is to come; 0: none is */
	} threads[RINGS_MAX + 1];		   /* by ring: a thread has one as long as it records */
};

/* Starts with a window, if it may; no capture runs. True: what is begun now is to be ended. */
bool record_tool_ready(struct record_tool *tool);

/* Around the call, whatever becomes of it. A number for it; 0: it does not tell of this one. */
uint64_t record_tool_begin(struct record_tool *tool, enum record_work work);
void record_tool_end(struct record_tool *tool, uint64_t number);

/* Before and behind a call that is not told, though it may give work: that has no number. Behind it may be left out. */
void record_tool_pass(struct record_tool *tool);
void record_tool_passed(struct record_tool *tool);

/* The call has been recorded, and waits for its time. */
void record_tool_keep(struct record_tool *tool, uint64_t number, const struct call *c, void *stream);

/* The same of one that waits in this place already (device_times_take()). False: it will have no answer. (record_calls.h: which one.) */
bool record_tool_share(struct record_tool *tool, uint64_t number, uint32_t node);

/* The program has waited: takes what is there. Behind a window everything, and then it is stopped. */
void record_tool_harvest(struct record_tool *tool);

/* Somebody else wants it, or times of their own. Nothing of ours runs any more when this returns. */
void record_tool_stop(struct record_tool *tool);
