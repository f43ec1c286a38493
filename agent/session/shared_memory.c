#include "agent/session/shared_memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "agent/os/apart.h"
#include "agent/os/memory_left.h"
#include "agent/session/session_folder.h"

static _Atomic enum backing backing;
static _Atomic uint64_t taken, taken_there; /* bytes of segments so far; of those, in tmpfs */
static uint64_t most, most_there;
static _Atomic uint64_t most_grown; /* for what is only convenient */

/*
 * What is headed, the large part of all, leaves room for heads and for what has none: without these, nothing that it holds can
 * be told or named. At least as much as a process of few threads needs.
 */
#define LEFT_AT_LEAST	    (640u << 10)
#define LEFT_SHARE_IN_TMPFS 4
#define LEFT_SHARE	    16

static uint64_t without_reserve(uint64_t all, unsigned int share)
{
	uint64_t left = all / share > LEFT_AT_LEAST ? all / share : LEFT_AT_LEAST;

	return all > left ? all - left : 0;
}

static bool reserve(_Atomic uint64_t *counter, uint64_t size, uint64_t limit)
{
	if (atomic_fetch_add(counter, size) + size <= limit)
		return true;
	atomic_fetch_sub(counter, size);
	return false;
}

void shared_memory_start(uint64_t bytes, uint64_t bytes_in_tmpfs)
{
	most = bytes;
	most_there = bytes_in_tmpfs;
	atomic_store(&most_grown, bytes);
}

uint64_t shared_memory_most(void)
{
	return most;
}

bool shared_memory_files_may_have(uint64_t size)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) &&
	       (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size);
}

/* A core dump is the program's, and may be large enough. */
static void *undumped(void *memory, size_t size)
{
	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, size, MADV_DONTDUMP);
	return memory;
}

/* Allocates before mapping: a sparse mapping on a full tmpfs would end the program by SIGBUS. */
static void *map_file(int fd, size_t size)
{
	void *memory = MAP_FAILED;
	int tries = 8, failed;

	if (fd < 0)
		return NULL;
	do
		failed = fallocate(fd, 0, 0, (off_t)size) ? errno : 0;
	while (failed == EINTR && --tries);
	if (!failed)
		memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
	close(fd);
	return undumped(memory, size);
}

/* Not to be written by name, not even by ourselves: a file that a cleaner makes shorter ends us by SIGBUS. */
void *shared_memory_in_tmpfs(const char *name, unsigned int number, size_t size)
{
	char path[256];
	void *memory;
	int fd;

	if (!shared_memory_files_may_have(size) || !session_folder_path(path, sizeof(path), name, number))
		return NULL;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);
	if (fd >= 0)
		fchmod(fd, 0400); /* the program's umask may keep whoever recovers from reading */
	memory = map_file(fd, size);
	if (!memory)
		unlink(path);
	return memory;
}

static void *tmpfs_segment(const char *name, unsigned int number, size_t size, uint64_t limit)
{
	void *memory;

	if (!reserve(&taken_there, size, limit))
		return NULL;
	memory = shared_memory_in_tmpfs(name, number, size);
	if (!memory)
		atomic_fetch_sub(&taken_there, size);
	return memory;
}

static void *memfd_segment(const char *name, size_t size)
{
	if (!shared_memory_files_may_have(size))
		return NULL;
	return map_file((int)syscall(SYS_memfd_create, name, 1 /* MFD_CLOEXEC */), size);
}

static void *private_segment(size_t size)
{
	return undumped(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), size);
}

struct making {
	const char *name;
	unsigned int number;
	size_t size;
	bool headed;
	void *memory; /* NULL: none is to be had */
	enum backing from;
	bool head_stays;
};

/* One page of tmpfs over the first one of memory that is elsewhere. */
static bool put_head(const struct making *m)
{
	size_t page = (size_t)getpagesize();
	void *head = tmpfs_segment(m->name, m->number, page, most_there);
	bool put = head && mremap(head, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, m->memory) == m->memory;

	if (!put && head) {
		munmap(head, page);
		shared_memory_unlink(m->name, m->number);
		atomic_fetch_sub(&taken_there, page);
	}
	return put;
}

