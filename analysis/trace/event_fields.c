#include "analysis/trace/event_fields.h"

const char *const data_words[DATA_COUNT] = {
#define TYPE(symbol, word, bits) word,
	DATA_TYPES(TYPE)
#undef TYPE
};

const char *const format_words[FORMAT_COUNT] = {
#define FORMAT(symbol, word) word,
	TENSOR_FORMATS(FORMAT)
#undef FORMAT
};

static const char *const reduction_words[REDUCE_COUNT] = {
#define REDUCTION(symbol, word) word,
	REDUCTIONS(REDUCTION)
#undef REDUCTION
};

struct sayer {
	struct said *said;
	size_t n;
};

static void say(struct sayer *s, const char *key, const char *text)
{
	if (text && *text)
		s->said[s->n++] = (struct said){ .key = key, .text = text };
}

static void say_number(struct sayer *s, const char *key, int64_t number)
{
	s->said[s->n++] = (struct said){ .key = key, .number = number };
}

static void say_communicator(struct sayer *s, const struct communicator *c)
{
	if (!c)
		return;
	say(s, "communicator", c->name);
	if (c->def.rank >= 0)
		say_number(s, "communicator_rank", c->def.rank);
	if (c->def.size)
		say_number(s, "communicator_size", c->def.size);
	say(s, "communicator_group", c->group);
}

static void say_collective(struct sayer *s, const struct collective *c)
{
	say_communicator(s, c->communicator);
	if (c->def.count)
		say_number(s, "count", (int64_t)c->def.count);
	say(s, "type", data_words[c->def.type]);
	say(s, "reduction", reduction_words[c->def.reduction]);
	if (c->def.peer >= 0)
		say_number(s, "peer", c->def.peer);
}

static void say_known(struct sayer *s, const char *key, int64_t number)
{
	if (number >= 0)
		say_number(s, key, number);
}

static void say_communication(struct sayer *s, const struct communication *c)
{
	if (!c)
		return;
	say(s, "operation", c->op);
	say(s, "group", c->group);
	say_known(s, "count", c->count);
	say(s, "type", c->type);
	say_known(s, "stream_id", c->stream);
	say_known(s, "source_rank", c->source);
	say_known(s, "destination_rank", c->destination);
}

/* A range's start and end say the same number. */
static void say_marker(struct sayer *s, const struct marker *m, uint64_t range)
{
	say(s, "domain", m ? m->domain : NULL);
	say(s, "message", m ? m->message : NULL);
	say_communication(s, m ? m->communication : NULL);
	if (range)
		say_number(s, "range", (int64_t)range);
}

static void say_pool(struct sayer *s, const struct pool *pool)
{
	if (!pool)
		return;
	say(s, "domain", pool->domain);
	say_number(s, "device", pool->def.device);
}

size_t said_of(const struct trace_event *ev, struct said said[SAID_MAX])
{
	struct sayer s = { .said = said };

	if (ev->kind == EV_COLLECTIVE && ev->definition)
		say_collective(&s, ev->definition);
	else if (ev->kind == EV_COMMUNICATOR)
		say_communicator(&s, ev->definition);
	else if (ev->kind == EV_MARKER)
		say_marker(&s, ev->definition, ev->bytes);
	else if (ev->kind == EV_POOL_ALLOC || ev->kind == EV_POOL_FREE)
		say_pool(&s, ev->definition);
	if (ev->items)
		say_number(&s, "items", (int64_t)ev->items);
	return s.n;
}

size_t said_of_marker(const struct marker *m, struct said said[SAID_MAX])
{
	struct sayer s = { .said = said };

	say_marker(&s, m, 0);
	return s.n;
}
