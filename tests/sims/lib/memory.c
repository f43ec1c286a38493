/*
 * memory.c - device memory is host memory. SIM_OOM=n: the n-th allocation finds none; SIM_MEMORY: bytes of a device.
 * Virtual memory is mapped from memory files, so that one physical piece may be seen at two addresses.
 */
#include "tests/sims/lib/clock.h"
#include <search.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct piece {
	const void *address;
	size_t size;
	bool on_device;
};

static void *pieces; /* a tree by address */
static uint64_t allocations, in_use;

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct piece *)a)->address, y = (uintptr_t)((const struct piece *)b)->address;

	return x < y ? -1 : x > y;
}

static uint64_t capacity(void)
{
	return (uint64_t)sim_setting("SIM_MEMORY", 32l << 30);
}

/* ---- books; under the lock ---- */

static void remember(const void *address, size_t size, bool on_device)
{
	struct piece *p = malloc(sizeof(*p));

	*p = (struct piece){ address, size, on_device };
	tsearch(p, &pieces, by_address);
	in_use += on_device ? size : 0;
}

static struct piece *known(const void *address)
{
	struct piece key = { .address = address }, **found = tfind(&key, &pieces, by_address);

	return found ? *found : NULL;
}

/* Where an address lies to a piece. */
static int in_piece(const void *key, const void *piece)
{
	uintptr_t x = (uintptr_t)((const struct piece *)key)->address, begin = (uintptr_t)((const struct piece *)piece)->address;

	return x < begin ? -1 : x >= begin + ((const struct piece *)piece)->size;
}

/* Size of what is forgotten, 0: nothing begins there. */
static size_t forget(const void *address)
{
	struct piece *p = known(address);
	size_t size = p ? p->size : 0;

	if (!p)
		return 0;
	in_use -= p->on_device ? size : 0;
	tdelete(p, &pieces, by_address);
	free(p);
	return size;
}

static bool there_is(size_t size, bool on_device)
{
	return !on_device || (++allocations != (uint64_t)sim_setting("SIM_OOM", 0) && in_use + size <= capacity());
}

/* ---- plain ---- */

int sim_malloc(void **address, size_t size, bool on_device)
{
	int rc = SIM_NO_MEMORY;

	if (!address || !size)
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	if (there_is(size, on_device) && !posix_memalign(address, 512, size)) {
		remember(*address, size, on_device);
		rc = 0;
	}
	pthread_mutex_unlock(&sim_lock);
	return rc;
}

int sim_free(void *address)
{
	size_t size;

	pthread_mutex_lock(&sim_lock);
	size = forget(address);
	pthread_mutex_unlock(&sim_lock);
	if (!size)
		return SIM_INVALID;
	free(address);
	return 0;
}

size_t sim_size(const void *address)
{
	struct piece *p;

	pthread_mutex_lock(&sim_lock);
	p = known(address);
	pthread_mutex_unlock(&sim_lock);
	return p ? p->size : 0;
}

size_t sim_around(const void *address, const void **begin)
{
	struct piece key = { .address = address }, **found, p = { 0 };

	pthread_mutex_lock(&sim_lock);
	found = tfind(&key, &pieces, in_piece);
	if (found)
		p = **found;
	pthread_mutex_unlock(&sim_lock);
	*begin = p.address;
	return p.size;
}

void sim_memory_left(size_t *left, size_t *all)
{
	pthread_mutex_lock(&sim_lock);
	if (all)
		*all = capacity();
	if (left)
		*left = capacity() - in_use;
	pthread_mutex_unlock(&sim_lock);
}

/* ---- virtual ---- */

int sim_reserve(void **address, size_t size)
{
	void *at = address && size ? mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;

	if (at == MAP_FAILED)
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	remember(at, size, false);
	pthread_mutex_unlock(&sim_lock);
	*address = at;
	return 0;
}

int sim_release(void *address)
{
	size_t size;

	pthread_mutex_lock(&sim_lock);
	size = forget(address);
	pthread_mutex_unlock(&sim_lock);
	return size && !munmap(address, size) ? 0 : SIM_INVALID;
}

/* A handle is a number that looks like a pointer: nobody may look behind it. */
int sim_physical(void **handle, size_t size)
{
	int fd, rc = SIM_NO_MEMORY;

	if (!handle || !size)
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	fd = there_is(size, true) ? memfd_create("sim", MFD_CLOEXEC) : -1;
	if (fd >= 0 && !ftruncate(fd, (off_t)size)) {
		*handle = (void *)(0x7000000ul + (uintptr_t)fd);
		remember(*handle, size, true);
		rc = 0;
	}
	pthread_mutex_unlock(&sim_lock);
	return rc;
}

static int file_of(const void *handle)
{
	return (int)((uintptr_t)handle - 0x7000000ul);
}

int sim_physical_free(void *handle)
{
	size_t size;

	pthread_mutex_lock(&sim_lock);
	size = forget(handle);
	pthread_mutex_unlock(&sim_lock);
	return size && !close(file_of(handle)) ? 0 : SIM_INVALID;
}

/* Keys of mappings lie one byte off: the first one begins where its reservation does. */
static char *mapping(void *address)
{
	return (char *)address + 1;
}

int sim_map(void *address, size_t size, void *handle)
{
	if (!sim_size(handle) || mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_of(handle), 0) == MAP_FAILED)
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	remember(mapping(address), size, false);
	pthread_mutex_unlock(&sim_lock);
	return 0;
}

int sim_unmap(void *address)
{
	size_t size;

	pthread_mutex_lock(&sim_lock);
	size = forget(mapping(address));
	pthread_mutex_unlock(&sim_lock);
	if (!size || mmap(address, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
		return SIM_INVALID;
	return 0;
}
