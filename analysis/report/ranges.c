/* ranges.c - section: ranges and marks by domain and name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"
#include "analysis/report/ranges.h"
#include "analysis/report/section.h"
#include "analysis/trace/ranges.h"
#include "analysis/util/alloc.h"

#define SHOWN 100 /* rows of a process as JSON */

/* Ranges of a domain and name, or marks. */
struct range_row {
	char *name, *domain; /* domain "": the default one */
	bool is_mark;
	uint64_t count, open, total_ns; /* open: not ended, of no known length */
};

struct range_rows {		       /* what the section keeps */
	const struct selection *asked; /* steps */
	struct ranges ranges;
	struct table rows; /* struct range_row by message and domain */
	size_t count;
	struct range_row *list; /* ranges by time, longest first; then marks */
};

static const struct range_rows *of(const struct report *r)
{
	return r->sections[SECTION_ranges];
}

/* ---- taking in ---- */

/* A collective is called by its operation and group: the rest of the message differs from call to call. */
static char *name_of(const struct marker *m)
{
	const struct communication *c = m ? m->communication : NULL;
	char name[256];

	if (!c)
		return alloc_text(m && m->message ? m->message : "", m && m->message ? strlen(m->message) : 0);
	snprintf(name, sizeof(name), c->group ? "%s (%s)" : "%s", c->op, c->group);
	return alloc_text(name, strlen(name));
}

static struct range_row *row_of(struct range_rows *r, const struct marker *m, bool is_mark)
{
	uint64_t key = m ? m->def.message << 24 ^ m->def.domain << 1 : 0;
	struct range_row *row = table_put(&r->rows, key | is_mark);
	const char *domain = m && m->domain ? m->domain : "";

	if (!row->name) {
		row->name = name_of(m);
		row->domain = alloc_text(domain, strlen(domain));
		row->is_mark = is_mark;
	}
	return row;
}

static void take_range(void *context, const struct range *range)
{
	struct range_rows *r = context;
	struct range_row *row;

	if (!selection_has(r->asked, range->step))
		return;
	row = row_of(r, range->marker, false);
	row->count++;
	row->open += !range->ended;
	row->total_ns += range->ended ? range->end - range->begin : 0;
}

static void begin(void *kept, struct process *p, const struct selection *asked)
{
	struct range_rows *r = kept;

	(void)p;
	*r = (struct range_rows){ .ranges = RANGES(take_range, r), .rows = TABLE(struct range_row), .asked = asked };
}

/* Of all steps: a range may end in another one than it began in, and belongs to that. */
static void take_marker(void *kept, const struct trace_event *ev)
{
	struct range_rows *r = kept;

	if (ev->nested)
		return;
	ranges_take(&r->ranges, ev);
	if (range_role(ev) == RANGE_NONE && ev->definition && selection_has(r->asked, ev->step))
		row_of(r, ev->definition, true)->count++;
}

static int by_name(const void *a, const void *b)
{
	const struct range_row *x = a, *y = b;
	int order = (int)x->is_mark - (int)y->is_mark;

	order = order ? order : strcmp(x->domain, y->domain);
	return order ? order : strcmp(x->name, y->name);
}

static int by_time(const void *a, const void *b)
{
	const struct range_row *x = a, *y = b;

	if (x->is_mark != y->is_mark)
		return (int)x->is_mark - (int)y->is_mark;
	if (x->total_ns != y->total_ns)
		return x->total_ns < y->total_ns ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return by_name(a, b);
}

/* Rows of one name become one: sorted by name before, by time after. How many; those that went into others are left alone. */
static size_t merge(struct range_row *rows, size_t count, void (*drop)(struct range_row *row))
{
	size_t kept = 0;

	if (!count)
		return 0;
	qsort(rows, count, sizeof(*rows), by_name);
	for (size_t i = 1; i < count; i++) {
		if (by_name(&rows[kept], &rows[i])) {
			rows[++kept] = rows[i];
			continue;
		}
		rows[kept].count += rows[i].count;
		rows[kept].open += rows[i].open;
		rows[kept].total_ns += rows[i].total_ns;
		drop(&rows[i]);
	}
	qsort(rows, kept + 1, sizeof(*rows), by_time);
	return kept + 1;
}

static void free_row(struct range_row *row)
{
	free(row->name);
	free(row->domain);
}

static void leave_row(struct range_row *row)
{
	(void)row; /* its texts are the report's */
}

static void end(void *kept)
{
	struct range_rows *r = kept;

	ranges_finish(&r->ranges);
	r->list = table_hand_over(&r->rows, &r->count, by_name);
	r->count = merge(r->list, r->count, free_row);
}

static void let_go(void *kept)
{
	struct range_rows *r = kept;

	for (size_t i = 0; i < r->count; i++)
		free_row(&r->list[i]);
	free(r->list);
}

/* ---- what may be a step ---- */

#define SEVERAL 3

/* What stands here, of any number the same; and behind it. */
static unsigned char sort_of(const char *name)
{
	return *name >= '0' && *name <= '9' ? '0' : (unsigned char)*name;
}

static const char *behind(const char *name)
{
	return sort_of(name) == '0' ? name + strspn(name, "0123456789") : name + 1;
}

