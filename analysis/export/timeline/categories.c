#include "analysis/export/timeline/categories.h"

#define RUNTIME "privateuse1_runtime" /* of a device that has no name of its own in PyTorch */

const char *call_category(enum event_kind kind)
{
	return kind == EV_OPERATOR ? "cpu_op" : RUNTIME;
}

const char *device_category(enum event_kind kind)
{
	switch (kind) {
	case EV_COPY:
	case EV_MAP: return "gpu_memcpy";
	case EV_FILL: return "gpu_memset";
	case EV_OPERATOR:
	case EV_MARKER: return DEVICE_ANNOTATION;
	default: return "kernel";
	}
}
