#include "agent/steps/place.h"
#include <string.h>
#include "agent/base/text.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "agent/steps/selected.h"
#include "config/option_words.h"

#define STAGES_OPEN 16 /* at once */
#define ROLES	    STAGES_HEARD
#define ROLE_SIZE   64

struct counts {
	int64_t now[SCHEDULE_COUNTERS]; /* -1: in none */
	int64_t next[SCHEDULE_COUNTERS];
	int clock[SCHEDULE_COUNTERS]; /* the source that is heard; 0: none has told anything */
};
#define COUNTS_NONE           \
	{                     \
		.now = { -1,  \
			 -1,  \
			 -1 } \
	}

/* The window that was opened last for a stage, and how often: earlier ones do not come back. */
struct opened {
	int64_t step, batch;
	uint32_t times;
};

static struct stage {
	uint64_t number; /* of its DEF_STAGE, and its token */
	uintptr_t context;
	const char *role;
	uint32_t heard; /* its place in session->stages, and 1 */
	struct def_stage def;
	struct counts counts;
	uint64_t window; /* whose file has it */
	struct opened opened;
} stages[STAGES_OPEN];
static unsigned int open_stages; /* in the order in which they were entered: the last one is where we are */

static _Atomic bool any_selected; /* stages of selected steps among them */

static struct role {
	char name[ROLE_SIZE];
	int64_t step;	      /* in which it was entered last, */
	uint32_t occurrences; /* and how often in that */
} roles[ROLES];
static unsigned int role_count;

static _Atomic uint64_t implied; /* the stage that batches have begun, or 0 */

static struct counts outside = COUNTS_NONE; /* of all stages, */
static int64_t outside_step = STEP_NULL;    /* in this step */
static struct opened opened_outside;
static uint64_t entered; /* stages so far */

#define RUNS 16
static struct {
	char roles[RUNS][ROLE_SIZE]; /* or "" for all */
	unsigned int count;
} runs_in[SCHEDULE_COUNTERS];

/* role "": of no stage. */
static bool runs(enum schedule_counter counter, const char *role)
{
	for (unsigned int i = 0; i < runs_in[counter].count; i++)
		if (!*runs_in[counter].roles[i] || !strncmp(runs_in[counter].roles[i], role, ROLE_SIZE - 1))
			return true;
	return false;
}

static struct counts counts_new(const char *role)
{
	struct counts c = COUNTS_NONE;

	for (unsigned int i = 0; i < SCHEDULE_COUNTERS; i++) {
		c.now[i] = runs(i, role) ? 0 : -1;
		c.next[i] = runs(i, role);
	}
	return c;
}

void place_runs(enum schedule_counter counter, const char *role)
{
	if (!runs(counter, role) && runs_in[counter].count < RUNS)
		text_copy(runs_in[counter].roles[runs_in[counter].count++], ROLE_SIZE, role);
	outside = counts_new("");
}

static struct counts *counts_in(int64_t step)
{
	if (settings.reset == RESET_NEVER)
		return &outside;
	if (open_stages)
		return &stages[open_stages - 1].counts;
	if (step != outside_step)
		outside = counts_new("");
	outside_step = step;
	return &outside;
}

/* The first that is told: whether it begins or ends, it is batch 0. */
static void take_first(struct counts *c, const struct batch_told *told)
{
	c->clock[told->counter] = told->source;
	c->next[told->counter] = told->tells == BATCH_ENDS;
}

static bool take(struct counts *c, const struct batch_told *told)
{
	int *clock = &c->clock[told->counter];

	if (*told->role && !(open_stages && !strcmp(stages[open_stages - 1].role, told->role)))
		return false;
	if (told->source && !*clock)
		take_first(c, told);
	else if (told->source && *clock != told->source)
		return false;
	c->now[told->counter] = told->tells == BATCH_NONE ? -1 : c->next[told->counter]++;
	return true;
}

bool place_take(const struct batch_told *told, int64_t step)
{
	if (!take(counts_in(step), told))
		return false;
	if (told->tells != BATCH_NONE)
		atomic_fetch_add(told->counter == SCHEDULE_MINI ? &session->minis : &session->micros, 1);
	return true;
}

struct place_now place_now(int64_t step)
{
	const struct stage *s = open_stages ? &stages[open_stages - 1] : NULL;
	const struct counts *c = counts_in(step);
	struct place_now now = { .step = step };

	for (unsigned int i = 0; i < SCHEDULE_COUNTERS; i++) {
		now.batch[i] = c->now[i];
		now.next[i] = c->next[i];
	}
	if (s) {
		now.stage = s->number;
		now.role = s->role;
		now.occurrence = s->def.occurrence;
		now.step = s->def.step;
	}
	return now;
}

struct place_now place_behind(const struct batch_told *told, int64_t step)
{
	struct counts *c = counts_in(step), kept = *c;
	struct place_now now;

