/* matrix_products.h - operators that multiply matrices: how much they compute, and how fast. */
#pragma once
#include "analysis/trace/trace.h"

struct product_row {
	char *name;
	uint8_t type;		   /* enum data_type, of the left matrix; DATA_NONE: not told */
	uint64_t calls, counted;   /* counted: of the calls, those of known shapes */
	uint64_t timed, device_ns; /* of those counted: those with device times */
	double flop, timed_flop;   /* of those counted; of those timed */
};

struct matrix_products {
	struct table launches; /* struct product_launch by launch, while events come in */
	size_t count;
	struct product_row *list; /* none where no shapes were recorded */
};

/* An operator that did not fail and was not nested, and a device time of one. */
void matrix_products_take(struct matrix_products *m, const struct trace_event *ev);
void matrix_products_time(struct matrix_products *m, const struct trace_device *dev);
