/* chrome_record.h - how records of Chrome's JSON trace format begin, which is written by more than one exporter. */
#pragma once
#include "analysis/util/out.h"

/* first: of its file. It is open for what else it has. */
static inline void chrome_record_begin(struct out *o, bool first, const char *phase, uint64_t pid, uint64_t tid)
{
	out_text(o, first ? "{\"ph\":\"" : ",\n{\"ph\":\"");
	out_text(o, phase);
	out_text(o, "\",\"pid\":");
	out_u64(o, pid);
	out_text(o, ",\"tid\":");
	out_u64(o, tid);
}

/* One end of an arrow. It is open for its number, and a quotation mark behind that: what reads numbers into a double would take two for one. */
static inline void chrome_record_begin_arrow(struct out *o, bool first, bool ends, uint64_t pid, uint64_t tid, const char *name, const char *category)
{
	chrome_record_begin(o, first, ends ? "f" : "s", pid, tid);
	out_text(o, ",\"name\":\"");
	out_text(o, name);
	out_text(o, "\",\"cat\":\"");
	out_text(o, category);
	out_text(o, ends ? "\",\"bp\":\"e\",\"id\":\"" : "\",\"id\":\"");
}
