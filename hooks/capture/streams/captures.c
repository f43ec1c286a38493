#include "hooks/capture/streams/captures.h"

/* A context's default stream, NULL, takes none. */
static struct handle_slot *slot(struct streams *of, void *stream, uint64_t *key)
{
	*key = stream ? contexts_key(of, stream) : 0;
	return handles_get(&of->captures, *key);
}

void captures_begin(struct streams *of, void *stream)
{
	uint64_t key;
	struct handle_slot *s = slot(of, stream, &key);
	void *context = atomic_load(&of->several) ? contexts_here(of) : NULL;

	if (!s && !handles_put(&of->captures, key, 1, (uintptr_t)context))
		return;
	if (s)
		atomic_fetch_add(&s->a, 1);
	atomic_fetch_add(&of->capturing, 1);
	atomic_fetch_add(&of->capture_changes, 1);
}

void captures_end(struct streams *of, void *stream)
{
	uint64_t key;
	struct handle_slot *s = slot(of, stream, &key);

	if (!s)
		return;
	if (atomic_fetch_sub(&s->a, 1) == 1)
		handles_forget(s);
	atomic_fetch_sub(&of->capturing, 1);
	atomic_fetch_add(&of->capture_changes, 1);
}

bool captures_has(struct streams *of, void *stream)
{
	uint64_t key;

	return slot(of, stream, &key);
}

uint32_t captures_changes(const struct streams *of)
{
	return atomic_load(&of->capture_changes);
}

static void drop(struct streams *of, struct handle_slot *s)
{
	atomic_fetch_sub(&of->capturing, (int)atomic_exchange(&s->a, 0));
	handles_forget(s);
	atomic_fetch_add(&of->capture_changes, 1);
}

void captures_stream_ends(struct streams *of, void *stream)
{
	uint64_t key;
	struct handle_slot *s = captures_any(of) ? slot(of, stream, &key) : NULL;

	if (s)
		drop(of, s);
}

struct end {
	struct streams *of;
	const void *context;
};

/* One that began when there was one context is of the first that ends. */
static void drop_its(struct handle_slot *s, void *end)
{
	const struct end *e = end;
	uintptr_t context = (uintptr_t)atomic_load(&s->b);

	if (!context || context == (uintptr_t)e->context)
		drop(e->of, s);
}

void captures_context_ends(struct streams *of, const void *context)
{
	if (context && captures_any(of))
		handles_each(&of->captures, drop_its, &(struct end){ of, context });
}
