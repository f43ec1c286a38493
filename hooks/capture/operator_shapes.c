#include "hooks/capture/operator_shapes.h"
#include <string.h>
#include "agent/session/definitions.h"
#include "hooks/capture/interned_names.h"

#define DIFFERENT 65536 /* operators with shapes that a session defines; those beyond have a name only */

struct handles operator_shapes_launches;
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

static uint64_t word_of(const struct def_tensor *d, unsigned int n)
{
	uint64_t word;

	memcpy(&word, (const char *)d + 8 * n, sizeof(word));
	return word;
}

static uint64_t hash_of(const struct operator_shapes *given)
{
	uint64_t joined = 0;

	for (unsigned int i = 0; i < given->count; i++) {
		const struct def_tensor *d = &given->tensors[i];
		uint64_t h = 0;

		for (unsigned int n = 0; n <= d->dimensions; n++)
			h = operator_shapes_more(h, word_of(d, n), 0);
		joined = operator_shapes_join(joined, i, h);
	}
	return joined;
}

static uint64_t define(uint64_t name, const struct def_shapes *shapes, const uint8_t *bytes, size_t size)
{
	struct def_launch launch = { .name = name };
	uint64_t id = definitions_id();

	if (!session_has_room(&different, DIFFERENT, LIMIT_unshaped_operators))
		return 0;
	if (!definitions_add(DEF_SHAPES, id, shapes, sizeof(*shapes), bytes, size) ||
	    !definitions_add(DEF_LAUNCH, id, &launch, sizeof(launch), NULL, 0))
		return 0;
	return id;
}

/*
 * Threads that meet the same operator at once would each define it, and fill the room for them. So one of them says that it does. Others
 * wait for it, but not for ever: it may be one that we interrupt.
 */
#define WAITS 2000
static _Atomic uint64_t being_defined[64]; /* key; 0: nobody's */

static uint64_t others_number(_Atomic uint64_t *by, uint64_t key)
{
	uint64_t known = operator_shapes_known(key);

	for (int i = 0; i < WAITS && !known && atomic_load(by) == key; i++)
		known = operator_shapes_known(key);
	return known ? known : operator_shapes_known(key);
}

uint64_t operator_shapes_define(uint64_t key, uint64_t name, const struct def_shapes *shapes, const uint8_t *bytes, size_t size)
{
	_Atomic uint64_t *by = &being_defined[key / 4 % 64];
	uint64_t nobody = 0, id;
	bool is_ours = atomic_compare_exchange_strong(by, &nobody, key);

	if (is_ours)
		id = operator_shapes_known(key);
	else
		id = nobody == key ? others_number(by, key) : 0;
	if (!id) {
		id = define(name, shapes, bytes, size);
		if (id)
			handles_put(&operator_shapes_launches, key, id, 0);
	}
	if (is_ours)
		atomic_store(by, 0);
	return id ? id : launch_id(name, 0, NULL, NULL);
}

static NOINLINE uint64_t define_given(uint64_t key, uint64_t name, const struct def_shapes *shapes, const struct operator_shapes *given)
{
	uint8_t bytes[SHAPES_TENSORS * sizeof(struct def_tensor)];

	return operator_shapes_define(key, name, shapes, bytes, write_tensors(given, bytes));
}

uint64_t operator_shapes_launch(uint64_t name, const struct operator_shapes *given)
{
	struct def_shapes shapes = { given->count, given->left_out };
	uint64_t key, known;

	if (!given->count)
		return launch_id(name, 0, NULL, NULL);
	key = operator_shapes_key(name, shapes, hash_of(given));
	known = operator_shapes_known(key);
	return known ? known : define_given(key, name, &shapes, given);
}
