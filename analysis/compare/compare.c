#include "analysis/compare/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/columns.h"

static const char *const side_words[SIDES] = { "A", "B" };

/* ---- text ---- */

static void put_verdict(struct out *o, const struct comparison *c)
{
	char a[COLUMN], b[COLUMN], by[COLUMN], noise[COLUMN];
	int64_t length = c->length[SIDE_A].median;

	out_format(o, "Median step: A %s, B %s", column_duration((uint64_t)length, a), column_duration((uint64_t)c->length[SIDE_B].median, b));
	if (!c->change) {
		out_text(o, ": the same\n");
		return;
	}
	out_format(o, ": %s (%.1f %%) %s; ", column_duration((uint64_t)llabs(c->change), by), length ? 100.0 * (double)llabs(c->change) / (double)length : 0,
		   c->change < 0 ? "less" : "more");
	column_duration((uint64_t)c->noise, noise);
	if (!c->noise_known)
		out_format(o, "fewer than %d whole steps on both sides: what they differ by themselves is not known\n", REFERENCE_LEAST);
	else if (llabs(c->change) <= c->noise && c->marked)
		out_format(o, "such steps differ by as much by themselves (%s), but not in the rows with a star\n", noise);
	else if (llabs(c->change) <= c->noise)
		out_format(o, "the same within what steps differ by themselves (%s)\n", noise);
	else
		out_format(o, "beyond what steps differ by themselves (%s)\n", noise);
}

static void put_side(struct out *o, const struct comparison *c, unsigned int side)
{
	const struct side *s = &c->sides[side];
	char spread[COLUMN], peak[COLUMN];

	out_format(o, "%s: %zu whole step%s of %zu rank%s", side_words[side], s->count, s->count == 1 ? "" : "s", s->ranks, s->ranks == 1 ? "" : "s");
	if (side_knows_spread(s))
		out_format(o, ", spread %s", column_duration((uint64_t)c->length[side].noise, spread));
	if (s->peak)
		out_format(o, ", %s of device memory at the peak of a rank", column_bytes(s->peak, peak));
	out_text(o, ": ");
	out_clean(o, c->paths[side]);
	out_char(o, '\n');
}

/* One side has the device's times, the other one has not. */
static void put_without_device(struct out *o, const struct comparison *c)
{
	for (unsigned int i = 0; i < SIDES; i++)
		if (c->sides[!i].timed)
			out_format(o, "%s has no device times: both are split by the host's calls alone; record it with --contents cpu,npu --level level1\n",
				   side_words[i]);
}

static void put_subject(struct out *o, const struct subject *s, bool many)
{
	if (s->kind == WHY_HOST_GAP) {
		out_text(o, "between ");
		out_clean(o, *s->name ? s->name : "the beginning of the trace");
		out_text(o, " and ");
		out_clean(o, many ? "other calls" : *s->detail ? s->detail
							       : "the end of the trace");
		return;
	}
	if (s->kind == WHY_IDLE)
		out_text(o, "before ");
	column_name(o, s->name);
	if (!many && !*s->detail)
		return;
	out_text(o, s->kind == WHY_HOST_CALL ? " of " : " ");
	if (many)
		out_text(o, s->kind == WHY_HOST_CALL ? "other kernels" : "of other sizes");
	else
		column_name(o, s->detail);
}

static void put_name(struct out *o, const struct comparison *c, const struct row *row)
{
	const struct row_side *a = &row->sides[SIDE_A], *b = &row->sides[SIDE_B];

	if (row->joined == JOINED_TOTAL) {
		out_text(o, "what the rows lack of the median step");
		return;
	}
	if (row->joined == JOINED_REST) {
		out_text(o, "what few steps have");
		return;
	}
	if (a->there)
		put_subject(o, subjects_get(&c->rows.names, a->subject), a->many);
	if (a->there && b->there && (a->subject != b->subject || a->many != b->many))
		out_text(o, " -> ");
	if (b->there && (!a->there || a->subject != b->subject || a->many != b->many))
		put_subject(o, subjects_get(&c->rows.names, b->subject), b->many);
	if (row->joined == JOINED_ROLE)
		out_text(o, " (by role)");
	else if (row->joined == JOINED_NOT)
		out_format(o, " (%s only)", side_words[b->there]);
}

static const char *column_signed(int64_t ns, char *text)
{
	text[0] = ns < 0 ? '-' : '+';
	column_duration((uint64_t)llabs(ns), text + 1);
	return text;
}

static const char *column_count(int64_t count, char *text)
{
	if (count % COUNT_UNIT)
		snprintf(text, COLUMN, "%.3f", (double)count / COUNT_UNIT);
	else
		snprintf(text, COLUMN, "%" PRId64, count / COUNT_UNIT);
	return text;
}

static void put_row(struct out *o, const struct comparison *c, const struct row *row)
{
	const struct row_side *a = &row->sides[SIDE_A], *b = &row->sides[SIDE_B];
	char change[COLUMN + 1], ns[2][COLUMN + 1], count[2][COLUMN];

	column_signed(a->ns, ns[0]);
	column_signed(b->ns, ns[1]);
	out_format(o, "%c %13s %+8.2f %13s %8s %13s %8s  %-12s ", row->beyond_noise ? '*' : ' ', column_signed(row->change, change),
		   c->length[SIDE_A].median ? 100.0 * (double)row->change / (double)c->length[SIDE_A].median : 0, ns[0] + (a->ns >= 0), column_count(a->count, count[0]),
		   ns[1] + (b->ns >= 0), column_count(b->count, count[1]), why_words[row->kind]);
	put_name(o, c, row);
	out_char(o, '\n');
}