static void make_where_room_is(void *making)
{
	struct making *m = making;

	m->from = BACKING_TMPFS;
	m->memory = tmpfs_segment(m->name, m->number, m->size, m->headed ? without_reserve(most_there, LEFT_SHARE_IN_TMPFS) : most_there);
	if (m->memory)
		return;
	m->from = BACKING_MEMFD;
	m->memory = memfd_segment(m->name, m->size);
	if (!m->memory) {
		m->from = BACKING_ANONYMOUS;
		m->memory = private_segment(m->size);
	}
	m->head_stays = m->headed && m->memory && put_head(m);
}

static void make(struct making *m)
{
	if (!reserve(&taken, m->size, m->headed ? without_reserve(most, LEFT_SHARE) : most))
		return;
	apart_run(make_where_room_is, m);
	if (!m->memory)
		atomic_fetch_sub(&taken, m->size);
	else if (m->from > backing)
		backing = m->from;
}

void *shared_memory_make(const char *name, unsigned int number, size_t size)
{
	struct making m = { .name = name, .number = number, .size = size };

	make(&m);
	return m.memory;
}

void *shared_memory_make_headed(const char *name, unsigned int number, size_t size, enum backing *from, bool *head_stays)
{
	struct making m = { .name = name, .number = number, .size = size, .headed = true };

	make(&m);
	*from = m.from;
	*head_stays = m.from == BACKING_TMPFS || m.head_stays;
	return m.memory;
}

/* ---- pages that come and go ---- */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14: where there is no room it fails, and touching would be the end */
#endif

/* The kernel's pages that lie wholly in it: theirs may be larger than ours. */
static void whole_pages(char **memory, size_t *size)
{
	uintptr_t page = (uintptr_t)getpagesize(), first = ((uintptr_t)*memory + page - 1) & ~(page - 1);

	*size = ((uintptr_t)*memory + *size - first) & ~(page - 1);
	*memory = (char *)first;
}

bool shared_memory_return(void *memory, size_t size, enum backing from)
{
	size_t whole = size;
	char *pages = memory;

	whole_pages(&pages, &whole);
	if (from == BACKING_ANONYMOUS ? madvise(pages, whole, MADV_DONTNEED)
				      : madvise(pages, 1, MADV_POPULATE_WRITE) || madvise(pages, whole, MADV_REMOVE))
		return false;
	atomic_fetch_sub(&taken, size);
	if (from == BACKING_TMPFS)
		atomic_fetch_sub(&taken_there, size);
	return true;
}

bool shared_memory_refill(void *memory, size_t size, enum backing from)
{
	bool there = from == BACKING_TMPFS;
	size_t whole = size;
	char *pages = memory;

	whole_pages(&pages, &whole);
	if (!reserve(&taken, size, without_reserve(most, LEFT_SHARE)))
		return false;
	if (!there || reserve(&taken_there, size, without_reserve(most_there, LEFT_SHARE_IN_TMPFS))) {
		if (from == BACKING_ANONYMOUS || !madvise(pages, whole, MADV_POPULATE_WRITE))
			return true;
		madvise(pages, whole, MADV_REMOVE); /* what came of it */
		atomic_fetch_sub(&taken_there, there ? size : 0);
	}
	atomic_fetch_sub(&taken, size);
	return false;
}

bool shared_memory_may_grow(size_t size)
{
	return atomic_load(&taken) + size <= atomic_load(&most_grown);
}

#define SHARE_OF_CGROUP 16

void shared_memory_look(void)
{
	uint64_t left = memory_left() / SHARE_OF_CGROUP, now = atomic_load(&taken);

	atomic_store(&most_grown, left < most - now ? now + left : most);
}

void shared_memory_unlink(const char *name, unsigned int number)
{
	char path[256];

	if (session_folder_path(path, sizeof(path), name, number))
		unlink(path);
}

bool shared_memory_safe(void)
{
	return backing == BACKING_TMPFS;
}

const char *shared_memory_backing(void)
{
	return backing == BACKING_TMPFS ? "tmpfs" : backing == BACKING_MEMFD ? "memfd"
									     : "anonymous";
}

void shared_memory_forget(void)
{
	backing = BACKING_TMPFS;
	atomic_store(&taken, 0);
	atomic_store(&taken_there, 0);
}
