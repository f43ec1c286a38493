#include "agent/stacks/stack_memory.h"
#include <pthread.h>
#include <sys/auxv.h>
#include "agent/os/safe_read.h"

#define PAGE	   4096u
#define PAGES_MOST ((1u << 17) - 1)
#define GROWS_MOST 4096u /* pages at a time: 16 MiB */

/* What has been found to be there: pages in a row. */
static __thread struct {
	uint64_t first : 46, count : 17;
	uint64_t strange : 1; /* the thread has run on a stack that does not reach to its end */
} there __attribute__((tls_model("initial-exec")));

void stack_memory_begin(void)
{
	there.first = there.count = 0;
}

bool stack_memory_has(uintptr_t at, unsigned int words)
{
	uintptr_t bytes = words * sizeof(at), first = at / PAGE, last = (at + bytes - 1) / PAGE, behind = there.first + there.count;

	if (first >= there.first && first <= last && last < behind)
		return true;
	if (!safe_read((const void *)at, bytes))
		return false;
	if (first < there.first || first > behind || last - there.first >= PAGES_MOST) {
		there.first = first;
		there.count = 0;
	}
	there.count = last - there.first + 1;
	return true;
}

/*
 * Above a thread's stack, in one piece with it, stands what libc keeps of the thread; above that of the first one what the kernel hands to the
 * program. 0: neither is above this.
 */
static uintptr_t end_of_stack(uintptr_t sp)
{
	uintptr_t own = (uintptr_t)pthread_self(), given = getauxval(AT_EXECFN);

	if (own > sp && given > sp)
		return own < given ? own : given;
	return own > sp ? own : given > sp ? given
					   : 0;
}

static bool all_there(uintptr_t page, uintptr_t last)
{
	if (last - page >= GROWS_MOST)
		return false;
	for (; page <= last; page++)
		if (!safe_read((const void *)(page * PAGE), sizeof(uintptr_t)))
			return false;
	return true;
}

static bool reaches_to_its_end(uintptr_t page, uintptr_t end)
{
	uintptr_t last = there.count ? there.first - 1 : end / PAGE, behind = there.count ? there.first + there.count : last + 1;

	if (!end || page > last || behind - page > PAGES_MOST || !all_there(page, last))
		return false;
	there.first = page;
	there.count = behind - page;
	return true;
}

void stack_memory_begin_up(uintptr_t sp)
{
	uintptr_t page = sp / PAGE;

	if (!there.strange && (page < there.first || page >= there.first + there.count))
		there.strange = !reaches_to_its_end(page, end_of_stack(sp));
	if (there.strange)
		stack_memory_begin();
}
