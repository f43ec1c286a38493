#include "analysis/ctl/requests.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "agent/format/trace_file.h"
#include "analysis/ctl/ends.h"
#include "analysis/session/request.h"
#include "analysis/util/trace_paths.h"
#include "config/base/number.h"
#include "config/base/printable.h"

#define LOOK_US	       50000
#define LOOK_SHARED_US 1000000 /* they look once a second */
#define LOOKS_AHEAD    4       /* so many times the steps of a look may pass until all have heard, */
#define STEPS_AT_LEAST 2       /* and these */

#define FOLDER_SIZE    (sizeof(((struct session_status *)NULL)->save_path) + sizeof(((struct session_status *)NULL)->job) + 1)

static int64_t next_look(struct asked *c)
{
	usleep(c->shared ? LOOK_SHARED_US : LOOK_US);
	asked_forget(c);
	asked_find(c);
	return asked_highest_step(c);
}

/* None has come to it yet, as far as can be told: all that hear of it in time begin with it. */
static int64_t step_ahead(struct asked *c)
{
	int64_t before = asked_highest_step(c), now;

	if (c->at)
		return (int64_t)c->at;
	now = next_look(c);
	if (before == STEP_NULL && now != STEP_NULL) { /* they have just begun: how fast they are shows from here on */
		before = now;
		now = next_look(c);
	}
	if (now == STEP_NULL || now < -NUMBER_MAX)
		return -NUMBER_MAX;
	return now + STEPS_AT_LEAST + (before == STEP_NULL ? 0 : LOOKS_AHEAD * (now - before));
}

static int64_t aligned(int64_t step, int64_t align)
{
	int64_t behind = (step % align + align) % align;

	return behind ? step + align - behind : step;
}

static void folder_of(const struct session_status *s, char *folder, size_t size)
{
	snprintf(folder, size, "%s/%s", s->save_path, s->job);
}

/* Do those that are here look for the file there? False: it was said. */
static bool is_their_folder(const struct asked *c)
{
	char folder[FOLDER_SIZE];

	for (size_t i = 0; i < c->count; i++) {
		folder_of(c->list[i]->status, folder, sizeof(folder));
		if (trace_paths_same(folder, c->path))
			continue;
		fprintf(stderr, "ranktrace: %s is not the folder of a job: %s is\n", c->path, folder);
		return false;
	}
	return true;
}

/* False: it was said. */
static bool can_ask(const struct asked *c)
{
	if (!c->shared)
		return asked_found_any(c) && asked_any_obeys(c);
	if (!c->path)
		fputs("ranktrace: --shared wants the folder of a job: PATH, a folder below the save_path\n", stderr);
	return c->path && is_their_folder(c);
}

/* Returns whether it was written; what failed is said. */
static bool share(const struct asked *c, struct session_request r)
{
	int err = request_share(c->path, &r);

	if (err)
		fprintf(stderr, "ranktrace: %s/" SHARED_REQUESTS " cannot be written: %s\n", c->path, strerror(-err));
	else
		printf("asked in %s/" SHARED_REQUESTS ": ", c->path);
	return !err;
}

/* Returns whether there is one that the stop before has not reached. */
static bool say_unstopped(const struct asked *c)
{
	bool any = false;

	for (size_t i = 0; i < c->count && !c->shared; i++) {
		if (!asked_obeys(c->list[i]->status) || !ends_stop(c->list[i]->status))
			continue;
		any = true;
		fputs("ranktrace: ", stderr);
		asked_say_who(stderr, c->list[i]->status);
		fputs("was at no boundary since the stop, whose place this takes: until it is it may record what the others do not\n", stderr);
	}
	return any;
}

/* Asks all that obey. Returns how many were reached; what failed is said. */
static size_t ask_each(const struct asked *c, const struct session_request *r)
{
	size_t reached = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct session_status *s = c->list[i]->status;
		struct session_request one = *r;
		int err;

		if (r->kind == REQUEST_STOP)
			one.step = ends_with(s, r->step);
		err = asked_obeys(s) ? request_write(c->list[i], &one) : 0;
		reached += asked_obeys(s) && !err;
		if (!err || err == -ENOENT || err == -ESTALE) /* it has ended */
			continue;
		fputs("ranktrace: ", stderr);
		asked_say_who(stderr, s);
		fprintf(stderr, "cannot be asked: %s\n", strerror(-err));
	}
	return reached;
}

static size_t ask(const struct asked *c, const struct session_request *r)
{
	return c->shared ? share(c, *r) : ask_each(c, r);
}

/* Who they are, and what they do: one does, or several do. */
static void say_reached(const struct asked *c, size_t reached, const char *one, const char *several)
{
	if (c->shared)
		printf("processes %s", several);
	else
		printf("%zu %s %s", reached, reached == 1 ? "process" : "processes", reached == 1 ? one : several);
}

/* Returns whether one had come as far before it could hear: it begins with a later step. */
static bool say_late(struct asked *c, int64_t step)
{
	bool late = false;

	asked_forget(c);
	asked_find(c);
	for (size_t i = 0; i < c->count; i++) {
		const struct session_status *s = c->list[i]->status;

		if (!asked_obeys(s) || s->last_step < step || (s->asked_first == step && s->looked_at == s->asked))
			continue;
		late = true;
		fputs("ranktrace: ", stderr);
		asked_say_who(stderr, s);
		fprintf(stderr, "was in step %" PRId64 " before it heard, and begins later than the others\n", (int64_t)s->last_step);
	}
	return late;
}

