#include "analysis/trace/choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/util/rank_list.h"
#include "config/role_choice.h"

bool choice_has_rank(const struct choice *c, bool has_rank, int64_t rank)
{
	return c->ranks.all || (has_rank ? selection_has(&c->ranks, rank) : c->ranks.unknown);
}

bool choice_has_process(const struct choice *c, const struct process *p)
{
	bool any = choice_has_rank(c, p->has_rank, p->rank);

	for (size_t i = 0; !any && !p->has_rank && i < p->defs.devices.count; i++) {
		const struct device *device = table_item(&p->defs.devices, i);

		any = device->has_rank && selection_has(&c->ranks, device->rank.rank);
	}
	return any;
}

bool choice_has_device_of(const struct choice *c, const struct trace_event *ev)
{
	int64_t rank;

	return c->ranks.all || ev->process->has_rank || !trace_rank_of(ev, &rank) || selection_has(&c->ranks, rank);
}

bool choice_has_device_on(const struct choice *c, const struct process *p, uint16_t stream)
{
	int64_t rank;

	return c->ranks.all || p->has_rank || !trace_rank_on(p, stream, &rank) || selection_has(&c->ranks, rank);
}

bool choice_has_lost(const struct choice *c, const struct trace_lost *lost)
{
	bool any = c->steps.all;

	for (unsigned int i = 0; i < c->steps.count; i++)
		any |= lost->last_step != STEP_NULL && c->steps.range[i].first <= lost->last_step && c->steps.range[i].last >= lost->first_step;
	return any && !c->roles;
}

#define BETWEEN ",; \t"

bool choice_names_stage(const struct choice *c, const struct stage *stage)
{
	char role[ROLE_NAME];
	size_t length;

	for (const char *p = c->roles; stage && *(p += strspn(p, BETWEEN)); p += length) {
		length = strcspn(p, BETWEEN);
		snprintf(role, sizeof(role), "%.*s", (int)length, p);
		if (role_has_stage(role, stage->role))
			return true;
	}
	return false;
}

/* Takes a name that is not in the list yet, commas between. */
static void take_name(char *names, size_t size, const char *name)
{
	size_t length = strlen(name), used = strlen(names);

	for (const char *p = names; (p = strstr(p, name)); p += length)
		if ((p == names || p[-1] == ' ') && (p[length] == ',' || !p[length]))
			return;
	if (used + length + 3 < size)
		snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

void choice_no_role(const struct choice *c, struct trace *t)
{
	char names[1024] = "";
	bool named = false;

	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->processes[i];

		if (!process_load(p) && choice_has_process(c, p))
			for (size_t k = 0; k < p->defs.stages.count; k++) {
				const struct stage *stage = table_item(&p->defs.stages, k);

				named |= choice_names_stage(c, stage);
				take_name(names, sizeof(names), stage->role);
			}
		process_unload(p);
	}
	if (named)
		fputs("ranktrace: in the stages of the --roles nothing was called: `ranktrace report` has their times\n", stderr);
	else
		fprintf(stderr, "ranktrace: nothing of the --roles is in the trace%s%s\n", *names ? ", but stages " : ": it has no stages", names);
}

static void take_devices(int64_t **numbers, size_t *n, struct process *p)
{
	if (!process_load(p))
		for (size_t i = 0; i < p->defs.devices.count; i++) {
			const struct device *device = table_item(&p->defs.devices, i);

			if (!device->has_rank)
				continue;
			*numbers = alloc_grow(*numbers, *n + 1, sizeof(**numbers));
			(*numbers)[(*n)++] = device->rank.rank;
		}
	process_unload(p);
}

void choice_no_rank(const struct choice *c, struct trace *t)
{
	int64_t *numbers = NULL;
	size_t n = 0;
	char *ranks;

	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->processes[i];

		if (!p->has_rank) {
			take_devices(&numbers, &n, p);
			continue;
		}
		numbers = alloc_grow(numbers, n + 1, sizeof(*numbers));
		numbers[n++] = p->rank;
	}
	ranks = rank_list(", but rank", numbers, n);
	fprintf(stderr, "ranktrace: none of the %s is in the trace%s\n", c->ranks_option ? c->ranks_option : "--ranks", n ? ranks : ": no rank is known");
	free(ranks);
	free(numbers);
}

void choice_no_step(const struct choice *c, int64_t *steps, size_t count)
{
	char *text = rank_list(", but step", steps, count);

	fprintf(stderr, "ranktrace: none of the %s is in the trace%s\n", c->steps_option ? c->steps_option : "--steps", count ? text : ": no step source fired");
	free(text);
}

static void take_step(void *context, const struct trace_event *ev)
{
	if (ev->step != STEP_NULL)
		*(int64_t *)table_put(context, (uint64_t)ev->step) = ev->step;
}

void choice_look_for_steps(const struct choice *c, struct trace *t)
{
	struct table steps = TABLE(int64_t);
	struct visitor v = { .event = take_step, .context = &steps };

	for (size_t i = 0; i < t->count; i++) {
		struct process *p = &t->processes[i];

		if (!process_load(p) && choice_has_process(c, p))
			process_events(p, &v);
		process_unload(p);
	}
	choice_no_step(c, (int64_t *)steps.items, steps.count);
	table_free(&steps);
}
