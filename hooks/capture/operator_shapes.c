#include "hooks/capture/operator_shapes.h"
#include <string.h>
#include "agent/record/handles.h"
#include "agent/record/recent_keys.h"
#include "agent/session/definitions.h"
#include "hooks/capture/interned_names.h"

#define DIFFERENT 65536 /* operators with shapes that a session defines; those beyond have a name only */

static struct handles launches;	   /* hash of name and tensors: a = DEF_LAUNCH id */
static _Atomic uint64_t different; /* generation << 32 | how many */

static size_t write_tensors(const struct operator_shapes *given, uint8_t bytes[SHAPES_TENSORS * sizeof(struct def_tensor)])
{
	size_t n = 0;

	for (unsigned int i = 0; i < given->count; i++) {
		size_t size = DEF_TENSOR_BYTES(given->tensors[i].dimensions);

		memcpy(bytes + n, &given->tensors[i], size);
		n += size;
	}
	return n;
}

static uint64_t folded(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t word_of(const struct def_tensor *d, unsigned int n)
{
	uint64_t word;

	memcpy(&word, (const char *)d + 8 * n, sizeof(word));
	return word;
}

/* A sum over pairs of words, each with factors of its place: none waits for another, as in a chain of products. */
static uint64_t hash_of(uint64_t name, const struct operator_shapes *given)
{
	uint64_t h = 0, a = 0xA0761D6478BD642Full, b = 0xE7037ED1A0B428DBull;

	for (unsigned int i = 0; i < given->count; i++) {
		const struct def_tensor *d = &given->tensors[i];

		for (unsigned int n = 0; n <= d->dimensions; n += 2) {
			h += folded(word_of(d, n) ^ a, (n < d->dimensions ? word_of(d, n + 1) : 0) ^ b);
			a += 0x9E3779B97F4A7C15ull;
			b += 0xC2B2AE3D27D4EB4Full;
		}
	}
	return recent_keys_of(recent_keys_of(name << 32 | session_generation, (uint64_t)given->left_out << 32 | given->count), h);
}

static uint64_t define(uint64_t name, const struct operator_shapes *given)
{
	uint8_t bytes[SHAPES_TENSORS * sizeof(struct def_tensor)];
	size_t size = write_tensors(given, bytes);
	struct def_launch launch = { .name = name };
	struct def_shapes shapes = { .tensors = given->count, .left_out = given->left_out };
	uint64_t id = definitions_id();

	if (!session_has_room(&different, DIFFERENT, LIMIT_unshaped_operators))
		return 0;
	if (!definitions_add(DEF_SHAPES, id, &shapes, sizeof(shapes), bytes, size) ||
	    !definitions_add(DEF_LAUNCH, id, &launch, sizeof(launch), NULL, 0))
		return 0;
	return id;
}

uint64_t operator_shapes_launch(uint64_t name, const struct operator_shapes *given)
{
	struct handle_slot *s;
	uint64_t hash, id;

	if (!given || !given->count)
		return launch_id(name, 0, NULL, NULL);
	hash = hash_of(name, given);
	s = handles_get(&launches, hash);
	if (LIKELY(s))
		return atomic_load_explicit(&s->a, memory_order_relaxed);
	id = define(name, given);
	if (!id)
		return launch_id(name, 0, NULL, NULL);
	handles_put(&launches, hash, id, 0);
	return id;
}
