/* kill_points.h - where in the agent's work kill_driver is to die; shared with kill_test.py. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

/* Moments of the flush thread's work on a file, and the change of a step. */
enum kill_point { POINT_NONE,
		  POINT_OPEN,	   /* before the file is there */
		  POINT_OPENED,	   /* behind that */
		  POINT_WRITE,	   /* before a chunk is written */
		  POINT_TORN,	   /* half of a chunk is written */
		  POINT_WRITTEN,   /* behind a chunk, before the ring's tail says so */
		  POINT_RENAME,	   /* before the file gets its final name */
		  POINT_RENAMED,   /* behind that */
		  POINT_STEP,	   /* inside ranktrace_step(), within a window */
		  POINT_OPENING,   /* ... that opens one */
		  POINT_CLOSING }; /* ... that closes one */

struct kill_plan {
	_Atomic uint32_t point;	 /* die here; POINT_NONE: when somebody kills us */
	_Atomic uint32_t place;	 /* so many instructions behind it */
	_Atomic uint32_t killed; /* the point where we died */
	_Atomic uint32_t files;	 /* that got their names */
};

extern struct kill_plan *kill_plan;

/* Runs the next instructions one by one, and dies behind the last; UINT32_MAX: counts them only. */
void kill_after(enum kill_point point, uint32_t instructions);

/* Runs at full speed again; returns how many there were. */
uint32_t kill_not(void);
