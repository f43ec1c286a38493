#include "agent/steps/source_marker.h"
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "agent/format/trace_file.h"
#include "agent/os/signal_context.h"
#include "agent/record/producer.h"
#include "agent/session/settings.h"
#include "agent/steps/progress.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"
#include "config/step_source/marker.h"

#define LISTENERS 24 /* a bit each, beside 40 of a hash */

static struct {
	struct marker_spec spec;
	regex_t regex;
	int source; /* of steps; OF_STAGES */
} list[LISTENERS];
static unsigned int count;
#define OF_STAGES -1

static bool add(const struct marker_spec *spec, int source)
{
	if (count == LISTENERS || regcomp(&list[count].regex, spec->regex, REG_EXTENDED))
		return false;
	list[count].spec = *spec;
	list[count++].source = source;
	return true;
}

static bool start(unsigned int number, const struct step_source_spec *spec)
{
	struct marker_spec read;
	char why[256];

	return !marker_read(&read, MARKER_STEP, spec->argument, why, sizeof(why)) && add(&read, (int)number);
}

void source_marker_read_stages(void)
{
	struct marker_spec read[MARKER_STAGES];
	unsigned int n;
	char why[256];

	if (marker_stages(settings.stage_source, read, &n, why, sizeof(why)))
		return; /* config_load() has refused it already */
	for (unsigned int i = 0; i < n; i++)
		add(&read[i], OF_STAGES);
}

uint32_t source_marker_gate(void)
{
	for (unsigned int i = 0; i < count; i++)
		if (list[i].source == OF_STAGES)
			return GATE_MARKS;
	return 0;
}

/* ---- who hears what ---- */

#define OF_COLLECTIVES "communication" /* torch_npu's domain, which has a range for each */

uint32_t source_marker_domain(const char *name)
{
	uint32_t heard = 0;

	for (unsigned int i = 0; i < count; i++) {
		const char *wanted = list[i].spec.domain;

		if (*wanted ? name && !strcmp(wanted, name) : !name || strcmp(name, OF_COLLECTIVES))
			heard |= 1u << i;
	}
	return heard;
}

/* What messages match, by their hashes: 40 bits of it, and a bit for each source. */
#define REMEMBERED 1024
static _Atomic uint64_t remembered[REMEMBERED];

static uint64_t hash_of(const char *message)
{
	uint64_t h = 0xCBF29CE484222325ull;

	for (; *message; message++)
		h = (h ^ (unsigned char)*message) * 0x100000001B3ull;
	return (h ^ h >> 32) | 1ull << 63; /* no place that is empty looks like it */
}

/* regexec() has a lock and may allocate: a signal handler's call meanwhile must not come here again. */
static uint32_t ask_all(const char *message)
{
	uint32_t inside = producer.inside, matches = 0;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	for (unsigned int i = 0; i < count; i++)
		if (!regexec(&list[i].regex, message, 0, NULL, 0))
			matches |= 1u << i;
	producer.inside = inside;
	return matches;
}

uint32_t source_marker_matches(uint32_t domain, const char *message)
{
	const uint64_t of_hash = ~(uint64_t)0 << 24;
	uint64_t hash, known;

	if (!domain || !message)
		return 0;
	hash = hash_of(message);
	known = atomic_load_explicit(&remembered[hash % REMEMBERED], memory_order_relaxed);
	if ((known ^ hash) & of_hash) {
		if (signal_context_running()) /* looked up last, it takes long */
			return 0;
		known = (hash & of_hash) | ask_all(message);
		atomic_store_explicit(&remembered[hash % REMEMBERED], known, memory_order_relaxed);
	}
	return domain & (uint32_t)known & 0xffffff;
}

/* What the first group of the expression matched; false: nothing, or too much. */
static bool read_group(unsigned int i, const char *message, char *text, size_t size)
{
	uint32_t inside = producer.inside;
	regmatch_t found[2] = { { -1, -1 }, { -1, -1 } };
	size_t length;
	int no;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	no = regexec(&list[i].regex, message, 2, found, 0);
	producer.inside = inside;
	length = no || found[1].rm_so < 0 ? 0 : (size_t)(found[1].rm_eo - found[1].rm_so);
	if (!length || length >= size)
		return false;
	memcpy(text, message + found[1].rm_so, length);
	text[length] = '\0';
	return true;
}

/* ---- steps ---- */

static void wait_for_queue(bool in_order, int64_t n, const void *caller)
{
	if (!in_order)
		queue_wait_for(caller, steps_step_may_move(n));
}

static void begin(unsigned int i, const char *message, bool in_order, const void *caller)
{
	char digits[20];
	bool has_number = list[i].spec.has_group;
	int64_t n = STEP_NULL;

	if (has_number && (!read_group(i, message, digits, sizeof(digits)) || digits[strspn(digits, "0123456789")]))
		return;
	if (has_number)
		n = strtoll(digits, NULL, 10);
	wait_for_queue(in_order, n, caller);
	if (has_number)
		steps_begin((unsigned int)list[i].source, n);
	else
		steps_count((unsigned int)list[i].source);
}

void source_marker_begins(uint32_t matches, const char *message, bool in_order, const void *caller)
{
	for (unsigned int i = 0; i < count; i++)
		if (matches >> i & 1 && list[i].source != OF_STAGES && !list[i].spec.at_end)
			begin(i, message, in_order, caller);
}

void source_marker_ends(uint32_t matches, bool in_order, const void *caller)
{
	for (unsigned int i = 0; i < count; i++) {
		if (!(matches >> i & 1) || list[i].source == OF_STAGES || !list[i].spec.at_end)
			continue;
		wait_for_queue(in_order, STEP_NULL, caller);
		steps_count((unsigned int)list[i].source);
	}
}

/* ---- stages ---- */

static void wait_for_stage(bool in_order, const void *caller)
{
	if (!in_order)
		queue_wait_for(caller, steps_stage_may_move());
}

/* As it is told, or as the message says. */
static const char *role_of(unsigned int i, const char *message, char *room, size_t size)
{
	if (*list[i].spec.role)
		return list[i].spec.role;
	return list[i].spec.has_group ? read_group(i, message, room, size) ? room : NULL : message;
}

uint64_t source_marker_enters(uint32_t matches, const char *message, bool in_order, const void *caller)
{
	char room[sizeof(list[0].spec.role)];

	for (unsigned int i = 0; i < count; i++) {
		const char *role = matches >> i & 1 && list[i].source == OF_STAGES ? role_of(i, message, room, sizeof(room)) : NULL;

		if (!role)
			continue;
		wait_for_stage(in_order, caller);
		return steps_stage_begin(role, 0);
	}
	return 0;
}

void source_marker_leaves(uint64_t stage, bool in_order, const void *caller)
{
	if (!stage)
		return;
	wait_for_stage(in_order, caller);
	steps_stage_end(stage);
}

static void forget(void)
{
	count = 0;
}

const struct step_source marker_source = {
	.gate = GATE_MARKS,
	.start = start,
	.forget = forget,
};
