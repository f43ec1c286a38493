#include "agent/steps/epochs.h"
#include <stddef.h>
#include "agent/format/trace_file.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"

static uint32_t number;
static uint64_t begin;
static int64_t offset;
static uint64_t flags;

/* Epochs that have ended before it is known whose step they are. What finds no room stays in none. */
static struct early {
	uint32_t number;
	uint64_t begin, end;
} early[256];
static unsigned int early_count;

uint32_t epochs_number(void)
{
	return number;
}

void epochs_begin(uint64_t now)
{
	number++;
	begin = now;
	atomic_store(&session->epoch, number);
}

void epochs_begin_step(uint64_t now, uint64_t step_flags, int64_t step_offset)
{
	flags = step_flags;
	offset = step_offset;
	epochs_begin(now);
}

void epochs_set_flags(uint64_t step_flags)
{
	flags = step_flags;
}

/* Readers take what is missing at the end for 0. */
static void define(const struct early *epoch, int64_t step)
{
	struct def_epoch e = { .step = step, .begin = epoch->begin, .end = epoch->end, .offset = offset, .flags = flags };
	size_t size = e.flags ? sizeof(e) : e.offset ? offsetof(struct def_epoch, flags)
						     : offsetof(struct def_epoch, offset);

	definitions_add(DEF_EPOCH, epoch->number, &e, size, NULL, 0);
}

void epochs_define(int64_t step, uint64_t end)
{
	define(&(struct early){ number, begin, end }, step);
}

void epochs_keep(uint64_t end)
{
	if (early_count < sizeof(early) / sizeof(*early))
		early[early_count++] = (struct early){ number, begin, end };
}

void epochs_settle(int64_t step)
{
	for (unsigned int i = 0; step != STEP_NULL && i < early_count; i++)
		define(&early[i], step);
	early_count = 0;
}

void epochs_forget(void)
{
	offset = 0;
	flags = 0;
	early_count = 0;
}
