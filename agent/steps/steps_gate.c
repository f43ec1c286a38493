#include "agent/steps/steps_gate.h"
#include "agent/format/event.h"
#include "agent/record/doorbell.h"
#include "agent/record/gate.h"
#include "agent/session/settings.h"
#include "agent/stacks/stacks.h"
#include "agent/steps/source_marker.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/window.h"

static uint32_t groups_recorded(const struct detail *detail)
{
	uint32_t groups = 0;

#define GROUP(symbol, level_of, memory)                                                  \
	if (level_of <= detail->level && (!memory || detail->contents & CONTENT_MEMORY)) \
		groups |= BIT(GROUP_##symbol);
	KIND_GROUPS(GROUP)
#undef GROUP
	return groups;
}

/* By their number among those recorded, so that all ranks that record the same steps time the same. */
static uint32_t times_taken(const struct detail *detail, uint64_t recorded)
{
	if (!(detail->contents & CONTENT_DEVICE))
		return 0;
	return recorded % settings.device_every == 0 ? GATE_TIMES_SOME | GATE_TIMES : GATE_TIMES_SOME;
}

static uint32_t stacks_taken(const struct detail *detail)
{
	return detail->contents & (CONTENT_MODULE | CONTENT_STACK) && detail->level >= LEVEL_0 ? GATE_STACKS : 0;
}

/* Launches come in to practise for the window. */
static uint32_t practice(void)
{
	return settings.contents & CONTENT_STACK && settings.level >= LEVEL_0 ? GATE_CLOCK | GATE_TIME : 0;
}

static bool shapes_wanted(void)
{
	return settings.contents & CONTENT_SHAPES && settings.level >= LEVEL_0;
}

void steps_gate_start(void)
{
	atomic_store(&gate.never, shapes_wanted() ? 0 : GATE_SHAPES);
}

void steps_gate_set(uint32_t epoch, bool soon, bool no_more, uint64_t recorded)
{
	const struct detail *detail = window_detail();
	uint32_t word = GATE_STARTED;

	if (gate_listens()) /* the first hooked call is still to be noticed */
		return;
	if (!no_more || window_is_open())
		word |= GATE_TRACK | step_clock_gate() | source_marker_gate();
	if (word & GATE_TRACK && shapes_wanted())
		word |= GATE_SHAPES;
	if (window_is_open())
		word |= GATE_WINDOW | groups_recorded(detail) | times_taken(detail, recorded) | stacks_taken(detail) | (detail->level >= LEVEL_2 ? GATE_NESTED : 0);
	else if (soon && !no_more)
		word |= practice();
	if (word & GATE_STACKS)
		stacks_native(detail->contents & CONTENT_STACK);
	if (settings.contents & CONTENT_DEVICE && (window_is_open() || doorbell_awaits_times()))
		word |= GATE_HARVEST;
	/* Release: whoever sees the epoch also sees its definition. */
	atomic_store_explicit(&gate.word, (uint64_t)epoch << 32 | word, memory_order_release);
}