	take(c, told);
	now = place_now(step);
	*c = kept;
	return now;
}

/* ---- stages ---- */

/* NULL: there is no room for one more. */
static struct role *role_of(const char *name)
{
	for (unsigned int i = 0; i < role_count; i++)
		if (!strncmp(roles[i].name, name, ROLE_SIZE - 1))
			return &roles[i];
	if (role_count == ROLES)
		return NULL;
	text_copy(roles[role_count].name, ROLE_SIZE, name);
	roles[role_count].step = STEP_NULL;
	return &roles[role_count++];
}

static bool is_inside(uintptr_t context)
{
	for (unsigned int i = 0; i < open_stages; i++)
		if (stages[i].context == context)
			return true;
	return false;
}

bool place_is_in_selected(void)
{
	return any_selected;
}

static void look_at_open(void)
{
	bool any = false;

	for (unsigned int i = 0; i < open_stages; i++)
		any |= selected_has(stages[i].def.step);
	any_selected = any;
	atomic_store(&session->stage_now, open_stages ? stages[open_stages - 1].heard : 0);
}

uint64_t place_enter(const char *name, uintptr_t context, int64_t step, uint64_t now)
{
	struct role *role;
	struct stage *s = &stages[open_stages];

	if (is_inside(context))
		return 0;
	role = open_stages < STAGES_OPEN ? role_of(name) : NULL;
	if (!role) {
		session_beyond(LIMIT_untold_stages, 1);
		return 0;
	}
	if (role->step != step)
		role->occurrences = 0;
	role->step = step;
	*s = (struct stage){ .number = ++entered, .context = context, .role = role->name, .heard = (uint32_t)(role - roles) + 1, .counts = counts_new(role->name) };
	s->def = (struct def_stage){ .step = step, .begin = now, .occurrence = role->occurrences++ };
	open_stages++;
	look_at_open();
	session_note_stage((unsigned int)(role - roles), role->name);
	return s->number;
}

uint32_t place_count_window(uint64_t stage, int64_t step, int64_t batch)
{
	struct opened *o = &opened_outside;

	for (unsigned int i = 0; stage && i < open_stages; i++)
		if (stages[i].number == stage)
			o = &stages[i].opened;
	if (o->step != step || o->batch != batch)
		*o = (struct opened){ step, batch, 0 };
	return ++o->times;
}

static void define_stage(const struct stage *s)
{
	definitions_add(DEF_STAGE, s->number, &s->def, sizeof(s->def), s->role, strlen(s->role));
}

/* Where two overlap, the other one goes on. */
bool place_leave(uint64_t token, uint64_t now)
{
	for (unsigned int i = 0; token && i < open_stages; i++) {
		if (stages[i].number != token)
			continue;
		stages[i].def.end = now;
		if (stages[i].window) /* some file has it: where it is read with others, its end is known */
			define_stage(&stages[i]);
		memmove(&stages[i], &stages[i + 1], (open_stages - i - 1) * sizeof(*stages));
		open_stages--;
		look_at_open();
		return true;
	}
	return false;
}

bool place_imply(const char *role, int64_t step, uint64_t now)
{
	if (!*role || open_stages)
		return false;
	implied = place_enter(role, UINTPTR_MAX, step, now); /* no thread's, and no coroutine's */
	return implied;
}

bool place_implies(const char *role, int64_t step)
{
	for (unsigned int i = 0; implied && i < open_stages; i++)
		if (stages[i].number == implied)
			return stages[i].def.step == step && !strncmp(stages[i].role, role, ROLE_SIZE - 1);
	return false;
}

bool place_is_implied(void)
{
	return implied;
}

void place_leave_implied(uint64_t now)
{
	place_leave(implied, now);
	implied = 0;
}

void place_define(uint32_t epoch, uint64_t window, int64_t step)
{
	struct stage *s = open_stages ? &stages[open_stages - 1] : NULL;
	const struct counts *c = counts_in(step);
	struct def_place place = { s ? s->number : 0, c->now[SCHEDULE_MINI], c->now[SCHEDULE_MICRO] };

	if (s && s->window != window) {
		s->window = window;
		define_stage(s);
	}
	if (s || place.mini >= 0 || place.micro >= 0)
		definitions_add(DEF_PLACE, epoch, &place, sizeof(place), NULL, 0);
}

void place_mark(const char *text, int64_t step, uint64_t now)
{
	const struct def_stage def = { .step = step, .begin = now, .end = now };

	definitions_add(DEF_STAGE, ++entered, &def, sizeof(def), text, strlen(text));
}

/* Whoever was in them is not in the child. Numbers go on, as epochs do. */
void place_forget(void)
{
	open_stages = 0;
	any_selected = false;
	implied = 0;
	outside = counts_new("");
	opened_outside = (struct opened){ 0 };
}
