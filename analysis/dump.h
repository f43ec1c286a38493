/* dump.h - how one event looks on one line. */
#pragma once
#include "analysis/join.h"
#include "analysis/out.h"

/* dev is NULL if the event has no device time. */
void dump_jsonl(struct out *o, const struct trace_event *ev, const struct device_time *dev);
void dump_text(struct out *o, const struct trace_event *ev, const struct device_time *dev);
void dump_text_head(struct out *o);

/* Is a number of bytes worth telling? (0 bytes of a copy are, of a launch are not.) */
bool event_has_bytes(const struct trace_event *ev);
