#include "analysis/export/ascend/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/ascend/words.h"
#include "config/contents.h"

static const char *truth(bool yes)
{
	return yes ? "true" : "false";
}

static void put_config(struct out *o, const struct ascend *a, unsigned int contents)
{
	out_format(o, "    \"config\": {\n        \"common_config\": {\n            \"activities\": [\"ProfilerActivity.CPU\"%s],\n"
		      "            \"record_shapes\": %s,\n            \"profile_memory\": %s,\n            \"with_stack\": %s,\n"
		      "            \"with_flops\": false,\n            \"with_modules\": false\n        },\n",
		   contents & CONTENT_DEVICE ? ", \"ProfilerActivity.NPU\"" : "", truth(contents & CONTENT_SHAPES), truth(contents & CONTENT_MEMORY), truth(a->process->defs.stacks.stacks.count));
	out_format(o, "        \"experimental_config\": {\n            \"_profiler_level\": \"%s\",\n            \"_aic_metrics\": \"ACL_AICORE_NONE\",\n"
		      "            \"_l2_cache\": false,\n            \"_mstx\": true,\n            \"_data_simplification\": true,\n"
		      "            \"_export_type\": [\"%s\"]\n        }\n    },\n",
		   words_level(a->level), a->format->kind);
}

/* Its name tells of the window: steps, stage, batches. */
static void put_trace(struct out *o, const struct ascend *a)
{
	const char *path = a->process->files[a->export->window].path, *name = strrchr(path, '/');

	if (!export_by_window(a->export))
		return;
	out_text(o, "    \"trace\": ");
	out_json_plain(o, name ? name + 1 : path);
	out_text(o, ",\n");
}

static void put_info(struct ascend *a)
{
	const struct process *p = a->process;
	const struct trace_file *first = &p->files[0];
	char name[64] = "profiler_info.json", missing[MISSING_ROOM];
	struct out *o;

	if (p->has_rank)
		snprintf(name, sizeof(name), "profiler_info_%lld.json", (long long)p->rank);
	o = folder_file(a, name);
	out_text(o, "{\n");
	put_config(o, a, contents_of(process_fact(p, "contents")));
	out_format(o, "    \"start_info\": {\"syscnt_enable\": false, \"start_monotonic\": %llu},\n", (unsigned long long)first->first_monotonic);
	out_format(o, "    \"end_info\": {\"collectionTimeEnd\": %llu, \"MonotonicTimeEnd\": %llu},\n", (unsigned long long)a->last_ns,
		   (unsigned long long)(a->last_ns > p->realtime_offset ? a->last_ns - p->realtime_offset : 0));
	if (p->has_rank)
		out_format(o, "    \"rank_id\": %lld,\n", (long long)p->rank);
	put_trace(o, a);
	process_missing(p, missing, sizeof(missing));
	out_format(o, "    \"recorded_by\": \"ranktrace %s\",\n    \"complete\": %s,\n    \"missing\": ", RANKTRACE_VERSION,
		   truth(export_is_of_all(a->export) && !*missing));
	out_json(o, missing);
	out_text(o, "\n}\n");
}

/* Who is in a group is known where the group holds every rank there is. */
static void put_ranks(struct out *o, const struct communicator *c, uint64_t world)
{
	if (!world || c->def.size != world)
		return;
	out_text(o, ", \"global_ranks\": [");
	for (uint32_t i = 0; i < c->def.size; i++)
		out_format(o, i ? ", %u" : "%u", i);
	out_char(o, ']');
}

void info_groups(struct out *o, const struct process *p)
{
	uint64_t world = key_values_number(&p->facts, "world", 0);
	struct collective c = { 0 };
	size_t n = 0;

	out_char(o, '{');
	for (size_t i = 0; i < p->defs.communicators.count; i++) {
		c.communicator = table_item(&p->defs.communicators, i);
		if (n++)
			out_text(o, ", ");
		out_json_plain(o, words_group(&c));
		out_text(o, ": {\"group_name\": ");
		out_json_plain(o, world && c.communicator->def.size == world ? "default_group" : words_group(&c));
		if (c.communicator->def.rank >= 0)
			out_format(o, ", \"group_rank\": %d", c.communicator->def.rank);
		put_ranks(o, c.communicator, world);
		out_char(o, '}');
	}
	out_char(o, '}');
}

void info_put(struct ascend *a)
{
	struct out *o;

	put_info(a);
	o = folder_file(a, "profiler_metadata.json");
	out_text(o, "{\n    \"parallel_group_info\": ");
	info_groups(o, a->process);
	out_text(o, "\n}\n");
}
