/*
 * driver_capture.c - captures of streams, and what they forbid (CUDA's programming guide, "Creating a Graph Using Stream
 * Capture"; cuThreadExchangeStreamCaptureMode). A capture in which anything of that happened is invalid: it takes no more
 * work and ends with an error.
 */
#include "tests/sims/cuda/driver.h"
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct graph *captures; /* those that go on; under sim_lock */
static _Atomic int going_on;
static __thread int mode;

static long thread_id(void)
{
	return (long)syscall(SYS_gettid);
}

int driver_spoiled(void *stream, int rc)
{
	struct stream *s = stream;

	if (s->graph)
		s->graph->invalid = true;
	return rc;
}

/* Does this capture forbid unsafe calls to the calling thread? */
static bool forbids(const struct graph *g, long thread)
{
	if (mode == SIM_MODE_RELAXED)
		return false;
	if (g->thread == thread && g->mode != SIM_MODE_RELAXED)
		return true;
	return mode == SIM_MODE_GLOBAL && g->mode == SIM_MODE_GLOBAL;
}

int driver_unsafe(void)
{
	long thread = going_on ? thread_id() : 0;
	int rc = 0;

	if (!going_on)
		return 0;
	pthread_mutex_lock(&sim_lock);
	for (struct graph *g = captures; g; g = g->next)
		if (forbids(g, thread)) {
			g->invalid = true;
			rc = SIM_CAPTURED;
		}
	pthread_mutex_unlock(&sim_lock);
	return rc;
}

int driver_any_capture(const struct context *context)
{
	int rc = 0;

	if (!going_on)
		return 0;
	pthread_mutex_lock(&sim_lock);
	for (struct graph *g = captures; g; g = g->next)
		if (g->origin->device == context->device) {
			g->invalid = true;
			rc = SIM_CAPTURED;
		}
	pthread_mutex_unlock(&sim_lock);
	return rc;
}

/* Work for the legacy stream would have to wait for, or be waited for by, what is not done but captured. */
static int is_implicit(const struct stream *s)
{
	int rc = 0;

	if (!going_on)
		return 0;
	pthread_mutex_lock(&sim_lock);
	for (struct graph *g = captures; g; g = g->next)
		if (g->origin->legacy == s) {
			g->invalid = true;
			rc = SIM_ERROR_STREAM_CAPTURE_IMPLICIT;
		}
	pthread_mutex_unlock(&sim_lock);
	return rc;
}

int driver_may(void *stream)
{
	struct stream *s = stream;

	if (s->graph)
		return s->graph->invalid ? SIM_ERROR_STREAM_CAPTURE_INVALIDATED : 0;
	return is_implicit(s);
}

int driver_submit(CUstream given, const struct sim_task *task)
{
	void *stream;
	int rc = driver_stream(given, &stream);

	if (!rc)
		rc = driver_may(stream);
	return rc ? rc : sim_submit(stream, task);
}

/* ---- the functions ---- */

CUresult do_cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode its)
{
	static uint64_t ids;
	void *stream;
	struct stream *s;
	struct graph *g;
	int rc = driver_stream(hStream, &stream);

	if (rc)
		return rc;
	s = stream;
	if (s->graph || stream == driver_context()->legacy)
		return s->graph ? SIM_ERROR_INVALID_VALUE : SIM_CAPTURED;
	if (its < 0 || its > SIM_MODE_RELAXED)
		return SIM_ERROR_INVALID_VALUE;
	rc = sim_capture_begin(stream);
	if (rc)
		return rc;
	g = s->graph;
	pthread_mutex_lock(&sim_lock);
	g->origin = s;
	g->mode = its;
	g->thread = thread_id();
	g->id = ++ids;
	g->next = captures;
	captures = g;
	going_on++;
	pthread_mutex_unlock(&sim_lock);
	return 0;
}

CUresult do_cuStreamBeginCapture(CUstream hStream)
{
	return do_cuStreamBeginCapture_v2(hStream, SIM_MODE_GLOBAL);
}

static void forget(struct graph *g)
{
	pthread_mutex_lock(&sim_lock);
	for (struct graph **at = &captures; *at; at = &(*at)->next)
		if (*at == g) {
			*at = g->next;
			break;
		}
	g->next = NULL;
	going_on--;
	pthread_mutex_unlock(&sim_lock);
}

/* All streams that joined it are to have been joined again. */
CUresult do_cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
	void *stream;
	struct graph *g;
	int rc = driver_stream(hStream, &stream);

	if (rc)
		return rc;
	g = ((struct stream *)stream)->graph;
	if (!g)
		return SIM_ERROR_ILLEGAL_STATE;
	if (g->origin != stream)
		return driver_spoiled(stream, SIM_ERROR_STREAM_CAPTURE_UNMATCHED);
	if (g->mode != SIM_MODE_RELAXED && g->thread != thread_id())
		return driver_spoiled(stream, SIM_ERROR_STREAM_CAPTURE_WRONG_THREAD);
	if (!g->invalid && !sim_capture_joined(g))
		rc = SIM_ERROR_STREAM_CAPTURE_UNJOINED;
	if (g->invalid)
		rc = SIM_ERROR_STREAM_CAPTURE_INVALIDATED;
	forget(g);
	sim_stream_detach(g);
	if (rc)
		g = NULL;
	if (phGraph)
		*phGraph = g;
	return rc;
}

CUresult do_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *its)
{
	int was = mode;

	if (*its < 0 || *its > SIM_MODE_RELAXED)
		return SIM_ERROR_INVALID_VALUE;
	mode = *its;
	*its = was;
	return 0;
}

/* The legacy stream has no state while another one is captured that it would have to wait for. */
static int state_of(CUstream given, CUstreamCaptureStatus *status, struct graph **graph)
{
	void *stream;
	int rc = driver_stream(given, &stream);

	if (rc)
		return rc;
	*graph = ((struct stream *)stream)->graph;
	if (!*graph)
		rc = is_implicit(stream);
	*status = !*graph ? SIM_CAPTURE_NONE : (*graph)->invalid ? SIM_CAPTURE_INVALIDATED
								 : SIM_CAPTURE_ACTIVE;
	return rc;
}

CUresult do_cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
	struct graph *graph;

	return state_of(hStream, captureStatus, &graph);
}

CUresult do_cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph_out,
				      const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *number)
{
	struct graph *graph;
	int rc = state_of(hStream, status, &graph);

	if (rc || *status == SIM_CAPTURE_NONE)
		return rc;
	if (id)
		*id = graph->id;
	if (graph_out)
		*graph_out = graph;
	if (dependencies)
		*dependencies = NULL;
	if (edges)
		*edges = NULL;
	if (number)
		*number = 0;
	return 0;
}

CUresult do_cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph_out,
				      const CUgraphNode **dependencies, size_t *number)
{
	return do_cuStreamGetCaptureInfo_v3(hStream, status, id, graph_out, dependencies, NULL, number);
}

CUresult do_cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *status, cuuint64_t *id)
{
	return do_cuStreamGetCaptureInfo_v3(hStream, status, id, NULL, NULL, NULL, NULL);
}
