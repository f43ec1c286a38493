#include "hooks/ascend/tracking/capture.h"
#include "agent/record/handles.h"

static struct handles captures;	  /* streams between begin and end; a = how deep */
static _Atomic int32_t capturing; /* how many there are */
static _Atomic uint32_t changes;

void capture_begins(aclrtStream stream)
{
	struct handle_slot *s = handles_get(&captures, (uintptr_t)stream);

	if (!s && !handles_put(&captures, (uintptr_t)stream, 1, 0))
		return;
	if (s)
		atomic_fetch_add(&s->a, 1);
	atomic_fetch_add(&capturing, 1);
	atomic_fetch_add(&changes, 1);
}

void capture_ends(aclrtStream stream)
{
	struct handle_slot *s = handles_get(&captures, (uintptr_t)stream);

	if (!s)
		return;
	if (atomic_fetch_sub(&s->a, 1) == 1)
		handles_forget(s);
	atomic_fetch_sub(&capturing, 1);
	atomic_fetch_add(&changes, 1);
}

bool capture_any(void)
{
	return atomic_load(&capturing) > 0;
}

bool capture_has(aclrtStream stream)
{
	return handles_get(&captures, (uintptr_t)stream);
}

uint32_t capture_changes(void)
{
	return atomic_load(&changes);
}
