/* operator_shapes.h - operators by name and shapes, where shapes were recorded. */
#pragma once
#include "analysis/report/launch_rows.h"

/* A launch or operator, and a device time of one; nothing of those without shapes. A row's name has the shapes behind a blank. */
void operator_shapes_take(struct launch_rows *s, const struct trace_event *ev);
void operator_shapes_time(struct launch_rows *s, const struct trace_device *dev);
