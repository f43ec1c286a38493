/* lanes.h - slices of one track must never cross: what ran at once gets as many lanes as that takes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lane {
	uint64_t end; /* ns; of its last slice */
	uint32_t track;
};

struct lanes {
	size_t count;
	struct lane *list;
};

/* One whose last slice has ended by then. fresh: a new one, which has no track yet. */
struct lane *lanes_free(struct lanes *l, uint64_t by, bool *fresh);
