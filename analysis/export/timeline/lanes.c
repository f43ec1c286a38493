#include "analysis/export/timeline/lanes.h"

#include "analysis/util/alloc.h"

struct lane *lanes_free(struct lanes *l, uint64_t by, bool *fresh)
{
	*fresh = false;
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].end <= by)
			return &l->list[i];
	*fresh = true;
	l->list = alloc_grow(l->list, l->count + 1, sizeof(*l->list));
	l->list[l->count] = (struct lane){ 0 };
	return &l->list[l->count++];
}
