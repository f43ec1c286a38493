#include "analysis/trace/defs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/trace/graphs.h"
#include "analysis/util/demangle.h"

void defs_init(struct defs *d)
{
	d->hooks = TABLE(struct hook_name);
	d->strings = TABLE(struct text);
	d->launches = TABLE(struct launch);
	d->shapes = TABLE(struct shapes);
	d->graphs = TABLE(struct graph);
	d->streams = TABLE(struct def_stream);
	d->epochs = TABLE(struct def_epoch);
	d->devices = TABLE(struct device);
	d->communicators = TABLE(struct communicator);
	d->collectives = TABLE(struct collective);
	d->markers = TABLE(struct marker);
	d->pools = TABLE(struct pool);
	d->losses = TABLE(struct def_lost);
	d->stages = TABLE(struct stage);
	d->places = TABLE(struct step_place);
	stacks_init(&d->stacks);
}

static const char *string_of(const struct defs *d, uint64_t id)
{
	const struct text *string = id ? table_find(&d->strings, id) : NULL;

	return string ? string->text : NULL;
}

static const char *shown_of(const struct defs *d, uint64_t id)
{
	struct text *string = id ? table_find(&d->strings, id) : NULL;

	if (string && !string->shown)
		string->shown = demangle(string->text);
	return string && string->shown ? string->shown : string_of(d, id);
}

static int by_nodes(const void *a, const void *b)
{
	const struct graph_kernel *x = a, *y = b;

	return x->def.nodes != y->def.nodes ? (x->def.nodes < y->def.nodes) - (x->def.nodes > y->def.nodes) : strcmp(x->name, y->name);
}

static void finish_graph(struct defs *d, struct graph *g)
{
	uint32_t named = 0;

	for (uint32_t i = 0; i < g->def.names; i++) {
		struct graph_kernel k = g->kernels[i];

		k.name = string_of(d, k.def.name);
		if (k.name)
			g->kernels[named++] = k;
		else
			g->def.others += (uint32_t)k.def.nodes;
	}
	g->def.names = named;
	qsort(g->kernels, named, sizeof(*g->kernels), by_nodes);
	free(g->line);
	g->line = graph_line(g);
}

/* A stage was entered in step 1 as long as nobody had told of steps; whether that is true is known of the epochs in it. */
static void finish_place(struct defs *d, size_t i)
{
	struct step_place *place = table_item(&d->places, i);
	const struct def_epoch *epoch = table_find(&d->epochs, d->places.keys[i]);
	struct stage *stage = table_find(&d->stages, place->def.stage);

	place->stage = stage;
	if (stage && epoch && epoch->step == STEP_NULL)
		stage->def.step = STEP_NULL;
}

void defs_finish(struct defs *d)
{
	for (size_t i = 0; i < d->graphs.count; i++)
		finish_graph(d, table_item(&d->graphs, i));
	for (size_t i = 0; i < d->launches.count; i++) {
		struct launch *launch = table_item(&d->launches, i);

		launch->name = string_of(d, launch->def.name);
		launch->shown = shown_of(d, launch->def.name);
		launch->shapes = table_find(&d->shapes, d->launches.keys[i]);
		launch->graph = table_find(&d->graphs, d->launches.keys[i]);
	}
	for (size_t i = 0; i < d->collectives.count; i++) {
		struct collective *collective = table_item(&d->collectives, i);
		uint64_t id = collective->def.communicator;

		collective->communicator = id ? table_find(&d->communicators, id) : NULL;
	}
	for (size_t i = 0; i < d->markers.count; i++) {
		struct marker *marker = table_item(&d->markers, i);

		marker->message = string_of(d, marker->def.message);
		marker->domain = string_of(d, marker->def.domain);
		marker->communication = communication_read(marker->message);
	}
	for (size_t i = 0; i < d->pools.count; i++) {
		struct pool *pool = table_item(&d->pools, i);

		pool->domain = string_of(d, pool->def.domain);
	}
	for (size_t i = 0; i < d->places.count; i++)
		finish_place(d, i);
	stacks_finish(&d->stacks);
}

void defs_free(struct defs *d)
{
	for (size_t i = 0; i < d->hooks.count; i++)
		free(((struct hook_name *)table_item(&d->hooks, i))->name);
	for (size_t i = 0; i < d->strings.count; i++) {
		struct text *string = table_item(&d->strings, i);

		free(string->text);
		free(string->shown);
	}
	for (size_t i = 0; i < d->devices.count; i++) {
		struct device *device = table_item(&d->devices, i);

		free(device->name);
		free(device->source);
		free(device->clocks);
		timeline_free(&device->to_host);
	}
	for (size_t i = 0; i < d->communicators.count; i++)
		free(((struct communicator *)table_item(&d->communicators, i))->name);
	table_free(&d->communicators);
	table_free(&d->collectives);
	for (size_t i = 0; i < d->markers.count; i++)
		communication_free(((struct marker *)table_item(&d->markers, i))->communication);
	table_free(&d->markers);
	table_free(&d->pools);
	table_free(&d->losses);
	for (size_t i = 0; i < d->stages.count; i++)
		free(((struct stage *)table_item(&d->stages, i))->role);
	table_free(&d->stages);
	table_free(&d->places);
	table_free(&d->hooks);
	table_free(&d->strings);
	for (size_t i = 0; i < d->shapes.count; i++)
		free(((struct shapes *)table_item(&d->shapes, i))->tensors);
	table_free(&d->shapes);
	for (size_t i = 0; i < d->graphs.count; i++) {
		free(((struct graph *)table_item(&d->graphs, i))->kernels);
		free(((struct graph *)table_item(&d->graphs, i))->line);
	}
	table_free(&d->graphs);
	table_free(&d->launches);
	table_free(&d->streams);
	table_free(&d->epochs);
	table_free(&d->devices);
	stacks_free(&d->stacks);
}
