#include "hooks/capture/communicators/communicators.h"
#include <string.h>
#include <unistd.h>
#include "agent/base/hash.h"
#include "agent/session/definitions.h"
#include "agent/session/device_ranks.h"
#include "agent/session/identity.h"
#include "agent/session/session.h"
#include "agent/steps/steps.h"
#include "agent/record/question.h"

static struct handles collectives; /* hash of what it is given: a = DEF_COLLECTIVE id */

/* ---- groups ---- */

/* Neither NO_GROUP nor BY_NAME, and no empty key of a table. */
static uint64_t hash_of(const void *bytes, size_t size)
{
	return hash_bytes(HASH_BEGIN, bytes, size) | 3;
}

uint64_t communicators_met(const void *bytes, size_t size)
{
	return hash_of(bytes, size);
}

uint64_t communicators_part(struct communicators *of, const void *whole, uint64_t number, const uint32_t *ranks, uint32_t count)
{
	struct handle_slot *s = whole ? handles_get(&of->groups, (uintptr_t)whole) : NULL;
	uint64_t key[] = { s ? atomic_load(&s->a) : NO_GROUP, number };

	return hash_bytes(hash_of(key, sizeof(key)), ranks, ranks ? count * sizeof(*ranks) : 0) | 3;
}

uint64_t communicators_named(const char *name)
{
	return name && *name ? hash_of(name, strlen(name)) : NO_GROUP;
}

/* ---- communicators ---- */

static uint32_t device_of(const struct communicators *of, int32_t number)
{
	return number == THREAD_S_DEVICE ? contexts_device(of->streams) : contexts_device_numbered(of->streams, number);
}

static void define(struct communicators *of, void *comm, const struct communicator *known, const char *name, uint32_t device)
{
	static _Atomic uint64_t count;
	struct def_communicator d = { .handle = (uintptr_t)comm,
				      .group = known->group == BY_NAME ? communicators_named(name) : known->group,
				      .rank = known->rank,
				      .size = known->size };
	uint64_t id;
	bool news;

	handles_put(&of->groups, d.handle, d.group, d.size);
	id = atomic_fetch_add(&count, 1) + 1;
	if (definitions_add(DEF_COMMUNICATOR, id, &d, sizeof(d), name, strlen(name)))
		handles_put(&of->ids, d.handle, id, session_generation);
	news = device_ranks_told(d.group, d.rank, d.size, device);
	if ((known->alone && identity_told_world(d.rank, d.size)) || news)
		steps_rank_is_known();
}

void communicators_new(struct communicators *of, void *comm, struct communicator known, bool may_ask)
{
	char name[NAME_BYTES + 1] = "";
	struct question question;
	uint32_t device;

	if (!comm || !record_may_learn())
		return;
	question = question_begin();
	if (may_ask)
		of->ask(comm, &known, name);
	device = device_of(of, known.device);
	question_end(question);
	define(of, comm, &known, name, device);
}

/* No other process has this group. */
static uint64_t group_here(const void *comms)
{
	uint64_t key[] = { (uintptr_t)comms, (uint64_t)getpid(), clock_ticks() };

	return hash_of(key, sizeof(key));
}

void communicators_new_all(struct communicators *of, void *const *comms, const int32_t *devices, uint32_t count, bool may_ask)
{
	uint64_t group = group_here(comms);

	for (uint32_t i = 0; i < count; i++)
		communicators_new(of, comms[i],
				  (struct communicator){ (int32_t)i, count, group, devices ? devices[i] : (int32_t)i, count == 1 }, may_ask);
}

static void forget(struct handles *table, const void *comm)
{
	struct handle_slot *s = comm ? handles_get(table, (uintptr_t)comm) : NULL;

	if (s)
		handles_forget(s);
}

void communicators_end(struct communicators *of, void *comm)
{
	source_collective_forget(comm);
	forget(&of->ids, comm);
	forget(&of->groups, comm);
}

uint64_t communicators_id(struct communicators *of, const void *comm)
{
	struct handle_slot *s = comm ? handles_get(&of->ids, (uintptr_t)comm) : NULL;

	return s && atomic_load(&s->b) == session_generation ? atomic_load(&s->a) : 0;
}

/* Made where we did not look. */
static void new_unseen(struct communicators *of, void *comm, bool may_ask)
{
	communicators_new(of, comm, (struct communicator){ -1, 0, NO_GROUP, THREAD_S_DEVICE, true }, may_ask);
}

/* ---- collectives ---- */

unsigned int communicators_bits(uint32_t type)
{
	static const unsigned char bits_of[] = {
#define TYPE(symbol, word, bits) [DATA_##symbol] = bits,
		DATA_TYPES(TYPE)
#undef TYPE
	};

	return bits_of[type];
}

static uint64_t define_collective(uint64_t hash, const struct def_collective *d)
{
	uint64_t id = definitions_id();

	if (!definitions_add(DEF_COLLECTIVE, id, d, sizeof(*d), NULL, 0))
		return 0;
	handles_put(&collectives, hash, id, 0);
	return id;
}

static uint64_t collective_id(const struct def_collective *d)
{
	uint64_t key[] = { session_generation, d->communicator, d->count, d->type, d->reduction, (uint64_t)d->peer };
	uint64_t hash = hash_of(key, sizeof(key));
	struct handle_slot *s = handles_get(&collectives, hash);

	return s ? atomic_load(&s->a) : define_collective(hash, d);
}

uint64_t communicators_collective(struct communicators *of, const struct collective *call, bool good, bool may_ask, uint64_t *bytes)
{
	struct def_collective d = { .count = call->count, .type = call->type, .reduction = call->reduction, .peer = call->peer };

	if (good && !communicators_id(of, call->comm))
		new_unseen(of, call->comm, may_ask);
	d.communicator = communicators_id(of, call->comm);
	*bytes = d.count * communicators_bits(d.type) / 8;
	return collective_id(&d);
}

void communicators_tick(struct communicators *of, const char *name, void *comm, bool may_ask)
{
	struct handle_slot *s;

	if (!comm || !source_collective_matches(name))
		return;
	if (may_ask && !handles_get(&of->groups, (uintptr_t)comm))
		new_unseen(of, comm, may_ask);
	s = handles_get(&of->groups, (uintptr_t)comm);
	source_collective_called(comm, s ? (uint32_t)atomic_load(&s->b) : 0);
}
