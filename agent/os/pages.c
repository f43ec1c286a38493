#include "agent/os/pages.h"
#include <errno.h>
#include <sys/mman.h>

void *pages_take(size_t size)
{
	int saved = errno;
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	errno = saved;
	return pages == MAP_FAILED ? NULL : pages;
}

void pages_give(void *pages, size_t size)
{
	munmap(pages, size);
}

void *pages_once(void *place, size_t size)
{
	void **known = place, *none = NULL;
	void *pages = __atomic_load_n(known, __ATOMIC_ACQUIRE);

	if (pages)
		return pages;
	pages = pages_take(size);
	if (!pages)
		return NULL;
	if (__atomic_compare_exchange_n(known, &none, pages, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return pages;
	pages_give(pages, size);
	return none;
}
