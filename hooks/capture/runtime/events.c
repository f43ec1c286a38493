#include "hooks/capture/runtime/events.h"
#include "hooks/link/resolve.h"

bool events_find(const struct event_names *names, struct events_found *found, void **real)
{
	real[EVENT_CREATE] = hook_vendor(&found->caches[EVENT_CREATE], names->create);
	real[EVENT_DESTROY] = hook_vendor(&found->caches[EVENT_DESTROY], names->destroy);
	real[EVENT_RECORD] = hook_vendor(&found->caches[EVENT_RECORD], names->record);
	real[EVENT_QUERY] = hook_vendor(&found->caches[EVENT_QUERY], names->query);
	real[EVENT_ELAPSED] = hook_vendor(&found->caches[EVENT_ELAPSED], names->elapsed);
	real[EVENT_CAPTURE] = hook_vendor(&found->caches[EVENT_CAPTURE], names->capture);
	return real[EVENT_CREATE] && real[EVENT_DESTROY] && real[EVENT_RECORD] && real[EVENT_QUERY] && real[EVENT_ELAPSED];
}

int events_create(void *const *real, void **event)
{
	int (*call)(void **, unsigned int) = real[EVENT_CREATE];

	return call(event, 0);
}

int events_destroy(void *const *real, void *event)
{
	int (*call)(void *) = real[EVENT_DESTROY];

	return call(event);
}

int events_record(void *const *real, void *event, void *stream)
{
	int (*call)(void *, void *) = real[EVENT_RECORD];

	return call(event, stream);
}

int events_query(void *const *real, void *event)
{
	enum { NOT_READY = 600 };
	int (*call)(void *) = real[EVENT_QUERY];
	int rc = call(event);

	return !rc ? 1 : rc == NOT_READY ? 0
					 : -1;
}

int events_elapsed(void *const *real, float *ms, void *from, void *to)
{
	int (*call)(float *, void *, void *) = real[EVENT_ELAPSED];

	return call(ms, from, to);
}

/* Every status but none captures; the default stream is refused an answer while another one does. */
int events_capture(void *const *real, void *stream)
{
	int (*call)(void *, int *) = real[EVENT_CAPTURE];
	int status = 0;

	return call(stream, &status) ? -1 : !!status;
}

int events_exchange_mode(int (*exchange)(int *), int mode)
{
	return exchange && mode >= 0 && !exchange(&mode) ? mode : -1;
}
