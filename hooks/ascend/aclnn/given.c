#include "hooks/ascend/aclnn/given.h"

struct given given_of_threads[GIVEN_THREADS];

void given_thread_ends(void)
{
	if (!producer.guest)
		return;
	atomic_store(&given_of_threads[producer.guest - 1].generation, 0);
	producer.guest = 0;
}

static bool claim(struct given *g)
{
	uint32_t whose = atomic_load(&g->generation);

	if (whose == session_generation || !atomic_compare_exchange_strong(&g->generation, &whose, session_generation))
		return false;
	g->phase = NULL;
	given_take(g);
	return true;
}

NOINLINE struct given *given_first(void)
{
	for (unsigned int i = 0; i < GIVEN_THREADS; i++)
		if (claim(&given_of_threads[i])) {
			producer.guest = (uint16_t)(i + 1);
			producer_notice_end();
			return &given_of_threads[i];
		}
	session_beyond(LIMIT_unshaped_operators, 1);
	return NULL;
}

bool given_still_in_phase(struct given *g, const void *place)
{
	if (place < g->phase)
		return true;
	g->phase = NULL;
	given_take(g);
	return false;
}
