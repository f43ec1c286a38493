/* events.c - events on the streams' clocks. */
#include "tests/sims/lib/queue.h"
#include <stdlib.h>

int sim_event_new(void **event, unsigned int flag)
{
	struct event *e;

	if (!event)
		return SIM_INVALID;
	e = calloc(1, sizeof(*e));
	e->magic = SIM_EVENT;
	e->flag = flag;
	*event = e;
	return 0;
}

int sim_event_end(void *event)
{
	if (!sim_is(event, SIM_EVENT))
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	sim_queue_forget(event);
	pthread_mutex_unlock(&sim_lock);
	((struct event *)event)->magic = 0;
	free(event);
	return 0;
}

/* In a capture an event joins streams; of some vendors one that keeps times has no business there. */
static int record_captured(struct event *e, struct stream *s)
{
	if (e->flag & SIM_EVENT_OUTSIDE)
		return SIM_CAPTURED;
	e->graph = s->graph;
	e->stream = s;
	e->tail = ++s->tail;
	return 0;
}

int sim_event_record(void *event, void *stream)
{
	struct stream *s = sim_stream(stream);
	struct event *e = event;

	if (!s || !sim_is(event, SIM_EVENT))
		return SIM_INVALID;
	if (s->graph)
		return record_captured(e, s);
	pthread_mutex_lock(&sim_lock);
	e->graph = NULL;
	e->stream = s;
	if (sim_async()) {
		sim_queue_record(s, e);
	} else {
		sim_catch_up(s);
		e->ns = s->now;
	}
	e->record = ++s->records;
	e->asked = 0;
	pthread_mutex_unlock(&sim_lock);
	return 0;
}

int sim_event_wait(void *stream, void *event)
{
	struct stream *s = sim_stream(stream);
	struct event *e = event;

	if (!s || !sim_is(event, SIM_EVENT))
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	if (e->graph) {
		s->graph = e->graph; /* until the capture ends */
		s->tail++;
		if (e->tail > e->stream->joined)
			e->stream->joined = e->tail;
	} else if (e->record && sim_async()) {
		sim_queue_wait(s, e);
	} else if (e->record && e->ns > s->now) {
		s->now = e->ns;
	}
	pthread_mutex_unlock(&sim_lock);
	return 0;
}

static int look_at(struct event *e)
{
	if (!sim_is(e, SIM_EVENT))
		return SIM_INVALID;
	return e->graph ? SIM_EVENT_CAPTURED : 0;
}

static bool is_complete(const struct event *e)
{
	return sim_async() ? sim_queue_passed(e) : !e->record || e->record <= e->stream->done;
}

/* And with it whatever the stream did before. */
static void set_complete(struct event *e)
{
	if (!is_complete(e))
		e->stream->done = e->record;
}

int sim_event_synchronize(void *event)
{
	struct event *e = event;
	int rc = look_at(e);

	if (!rc && sim_async())
		sim_queue_wait_for_event(e);
	if (!rc)
		set_complete(e);
	return rc;
}

int sim_event_query(void *event, bool *complete)
{
	struct event *e = event;
	int rc = look_at(e);

	if (rc)
		return rc;
	if (!sim_async() && e->asked++ >= (unsigned long)sim_setting("SIM_EVENT_QUERIES", 0))
		set_complete(e);
	*complete = is_complete(e);
	return 0;
}

int sim_event_time(void *event, uint64_t *ns)
{
	struct event *e = event;
	int rc = look_at(e);

	if (rc || !ns)
		return rc ? rc : SIM_INVALID;
	if (!e->record)
		return SIM_NOT_RECORDED;
	if (!is_complete(e) && (sim_async() || sim_setting("SIM_EVENT_QUERIES", 0)))
		return SIM_NOT_COMPLETE;
	*ns = e->ns;
	return 0;
}

int sim_elapsed(float *ms, void *from, void *to)
{
	uint64_t begin, end;
	int rc = sim_event_time(from, &begin);

	if (!rc)
		rc = sim_event_time(to, &end);
	if (rc || !ms)
		return rc ? rc : SIM_INVALID;
	if (end < begin)
		return SIM_REVERSED;
	*ms = (float)((double)(end - begin) / 1e6);
	return 0;
}
