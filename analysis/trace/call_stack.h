/* call_stack.h - who asked for a call, of Python and of the libraries below, as one list. */
#pragma once
#include "analysis/trace/trace.h"

struct call_frame {
	const struct frame *frame;
	enum stack_kind kind;
};

#define CALL_STACK_MAX (2 * STACK_FRAMES)

/*
 * Innermost first; how many they are. Where the interpreter stands among the native frames the frames of Python are, all of
 * them where it stands first; where it does not, they are another thread's, and stand outside of all.
 */
size_t call_stack(const struct trace_event *ev, struct call_frame frames[CALL_STACK_MAX]);

/* Were there more frames than are kept? */
bool call_stack_is_cut(const struct trace_event *ev);

/* /job/train.py(42): train_step; /lib/libtorch.so(0x1000): symbol. Of long names it is the end of the file's, and the begin of the other. */
#define CALL_FRAME_ROOM 1024
void call_frame_text(char text[CALL_FRAME_ROOM], const struct call_frame *f);

/* file:line function, for free(): what a line is called where lines are told of. Of a long path it is the end. */
char *call_line_name(const struct frame *f);

/* All of them, with this between; for free(). NULL: none is known. */
char *call_stack_line(const struct trace_event *ev, const char *between);

/* The file without its folders. */
const char *call_stack_base(const char *path);

/*
 * Who of the job's own code asked for it: libraries' frames count for who called them, those of <string> and its like where there are others. Of libraries alone
 * it is the outermost. NULL: not known.
 */
const struct frame *call_stack_user(const struct stack *python);
