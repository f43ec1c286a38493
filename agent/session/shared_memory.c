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
#include "agent/session/session_folder.h"

enum backing { BACKING_TMPFS,
	       BACKING_MEMFD,
	       BACKING_ANONYMOUS };

static _Atomic enum backing backing;
static _Atomic uint64_t taken, taken_there; /* bytes of segments so far; of those, in tmpfs */
static uint64_t most, most_there;

void shared_memory_start(uint64_t bytes, uint64_t bytes_in_tmpfs)
{
	most = bytes;
	most_there = bytes_in_tmpfs;
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
		memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
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

static void *tmpfs_segment(const char *name, unsigned int number, size_t size)
{
	void *memory = NULL;

	if (atomic_fetch_add(&taken_there, size) + size <= most_there)
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
	void *memory; /* NULL: no file is to be had */
	enum backing from;
};

static void make_in_file(void *making)
{
	struct making *m = making;

	m->memory = tmpfs_segment(m->name, m->number, m->size);
	if (m->memory)
		return;
	m->from = BACKING_MEMFD;
	m->memory = memfd_segment(m->name, m->size);
}

void *shared_memory_make(const char *name, unsigned int number, size_t size)
{
	struct making m = { .name = name, .number = number, .size = size };

	if (atomic_fetch_add(&taken, size) + size > most) {
		atomic_fetch_sub(&taken, size);
		return NULL;
	}
	apart_run(make_in_file, &m);
	if (!m.memory) {
		m.from = BACKING_ANONYMOUS;
		m.memory = private_segment(size);
	}
	if (!m.memory)
		atomic_fetch_sub(&taken, size);
	if (m.from > backing)
		backing = m.from;
	return m.memory;
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