static void put_others(struct out *o, const struct comparison *c, size_t from)
{
	int64_t sum = 0;
	size_t count = 0;
	char change[COLUMN + 1];

	for (size_t i = from; i < c->rows.count && c->rows.list[i].change; i++, count++)
		sum += c->rows.list[i].change;
	if (count)
		out_format(o, "  %13s in %zu more row%s: --top %zu shows them\n", column_signed(sum, change), count, count == 1 ? "" : "s", from + count);
}

void compare_text(struct out *o, const struct comparison *c, size_t top)
{
	size_t i;

	put_verdict(o, c);
	for (unsigned int side = 0; side < SIDES; side++)
		put_side(o, c, side);
	put_without_device(o, c);
	if (c->rows.list[0].change)
		out_format(o, "\n  %13s %8s %13s %8s %13s %8s  %-12s %s\n", "CHANGE", "% OF A", "A", "COUNT", "B", "COUNT", "KIND", "NAME");
	for (i = 0; i < top && i < c->rows.count && c->rows.list[i].change; i++)
		put_row(o, c, &c->rows.list[i]);
	put_others(o, c, i);
	if (c->marked)
		out_text(o, "* more than such steps differ by themselves: 3 spreads of both, and 1 % of A's step\n");
}

/* ---- JSON ---- */

static void json_side(struct out *o, const struct comparison *c, unsigned int side)
{
	const struct side *s = &c->sides[side];

	out_text(o, "{\"path\":");
	out_json(o, c->paths[side]);
	out_json_signed(o, "ranks", (int64_t)s->ranks);
	out_json_signed(o, "steps", (int64_t)s->count);
	out_json_signed(o, "median_ns", c->length[side].median);
	if (side_knows_spread(s))
		out_json_signed(o, "spread_ns", c->length[side].noise);
	else
		out_text(o, ",\"spread_ns\":null");
	out_json_truth(o, "by_device", s->by_device);
	out_json_signed(o, "peak_bytes", (int64_t)s->peak);
	out_char(o, '}');
}

static const char *const joined_words[] = {
	[JOINED_NOT] = NULL,
	[JOINED_SIZES] = "sizes",
	[JOINED_NAME] = "name",
	[JOINED_ROLE] = "role",
	[JOINED_REST] = NULL,
	[JOINED_TOTAL] = NULL,
};

/* NULL: none, or several. */
static void json_names(struct out *o, const struct comparison *c, const struct row *row)
{
	const struct row_side *a = &row->sides[SIDE_A], *b = &row->sides[SIDE_B], *first = a->there ? a : b;
	const struct subject *one = subjects_get(&c->rows.names, first->subject), *other = subjects_get(&c->rows.names, b->subject);
	bool differs = first != b && b->there && (a->subject != b->subject || a->many != b->many);

	if (!first->there)
		one = NULL;
	out_json_text(o, "name", one ? one->name : NULL);
	out_json_text(o, "detail", one && !first->many ? one->detail : NULL);
	out_json_text(o, "b_name", differs ? other->name : NULL);
	out_json_text(o, "b_detail", differs && !b->many ? other->detail : NULL);
}

static void json_count(struct out *o, const char *name, int64_t count)
{
	char text[COLUMN];

	out_json_key(o, name);
	out_text(o, column_count(count, text));
}

static void json_row(struct out *o, const struct comparison *c, const struct row *row)
{
	out_text(o, "{\"kind\":");
	out_json(o, why_words[row->kind]);
	json_names(o, c, row);
	out_json_text(o, "joined_by", joined_words[row->joined]);
	out_json_signed(o, "a_ns", row->sides[SIDE_A].ns);
	json_count(o, "a_count", row->sides[SIDE_A].count);
	out_json_signed(o, "b_ns", row->sides[SIDE_B].ns);
	json_count(o, "b_count", row->sides[SIDE_B].count);
	out_json_signed(o, "change_ns", row->change);
	out_json_truth(o, "beyond_noise", row->beyond_noise);
	out_char(o, '}');
}

static bool is_empty(const struct row *row)
{
	return row->joined == JOINED_REST && !row->sides[SIDE_A].ns && !row->sides[SIDE_B].ns && !row->sides[SIDE_A].count && !row->sides[SIDE_B].count;
}

void compare_json(struct out *o, const struct comparison *c)
{
	size_t n = 0;

	out_text(o, "{\"a\":");
	json_side(o, c, SIDE_A);
	out_json_key(o, "b");
	json_side(o, c, SIDE_B);
	out_json_signed(o, "change_ns", c->change);
	out_json_truth(o, "beyond_noise", c->noise_known && llabs(c->change) > c->noise);
	out_json_key(o, "changes");
	out_char(o, '[');
	for (size_t i = 0; i < c->rows.count; i++) {
		if (is_empty(&c->rows.list[i]))
			continue;
		out_json_comma(o, n++);
		json_row(o, c, &c->rows.list[i]);
	}
	out_text(o, "]}\n");
}
