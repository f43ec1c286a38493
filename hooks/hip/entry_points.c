/*
 * entry_points.c - HIP looks a name up among what the library exports; versions make no difference to functions with rows. By the flag,
 * or its own name, the answer may be the function of the thread's default stream: whose address it is says it, else the flag does.
 */
#include "hooks/hip/entry_points.h"
#include <stdio.h>
#include "agent/record/record.h"
#include "hooks/capture/runtime/entry_point.h"
#include "hooks/link/providers.h"
#include "hooks/link/resolve.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/rows/index.h"

static bool is_exported_as(const char *name, const void *function)
{
	struct provider found;

	return providers_have(name, function, &found);
}

static int row_of(const struct entry_point *asked, const void *answer)
{
	bool per_thread = entry_point_per_thread(asked->flags, asked->per_thread);
	int plain = index_find(asked->name), of_thread = -1;
	char name[128];

	if ((size_t)snprintf(name, sizeof(name), "%s_spt", asked->name) < sizeof(name))
		of_thread = index_find(name);
	if (of_thread >= 0 && (is_exported_as(name, answer) || (per_thread && !is_exported_as(asked->name, answer))))
		return of_thread;
	return plain;
}

void hip_entry_point(const struct entry_point *asked, void **answer)
{
	int hook;

	if (!asked->name || !answer || !*answer || producer.inside & INSIDE_AGENT || wrapper_is_ours(*answer))
		return;
	hook = row_of(asked, *answer);
	if (hook >= 0 && !hook_called_by_vendor((unsigned int)hook, asked->caller))
		*answer = wrapper_answered((unsigned int)hook, *answer);
}
