#include "analysis/report/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "analysis/report/section.h"
#include "analysis/util/alloc.h"
#include "analysis/util/json_reader.h"

#define COLUMN_NAME 256 /* bytes; what is longer is cut */

struct cell {
	size_t column;
	char *text;
};

struct row {
	const struct report *of;
	char *member, *key; /* of the JSON: what tells it from the row before */
	size_t index;
	size_t first; /* cell; they end where the next row's begin */
};

/* The table of a section while its JSON is read. */
struct reading {
	const char *members; /* that are rows; "": all of it is one */
	const struct report *of;
	bool keyed; /* the member is an object of objects: a row each */
	size_t column_count, column_room, cell_count, cell_room, row_count, row_room;
	char **columns;
	struct cell *cells;
	struct row *rows;
};

static void *one_more(void *list, size_t *count, size_t *room, size_t size)
{
	if (*count == *room) {
		*room = *room ? 2 * *room : 64;
		list = alloc_grow(list, *room, size);
	}
	(*count)++;
	return list;
}

/* ---- from JSON to rows ---- */

/* Rows have their columns in one order: the next one asked for is mostly the next. */
static size_t column_of(struct reading *t, const char *name)
{
	const struct row *row = &t->rows[t->row_count - 1];
	size_t next = t->cell_count > row->first ? t->cells[t->cell_count - 1].column + 1 : 0;

	for (size_t i = 0; i < t->column_count; i++) {
		size_t column = (next + i) % t->column_count;

		if (!strcmp(t->columns[column], name))
			return column;
	}
	t->columns = one_more(t->columns, &t->column_count, &t->column_room, sizeof(*t->columns));
	t->columns[t->column_count - 1] = alloc_text(name, strlen(name));
	return t->column_count - 1;
}

/* The row's cell that is there; NULL: none, as of columns that come in their order. */
static struct cell *cell_of(struct reading *t, size_t column)
{
	size_t i = t->cell_count, first = t->rows[t->row_count - 1].first;

	if (i == first || t->cells[i - 1].column < column)
		return NULL;
	while (i > first && t->cells[i - 1].column != column)
		i--;
	return i > first ? &t->cells[i - 1] : NULL;
}

/* Of a list inside of a row all values are one cell. */
static void add_cell(struct reading *t, const char *name, const char *text)
{
	size_t column = column_of(t, name);
	struct cell *there = text ? cell_of(t, column) : NULL;

	if (!text)
		return;
	if (there) {
		char *joined = alloc_format("%s;%s", there->text, text);

		free(there->text);
		there->text = joined;
		return;
	}
	t->cells = one_more(t->cells, &t->cell_count, &t->cell_room, sizeof(*t->cells));
	t->cells[t->cell_count - 1] = (struct cell){ column, alloc_text(text, strlen(text)) };
}

static void begin_row(struct reading *t, const char *member, const char *key, size_t index)
{
	const struct row *last = t->row_count ? &t->rows[t->row_count - 1] : NULL;

	if (last && last->of == t->of && last->index == index && !strcmp(last->member, member) && !strcmp(last->key, key))
		return;
	t->rows = one_more(t->rows, &t->row_count, &t->row_room, sizeof(*t->rows));
	t->rows[t->row_count - 1] = (struct row){
		.of = t->of,
		.member = alloc_text(member, strlen(member)),
		.key = alloc_text(key, strlen(key)),
		.index = index,
		.first = t->cell_count,
	};
	if (*key)
		add_cell(t, "name", key);
}

static bool is_new_member(const struct reading *t, const char *member)
{
	const struct row *last = t->row_count ? &t->rows[t->row_count - 1] : NULL;

	return !last || last->of != t->of || strcmp(last->member, member) != 0;
}

/* The keys behind those that tell the row, dots between. */
static void name_column(char *name, const struct json_leaf *leaf, unsigned int from)
{
	size_t n = 0;

	name[0] = '\0';
	for (unsigned int i = from; i < leaf->depth && n < COLUMN_NAME; i++)
		if (*leaf->path[i])
			n += (size_t)snprintf(name + n, COLUMN_NAME - n, "%s%s", n ? "." : "", leaf->path[i]);
	if (!n)
		snprintf(name, COLUMN_NAME, "value");
}

static bool is_of_every_row(const char *column)
{
	return !strcmp(column, "rank") || !strcmp(column, "worker_group") || !strcmp(column, "pid");
}