/* Is there a start still to come behind this step, for what is asked now to take back or to take the place of? The first step of it. */
static bool has_start_behind(const struct asked *c, int64_t step, int64_t *first)
{
	for (size_t i = 0; i < c->count; i++)
		if (asked_obeys(c->list[i]->status) && ends_start(c->list[i]->status, step, first))
			return true;
	return false;
}

static void say_replaced(int64_t first)
{
	if (first == -NUMBER_MAX)
		puts("in place of the start with the first step, which was still to come");
	else
		printf("in place of the start from step %" PRId64 ", which was still to come\n", first);
}

static void say_start(const struct asked *c, size_t reached, int64_t step)
{
	if (step == -NUMBER_MAX)
		say_reached(c, reached, "begins with the first step", "begin with the first step");
	else
		say_reached(c, reached, "records from step ", "record from step ");
	if (step != -NUMBER_MAX)
		printf("%" PRId64, step);
	if (c->steps)
		printf(", %" PRIu64 " step%s\n", c->steps, c->steps == 1 ? "" : "s");
	else
		puts(" on, until `ranktrace ctl stop`");
}

/* Returns whether all of them have passed the step that --at names: each would begin as soon as it hears, and none with another. */
static bool say_over(const struct asked *c, int64_t step)
{
	for (size_t i = 0; i < c->count; i++)
		if (asked_obeys(c->list[i]->status) && c->list[i]->status->last_step < step)
			return false;
	fprintf(stderr, "ranktrace: step %" PRId64 " is over in all of them, of which one is in step %" PRId64 ": give a later --at STEP, or none\n", step,
		asked_highest_step(c));
	return true;
}

bool asked_start(struct asked *c)
{
	struct session_request r = { .kind = REQUEST_START, .steps = c->steps, .align = c->align };
	size_t reached;
	int64_t before;
	bool unstopped, replaced;

	if (!can_ask(c))
		return false;
	if (asked_highest_step(c) > NUMBER_MAX / 2) {
		fputs("ranktrace: steps of these processes have numbers beyond 2^52, which none can be asked for\n", stderr);
		return false;
	}
	r.step = step_ahead(c);
	if (r.step == -NUMBER_MAX && c->shared) {
		fputs("ranktrace: no process on this host tells how far the job is: give a step that none has come to, --at STEP\n", stderr);
		return false;
	}
	if (r.step != -NUMBER_MAX)
		r.step = aligned(r.step, (int64_t)c->align);
	if (c->at && !c->shared && say_over(c, r.step))
		return false;
	snprintf(r.text, sizeof(r.text), "%s", c->role ? c->role : "");
	unstopped = say_unstopped(c);
	replaced = !c->shared && has_start_behind(c, asked_highest_step(c), &before);
	reached = ask(c, &r);
	if (reached)
		say_start(c, reached, r.step);
	if (reached && replaced)
		say_replaced(before);
	return reached && !unstopped && (r.step == -NUMBER_MAX || !say_late(c, r.step));
}

/* The last step that any of them records behind a stop with this one; STEP_NULL: none records, nor has to up to there. */
static int64_t last_recorded(const struct asked *c, int64_t step)
{
	int64_t last = STEP_NULL, end;

	for (size_t i = 0; i < c->count; i++) {
		end = asked_obeys(c->list[i]->status) ? ends_recording(c->list[i]->status, step) : STEP_NULL;
		last = end > last ? end : last;
	}
	return last;
}

/* Who records nothing has something to come perhaps, be it by the settings: behind this step that is over, too. */
static void say_nothing_stops(const struct asked *c, size_t reached, int64_t step)
{
	int64_t first;

	if (has_start_behind(c, step, &first)) {
		say_reached(c, reached, "takes back the start", "take back the start");
		if (first != -NUMBER_MAX)
			printf(" from step %" PRId64, first);
		fputs(": ", stdout);
	} else {
		printf("nothing is recording in %zu %s: ", reached, reached == 1 ? "process" : "processes");
	}
	if (step != -NUMBER_MAX)
		printf("behind step %" PRId64 " ", step);
	puts("only a later `ranktrace ctl start` records");
}

static void say_stop(const struct asked *c, size_t reached, int64_t step)
{
	int64_t last = c->shared ? step : last_recorded(c, step);

	if (last == STEP_NULL) {
		say_nothing_stops(c, reached, step);
		return;
	}
	say_reached(c, reached, "stops", c->shared ? "that record stop" : "stop");
	if (last != -NUMBER_MAX)
		printf(" behind step %" PRId64, last);
	putchar('\n');
}

bool asked_stop(struct asked *c)
{
	struct session_request r = { .kind = REQUEST_STOP, .align = 1, .step = -NUMBER_MAX };
	int64_t highest;
	size_t reached;

	if (!can_ask(c))
		return false;
	highest = asked_highest_step(c);
	if (c->shared || (int64_t)c->at > highest)
		highest = step_ahead(c);
	if (highest >= -NUMBER_MAX && highest <= NUMBER_MAX)
		r.step = highest;
	reached = ask(c, &r);
	if (reached)
		say_stop(c, reached, r.step);
	return reached > 0;
}

bool asked_mark(struct asked *c)
{
	struct session_request r = { .kind = REQUEST_MARK, .align = 1 };
	size_t reached;

	if (!can_ask(c))
		return false;
	snprintf(r.text, sizeof(r.text), "%s", c->text);
	make_printable(r.text);
	reached = ask(c, &r);
	if (reached)
		say_reached(c, reached, "marks it\n", "mark it\n");
	return reached > 0;
}
