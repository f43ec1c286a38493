#include "analysis/dump/line_parts.h"

void dump_line_sizes(struct out *o, const uint64_t *size, uint32_t dimensions, char between)
{
	for (uint32_t i = 0; i < dimensions; i++) {
		if (i)
			out_char(o, between);
		out_u64(o, size[i]);
	}
}

void dump_line_fields(struct out *o, const struct trace_event *ev, void (*tell)(struct out *o, const struct field *field))
{
	struct field fields[EVENT_FIELDS_MAX];
	size_t n = event_fields(ev, fields);

	for (size_t i = 0; i < n; i++)
		tell(o, &fields[i]);
}
