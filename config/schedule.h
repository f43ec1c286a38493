/*
 * schedule.h - which numbers of a counter are recorded: the rule of torch.profiler.schedule and
 * torch_npu.profiler.schedule, which users know. Numbers are indices: 0 is the counter's first.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it counts. */
enum schedule_counter {
	SCHEDULE_STEP,
	SCHEDULE_MINI,
	SCHEDULE_MICRO,
	SCHEDULE_COUNTERS
};

/* step, mini, micro */
const char *schedule_counter_word(enum schedule_counter counter);

/*
 * wait, then warmup, then active of them, and again, repeat times (0: without end), behind the first skip_first. relative other than 0: 0
 * is the first step that the process makes, whatever its number. active=all has no end.
 */
#define SCHEDULE_FIELDS(FIELD) \
	FIELD(skip_first)      \
	FIELD(skip_first_wait) \
	FIELD(wait)            \
	FIELD(warmup)          \
	FIELD(active)          \
	FIELD(repeat)          \
	FIELD(relative)

struct schedule {
	bool given;
	enum schedule_counter counter;
#define FIELD(name) int64_t name;
	SCHEDULE_FIELDS(FIELD)
#undef FIELD
};

enum schedule_state {
	SCHEDULE_NONE,
	SCHEDULE_WARMUP, /* not recorded, but the next ones are */
	SCHEDULE_RECORD,
	SCHEDULE_SAVE, /* recorded, the last of its window */
};

enum schedule_state schedule_state(const struct schedule *s, int64_t index);

static inline bool schedule_has(const struct schedule *s, int64_t index)
{
	return schedule_state(s, index) >= SCHEDULE_RECORD;
}

/* The least index behind this one that is recorded; INT64_MAX: none is. */
int64_t schedule_next(const struct schedule *s, int64_t index);

/* The window around an index that is recorded: [first, last]; a last of INT64_MAX: it has no end. */
void schedule_run(const struct schedule *s, int64_t index, int64_t *first, int64_t *last);

/* Reads `counter=micro,skip_first=10,wait=29,warmup=1,active=30,repeat=1`; only active must be given. 0, or -EINVAL with the reason in why. */
int schedule_read(struct schedule *s, const char *text, char *why, size_t size);

/* Prints it as schedule_read() takes it; empty: not given. */
void schedule_text(const struct schedule *s, char *text, size_t size);
