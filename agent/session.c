#include "session.h"
#include "clock.h"
#include "log.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

enum backing { BACKING_TMPFS,
	       BACKING_MEMFD,
	       BACKING_ANONYMOUS };

static struct session_status fallback;
struct session_status *session = &fallback;

static char folder[192]; /* empty: no tmpfs */
static _Atomic enum backing backing;
static _Atomic uint64_t taken, taken_there; /* bytes of segments so far; of those, in tmpfs */
static uint64_t cap, cap_there;
static atomic_flag noting = ATOMIC_FLAG_INIT; /* holds session->libraries */

static uint64_t random_number(void)
{
	uint64_t n = 0;

	if (syscall(SYS_getrandom, &n, sizeof(n), 1 /* GRND_NONBLOCK */) != sizeof(n))
		n = clock_now_ns() * 0x9E3779B97F4A7C15ull ^ (uint64_t)getpid() << 40;
	return n ? n : 1;
}

/* Field 22 of /proc/self/stat, counted behind the last ')': a program's name may hold anything. */
static uint64_t start_time(void)
{
	char text[1024], *at;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	at = strrchr(text, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static uint64_t pid_namespace(void)
{
	char link[64];
	ssize_t n = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	if (n <= 5)
		return 0;
	link[n] = '\0';
	return strtoull(link + 5, NULL, 10); /* "pid:[4026531836]" */
}

/* A folder of ours alone. /dev/shm is open to all: what somebody else planted there is not used. */
static bool own_folder(const char *path)
{
	struct statx st;

	if (mkdir(path, 0700) && errno != EEXIST)
		return false;
	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_MODE | STATX_UID, &st))
		return false;
	return S_ISDIR(st.stx_mode) && st.stx_uid == geteuid() && !(st.stx_mode & 077);
}

static void mark_executed(const char *path)
{
	uint32_t state = SESSION_EXECUTED;
	int fd = chmod(path, 0600) ? -1 : open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	if (pwrite(fd, &state, sizeof(state), offsetof(struct session_status, state)) < 0)
		log_more("cannot mark %s as over", path);
	close(fd);
}

/* What an earlier image of this very process left, before exec, is over: recovery may have it. */
static void end_if_earlier(const char *root, const char *name, const char *ours)
{
	char path[512], begin[64];

	own_copy(begin, sizeof(begin), ours);
	*strrchr(begin, '-') = '\0'; /* pid and start time */
	if (!own_starts(name, begin) || own_equal(name, ours))
		return;
	snprintf(path, sizeof(path), "%s/%s/status.0", root, name);
	mark_executed(path);
}

/* Without opendir(): it takes memory, and a signal handler's first call may have interrupted malloc. */
static void end_earlier_images(const char *ours)
{
	struct entry {
		uint64_t inode, offset;
		unsigned short length;
		unsigned char type;
		char name[];
	};
	_Alignas(struct entry) char buffer[4096];
	char root[192];
	long n;
	int fd;

	own_copy(root, sizeof(root), ours);
	*strrchr(root, '/') = '\0';
	fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd >= 0 && (n = syscall(SYS_getdents64, fd, buffer, sizeof(buffer))) > 0) {
		const struct entry *e;

		for (long at = 0; at < n; at += e->length) {
			e = (const void *)(buffer + at);
			end_if_earlier(root, e->name, own_basename(ours));
		}
	}
	if (fd >= 0)
		close(fd);
}

#define ROOM_FOR_OTHERS (512ull << 20)

/*
 * What we may take of a tmpfs that the program's data loaders fill too, and that may be small: never more
 * than an eighth, and however many ranks start, a half is not touched.
 */
static uint64_t share_of(uint64_t size, uint64_t free)
{
	uint64_t others = size / 2 < ROOM_FOR_OTHERS ? size / 2 : ROOM_FOR_OTHERS;
	uint64_t share = free > others ? (free - others) / 4 : 0;

	return share < size / 8 ? share : size / 8;
}

static void make_folder(uint64_t start)
{
	const char *root = getenv("RANKTRACE_SESSION_ROOT");
	struct statfs fs;
	int n;

	n = snprintf(folder, sizeof(folder) - 64, "%s-%u", root ? root : SESSION_ROOT, (unsigned int)geteuid());
	if (n >= (int)sizeof(folder) - 64 || !own_folder(folder) || statfs(folder, &fs)) {
		folder[0] = '\0';
		return;
	}
	cap_there = share_of((uint64_t)fs.f_blocks * fs.f_bsize, (uint64_t)fs.f_bavail * fs.f_bsize);
	snprintf(folder + n, sizeof(folder) - (size_t)n, "/%d-%llu-%08x", (int)getpid(),
		 (unsigned long long)start, (unsigned int)random_number());
	if (mkdir(folder, 0700)) {
		folder[0] = '\0';
		return;
	}
	end_earlier_images(folder);
}

/* A limit on file size would end the program by SIGXFSZ inside its own call. */
static bool files_may_grow_to(size_t size)
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
static void *tmpfs_file(const char *name, unsigned int number, size_t size)
{
	char path[256];
	void *memory;

	if (!folder[0] || !files_may_grow_to(size))
		return NULL;
	snprintf(path, sizeof(path), "%s/%s.%u", folder, name, number);
	memory = map_file(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400), size);
	if (!memory)
		unlink(path);
	return memory;
}

