#include "analysis/trace/graphs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/util/alloc.h"

char *graph_line(const struct graph *g)
{
	char text[GRAPH_LINE];
	size_t n = 0;

	text[0] = '\0';
#define ADD(...) (n += n < sizeof(text) ? (size_t)snprintf(text + n, sizeof(text) - n, __VA_ARGS__) : 0)
	for (uint32_t i = 0; i < g->def.names; i++)
		ADD("%s%" PRIu64 "*%s", i ? ";" : "", g->kernels[i].def.nodes, g->kernels[i].name);
	if (g->def.others)
		ADD("%s+%" PRIu32, g->def.names ? ";" : "", g->def.others);
#undef ADD
	if (n >= sizeof(text))
		memcpy(text + sizeof(text) - 4, "...", 4);
	return alloc_text(text, strlen(text));
}

void graph_json(struct out *o, const struct graph *g)
{
	out_char(o, '[');
	for (uint32_t i = 0; i < g->def.names; i++) {
		out_json_comma(o, i);
		out_text(o, "{\"name\":");
		out_json(o, g->kernels[i].name);
		out_text(o, ",\"nodes\":");
		out_u64(o, g->kernels[i].def.nodes);
		out_char(o, '}');
	}
	out_char(o, ']');
}
