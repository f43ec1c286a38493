#include "agent/steps/source_marker.h"
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "agent/base/hash.h"
#include "agent/format/trace_file.h"
#include "agent/os/signal_context.h"
#include "agent/os/slow_path.h"
#include "agent/record/question.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/progress.h"
#include "agent/steps/python_queue.h"
#include "agent/steps/step_clock.h"
#include "agent/steps/step_sources.h"
#include "agent/steps/steps.h"
#include "config/step_source/marker.h"

#define LISTENERS (MARKER_STEPS + MARKER_STAGES)
_Static_assert(LISTENERS <= 24, "a bit each, beside 40 of a hash");

static struct {
	struct marker_spec spec;
	regex_t regex;
	int source;	    /* of steps; OF_STAGES, */
	unsigned int place; /* which stand in the session's list of sources */
} list[LISTENERS];
static unsigned int count;
static uint32_t have_groups; /* which are asked for */
#define OF_STAGES -1

static bool add(const struct marker_spec *spec, int source)
{
	if (regcomp(&list[count].regex, spec->regex, REG_EXTENDED))
		return false;
	list[count].spec = *spec;
	list[count].source = source;
	have_groups |= spec->has_group ? 1u << count : 0;
	count++;
	return true;
}

static bool start(unsigned int number, const struct step_source_spec *spec)
{
	struct marker_spec read;
	char why[256];

	return !marker_read(&read, MARKER_STEP, spec->argument, why, sizeof(why)) && add(&read, (int)number);
}

/* As it was written, or as good as. */
static unsigned int note_stage(const struct marker_spec *m)
{
	bool domain = *m->domain, role = *m->role;
	unsigned int place;
	char text[512];

	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s%s", m->regex, domain || role ? "{" : "", domain ? "domain=" : "", m->domain,
		 domain && role ? "," : "", role ? "role=" : "", m->role, domain || role ? "}" : "");
	place = session_note_source("stage", "marker", text);
	session_source_is(place, SOURCE_FOUND);
	return place;
}

void source_marker_read_stages(void)
{
	struct marker_spec read[MARKER_STAGES];
	unsigned int n;
	char why[256];

	if (marker_stages(settings.stage_source, read, &n, why, sizeof(why)))
		return; /* config_load() has refused it already */
	for (unsigned int i = 0; i < n; i++)
		if (add(&read[i], OF_STAGES))
			list[count - 1].place = note_stage(&read[i]);
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

#define LONGEST 4096 /* what is longer takes long: it matches nothing */

/* 0: it is too long. */
static uint64_t hash_of(const char *message)
{
	uint64_t h = HASH_BEGIN;

	for (const char *p = message; *p; p++) {
		if (p - message == LONGEST)
			return 0;
		h = hash_byte(h, (uint8_t)*p);
	}
	return (h ^ h >> 32) | 1ull << 63; /* no place that is empty looks like it */
}

/* regexec() has a lock and may allocate: a signal handler's call meanwhile must not come here again. */
static bool match(unsigned int i, const char *message, size_t groups, regmatch_t *found)
{
	struct question question = question_begin();
	bool matches = !regexec(&list[i].regex, message, groups, found, 0);

	question_end(question);
	return matches;
}

static uint32_t ask_all(const char *message)
{
	uint32_t matches = 0;

	for (unsigned int i = 0; i < count; i++)
		if (match(i, message, 0, NULL))
			matches |= 1u << i;
	return matches;
}

uint32_t source_marker_matches(uint32_t domain, const char *message)
{
	const uint64_t of_hash = ~(uint64_t)0 << 24;
	uint64_t hash, known;
	uint32_t matches;

	if (!domain || !message)
		return 0;
	hash = hash_of(message);
	if (!hash)
		return 0;
	known = atomic_load_explicit(&remembered[hash % REMEMBERED], memory_order_relaxed);
	if ((known ^ hash) & of_hash) {
		if (signal_context_running()) /* looked up last, it takes long */
			return 0;
		known = (hash & of_hash) | ask_all(message);
		atomic_store_explicit(&remembered[hash % REMEMBERED], known, memory_order_relaxed);
	}
	matches = domain & (uint32_t)known & 0xffffff;
	return matches & have_groups && signal_context_running() ? 0 : matches;
}

/* What the first group of the expression matched, as much of it as there is room for: how long it is. */
static size_t read_group(unsigned int i, const char *message, char *text, size_t size)
{
	regmatch_t found[2] = { { -1, -1 }, { -1, -1 } };
	size_t length;

	if (!match(i, message, 2, found) || found[1].rm_so < 0)
		return 0;
	length = (size_t)(found[1].rm_eo - found[1].rm_so);
	snprintf(text, size, "%.*s", (int)(length < size ? length : size), message + found[1].rm_so);
	return length;
}

/* ---- steps ---- */

static bool may_be_clock(unsigned int i)
{
	return list[i].source != OF_STAGES && (!step_clock_has_fired() || step_clock_is((unsigned int)list[i].source));
}

static bool begins_step(unsigned int i)
{
	return may_be_clock(i) && !list[i].spec.at_end;
}

static bool ends_step(unsigned int i)
{
	return may_be_clock(i) && list[i].spec.at_end;
}

static void wait_for_queue(bool in_order, int64_t n, const void *caller)
{
	if (!in_order)
		queue_wait_for(caller, steps_step_may_move(n));
}

/* STEP_NULL: it is none. */
static int64_t read_number(unsigned int i, const char *message)
{
	char digits[19]; /* of more, no number */
	size_t length = read_group(i, message, digits, sizeof(digits));

	return length && length < sizeof(digits) && !digits[strspn(digits, "0123456789")] ? strtoll(digits, NULL, 10) : STEP_NULL;
}

static void begin(unsigned int i, const char *message, bool in_order, const void *caller)
{
	bool has_number = list[i].spec.has_group;
	int64_t n = has_number ? read_number(i, message) : STEP_NULL;

	if (has_number && n == STEP_NULL)
		return;
	wait_for_queue(in_order, n, caller);
	if (has_number)
		steps_begin((unsigned int)list[i].source, n);
	else
		steps_count((unsigned int)list[i].source);
}

void source_marker_begins(uint32_t matches, const char *message, bool in_order, const void *caller)
{
	for (unsigned int i = 0; i < count; i++)
		if (matches >> i & 1 && begins_step(i))
			begin(i, message, in_order, caller);
}

void source_marker_ends(uint32_t matches, bool in_order, const void *caller)
{
	for (unsigned int i = 0; i < count; i++) {
		if (!(matches >> i & 1) || !ends_step(i))
			continue;
		wait_for_queue(in_order, STEP_NULL, caller);
		steps_count((unsigned int)list[i].source);
	}
}

bool source_marker_wants_end(uint32_t matches)
{
	for (unsigned int i = 0; i < count; i++)
		if (matches >> i & 1 && ends_step(i))
			return true;
	return false;
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
	return list[i].spec.has_group && read_group(i, message, room, size) ? room : message;
}

uint64_t source_marker_enters(uint32_t matches, const char *message, bool in_order, const void *caller)
{
	char room[sizeof(list[0].spec.role)];

	for (unsigned int i = 0; i < count; i++) {
		if (!(matches >> i & 1) || list[i].source != OF_STAGES)
			continue;
		session_source_called(list[i].place);
		wait_for_stage(in_order, caller);
		return steps_stage_begin(role_of(i, message, room, sizeof(room)), 0);
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
	have_groups = 0;
}

const struct step_source marker_source = {
	.gate = GATE_MARKS,
	.start = start,
	.forget = forget,
};
