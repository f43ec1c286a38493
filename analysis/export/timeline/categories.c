#include "analysis/export/timeline/categories.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define RUNTIME "privateuse1_runtime" /* of a device that has no name of its own in PyTorch */

static const struct {
	const char *begins, *category;
} layers[] = {
#define LAYER(begins, category) { begins, category },
#define TITLE(name, title)
#include "analysis/export/timeline/layers.def"
#undef LAYER
#undef TITLE
};

static const struct {
	const char *name, *title;
} titles[] = {
#define LAYER(begins, category)
#define TITLE(name, title) { name, title },
#include "analysis/export/timeline/layers.def"
#undef LAYER
#undef TITLE
};

static const char *layer_category(const char *name)
{
	for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
		size_t length = strlen(layers[i].begins);

		if (!strncmp(name, layers[i].begins, length) && isupper((unsigned char)name[length]))
			return layers[i].category;
	}
	return RUNTIME;
}

const char *call_title(const char *name, bool by_name)
{
	for (size_t i = 0; by_name && i < sizeof(titles) / sizeof(*titles); i++)
		if (!strcmp(name, titles[i].name))
			return titles[i].title;
	return name;
}

const char *call_category(enum event_kind kind, const char *name)
{
	return kind == EV_OPERATOR ? "cpu_op" : layer_category(name);
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