static void take_leaf(void *context, const struct json_leaf *leaf)
{
	struct reading *t = context;
	const char *member = leaf->path[0];
	char name[COLUMN_NAME];
	unsigned int from = 0;

	if (!*member)
		return; /* what stands before the section's own */
	if (!*t->members) {
		begin_row(t, "", "", 0);
	} else if (leaf->depth < 2 || !section_is_among(t->members, member)) {
		return;
	} else if (!*leaf->path[1]) {
		from = 2;
		begin_row(t, member, "", leaf->index);
	} else {
		if (is_new_member(t, member))
			t->keyed = leaf->depth > 2;
		from = t->keyed ? 2 : 1;
		begin_row(t, member, t->keyed ? leaf->path[1] : "", 0);
	}
	name_column(name, leaf, from);
	if (!is_of_every_row(name))
		add_cell(t, name, leaf->text);
}

/* What the section says of a process, as an object. For free(); NULL with the reason in errno. */
static char *json_of(const struct section *section, const struct report *r)
{
	struct out *o = alloc_zero(1, sizeof(*o));
	char *text = NULL;

	o->fd = (int)syscall(SYS_memfd_create, "ranktrace report", 1 /* MFD_CLOEXEC */);
	out_text(o, "{\"\":0");
	section->json(o, r);
	out_char(o, '}');
	out_flush(o);
	if (!o->error) {
		text = alloc_zero(o->written + 1, 1);
		if (pread(o->fd, text, o->written, 0) != (ssize_t)o->written)
			text[0] = '\0';
	}
	if (o->fd >= 0)
		close(o->fd);
	errno = o->error;
	free(o);
	return text;
}

/* ---- from rows to CSV ---- */

static void put_head(struct out *o, const struct reading *t, bool several)
{
	out_text(o, several ? "rank,worker_group,pid,table" : "rank,worker_group,pid");
	for (size_t i = 0; i < t->column_count; i++) {
		out_char(o, ',');
		out_csv(o, t->columns[i]);
	}
	out_char(o, '\n');
}

static void put_row(struct out *o, const struct reading *t, size_t number, const char **cells, bool several)
{
	const struct row *row = &t->rows[number];
	size_t end = number + 1 < t->row_count ? row[1].first : t->cell_count;
	const char *group = report_fact(row->of, "worker_group");

	if (row->of->has_rank)
		out_i64(o, row->of->rank);
	out_char(o, ',');
	out_csv(o, *group ? group : NULL);
	out_char(o, ',');
	out_u64(o, row->of->pid);
	if (several) {
		out_char(o, ',');
		out_csv(o, row->member);
	}
	memset(cells, 0, t->column_count * sizeof(*cells));
	for (size_t i = row->first; i < end; i++)
		cells[t->cells[i].column] = t->cells[i].text;
	for (size_t i = 0; i < t->column_count; i++) {
		out_char(o, ',');
		out_csv(o, cells[i]);
	}
	out_char(o, '\n');
}

static void put_table(struct out *o, const struct reading *t)
{
	const char **cells = alloc_zero(t->column_count + 1, sizeof(*cells));
	bool several = strchr(t->members, ',');

	put_head(o, t, several);
	for (size_t i = 0; i < t->row_count; i++)
		put_row(o, t, i, cells, several);
	free(cells);
}

static void forget(struct reading *t)
{
	for (size_t i = 0; i < t->column_count; i++)
		free(t->columns[i]);
	for (size_t i = 0; i < t->cell_count; i++)
		free(t->cells[i].text);
	for (size_t i = 0; i < t->row_count; i++) {
		free(t->rows[i].member);
		free(t->rows[i].key);
	}
	free(t->columns);
	free(t->cells);
	free(t->rows);
}

static void put_section(struct out *o, const struct section *section, const char *name, const struct report *reports, size_t count)
{
	struct reading t = { .members = section->csv ? section->csv : name };

	for (size_t i = 0; i < count; i++) {
		char *text = json_of(section, &reports[i]);

		t.of = &reports[i];
		if (!text || json_read(text, take_leaf, &t))
			o->error = o->error ? o->error : text ? EINVAL
							      : errno;
		free(text);
	}
	put_table(o, &t);
	forget(&t);
}

void report_csv(struct out *o, const struct report *reports, size_t count, const struct shown *shown)
{
	const char *const *names = section_json_names();
	bool several = !shown->only || strchr(shown->only, ',');
	size_t tables = 0;

	for (size_t i = 0; i < SECTIONS; i++) {
		if (!section_list[i]->json || !section_is_among(shown->only, names[i]))
			continue;
		if (several)
			out_format(o, "%s# %s\n", tables ? "\n" : "", names[i]);
		tables++;
		put_section(o, section_list[i], names[i], reports, count);
	}
}
