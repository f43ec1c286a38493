/* categories.h - what viewers of PyTorch's profiles call the kinds of slices: HTA, TensorBoard's plugin and msprof-analyze look for these words. */
#pragma once
#include <stdbool.h>

#include "agent/format/event.h"

/* What a call of the host is called. by_name: for readers that know launches by their names alone. */
const char *call_title(const char *name, bool by_name);
const char *call_category(enum event_kind kind, const char *name); /* of a call of the host, by its entry point */
const char *device_category(enum event_kind kind);		   /* of what the device did for it */

#define ANNOTATION	  "user_annotation"	/* steps, stages and ranges */
#define DEVICE_ANNOTATION "gpu_user_annotation" /* what is no work of its own: it spans work, or is part of it */
