#include "hooks/cuda/nvtx/texts.h"
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include "agent/base/hash.h"
#include "agent/os/pages.h"
#include "agent/record/handles.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"

#define CHUNK	   (256u << 10)
#define TEXTS_MOST (1u << 18) /* who registers a text anew at each step would go on for ever */

struct chunk {
	_Atomic size_t used;
	char text[CHUNK - sizeof(size_t)];
};

static struct handles texts; /* hash: a = the text */

static char *take(size_t size)
{
	static _Atomic(struct chunk *) newest;
	struct chunk *c = atomic_load(&newest), *fresh;
	size_t at;

	for (;;) {
		at = c ? atomic_fetch_add(&c->used, size) : sizeof(c->text);
		if (at < sizeof(c->text) && size <= sizeof(c->text) - at)
			return c->text + at;
		fresh = pages_take(sizeof(*fresh));
		if (!fresh)
			return NULL;
		if (atomic_compare_exchange_strong(&newest, &c, fresh))
			c = fresh;
		else
			pages_give(fresh, sizeof(*fresh));
	}
}

static char *keep(const char *text, size_t length)
{
	static _Atomic unsigned int count;
	bool room = atomic_load(&count) < TEXTS_MOST && atomic_fetch_add(&count, 1) < TEXTS_MOST;
	char *copy = room ? take(length + 1) : NULL;

	if (!copy) {
		session_beyond(LIMIT_untracked_handles, 1);
		return NULL;
	}
	memcpy(copy, text, length); /* a 0 is behind it: the pages are new */
	return copy;
}

/* A number, not an address: what is none of ours is not looked at. */
static uint64_t hash_of(const char *text, size_t length)
{
	uint64_t h = hash_bytes(HASH_BEGIN, text, length);

	return (h ^ h >> 32) | 1;
}

void *nvtx_handle_of(const char *text)
{
	size_t length = text ? strnlen(text, DEFINITION_LONGEST) : 0;
	uint64_t key = hash_of(text, length);
	struct handle_slot *s;
	char *copy;

	if (!text)
		return NULL;
	while ((s = handles_get(&texts, key)) && strncmp((const char *)(uintptr_t)atomic_load(&s->a), text, length + 1) && length < DEFINITION_LONGEST)
		key += 2;
	if (s)
		return (void *)(uintptr_t)key;
	copy = keep(text, length);
	return copy && handles_put(&texts, key, (uintptr_t)copy, 0) ? (void *)(uintptr_t)key : NULL;
}

const char *nvtx_text_of(const void *handle)
{
	struct handle_slot *s = handle ? handles_get(&texts, (uintptr_t)handle) : NULL;

	return s ? (const char *)(uintptr_t)atomic_load(&s->a) : NULL;
}
