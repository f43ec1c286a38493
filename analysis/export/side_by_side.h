/* side_by_side.h - processes of a trace are exported several at a time, by forks of ours; what they wrote is put together in order. */
#pragma once
#include "analysis/export/export.h"

/* Exports the process of that number in a child; what comes of it. */
typedef struct exported (*export_one)(struct export *e, size_t number);

struct exported side_by_side(struct export *e, size_t count, export_one one, void (*show)(const struct export *e));
