#include "analysis/why/asked_lines.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/trace/call_stack.h"
#include "analysis/trace/device_join.h"
#include "analysis/util/alloc.h"
#include "config/contents.h"

/* The longest piece of a cause, and the calls around it. */
struct piece {
	struct cause *cause;
	uint64_t begin, end;
	uint64_t before_end, behind_begin;	      /* of those that are known: the last to end before it, the first to begin behind it, */
	uint64_t around_begin;			      /* and, of a call, the outermost that it is a part of; 0: none */
	const struct stack *before, *behind, *around; /* their stacks of Python; NULL: not known */
	const struct stack *given;		      /* of the call that gave the device the work there */
	bool several;				      /* there is work of several lines */
};

#define PIECES_MOST 16 /* of a finding: more causes are not told in sentences */

struct looking {
	size_t count;
	struct piece list[PIECES_MOST];
};

static void look(struct piece *p, const struct trace_event *ev)
{
	uint64_t end = ev->begin_ns + ev->duration_ns;

	if (ev->begin_ns <= p->begin && end >= p->end && (!p->around_begin || ev->begin_ns < p->around_begin)) {
		p->around_begin = ev->begin_ns;
		p->around = ev->stack;
	} else if (end <= p->begin && end > p->before_end) {
		p->before_end = end;
		p->before = ev->stack;
	} else if (ev->begin_ns >= p->end && (!p->behind_begin || ev->begin_ns < p->behind_begin)) {
		p->behind_begin = ev->begin_ns;
		p->behind = ev->stack;
	}
}

static bool same_place(const struct frame *a, const struct frame *b)
{
	return a && b && a->code == b->code && a->at == b->at;
}

static void look_at_work(struct piece *p, const struct trace_event *ev, const struct device_time *device)
{
	if (device->begin_ns > p->begin || device->begin_ns + device->duration_ns < p->end)
		return;
	p->several |= p->given && !same_place(call_stack_user(p->given), call_stack_user(ev->stack));
	p->given = ev->stack;
}

static void on_event(void *context, const struct trace_event *ev, const struct device_time *device)
{
	struct looking *l = context;

	for (size_t i = 0; i < l->count; i++) {
		look(&l->list[i], ev);
		if (device)
			look_at_work(&l->list[i], ev, device);
	}
}

bool asked_lines_may(const struct cause *c)
{
	bool told[WHY_KINDS] = {
		[WHY_HOST_GAP] = true,
		[WHY_HOST_CALL] = true,
		[WHY_ALLOCATION] = c->subject != CAUSE_MANY,
		[WHY_FIRST_CALL] = c->subject != CAUSE_MANY,
		[WHY_COPY] = c->subject != CAUSE_MANY,
		[WHY_KERNEL_TIME] = c->subject != CAUSE_MANY,
		[WHY_KERNEL_SHAPE] = c->subject != CAUSE_MANY,
	};

	return told[c->kind] && c->longest && c->ns > 0;
}

static void collect(struct looking *l, struct why_finding *f)
{
	for (size_t i = 0; i < f->causes.count && l->count < PIECES_MOST; i++) {
		struct cause *c = &f->causes.list[i];

		if (asked_lines_may(c))
			l->list[l->count++] = (struct piece){ .cause = c, .begin = c->longest_at, .end = c->longest_at + c->longest };
	}
}

static const struct frame *from_outside(const struct stack *s, size_t n)
{
	return n < s->count ? &s->frames[s->count - 1 - n] : NULL;
}

/* As it is to be shown. */
static char *line_name(const struct frame *f)
{
	char *whole = call_line_name(f), *blank = strrchr(whole, ' ');
	char *name = alloc_format("%s", stacks_path(whole, (size_t)(blank - whole)));

	free(whole);
	return name;
}

/* Lines of one function, the later one first: it went round, or was called again from where both ways still are one. */
static char *round_again(const struct frame *before, const struct frame *behind, const struct frame *caller)
{
	const struct code *code = before->code;
	const char *file = stacks_path(code->file, strlen(code->file));
	char *line = caller && caller->code ? line_name(caller) : NULL;
	char *text = alloc_format("behind line %u of %.256s in %.512s, before line %u of its next round%s%s", frame_line(before), code->name, file,
				  frame_line(behind), line ? ", or of its next call at " : "", line ? line : "");

	free(line);
	return text;
}

/* Where the ways to the two calls part: there the program was meanwhile. */
static char *between(const struct stack *before, const struct stack *behind)
{
	const struct frame *a, *b;
	size_t n = 0;
	char *first, *second, *text;

	while (same_place(from_outside(before, n), from_outside(behind, n)))
		n++;
	a = from_outside(before, n);
	b = from_outside(behind, n);
	if (!a || !b || !a->code || !b->code || before->truncated || behind->truncated) {
		a = call_stack_user(before);
		b = call_stack_user(behind);
	}
	if (!a || !b)
		return NULL;
	if (a->code == b->code && frame_line(a) > frame_line(b))
		return round_again(a, b, n ? from_outside(before, n - 1) : NULL);
	if (a->code == b->code && frame_line(a) != frame_line(b))
		return alloc_format("between lines %u and %u of %.256s in %.512s", frame_line(a), frame_line(b), a->code->name,
				    stacks_path(a->code->file, strlen(a->code->file)));
	first = line_name(a);
	second = line_name(b);
	text = a->code == b->code ? alloc_format("between two calls at %s", first) : alloc_format("between %s and %s", first, second);
	free(first);
	free(second);
	return text;
}

/* Of the device's work the call that gave it, of what the host did the one that it was in. */
static const struct stack *call_of(const struct piece *p, bool timed)
{
	enum why_kind kind = p->cause->kind;
	bool works = kind == WHY_KERNEL_TIME || kind == WHY_KERNEL_SHAPE || kind == WHY_COPY || (kind == WHY_FIRST_CALL && p->given);

	return !works || !timed ? p->around : p->several ? NULL
							 : p->given;
}

static char *told(const struct piece *p, bool timed)
{
	const struct frame *f = call_stack_user(call_of(p, timed));
	char *line, *text;

	if (p->cause->kind == WHY_HOST_GAP)
		return p->before && p->behind ? between(p->before, p->behind) : NULL;
	if (!f)
		return NULL;
	line = line_name(f);
	text = alloc_format("called at %s", line);
	free(line);
	return text;
}

static struct process *process_of(struct trace *t, const struct report *r)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->processes[i].pid == r->pid && !strcmp(process_fact(&t->processes[i], "file_id"), report_fact(r, "file_id")))
			return &t->processes[i];
	return NULL;
}

static void look_at(struct why_finding *f, struct trace *t)
{
	struct process *p = contents_of(report_fact(&f->rank->report, "contents")) & (CONTENT_MODULE | CONTENT_STACK) ? process_of(t, &f->rank->report) : NULL;
	struct looking l = { 0 };
	const struct visitor v = { .context = &l };
	bool timed;

	if (!p)
		return;
	collect(&l, f);
	if (!l.count || process_load(p))
		return;
	timed = device_join_may(p);
	device_join(p, &v, on_event);
	for (size_t i = 0; i < l.count; i++)
		l.list[i].cause->asked = told(&l.list[i], timed);
	process_unload(p);
}

void asked_lines_find(struct findings_of_run *all, struct trace *t)
{
	for (size_t i = 0; i < all->count; i++)
		for (struct why_finding *f = &all->list[i]; f; f = f->waits_for)
			look_at(f, t);
}
