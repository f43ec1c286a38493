/* schedule.c - the asking part calls nobody. */
#include "config/schedule.h"
#include <stdio.h>
#include <string.h>
#include "config/base/number.h"
#include "config/base/refuse.h"
#include "config/base/words.h"

/* ---- asking ---- */

/*
 * As torch.profiler.schedule() has it: skip_first_wait other than 0 leaves out the first cycle's wait. Numbers
 * are 2^53 at most, so sums do not overflow.
 */
static int64_t cycle(const struct schedule *s)
{
	return s->wait + s->warmup + s->active;
}

#define ACTIVE_ALL NUMBER_MAX
#define LARGEST	   (4 * NUMBER_MAX) /* behind it nothing is recorded, so that sums stay in 64 bits */

/* Where an index lies, counted from the begin of the first cycle. */
static int64_t place(const struct schedule *s, int64_t index)
{
	return index - s->skip_first + (s->skip_first_wait ? s->wait : 0);
}

static bool is_over(const struct schedule *s, int64_t place)
{
	return s->repeat && place / cycle(s) >= s->repeat;
}

enum schedule_state schedule_state(const struct schedule *s, int64_t index)
{
	int64_t at, in;

	if (index < s->skip_first || index > LARGEST)
		return SCHEDULE_NONE;
	at = place(s, index);
	if (is_over(s, at))
		return SCHEDULE_NONE;
	in = at % cycle(s);
	if (in < s->wait)
		return SCHEDULE_NONE;
	if (in < s->wait + s->warmup)
		return SCHEDULE_WARMUP;
	return in == cycle(s) - 1 ? SCHEDULE_SAVE : SCHEDULE_RECORD;
}

int64_t schedule_next(const struct schedule *s, int64_t index)
{
	int64_t next, in;

	if (index >= LARGEST)
		return INT64_MAX;
	next = index < s->skip_first ? s->skip_first : index + 1;
	in = place(s, next) % cycle(s);
	if (in < s->wait + s->warmup)
		next += s->wait + s->warmup - in;
	return is_over(s, place(s, next)) ? INT64_MAX : next;
}

void schedule_run(const struct schedule *s, int64_t index, int64_t *first, int64_t *last)
{
	int64_t in = place(s, index) % cycle(s);

	*first = index - (in - s->wait - s->warmup);
	*last = s->active == ACTIVE_ALL ? INT64_MAX : index + (cycle(s) - 1 - in);
}

/* ---- reading and printing ---- */

static const char *const names[] = {
	"counter",
#define FIELD(name) #name,
	SCHEDULE_FIELDS(FIELD)
#undef FIELD
		NULL
};

static int64_t *field_of(struct schedule *s, const char *name)
{
#define FIELD(field)               \
	if (!strcmp(name, #field)) \
		return &s->field;
	SCHEDULE_FIELDS(FIELD)
#undef FIELD
	return NULL;
}

static const char *const counters[] = { [SCHEDULE_STEP] = "step", [SCHEDULE_MINI] = "mini", [SCHEDULE_MICRO] = "micro", NULL };

const char *schedule_counter_word(enum schedule_counter counter)
{
	return counters[counter];
}

static int read_counter(struct schedule *s, const char *word, char *why, size_t size)
{
	char all[40];

	for (unsigned int i = 0; i < SCHEDULE_COUNTERS; i++) {
		if (strcmp(counters[i], word))
			continue;
		s->counter = i;
		return 0;
	}
	words_join(all, sizeof(all), counters, "", " or ");
	return refuse(why, size, "counter=%.40s: write %s", word, all);
}

static int refuse_name(const char *text, char *why, size_t size)
{
	const char *near = word_nearest(text, names);
	char all[96];

	words_join(all, sizeof(all), names, "", " or ");
	return refuse(why, size, "'%s' is no part of a schedule: write %s", text, near ? near : all);
}

/* Its place in names. */
static unsigned int number_of(const char *name)
{
	unsigned int n = 0;

	while (names[n] && strcmp(names[n], name))
		n++;
	return n;
}

static int read_value(struct schedule *s, const char *name, const char *value, char *why, size_t size)
{
	const char *p = value;

	if (!strcmp(name, "counter"))
		return read_counter(s, value, why, size);
	if (!strcmp(name, "active") && !strcmp(value, "all")) {
		s->active = ACTIVE_ALL;
		return 0;
	}
	if (!number_read(&p, field_of(s, name)) || *p)
		return refuse(why, size, "%s=%.40s: write a number from 0 to 2^53", name, value);
	return 0;
}

/* said: a bit for each name so far. */
static int read_item(struct schedule *s, unsigned int *said, const char *item, int length, char *why, size_t size)
{
	char text[64], *value;
	unsigned int n;

	snprintf(text, sizeof(text), "%.*s", length, item);
	value = strchr(text, '=');
	if (!value)
		return refuse(why, size, "'%.*s' is no part of a schedule: write it like wait=1,warmup=1,active=3,repeat=1", shown(length),
			      item);
	*value++ = '\0';
	n = number_of(text);
	if (!names[n])
		return refuse_name(text, why, size);
	if (*said & 1u << n)
		return refuse(why, size, "%s is given twice: keep one", text);
	*said |= 1u << n;
	return read_value(s, text, value, why, size);
}

#define BETWEEN ", \t"

int schedule_read(struct schedule *s, const char *text, char *why, size_t size)
{
	struct schedule read = { .given = true };
	unsigned int said = 0;
	int length, err;

	for (text += strspn(text, BETWEEN); *text; text += strspn(text, BETWEEN)) {
		length = (int)strcspn(text, BETWEEN);
		err = read_item(&read, &said, text, length, why, size);
		if (err)
			return err;
		text += length;
	}
	if (!read.active)
		return refuse(why, size, "active is missing, or 0: nothing would be recorded: write active=1 or more");
	*s = read;
	return 0;
}

/* active=all among them. */
static size_t put_field(char *text, size_t size, bool comma, const char *name, int64_t value)
{
	if (value == ACTIVE_ALL && !strcmp(name, "active"))
		return (size_t)snprintf(text, size, "%sactive=all", comma ? "," : "");
	return (size_t)snprintf(text, size, "%s%s=%lld", comma ? "," : "", name, (long long)value);
}

void schedule_text(const struct schedule *s, char *text, size_t size)
{
	size_t used = 0;

	snprintf(text, size, "%s", "");
	if (!s->given)
		return;
	if (s->counter != SCHEDULE_STEP)
		used = (size_t)snprintf(text, size, "counter=%s", counters[s->counter]);
#define FIELD(name)                 \
	if (s->name && used < size) \
		used += put_field(text + used, size - used, used, #name, s->name);
	SCHEDULE_FIELDS(FIELD)
#undef FIELD
}
