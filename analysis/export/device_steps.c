#include "analysis/export/device_steps.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/export/shares.h"

void device_steps_begin(struct device_steps *d, const struct process *p)
{
	*d = (struct device_steps){ .process = p, .ends = TABLE(uint64_t), .positions = POSITION_MAP(0) };
}

void device_steps_take(struct device_steps *d, const struct export *e, uint32_t ring, uint64_t position, uint32_t epoch)
{
	const struct def_epoch *def = table_find(&d->process->defs.epochs, epoch);
	int64_t step = def ? def->step : STEP_NULL;

	if (!choice_has_place(e->choice, step, table_find(&d->process->defs.places, epoch)))
		step = STEP_LEFT_OUT;
	d->end = table_put(&d->ends, ring & UINT16_MAX);
	if (position > *d->end) /* lost: of no step that is known */
		position_map_put(&d->positions, ring, *d->end, (uint64_t)STEP_NULL);
	position_map_put(&d->positions, ring, position, (uint64_t)step);
}

static int64_t step_of(struct device_steps *d, const struct trace_device *dev)
{
	const uint64_t *end = table_find(&d->ends, dev->ring);
	const struct mapped_position *found;

	if (!end || (int32_t)(dev->slot - (uint32_t)*end) >= 0)
		return STEP_NULL;
	found = position_map_find(&d->positions, dev->ring, dev->slot);
	d->stepless += !found && d->positions.forgotten;
	return found ? (int64_t)found->value : STEP_NULL;
}

int64_t device_steps_of(struct device_steps *d, const struct export *e, const struct trace_device *dev)
{
	int64_t step = step_of(d, dev);

	bool wanted = choice_has_step(e->choice, step) && choice_has_device_on(e->choice, dev->process, dev->stream) && export_wants_kind(e, dev->kind);

	return wanted ? step : STEP_LEFT_OUT;
}

void device_steps_end(struct device_steps *d, const struct export *e)
{
	if (d->stepless && !e->share->part)
		fprintf(stderr, "ranktrace: %" PRIu64 " device times stand too far from their calls to be told of which step they are\n",
			d->stepless);
	table_free(&d->ends);
	position_map_free(&d->positions);
}
