#include "hooks/cuda/nvtx/nvtx.h"
#include "agent/base/utf8.h"
#include "hooks/capture/markers/levels.h"
#include "agent/record/producer.h"
#include "agent/session/session.h"
#include "hooks/cuda/nvtx/texts.h"

struct markers nvtx_markers;

/* ---- messages ---- */

const char *nvtx_narrow(const wchar_t *message, struct marker_text *room)
{
	size_t used = 0;

	if (!message)
		return NULL;
	for (; *message && used + 4 < MARKER_TEXT; message++)
		used += utf8_put(room->text + used, (uint32_t)*message);
	room->text[used] = '\0';
	return room->text;
}

const char *nvtx_said(const nvtxEventAttributes_t *attributes, struct marker_text *room)
{
	if (!attributes || attributes->size < sizeof(*attributes))
		return NULL;
	switch (attributes->messageType) {
	case NVTX_MESSAGE_TYPE_ASCII: return attributes->message.ascii;
	case NVTX_MESSAGE_TYPE_UNICODE: return nvtx_narrow(attributes->message.unicode, room);
	case NVTX_MESSAGE_TYPE_REGISTERED: return nvtx_text_of(attributes->message.registered);
	default: return NULL;
	}
}

/* ---- domains ---- */

void nvtx_know_domain(nvtxDomainHandle_t domain)
{
	const char *name;

	if (!domain || markers_domain_name(&nvtx_markers, domain))
		return;
	name = nvtx_text_of(domain);
	if (!name)
		return;
	mark_clock_domain(&nvtx_markers, domain, name);
	markers_new_domain(&nvtx_markers, domain, name);
}

/* ---- levels ---- */

static struct handles levels; /* thread and domain: a = ranges open */

static struct handle_slot *open_ranges(uint64_t key)
{
	struct handle_slot *s = handles_peek(&levels, key);

	return s ? s : handles_get(&levels, key);
}

int nvtx_push(nvtxDomainHandle_t domain)
{
	uint64_t key = level_key(domain);
	struct handle_slot *s = open_ranges(key);
	uint64_t level;

	if (!s)
		return handles_put(&levels, key, 1, 0) ? 0 : -1;
	level = atomic_load_explicit(&s->a, memory_order_relaxed);
	atomic_store_explicit(&s->a, level + 1, memory_order_relaxed);
	return (int)level;
}

int nvtx_pop(nvtxDomainHandle_t domain)
{
	struct handle_slot *s = open_ranges(level_key(domain));
	uint64_t open = s ? atomic_load_explicit(&s->a, memory_order_relaxed) : 0;

	if (open)
		atomic_store_explicit(&s->a, open - 1, memory_order_relaxed);
	return (int)open - 1;
}

/* Others have its memory then. In domains with a name this is left to the program, which pops what it pushed. */
void nvtx_thread_ends(void)
{
	struct handle_slot *s = open_ranges(level_key(NULL));

	if (s)
		atomic_store_explicit(&s->a, 0, memory_order_relaxed);
}

#define OF_STARTED (1ull << 51)

uint64_t nvtx_next_number(void)
{
	static _Atomic uint64_t count;

	return OF_STARTED | (atomic_fetch_add(&count, 1) + 1);
}
