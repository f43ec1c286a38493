/*
 * python_frames.h - the frames of Python that the calling thread is in, read as they lie in memory: without the GIL, which that may take milliseconds to
 * have. They are the thread's own, and it is in a call made from them, so that nobody changes them meanwhile. Never in a signal handler of ours (we have
 * none), never another thread's.
 */
#pragma once
#include "agent/base/attributes.h"
#include "agent/format/event.h"
#include "agent/format/trace_file.h"
#include "agent/stacks/python_layout.h"

struct python_frame {
	const char *code;
	int32_t at; /* the byte of its instruction; below 0: it has not begun */
};

struct python_stack {
	uint64_t hash; /* of code, its names and instructions; two stacks of one hash are the same */
	unsigned int count;
	bool truncated;
	struct python_frame frames[STACK_FRAMES]; /* innermost first */
};

struct python_frames {
	void *(*state)(void);		   /* PyGILState_GetThisThreadState; NULL: nothing is read */
	int (*ending)(void);		   /* Py_IsFinalizing */
	int (*holds_gil)(void);		   /* PyGILState_Check: does this thread? */
	void *(*newest_interpreter)(void); /* PyInterpreterState_Head */
	void *(*main_interpreter)(void);   /* PyInterpreterState_Main */
	const void *code_type;		   /* PyCode_Type: what else a frame may run is none of Python's functions */
	struct python_layout layout;
};

/* Who a code object is: its memory may serve again, for another's, and so may that of its name, file and lines. */
uint64_t python_code_hash(const struct python_layout *l, const char *code);

/* Before they are read for the first time, in a build that may keep them elsewhere: is everything that would be looked at memory that is there? */
bool python_frames_there(const struct python_frames *p);

/* False: this thread is in no frame of Python, or Python ends. In any case: what was read is there until it is done with. */
bool python_frames_begin(const struct python_frames *p, struct python_stack *s);
void python_frames_done(const struct python_stack *s);

/*
 * Python ends on this thread, and will free what it has of others that are still in calls: theirs are not read any more, and none is being read when
 * this returns.
 */
void python_frames_end(const struct python_frames *p);

void python_frames_forget(void); /* in a forked child */
