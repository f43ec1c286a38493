/* graphs.c - what is submitted to a captured stream is kept, and runs when the graph is launched. */
#include "tests/sims/lib/clock.h"
#include <stdlib.h>

int sim_capture_begin(void *stream)
{
	struct stream *s = sim_stream(stream);
	struct graph *g;

	if (!s || !stream) /* a device's own stream is not captured */
		return SIM_INVALID;
	if (s->graph)
		return SIM_CAPTURED;
	g = calloc(1, sizeof(*g));
	g->magic = SIM_GRAPH;
	g->last = &g->first;
	s->graph = g;
	return 0;
}

int sim_capture_end(void *stream, void **graph)
{
	struct stream *s = sim_stream(stream);

	if (!s || !graph)
		return SIM_INVALID;
	if (!s->graph)
		return SIM_NOT_CAPTURED;
	*graph = s->graph;
	sim_stream_detach(s->graph);
	return 0;
}

int sim_capture_info(void *stream, int *active, void **graph)
{
	struct stream *s = sim_stream(stream);

	if (!s)
		return SIM_INVALID;
	if (active)
		*active = s->graph != NULL;
	if (graph)
		*graph = s->graph;
	return 0;
}

/* A captured stream takes the nodes, another one runs them. */
int sim_graph_launch(void *graph, void *stream)
{
	int rc = 0;

	if (!sim_is(graph, SIM_GRAPH))
		return SIM_INVALID;
	for (struct node *n = ((struct graph *)graph)->first; n && !rc; n = n->next)
		rc = n->disabled ? 0 : n->child ? sim_graph_launch(n->child, stream)
						: sim_submit(stream, &n->task);
	return rc;
}

int sim_graph_end(void *graph)
{
	struct graph *g = graph;

	if (!sim_is(graph, SIM_GRAPH))
		return SIM_INVALID;
	for (struct node *n = g->first, *next; n; n = next) {
		next = n->next;
		free(n->kept);
		free(n);
	}
	g->magic = 0;
	free(g);
	return 0;
}
