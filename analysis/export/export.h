/* export.h - carries a trace through an exporter. */
#pragma once
#include "analysis/export/exporter.h"

struct exported {
	size_t ranks;	 /* processes that were asked for */
	uint64_t events; /* of the steps that were asked for */
	uint64_t stages; /* likewise: there may be some without an event */
	bool whole;	 /* nothing of it is missing */
};

/* o->error tells about writing. */
struct exported export_trace(const struct exporter *exporter, struct out *o, struct trace *t, const struct choice *choice);