static void *tmpfs_segment(const char *name, unsigned int number, size_t size)
{
	void *memory = NULL;

	if (atomic_fetch_add(&taken_there, size) + size <= cap_there)
		memory = tmpfs_file(name, number, size);
	if (!memory)
		atomic_fetch_sub(&taken_there, size);
	return memory;
}

static void *memfd_segment(const char *name, size_t size)
{
	if (!files_may_grow_to(size))
		return NULL;
	return map_file((int)syscall(SYS_memfd_create, name, 1 /* MFD_CLOEXEC */), size);
}

static void *private_segment(size_t size)
{
	return undumped(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), size);
}

void *session_segment(const char *name, unsigned int number, size_t size)
{
	enum backing from = BACKING_TMPFS;
	void *memory;

	if (atomic_fetch_add(&taken, size) + size > cap) {
		atomic_fetch_sub(&taken, size);
		return NULL;
	}
	memory = tmpfs_segment(name, number, size);
	if (!memory && (memory = memfd_segment(name, size)))
		from = BACKING_MEMFD;
	if (!memory && (memory = private_segment(size)))
		from = BACKING_ANONYMOUS;
	if (!memory)
		atomic_fetch_sub(&taken, size);
	if (from > backing)
		backing = from;
	return memory;
}

void session_unlink(const char *name, unsigned int number)
{
	char path[256];

	if (!folder[0])
		return;
	snprintf(path, sizeof(path), "%s/%s.%u", folder, name, number);
	unlink(path);
}

bool session_safe(void)
{
	return backing == BACKING_TMPFS;
}

const char *session_backing(void)
{
	return backing == BACKING_TMPFS ? "tmpfs" : backing == BACKING_MEMFD ? "memfd"
									     : "anonymous";
}

static void fill(struct session_status *s, uint64_t start, const struct config *config)
{
	s->major = TRACE_MAJOR;
	s->minor = TRACE_MINOR;
	s->pid = (uint32_t)getpid();
	s->clock = clock_kind;
	s->start_time = start;
	s->pid_namespace = pid_namespace();
	s->file_id = random_number();
	s->state = SESSION_DORMANT;
	s->rank = -1;
	s->last_step = STEP_NULL;
	if (gethostname(s->host, sizeof(s->host) - 1))
		own_copy(s->host, sizeof(s->host), "localhost");
	own_copy(s->job, sizeof(s->job), config->job);
	own_copy(s->launch, sizeof(s->launch), config->launch);
	own_copy(s->save_path, sizeof(s->save_path), config->save_path);
	__atomic_store_n(&s->magic, SESSION_MAGIC, __ATOMIC_RELEASE);
}

void session_start(const struct config *config)
{
	size_t size = (sizeof(*session) + SESSION_PAGE - 1) & ~(size_t)(SESSION_PAGE - 1);
	uint64_t start = start_time();
	void *memory;

	cap = config->shm_size;
	make_folder(start);
	memory = tmpfs_file("status", 0, size); /* beside the caps: where it is missing, nobody can say why */
	if (memory)
		session = memory;
	if (folder[0] && rmdir(folder) == 0) /* nothing could be put there: leave no empty folder */
		folder[0] = '\0';
	fill(session, start, config);
}

void session_end(bool keep_status)
{
	atomic_store(&session->state, SESSION_ENDED);
	if (keep_status || !folder[0])
		return;
	session_unlink("status", 0);
	rmdir(folder);
}

bool session_is_private(void)
{
	return session == &fallback;
}

void session_forget(void)
{
	memset(&fallback, 0, sizeof(fallback));
	session = &fallback;
	folder[0] = '\0';
	backing = BACKING_TMPFS;
	atomic_store(&taken, 0);
	atomic_store(&taken_there, 0);
	atomic_flag_clear(&noting);
}

void session_cause(enum session_cause cause, int error)
{
	uint32_t none = CAUSE_NONE;

	if (atomic_compare_exchange_strong(&session->cause, &none, cause))
		atomic_store(&session->error, (uint32_t)error);
}

/* ---- libraries: written by any thread, read by the flush thread ---- */

/* Bounded, as everywhere: a note is not worth waiting for. */
static bool lock_notes(void)
{
	for (int i = 0; i < 100000; i++)
		if (!atomic_flag_test_and_set_explicit(&noting, memory_order_acquire))
			return true;
	return false;
}

static bool append_note(const char *path)
{
	size_t used = strlen(session->libraries), n = strlen(path);

	if (!n || strstr(session->libraries, path) || used + n + 2 > sizeof(session->libraries))
		return false;
	if (used)
		session->libraries[used++] = '\n';
	memcpy(session->libraries + used, path, n + 1);
	return true;
}

bool session_note_library(const char *path)
{
	bool fresh;

	if (!lock_notes())
		return false;
	fresh = append_note(path);
	atomic_flag_clear_explicit(&noting, memory_order_release);
	return fresh;
}

void session_libraries(char *text, size_t size)
{
	text[0] = '\0';
	if (!lock_notes())
		return;
	own_copy(text, size, session->libraries);
	atomic_flag_clear_explicit(&noting, memory_order_release);
}
