#include "hooks/ascend/tracking/contexts.h"
#include "agent/os/slow_path.h"
#include "hooks/capture/devices.h"
#include "hooks/link/resolve.h"

struct ascend_books ascend_books;

static _Atomic uint64_t first_place;
static _Atomic(aclrtContext) first_context; /* whose is DEFAULT_STREAM */
static _Atomic uint32_t ended;		    /* counts up: a context may have the address of one that was */

aclrtContext ascend_context(void)
{
	static _Atomic(void *) cache;
	aclError (*get)(aclrtContext *) = hook_vendor(&cache, "aclrtGetCurrentContext");
	struct slow_path guard = slow_path_begin();
	uint32_t inside = producer.inside;
	aclrtContext context = NULL;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	if (!get || get(&context))
		context = NULL;
	producer.inside = inside;
	slow_path_end(guard);
	return context;
}

/* DEFAULT_STREAM was made while there was one context: it is of who is there, or, where that was another thread, of its device. */
static void learn_first(aclrtContext context)
{
	struct handle_slot *s = handles_get(&ascend_books.streams, DEFAULT_STREAM);

	if (context && (!s || stream_device((uint16_t)atomic_load(&s->a)) == ascend_device()))
		atomic_compare_exchange_strong(&first_context, &(aclrtContext){ NULL }, context);
}

void ascend_goes_to(uint64_t place)
{
	uint64_t first = 0;

	if (atomic_load(&ascend_books.several) ||
	    (place && (atomic_compare_exchange_strong(&first_place, &first, place) || first == place)))
		return;
	if (handles_get(&ascend_books.streams, DEFAULT_STREAM))
		learn_first(ascend_context());
	atomic_store(&ascend_books.several, true);
}

/* Contexts are addresses: one more is no stream's. */
uint64_t ascend_default_slowly(void)
{
	aclrtContext context = ascend_context();

	if (!atomic_load(&first_context))
		learn_first(context);
	if (!context || context == atomic_load(&first_context))
		return DEFAULT_STREAM;
	return (uintptr_t)context | 1 | (uint64_t)atomic_load(&ended) << 56;
}

void ascend_place_ends(aclrtContext context)
{
	struct handle_slot *s;

	if (!atomic_load(&ascend_books.several))
		return;
	atomic_fetch_add(&ended, 1);
	if (context && context != atomic_load(&first_context))
		return;
	s = handles_get(&ascend_books.streams, DEFAULT_STREAM);
	if (s)
		handles_forget(s);
	atomic_store(&first_context, NULL);
}
