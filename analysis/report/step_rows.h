/* step_rows.h - the steps table of a report while events and device times come in. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/trace/position_map.h"
#include "analysis/util/spans.h"

enum work { WORK_COMPUTE,
	    WORK_COMMUNICATION,
	    WORK_COPY,
	    WORK_OTHER };

static inline enum work work_of(enum event_kind kind)
{
	switch (kind) {
	case EV_LAUNCH: return WORK_COMPUTE;
	case EV_COLLECTIVE: return WORK_COMMUNICATION;
	case EV_COPY:
	case EV_FILL:
	case EV_MAP: return WORK_COPY;
	default: return WORK_OTHER;
	}
}

/* A copy in no stream is done when the call returns: it has no time but the call's. */
static inline bool step_rows_blocks(const struct trace_event *ev)
{
	return !ev->stream && !ev->nested && (ev->kind == EV_COPY || ev->kind == EV_FILL);
}

/* Times by one clock, the host's or the device's. */
struct step_times {
	struct spans spans[WORK_OTHER];	 /* not summed up yet */
	uint64_t sums[WORK_OTHER], busy; /* ns; busy: at least one of them */
	uint64_t working;		 /* ns: computing, or communicating */
};

struct step_row {
	int64_t step;	     /* STEP_NULL: what lies outside all steps */
	uint64_t stage;	     /* whose row it is; 0: of what lies outside of stages, or of a step */
	uint64_t begin, end; /* ns since the Unix epoch */
	bool ended;	     /* false: end is that of the last event */
	uint64_t events;
	uint64_t newest; /* number of its last event in the trace */
	uint32_t epoch;	 /* the last one seen of this step */
	int64_t offset;	 /* step less the program's own number of it */
	bool provisional;
	uint64_t sums[WORK_OTHER], idle; /* ns; of the device if there are any ... */
	uint64_t not_overlapped, free;	 /* ... as are these: communication while nothing computes; neither of the two */
	uint64_t gaps;			 /* ns of it in which the device did none of its work, as was counted where it was over */
	bool over;			 /* that was done */
	uint64_t unrecorded;		 /* ns of it that lie between windows, and are not idle */
	bool cut;			 /* the last window ended before it did */
	bool computes, timed;		 /* there are calls that compute; device times of such */
	bool by_device;			 /* these come from device times: there are some, and not beside calls that compute without any (device_every) */
};

/* While events come in. */
struct growing_step {
	struct step_row row; /* first */
	struct step_times host, device;
};

static inline struct step_times *step_row_host(struct step_row *row)
{
	return &((struct growing_step *)row)->host;
}

static inline struct step_times *step_row_device(struct step_row *row)
{
	return &((struct growing_step *)row)->device;
}

/* Without what lies between windows. */
static inline uint64_t step_row_length(const struct step_row *row)
{
	uint64_t length = row->end > row->begin ? row->end - row->begin : 0; /* none, if a broken file says so */

	return length > row->unrecorded ? length - row->unrecorded : 0;
}

/* A row that is finished. */
struct parcel;
void step_row_parcel(struct parcel *p, struct step_row *row);

struct step_rows {
	struct process *process;
	bool by_stage;	      /* not by step */
	struct table rows;    /* struct growing_step by step, or by stage */
	struct step_row *row; /* of the events that come now; NULL: not looked up yet */
	int64_t step;	      /* theirs, */
	uint64_t key;	      /* and that of their row */
	size_t summed;	      /* so many of them, the first ones, */
	uint64_t is_over;     /* when nothing was heard of them for so many events */
	uint64_t events;
	struct table ends;	       /* uint64_t by ring (16 bits): the position behind its last event */
	uint64_t *end;		       /* of the ring that is read now */
	struct position_map positions; /* the row's key, or NOWHERE */

	/* Asked once for each row with device times, before these are summed up. idle: what its work leaves free, from 0 to UINT64_MAX. */
	void (*over)(void *context, struct step_row *row, const struct spans *idle);
	void *context;
};

/* Where windows were open, if not all of the process was recorded; else nothing. */
void step_rows_recorded(struct process *p, struct spans *recorded);

void step_rows_init(struct step_rows *s, struct process *p, bool by_stage);

/* From this position on events of the ring belong to the epoch; as a visitor is told. */
void step_rows_enter(struct step_rows *s, uint32_t ring, uint64_t position, uint32_t epoch);

/* Counts one event or more, all of one ring and epoch, and the time inside the calls. */
void step_rows_take(struct step_rows *s, const struct trace_event *list, size_t count);

/* Has the event that a device time speaks of been there, or its place been passed? */
bool step_rows_passed(const struct step_rows *s, uint16_t ring, uint32_t slot);

/* The row of an event that was there; NULL: it was not. */
struct step_row *step_rows_find(const struct step_rows *s, uint16_t ring, uint32_t slot);

/* The rows, by begin, the one outside all steps, or stages, last; the caller frees them. Stages without events are among them. */
struct step_row *step_rows_finish(struct step_rows *s, size_t *count);
