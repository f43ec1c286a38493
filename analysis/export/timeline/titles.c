#include "analysis/export/timeline/titles.h"

#include <inttypes.h>
#include <stdio.h>

static void put_title(char *title, size_t size, const struct process *p, const struct device *device, const char *what)
{
	const char *group = p->grouped ? process_fact(p, "worker_group") : "";
	char rank[32] = "rank ?";

	if (device && device->has_rank)
		snprintf(rank, sizeof(rank), "rank %" PRId64, device->rank.rank);
	else if (p->has_rank)
		snprintf(rank, sizeof(rank), "rank %" PRId64, p->rank);
	snprintf(title, size, "%s%s%s%s (%s:%" PRIu64 ")", rank, *group ? " of " : "", group, what, process_fact(p, "host"), p->pid);
}

void title_host(char *title, size_t size, const struct process *p)
{
	put_title(title, size, p, NULL, "");
}

void title_device(char *title, size_t size, const struct process *p, uint32_t device, bool device_is_alone)
{
	char what[32] = " device";

	if (device)
		snprintf(what, sizeof(what), " device %" PRIu32, device);
	put_title(title, size, p, device_is_alone ? table_find(&p->defs.devices, device + 1) : NULL, what);
}
