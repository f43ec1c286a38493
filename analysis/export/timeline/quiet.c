#include "analysis/export/timeline/quiet.h"

static void leave_count(struct line_writer *w, const struct counter *c, uint64_t ns, uint64_t value)
{
	(void)w;
	(void)c;
	(void)ns;
	(void)value;
}

static void leave_slice(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t begin, uint64_t duration)
{
	(void)w;
	(void)pid;
	(void)tid;
	(void)title;
	(void)category;
	(void)begin;
	(void)duration;
}

static void leave_mark(struct line_writer *w, uint32_t pid, uint32_t tid, const char *title, const char *category, uint64_t ns)
{
	leave_slice(w, pid, tid, title, category, ns, 0);
}

static void leave_number(struct line_writer *w, const char *key, int64_t number)
{
	(void)w;
	(void)key;
	(void)number;
}

static void leave_fraction(struct line_writer *w, const char *key, double number)
{
	(void)w;
	(void)key;
	(void)number;
}

static void leave_truth(struct line_writer *w, const char *key, bool yes)
{
	leave_number(w, key, yes);
}

static void leave_text(struct line_writer *w, const char *key, const char *text)
{
	(void)w;
	(void)key;
	(void)text;
}

static void leave_shapes(struct line_writer *w, const struct shapes *shapes)
{
	(void)w;
	(void)shapes;
}

static void leave_arrow(struct line_writer *w, enum arrow kind, bool ends, uint64_t id)
{
	(void)w;
	(void)kind;
	(void)ends;
	(void)id;
}

static void leave(struct line_writer *w)
{
	(void)w;
}

struct line_format line_quiet(const struct line_format *format)
{
	struct line_format quiet = *format;

	quiet.count = leave_count;
	quiet.slice = leave_slice;
	quiet.mark = leave_mark;
	quiet.number = leave_number;
	quiet.fraction = leave_fraction;
	quiet.truth = leave_truth;
	quiet.text = leave_text;
	quiet.shapes = leave_shapes;
	quiet.arrow = leave_arrow;
	quiet.close = leave;
	return quiet;
}
