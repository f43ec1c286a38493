#include "agent/steps/roles.h"
#include <string.h>
#include "agent/base/text.h"
#include "agent/format/trace_file.h"
#include "agent/session/identity.h"
#include "agent/session/log.h"
#include "agent/steps/selected.h"
#include "config/role_choice.h"
#include "config/step_choice.h"

static struct detail all;   /* what is said of all roles */
static uint32_t met;	    /* roles of the settings, a bit each, of which a stage was entered, */
static bool met_any;	    /* and whether any was, of whatever role */
static struct detail whole; /* of whole steps: what the roles want together */
static bool whole_any;
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

static bool has(const struct selection *s, int64_t rank, const char *what)
{
	if (rank < 0 && !s->unknown)
		log_once("role-rank", "the %s is unknown and roles select some: their stages are not recorded", what);
	return rank < 0 ? s->unknown : selection_has(s, rank);
}

static bool selects_ranks(const struct role_choice *c)
{
	return role_says(c, ROLE_KEY_ranks) && !c->all_ranks;
}

static bool is_here(const struct role_choice *c)
{
	if (!c->enable)
		return false;
	if (role_says(c, ROLE_KEY_replica_ranks) && !has(&c->replica_ranks, identity.replica, "replica (RANKTRACE_REPLICA)"))
		return false;
	return !selects_ranks(c) || has(&c->ranks, identity.rank, "rank (RANKTRACE_RANK)");
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
	all = (struct detail){ settings.level, settings.contents, settings.discrete, schedule_of_batches(), "" };
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
		if (identity.rank < 0 || !selects_ranks(c) || selection_has(&c->ranks, identity.rank))
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

/* The rank may have become known since the last time, so each is asked anew. */
static void look_at_met(int64_t step)
{
	whole_step = step;
	whole_any = false;
	whole_roles[0] = '\0';
	whole = (struct detail){ .roles = whole_roles };
	for (unsigned int i = 0; i < settings.roles.count; i++)
		if (met >> i & 1 && !is_inside(&settings.roles.list[i]) && is_here(&settings.roles.list[i]) && is_in_step(&settings.roles.list[i], step))
			add_to_whole(&settings.roles.list[i]);
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

	*detail = all;
	if (!settings.roles.count)
		return !(all.schedule && place->stage && role_is_validation(place->role)); /* its batches are none of the schedule's */
	if (c && is_inside(c) && is_here(c) && is_in_step(c, place->step)) {
		*detail = (struct detail){ level_of(c), contents_of_role(c), is_discrete(c), schedule_of(c), c->role };
		return true;
	}
	if (steps_differ && whole_step != step)
		look_at_met(step);
	*detail = whole;
	return whole_any;
}

enum session_cause roles_why(void)
{
	if (!settings.roles.count)
		return CAUSE_NONE;
	for (unsigned int i = 0; i < settings.roles.count; i++)
		if (met >> i & 1 && settings.roles.list[i].enable && !is_here(&settings.roles.list[i]))
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
	forget_steps();
	memo.stage = NULL;
}
