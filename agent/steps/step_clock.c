#include "agent/steps/step_clock.h"
#include <stdio.h>
#include <string.h>
#include "agent/base/text.h"
#include "agent/record/gate.h"
#include "agent/session/session.h"

#define LABEL_SIZE sizeof(session->step_source)

static struct {
	struct step_source_spec spec;
	char label[LABEL_SIZE];
	uint32_t wanted;	    /* bits of the gate */
	uint64_t waits;		    /* so many seconds for those before it */
	_Atomic unsigned int place; /* in session->sources */
} list[STEP_SOURCES];
static unsigned int count;
static bool is_named;
static _Atomic int fired = -1; /* the source that is the clock; -1: none yet */

/* ---- the list ---- */

void step_clock_begin(bool named)
{
	count = 0;
	is_named = named;
}

/* Of a long one the beginning and the end: that tells whether it is a symbol's entry or its return. */
static void make_label(char label[LABEL_SIZE], const char *name, const char *argument)
{
	static const char end[] = "..";
	char whole[LABEL_SIZE + sizeof(list[0].spec.argument)];
	size_t length, tail = LABEL_SIZE / 3;

	snprintf(whole, sizeof(whole), "%s%s%s", name, *argument ? ":" : "", argument);
	length = strlen(whole);
	text_copy(label, LABEL_SIZE, whole);
	if (length < LABEL_SIZE)
		return;
	label += LABEL_SIZE - 1 - tail;
	memcpy(label - strlen(end), end, strlen(end));
	memcpy(label, whole + length - tail, tail);
}

void step_clock_add(const struct step_source_spec *spec)
{
	list[count].spec = *spec;
	list[count].wanted = 0;
	list[count].waits = 0;
	list[count].place = SOURCES_HEARD;
	make_label(list[count].label, step_source_rows[spec->kind].name, spec->argument);
	count++;
}

unsigned int step_clock_count(void)
{
	return count;
}

const struct step_source_spec *step_clock_spec(unsigned int source)
{
	return source < count ? &list[source].spec : NULL;
}

int step_clock_find(enum step_source_kind kind)
{
	for (unsigned int i = 0; i < count; i++)
		if (list[i].spec.kind == kind)
			return (int)i;
	return -1;
}

bool step_clock_is_named(void)
{
	return is_named;
}

void step_clock_which_end(bool *some, bool *all)
{
	*some = false;
	*all = true;
	for (unsigned int i = 0; i < count; i++) {
		*some |= list[i].spec.ends;
		*all &= list[i].spec.ends;
	}
}

/* ---- which of them it is ---- */

void step_clock_arm(unsigned int source, uint32_t wanted)
{
	list[source].wanted = wanted;
}

void step_clock_listed(unsigned int source, unsigned int place)
{
	list[source].place = place;
}

unsigned int step_clock_place(unsigned int source)
{
	return list[source].place;
}

void step_clock_note(unsigned int source, uint64_t flags)
{
	session_source_is(list[source].place, flags);
}

void step_clock_waits(unsigned int source, uint64_t seconds)
{
	list[source].waits = seconds;
}

uint32_t step_clock_gate(void)
{
	uint32_t wanted = 0;

	for (unsigned int i = 0; i < count; i++)
		if (fired < 0 || fired == (int)i)
			wanted |= list[i].wanted;
	return wanted;
}

/* Those before it in the list; what does not fit is "..". */
static void publish_waited(unsigned int source)
{
	char *text = session->waited_for;
	size_t used = 0, room = sizeof(session->waited_for);

	for (unsigned int i = 0; i < source; i++) {
		bool fits = used + strlen(list[i].label) + sizeof(";;..") <= room;

		used += (size_t)snprintf(text + used, room - used, "%s%s", i ? ";" : "", fits ? list[i].label : "..");
		if (!fits)
			break;
	}
	session->waited_seconds = list[source].waits;
}

/* The first letter last: whoever reads it meanwhile sees all of it, or nothing. */
static void publish(const char *label)
{
	text_copy(session->step_source + 1, sizeof(session->step_source) - 1, label + 1);
	__atomic_store_n(&session->step_source[0], label[0], __ATOMIC_RELEASE);
}

bool step_clock_fire(unsigned int source)
{
	if (fired >= 0)
		return fired == (int)source;
	fired = (int)source;
	if (list[source].waits)
		publish_waited(source);
	publish(list[source].label);
	step_clock_note(source, SOURCE_CLOCK);
	return true;
}

void step_clock_claim(unsigned int source)
{
	for (unsigned int i = 0; i < source; i++)
		if (list[i].wanted & GATE_CLOCK)
			return;
	step_clock_fire(source);
}

bool step_clock_is(unsigned int source)
{
	return atomic_load(&fired) == (int)source;
}

bool step_clock_has_fired(void)
{
	return atomic_load(&fired) >= 0;
}

void step_clock_forget(void)
{
	fired = -1;
	for (unsigned int i = 0; i < count; i++)
		list[i].place = SOURCES_HEARD;
}
