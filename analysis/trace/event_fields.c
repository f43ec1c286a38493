#include "analysis/trace/event_fields.h"

#include "analysis/trace/words.h"

struct field_list {
	struct field *fields;
	size_t n;
};

static void add(struct field_list *l, const char *key, const char *text)
{
	if (text && *text)
		l->fields[l->n++] = (struct field){ .key = key, .text = text };
}

static void add_number(struct field_list *l, const char *key, int64_t number)
{
	l->fields[l->n++] = (struct field){ .key = key, .number = number };
}

static void add_communicator(struct field_list *l, const struct communicator *c)
{
	if (!c)
		return;
	add(l, "communicator", c->name);
	if (c->def.rank >= 0)
		add_number(l, "communicator_rank", c->def.rank);
	if (c->def.size)
		add_number(l, "communicator_size", c->def.size);
	add(l, "communicator_group", c->group);
}

static void add_collective(struct field_list *l, const struct collective *c)
{
	add_communicator(l, c->communicator);
	if (c->def.count)
		add_number(l, "count", (int64_t)c->def.count);
	add(l, "type", data_words[c->def.type]);
	add(l, "reduction", reduction_words[c->def.reduction]);
	if (c->def.peer >= 0)
		add_number(l, "peer", c->def.peer);
}

static void add_known(struct field_list *l, const char *key, int64_t number)
{
	if (number >= 0)
		add_number(l, key, number);
}

static void add_communication(struct field_list *l, const struct communication *c)
{
	if (!c)
		return;
	add(l, "operation", c->op);
	add(l, "group", c->group);
	add_known(l, "count", c->count);
	add(l, "type", c->type);
	add_known(l, "stream_id", c->stream);
	add_known(l, "source_rank", c->source);
	add_known(l, "destination_rank", c->destination);
}

/* A range's start and end add the same number. */
static void add_marker(struct field_list *l, const struct marker *m, uint64_t range)
{
	add(l, "domain", m ? m->domain : NULL);
	add(l, "message", m ? m->message : NULL);
	add_communication(l, m ? m->communication : NULL);
	if (range)
		add_number(l, "range", (int64_t)range);
}

static void add_pool(struct field_list *l, const struct trace_event *ev)
{
	const struct pool *pool = ev->definition;

	if (pool) {
		add(l, "domain", pool->domain);
		add_number(l, "device", pool->def.device);
	}
	if (!ev->has_totals)
		return;
	add_number(l, "allocated", (int64_t)ev->allocated);
	add_number(l, "reserved", (int64_t)ev->reserved);
}

size_t event_fields(const struct trace_event *ev, struct field fields[EVENT_FIELDS_MAX])
{
	struct field_list l = { .fields = fields };

	if (ev->kind == EV_COLLECTIVE && ev->definition)
		add_collective(&l, ev->definition);
	else if (ev->kind == EV_COMMUNICATOR)
		add_communicator(&l, ev->definition);
	else if (ev->kind == EV_MARKER)
		add_marker(&l, ev->definition, ev->bytes);
	else if (ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE)
		add_pool(&l, ev);
	if (ev->items)
		add_number(&l, "items", (int64_t)ev->items);
	return l.n;
}

enum { PLACE_ROLE,
       PLACE_OCCURRENCE,
       PLACE_MINI,
       PLACE_MICRO };
const char *const place_keys[PLACE_FIELDS_MAX] = { "role", "occurrence", "mini", "micro" };

size_t event_fields_of_place(const struct step_place *place, struct field fields[PLACE_FIELDS_MAX])
{
	struct field_list l = { .fields = fields };

	if (!place)
		return 0;
	if (place->stage) {
		add(&l, place_keys[PLACE_ROLE], place->stage->role);
		add_number(&l, place_keys[PLACE_OCCURRENCE], place->stage->def.occurrence);
	}
	add_known(&l, place_keys[PLACE_MINI], place->def.mini);
	add_known(&l, place_keys[PLACE_MICRO], place->def.micro);
	return l.n;
}

size_t event_fields_of_marker(const struct marker *m, struct field fields[EVENT_FIELDS_MAX])
{
	struct field_list l = { .fields = fields };

	add_marker(&l, m, 0);
	return l.n;
}

bool event_has_bytes(const struct trace_event *ev)
{
	return (ev->bytes && ev->kind != EV_MARKER) || ev->kind == EV_COPY || ev->kind == EV_FILL || ev->kind == EV_ALLOC ||
	       ev->kind == EV_POOL_ALLOC;
}
