#include "agent/steps/roles.h"
#include <string.h>
#include "agent/base/text.h"
#include "agent/format/trace_file.h"
#include "agent/session/log.h"
#include "agent/steps/selected.h"
#include "config/role_choice.h"
#include "config/step_choice.h"

static struct detail all;   /* what is said of all roles */
static uint32_t met;	    /* roles of the settings, a bit each, of which a stage was entered, */
static bool met_any;	    /* and whether any was, of whatever role */
static struct detail whole; /* of whole steps: what the roles want together */
static bool whole_any;
static unsigned int whole_waits; /* those of them that wait for the rank, a bit each: they are to be looked at again */
static char whole_roles[DETAIL_ROLES];
static int64_t whole_step;			  /* in this one */
static struct step_choice steps_of[ROLE_CHOICES]; /* those of the settings that a role's schedule leaves it, if it counts steps */
static bool steps_differ;			  /* one's does */
static struct {					  /* asked last, of a place */
	const char *stage;
	const struct role_choice *choice;
} memo;

/* ---- what is said of one role ---- */

static int level_of(const struct role_choice *c)
{
	return role_says(c, ROLE_KEY_level) ? c->level : all.level;
}

static unsigned int contents_of_role(const struct role_choice *c)
{
	return role_says(c, ROLE_KEY_contents) ? c->contents : all.contents;
}

static bool is_discrete(const struct role_choice *c)
{
	return role_says(c, ROLE_KEY_discrete) ? c->discrete : all.discrete;
}

static bool counts_steps(const struct role_choice *c)
{
	return role_says(c, ROLE_KEY_schedule) && c->schedule.counter == SCHEDULE_STEP;
}

/* Of its batches. */
static const struct schedule *schedule_of(const struct role_choice *c)
{
	if (!role_says(c, ROLE_KEY_schedule))
		return all.schedule;
	return counts_steps(c) ? NULL : &c->schedule;
}

/* Is its window one inside a step? */
static bool is_inside(const struct role_choice *c)
{
	return is_discrete(c) || schedule_of(c);
}

static bool has_replica(const struct selection *s)
{
	if (identity.replica < 0 && !s->unknown)
		log_once("role-replica", "the replica (RANKTRACE_REPLICA) is unknown and roles select some: their stages are not recorded");
	return identity.replica < 0 ? s->unknown : selection_has(s, identity.replica);
}

static bool selects_ranks(const struct role_choice *c)
{
	return role_says(c, ROLE_KEY_ranks) && !c->all_ranks;
}

static enum verdict verdict_of(const struct role_choice *c)
{
	if (!c->enable)
		return VERDICT_DISCARD;
	if (role_says(c, ROLE_KEY_replica_ranks) && !has_replica(&c->replica_ranks))
		return VERDICT_DISCARD;
	return selects_ranks(c) ? identity_verdict(&c->ranks) : VERDICT_WRITE;
}

enum verdict roles_verdict(unsigned int waits_for)
{
	enum verdict all_of_them = VERDICT_DISCARD;

	for (unsigned int i = 0; i < settings.roles.count; i++) {
		enum verdict v = waits_for >> i & 1 ? verdict_of(&settings.roles.list[i]) : VERDICT_DISCARD;

		if (v == VERDICT_WRITE)
			return v;
		if (v == VERDICT_WAIT)
			all_of_them = v;
	}
	return all_of_them;
}

/* The bit of one that waits for the rank. */
static unsigned int waiting_bit(const struct role_choice *c, enum verdict v)
{
	if (v != VERDICT_WAIT)
		return 0;
	log_once("role-rank", "the rank is unknown and role %s is recorded on some ranks only: its calls wait in "
			      "memory until it is known: set RANKTRACE_RANK in each process, or give all_ranks=true",
		 c->role);
	return 1u << (c - settings.roles.list);
}

static bool is_in_step(const struct role_choice *c, int64_t step)
{
	return !counts_steps(c) || selected_asked(step) || (step != STEP_NULL && step_choice_has(&steps_of[c - settings.roles.list], step));
}

/* ---- of all ---- */

static const struct schedule *schedule_of_batches(void)
{
	return settings.schedule.given && settings.schedule.counter != SCHEDULE_STEP ? &settings.schedule : NULL;
}

static void widen(const struct role_choice *c)
{
	if (!c->enable)
		return;
	if (level_of(c) > settings.level)
		settings.level = level_of(c);
	settings.contents |= contents_of_role(c);
}

static void forget_steps(void)
{
	for (unsigned int i = 0; i < settings.roles.count; i++)
		steps_of[i] = (struct step_choice)STEP_CHOICE(&settings.steps, &settings.roles.list[i].schedule);
	whole_step = STEP_NULL;
}

