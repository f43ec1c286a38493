/* given.h - what each thread has made for operators and given to none yet, and the phase that it is in. shapes.h tells what that is for. */
#pragma once
#include "agent/format/trace_file.h"
#include "agent/record/producer.h"
#include "agent/session/session.h"
#include "hooks/ascend/abi/abi.h"

#define GIVEN_THREADS 4096 /* that make tensors at a time; those beyond have no shapes */

/* As CANN was told of it. */
struct made_tensor {
	const void *tensor;
	const void *list; /* that it is in; NULL: none */
	uint64_t hash;
	uint64_t kind;	/* GIVEN_KIND() */
	uint64_t count; /* of dimensions; the first of them: */
	int64_t dimension[SHAPES_DIMENSIONS];
};
#define GIVEN_KIND(type, format) ((uint64_t)(uint32_t)(type) << 32 | (uint32_t)(format))
#define GIVEN_TYPE(kind)	 ((aclDataType)((kind) >> 32))
#define GIVEN_FORMAT(kind)	 ((aclFormat)(uint32_t)(kind))

struct given {
	_Atomic uint32_t generation; /* of the session that the thread belongs to; 0: nobody's */
	uint32_t count, left_out;
	const void *phase; /* lowest address of the frame of the phase that it is in; NULL: none */
	uint64_t key;
	uint8_t order[SHAPES_TENSORS]; /* number of the one that comes first, and so on: as they were made, until they have a name */
	struct made_tensor made[SHAPES_TENSORS];
};
extern struct given given_of_threads[GIVEN_THREADS] OURS;

/* NULL: this thread has made none. A forked child's is not its parent's. */
ALWAYS_INLINE struct given *given_known(void)
{
	size_t number = producer.guest;
	struct given *g;

	if (UNLIKELY(!number))
		return NULL;
	g = &given_of_threads[number - 1];
	__asm__(""
		: "+r"(g)); /* one pointer: the compiler would find it anew from the number at each use */
	if (!g)
		__builtin_unreachable();
	return LIKELY(atomic_load_explicit(&g->generation, memory_order_relaxed) == session_generation) ? g : NULL;
}

/* This thread has none yet. NULL: it gets none. */
struct given *given_first(void);

ALWAYS_INLINE struct given *given_mine(void)
{
	struct given *g = given_known();

	return LIKELY(g) ? g : given_first();
}

/* Its thread ends: whatever it was given is nobody's. */
void given_thread_ends(void);

/* Not if that was left by a jump: then its tensors are nobody's. */
bool given_still_in_phase(struct given *g, const void *place);

/* Is this thread inside a phase, as it calls from this place of its stack? */
ALWAYS_INLINE bool given_in_phase(struct given *g, const void *place)
{
	if (LIKELY(!g->phase))
		return false;
	return given_still_in_phase(g, place);
}

/* They are an operator's now. */
ALWAYS_INLINE void given_take(struct given *g)
{
	g->count = g->left_out = 0;
	g->key = 0;
}
