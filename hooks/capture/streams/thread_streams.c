#include "hooks/capture/streams/thread_streams.h"

uint64_t thread_streams_here(struct streams *of)
{
	uint64_t thread = producer_thread(), ended;
	struct handle_slot *s = handles_get(&of->threads, thread);
	void *where = atomic_load(&of->several) ? contexts_other(of) : NULL;

	ended = s ? atomic_load(&s->a) : 0;
	if (!s)
		handles_put(&of->threads, thread, 0, 0);
	return ((uintptr_t)where * 0x9E3779B97F4A7C15ull ^ thread << 32 ^ ended * 0xC2B2AE3D27D4EB4Full) | 1;
}

void thread_streams_end(struct streams *of)
{
	struct handle_slot *s = handles_get(&of->threads, producer_thread());

	if (!s)
		return;
	if (!atomic_load(&of->several)) /* else it takes a question to find it, and the vendor may have ended for this thread */
		handles_forget(handles_get(&of->table, thread_streams_here(of)));
	atomic_fetch_add(&s->a, 1);
}