void roles_start(void)
{
	all = (struct detail){ settings.level, settings.contents, settings.discrete, schedule_of_batches(), "", 0 };
	if (settings.roles.count) {
		settings.level = LEVEL_NONE;
		settings.contents = 0;
	}
	for (unsigned int i = 0; i < settings.roles.count; i++) {
		widen(&settings.roles.list[i]);
		steps_differ |= counts_steps(&settings.roles.list[i]);
	}
	forget_steps();
}

bool roles_inside_steps(void)
{
	return settings.roles.count || all.discrete || all.schedule;
}

enum session_cause roles_impossible(void)
{
	enum session_cause cause = settings.roles.count ? CAUSE_ROLES_OFF : CAUSE_NONE;

	for (unsigned int i = 0; i < settings.roles.count; i++) {
		const struct role_choice *c = &settings.roles.list[i];

		if (!c->enable)
			continue;
		if (!selects_ranks(c) || identity_verdict(&c->ranks) != VERDICT_DISCARD)
			return CAUSE_NONE;
		cause = CAUSE_ROLES_AWAY;
	}
	return cause;
}

/* ---- of this process ---- */

static const struct role_choice *choice_of(const char *stage)
{
	if (memo.stage != stage) {
		memo.stage = stage;
		memo.choice = role_choice_of(&settings.roles, stage);
	}
	return memo.choice;
}

static void add_to_whole(const struct role_choice *c)
{
	size_t used = strlen(whole_roles);

	if (used)
		whole_roles[used++] = ',';
	text_copy(whole_roles + used, sizeof(whole_roles) - used, c->role);
	whole.level = whole_any && whole.level > level_of(c) ? whole.level : level_of(c);
	whole.contents |= contents_of_role(c);
	whole_any = true;
}

/* Is known by now for whom those are of which it was not? */
static bool may_look_again(void)
{
	return whole_waits && identity.rank >= 0 && !identity_may_change();
}

/* The rank may have become known since the last time, so each is asked anew. */
static void look_at_met(int64_t step)
{
	bool sure = false; /* one of them is for us, whatever our rank */

	whole_step = step;
	whole_any = false;
	whole_waits = 0;
	whole_roles[0] = '\0';
	whole = (struct detail){ .roles = whole_roles };
	for (unsigned int i = 0; i < settings.roles.count; i++) {
		const struct role_choice *c = &settings.roles.list[i];
		enum verdict v = met >> i & 1 && !is_inside(c) && is_in_step(c, step) ? verdict_of(c) : VERDICT_DISCARD;

		if (v == VERDICT_DISCARD)
			continue;
		sure |= v == VERDICT_WRITE;
		whole_waits |= waiting_bit(c, v);
		add_to_whole(c);
	}
	whole.waits_for = sure ? 0 : whole_waits;
}

void roles_meet_step(int64_t step)
{
	for (unsigned int i = 0; i < settings.roles.count; i++)
		step_choice_meet(&steps_of[i], step);
}

bool roles_steps_differ(void)
{
	return steps_differ;
}

void roles_meet(const char *stage, int64_t step)
{
	const struct role_choice *c = role_choice_of(&settings.roles, stage);

	met_any = true;
	if (c)
		met |= 1u << (c - settings.roles.list);
	look_at_met(step);
}

bool roles_want(const struct place_now *place, int64_t step, struct detail *detail)
{
	const struct role_choice *c = place->stage && settings.roles.count ? choice_of(place->role) : NULL;
	enum verdict v = c && is_inside(c) && is_in_step(c, place->step) ? verdict_of(c) : VERDICT_DISCARD;

	*detail = all;
	if (!settings.roles.count)
		return !(all.schedule && place->stage && role_is_validation(place->role)); /* its batches are none of the schedule's */
	if (v != VERDICT_DISCARD) {
		*detail = (struct detail){ level_of(c), contents_of_role(c), is_discrete(c), schedule_of(c), c->role, waiting_bit(c, v) };
		return true;
	}
	if ((steps_differ && whole_step != step) || may_look_again())
		look_at_met(step);
	*detail = whole;
	return whole_any;
}

enum session_cause roles_why(void)
{
	if (!settings.roles.count)
		return CAUSE_NONE;
	for (unsigned int i = 0; i < settings.roles.count; i++)
		if (met >> i & 1 && settings.roles.list[i].enable && verdict_of(&settings.roles.list[i]) == VERDICT_DISCARD)
			return CAUSE_ROLES_AWAY;
	if (steps_differ && met)
		return CAUSE_ROLES_STEPS;
	for (unsigned int i = 0; i < settings.roles.count; i++)
		if (met >> i & 1 && schedule_of(&settings.roles.list[i]))
			return CAUSE_NONE;
	return met_any ? CAUSE_OTHER_ROLES : CAUSE_NO_ROLE;
}

void roles_forget(void)
{
	met = 0;
	met_any = whole_any = false;
	whole_waits = 0;
	forget_steps();
	memo.stage = NULL;
}
