#include "hooks/capture/streams/contexts.h"
#include <stdio.h>
#include "agent/record/launch_cache.h"
#include "hooks/capture/devices.h"
#include "agent/record/question.h"
#include "hooks/capture/streams/thread_streams.h"

void *contexts_here(const struct streams *of)
{
	struct question question = question_begin();
	void *context = of->calls->context();

	question_end(question);
	return context;
}

/* ---- devices ---- */

uint32_t contexts_device_known(const struct streams *of, int32_t number)
{
	return device_known(of->calls->devices + (uint64_t)number + 1);
}

const char *contexts_device_name(const struct streams *of, int32_t number, char *text, size_t size)
{
	char room[100];
	struct question question = question_begin();
	const char *name = of->calls->device_name(number, room, sizeof(room));

	question_end(question);
	snprintf(text, size, "%s %d", name && *name ? name : of->calls->vendor, (int)number);
	return text;
}

uint32_t contexts_device_numbered(const struct streams *of, int32_t number)
{
	char text[128];

	return number < 0 ? 0 : device_id(of->calls->devices + (uint64_t)number + 1, contexts_device_name(of, number, text, sizeof(text)));
}

int32_t contexts_number(const struct streams *of)
{
	struct question question = question_begin();
	int32_t number = of->calls->device();

	question_end(question);
	return number;
}

/* A stream belongs to the device that is its thread's when it is made. */
uint32_t contexts_device(const struct streams *of)
{
	return contexts_device_numbered(of, contexts_number(of));
}

/* ---- the default stream ---- */

/* DEFAULT_STREAM was made while there was one context: it is of who is there, or, where that was another thread, of its device. */
static void learn_first(struct streams *of, void *context)
{
	struct handle_slot *s = handles_get(&of->table, DEFAULT_STREAM);

	if (context && (!s || stream_device((uint16_t)atomic_load(&s->a)) == contexts_device(of)))
		atomic_compare_exchange_strong(&of->first_context, &(void *){ NULL }, context);
}

static bool has_default(struct streams *of)
{
	return handles_get(&of->table, DEFAULT_STREAM) || of->threads.slots;
}

static void are_several(struct streams *of)
{
	atomic_store(&of->several, true);
	launch_cache_void();
}

void contexts_go_to(struct streams *of, uint64_t place)
{
	uint64_t first = 0;

	if (atomic_load(&of->several) ||
	    (place && (atomic_compare_exchange_strong(&of->first_place, &first, place) || first == place)))
		return;
	if (has_default(of))
		learn_first(of, contexts_here(of));
	are_several(of);
}

void *contexts_before(const struct streams *of)
{
	return atomic_load(&of->several) ? NULL : contexts_here(of);
}

void contexts_left(struct streams *of, void *from)
{
	if (from && !atomic_load(&of->several) && has_default(of))
		contexts_went(of, from, contexts_here(of));
}

void contexts_went(struct streams *of, void *from, void *to)
{
	if (to)
		atomic_compare_exchange_strong(&of->first_place, &(uint64_t){ 0 }, PLACE_CONTEXT(to));
	if (atomic_load(&of->several) || !to || from == to || !has_default(of))
		return;
	if (from)
		atomic_compare_exchange_strong(&of->first_context, &(void *){ NULL }, from);
	are_several(of);
}

void *contexts_other(struct streams *of)
{
	void *context = contexts_here(of);

	if (!atomic_load(&of->first_context))
		learn_first(of, context);
	return context == atomic_load(&of->first_context) ? NULL : context;
}

/* Contexts are addresses: one more is no stream's. */
static uint64_t default_stream(struct streams *of)
{
	void *context = contexts_other(of);
	struct handle_slot *ends = context ? handles_get(&of->ends, (uintptr_t)context) : NULL;

	if (!context)
		return DEFAULT_STREAM;
	return (uintptr_t)context | 1 | (atomic_load(&of->ended) + (ends ? atomic_load(&ends->a) : 0)) << 56;
}

uint64_t contexts_special_stream(struct streams *of, void *stream)
{
	return (uintptr_t)stream <= 1 ? default_stream(of) : thread_streams_here(of);
}

/* DEFAULT_STREAM is nobody's from now on: the others have numbers by their addresses. */
static void forget_first(struct streams *of)
{
	struct handle_slot *s = handles_get(&of->table, DEFAULT_STREAM);

	if (s)
		handles_forget(s);
	atomic_store(&of->first_context, NO_CONTEXT);
}

static void count_end(struct streams *of, const void *context)
{
	struct handle_slot *s = handles_get(&of->ends, (uintptr_t)context);

	if (s)
		atomic_fetch_add(&s->a, 1);
	else
		handles_put(&of->ends, (uintptr_t)context, 1, 0);
}

void contexts_end(struct streams *of, const void *context)
{
	bool alone = !atomic_load(&of->several);

	if (alone && !has_default(of))
		return;
	if (alone) /* one behind the other */
		are_several(of);
	if (context)
		count_end(of, context);
	else
		atomic_fetch_add(&of->ended, 1);
	if (alone || !context || context == atomic_load(&of->first_context))
		forget_first(of);
	launch_cache_void();
}

void *contexts_of_device(const struct streams *of, int32_t number)
{
	void *its = of->calls->of_device ? of->calls->of_device(number) : NULL, *here = contexts_here(of);

	if (!its && contexts_number(of) == number)
		its = here;
	return here && its != here && !atomic_load(&of->several) ? NO_CONTEXT : its;
}
