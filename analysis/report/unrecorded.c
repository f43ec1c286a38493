/* unrecorded.c - section: calls that level or contents left out, by entry point. */
#include "analysis/report/unrecorded.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/report/section.h"
#include "analysis/trace/words.h"
#include "config/config.h"
#include "hooks/rows/table.h"

const char *unrecorded_name(const struct key_value *fact)
{
	const size_t skip = strlen("unrecorded.");

	return strncmp(fact->key, "unrecorded.", skip) ? NULL : fact->key + skip;
}

/* ---- as a line ---- */

static enum event_kind kind_of(const char *entry_point)
{
	for (unsigned int i = 0; i < hook_row_count; i++)
		if (!strcmp(hook_rows[i].name, entry_point) && hook_rows[i].kind < EV_KINDS)
			return hook_rows[i].kind;
	return EV_KINDS;
}

struct unrecorded {
	uint64_t calls, names, most;
	const char *which; /* of most */
	int level;	   /* that records them all */
	bool memory;	   /* allocations are among them */
};

static void add(struct unrecorded *u, const char *name, uint64_t calls)
{
	enum event_kind kind = kind_of(name);

	u->calls += calls;
	u->names++;
	u->memory |= kind_wants_memory[kind];
	if (kind_levels[kind] > u->level)
		u->level = kind_levels[kind];
	if (calls > u->most) {
		u->most = calls;
		u->which = name;
	}
}

/* What brings them, as far as it was not given. */
static void put_remedy(struct out *o, const struct report *r, const struct unrecorded *u)
{
	bool memory = u->memory && !strstr(report_fact(r, "contents"), "memory"), level;
	int asked = 3;

	while (asked && strcmp(level_words[asked], report_fact(r, "level")))
		asked--;
	level = u->level + 1 > asked;
	if (level || memory)
		out_text(o, ": give ");
	if (level)
		out_format(o, "--level %s", level_words[u->level + 1]);
	if (memory)
		out_format(o, "%smemory in --contents", level ? " and " : "");
}

void unrecorded_line(struct out *o, const struct report *r)
{
	struct unrecorded u = { .which = "", .level = LEVEL_NONE };

	for (size_t i = 0; i < r->facts.count; i++) {
		const char *name = unrecorded_name(&r->facts.list[i]);

		if (name)
			add(&u, name, key_values_number(&r->facts, r->facts.list[i].key, 0));
	}
	if (!u.calls)
		return;
	out_format(o, "%" PRIu64 " call%s of %" PRIu64 " entry point%s %s not recorded because of "
		      "level or contents (most: %" PRIu64 " of %s)",
		   u.calls, u.calls == 1 ? "" : "s", u.names, u.names == 1 ? "" : "s", u.calls == 1 ? "is" : "are", u.most, u.which);
	put_remedy(o, r, &u);
	out_char(o, '\n');
}

/* ---- as JSON ---- */

static void json(struct out *o, const struct report *r)
{
	size_t n = 0;

	out_json_key(o, "unrecorded");
	out_char(o, '{');
	for (size_t i = 0; i < r->facts.count; i++) {
		const char *name = unrecorded_name(&r->facts.list[i]);

		if (!name)
			continue;
		out_json_comma(o, n++);
		out_json(o, name);
		out_char(o, ':');
		out_u64(o, key_values_number(&r->facts, r->facts.list[i].key, 0));
	}
	out_char(o, '}');
}

const struct section unrecorded_section = { .json = json, .csv = "" };
