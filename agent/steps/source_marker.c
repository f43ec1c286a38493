#include "agent/steps/source_marker.h"
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "agent/format/trace_file.h"
#include "agent/os/signal_context.h"
#include "agent/record/producer.h"
#include "agent/steps/progress.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"
#include "config/step_source/marker.h"

static struct {
	struct marker_spec spec;
	regex_t regex;
	unsigned int source;
} list[STEP_SOURCES];
static unsigned int count;
_Static_assert(STEP_SOURCES <= 24, "a bit each, beside 40 of a hash");

static bool start(unsigned int number, const struct step_source_spec *spec)
{
	char why[256];

	if (marker_read(&list[count].spec, spec->argument, why, sizeof(why)) || regcomp(&list[count].regex, list[count].spec.regex, REG_EXTENDED))
		return false;
	list[count++].source = number;
	return true;
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

	if (!domain || !message || signal_context_running())
		return 0;
	hash = hash_of(message);
	known = atomic_load_explicit(&remembered[hash % REMEMBERED], memory_order_relaxed);
	if ((known ^ hash) & of_hash) {
		known = (hash & of_hash) | ask_all(message);
		atomic_store_explicit(&remembered[hash % REMEMBERED], known, memory_order_relaxed);
	}
	return domain & (uint32_t)known & 0xffffff;
}

/* ---- steps ---- */

static void wait_for_queue(bool in_order, int64_t n, const void *caller)
{
	if (!in_order)
		queue_wait_for(caller, progress_step_may_move(n));
}

/* What the first group of the expression matched; STEP_NULL: no number. */
static int64_t number_in(unsigned int i, const char *message)
{
	uint32_t inside = producer.inside;
	regmatch_t found[2] = { { -1, -1 }, { -1, -1 } };
	char digits[20];
	size_t length;
	int no;

	producer.inside = record_inside(inside) | INSIDE_AGENT;
	no = regexec(&list[i].regex, message, 2, found, 0);
	producer.inside = inside;
	length = no || found[1].rm_so < 0 ? 0 : (size_t)(found[1].rm_eo - found[1].rm_so);
	if (!length || length >= sizeof(digits))
		return STEP_NULL;
	memcpy(digits, message + found[1].rm_so, length);
	digits[length] = '\0';
	return strspn(digits, "0123456789") == length ? strtoll(digits, NULL, 10) : STEP_NULL;
}

static void begin(unsigned int i, const char *message, bool in_order, const void *caller)
{
	int64_t n = list[i].spec.has_number ? number_in(i, message) : STEP_NULL;

	if (list[i].spec.has_number && n == STEP_NULL)
		return;
	wait_for_queue(in_order, n, caller);
	if (n == STEP_NULL)
		steps_count(list[i].source);
	else
		steps_begin(list[i].source, n);
}

uint32_t source_marker_begins(uint32_t matches, const char *message, bool in_order, const void *caller)
{
	uint32_t at_end = 0;

	for (unsigned int i = 0; i < count; i++) {
		if (matches >> i & 1 && list[i].spec.at_end)
			at_end |= 1u << i;
		else if (matches >> i & 1)
			begin(i, message, in_order, caller);
	}
	return at_end;
}

void source_marker_ends(uint32_t matches, bool in_order, const void *caller)
{
	for (unsigned int i = 0; i < count; i++) {
		if (!(matches >> i & 1))
			continue;
		wait_for_queue(in_order, STEP_NULL, caller);
		steps_count(list[i].source);
	}
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
