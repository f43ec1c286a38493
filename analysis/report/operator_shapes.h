/* operator_shapes.h - operators by name and shapes, where shapes were recorded. */
#pragma once
#include "analysis/report/kernel_rows.h"

struct operator_shapes {   /* what the section keeps */
	struct table rows; /* struct kernel_row by launch: the name has the shapes behind a blank */
	struct kernel_list list;
};

/* A launch or operator, and a device time of one; nothing of those without shapes. */
void operator_shapes_take(struct operator_shapes *s, const struct trace_event *ev);
void operator_shapes_time(struct operator_shapes *s, const struct trace_device *dev);
