#include "agent/os/pages.h"
#include <sys/mman.h>

void *pages_once(void *place, size_t size)
{
	void **known = place, *none = NULL;
	void *pages = __atomic_load_n(known, __ATOMIC_ACQUIRE);

	if (pages)
		return pages;
	pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pages == MAP_FAILED)
		return NULL;
	if (__atomic_compare_exchange_n(known, &none, pages, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return pages;
	munmap(pages, size);
	return none;
}