/* `step 1` and `step 12` are of one kind. */
static int by_kind(const void *a, const void *b)
{
	const struct range_row *x = *(const struct range_row *const *)a, *y = *(const struct range_row *const *)b;
	const char *one = x->name, *other = y->name;

	while (*one && sort_of(one) == sort_of(other)) {
		one = behind(one);
		other = behind(other);
	}
	return (int)sort_of(one) - (int)sort_of(other);
}

static bool may_be_a_step(const struct range_row *row)
{
	return !row->is_mark && !*row->domain && *row->name && row->count > row->open;
}

/* The caller frees the list. */
static const struct range_row **candidates(const struct range_rows *rows, size_t *count)
{
	const struct range_row **list = alloc_zero(rows->count, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < rows->count; i++)
		if (may_be_a_step(&rows->list[i]))
			list[(*count)++] = &rows->list[i];
	if (*count)
		qsort(list, *count, sizeof(*list), by_kind);
	return list;
}

/* All of a kind, which stand in a row: how many names they have. */
static size_t sum_kind(const struct range_row **list, size_t count, struct range_row *sum)
{
	size_t n = 0;

	*sum = (struct range_row){ .name = list[0]->name };
	for (; n < count && !by_kind(&list[0], &list[n]); n++) {
		sum->count += list[n]->count;
		sum->total_ns += list[n]->total_ns;
	}
	return n;
}

const char *ranges_repeated(const struct report *r, uint64_t *times)
{
	struct range_row longest = { 0 }, kind;
	size_t count;
	const struct range_row **list = candidates(of(r), &count);

	for (size_t i = 0; i < count;) {
		i += sum_kind(&list[i], count - i, &kind);
		if (kind.count >= SEVERAL && kind.total_ns > longest.total_ns)
			longest = kind;
	}
	free(list);
	*times = longest.count;
	return longest.name;
}

/* ---- the table, over all processes ---- */

/* The caller frees the list, not the texts. */
static struct range_row *join(const struct report *reports, size_t count, size_t *joined)
{
	struct range_row *rows;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += of(&reports[i])->count;
	rows = alloc_zero(n, sizeof(*rows));
	n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < of(&reports[i])->count; k++)
			rows[n++] = of(&reports[i])->list[k];
	*joined = merge(rows, n, leave_row);
	return rows;
}

static void put_row(struct out *o, const struct range_row *row)
{
	uint64_t ended = row->is_mark ? 0 : row->count - row->open;
	char total[COLUMN], mean[COLUMN], domain[64];

	snprintf(domain, sizeof(domain), "%-20.60s ", *row->domain ? row->domain : "-");
	out_format(o, "%10" PRIu64 " %10" PRIu64 " %13s %13s  ", row->count, row->open, ended ? column_duration(row->total_ns, total) : "-",
		   ended ? column_duration(row->total_ns / ended, mean) : "-");
	out_text(o, row->is_mark ? "mark  " : "range ");
	out_utf8(o, domain);
	out_utf8(o, *row->name ? row->name : "-");
	out_char(o, '\n');
}

static uint64_t forgotten_ends(const struct report *reports, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += of(&reports[i])->ranges.forgotten;
	return sum;
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	uint64_t forgotten = forgotten_ends(reports, count);
	size_t n;
	struct range_row *rows = join(reports, count, &n);

	if (n || forgotten)
		out_format(o, "\nRanges and marks (%zu of %zu)\n%10s %10s %13s %13s  %-5s %-20s %s\n", n < top ? n : top, n, "COUNT", "NOT ENDED",
			   "TOTAL", "MEAN", "KIND", "DOMAIN", "NAME");
	for (size_t i = 0; i < n && i < top; i++)
		put_row(o, &rows[i]);
	if (forgotten)
		out_format(o, "%10" PRIu64 " ends of ranges came too long before their starts to be kept in mind\n", forgotten);
	free(rows);
}

/* ---- as JSON ---- */

static void json_row(struct out *o, const struct range_row *row, bool first)
{
	out_text(o, first ? "{\"domain\":" : ",{\"domain\":");
	if (*row->domain)
		out_json(o, row->domain);
	else
		out_text(o, "null");
	out_json_key(o, "name");
	out_json(o, row->name);
	out_json_number(o, "count", row->count);
	if (!row->is_mark) {
		out_json_number(o, "not_ended", row->open);
		out_json_number(o, "total_ns", row->total_ns);
	}
	out_char(o, '}');
}

static void json_rows(struct out *o, const struct range_rows *r, size_t most, bool marks)
{
	size_t n = 0;

	out_text(o, marks ? ",\"marks\":[" : ",\"ranges\":[");
	for (size_t i = 0; i < r->count; i++) {
		if (r->list[i].is_mark != marks)
			continue;
		if (n < most)
			json_row(o, &r->list[i], !n);
		n++;
	}
	out_format(o, marks ? "],\"mark_names\":%zu" : "],\"range_names\":%zu", n);
}

static void json(struct out *o, const struct report *r)
{
	json_rows(o, of(r), report_rows(r, SHOWN), false);
	json_rows(o, of(r), report_rows(r, SHOWN), true);
}

const struct section ranges_section = {
	.kept = sizeof(struct range_rows),
	.begin = begin,
	.visitor.event = take_marker,
	.kinds = KIND_BIT(EV_MARKER),
	.all_steps = true,
	.end = end,
	.free = let_go,
	.of_calls = true,
	.text = text,
	.json = json,
	.csv = "ranges,marks",
};
