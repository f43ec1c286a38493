#include "agent/flush/writer.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "agent/base/crc32c.h"
#include "agent/base/save_path.h"
#include "agent/base/text.h"
#include "agent/os/apart.h"
#include "agent/os/clock.h"
#include "agent/session/identity.h"
#include "agent/session/session.h"
#include "agent/session/shared_memory.h"
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#define WORTH_PACKING 128  /* bytes */
#define HARDLY	      -100 /* zstd's level for what is not worth a search */
#define OUR_FDS	      700  /* in the program's table: programs that close "all" descriptors start low; so do those that expect 3 */

static bool writing;	/* a file has been begun */
static int file = -1;	/* its number, */
static bool file_apart; /* in the flush thread's own table */
static uint64_t file_device, file_inode, file_size, sequence;
static uint64_t last_begin, last_sequence; /* offset and number of the last chunk, if it holds events */
static uint32_t last_events;		   /* how many; 0: nothing to take back */

/* ---- names ---- */

/* [A-Za-z0-9._-], no leading dot: whatever a host or job is called, a path cannot be left by it. */
static void harmless(char *to, size_t size, const char *from)
{
	size_t n = text_copy(to, size, from);

	for (size_t i = 0; i < n; i++) {
		char c = to[i];
		bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			  c == '_' || c == '-' || (c == '.' && i);

		if (!ok)
			to[i] = '_';
	}
}

void writer_path(char *path, size_t size, const char *window)
{
	char job[64], host[64], place[96];
	long long rank = identity.rank, first = rank - rank % 256; /* 256 ranks a folder: metadata servers */

	harmless(job, sizeof(job), session->job[0] ? session->job : "job");
	harmless(host, sizeof(host), session->host);
	if (rank >= 0)
		snprintf(place, sizeof(place), "ranks-%lld-%lld/rank%lld", first, first + 255, rank);
	else
		snprintf(place, sizeof(place), "pid%u", session->pid);
	snprintf(path, size, "%s/%s/%s/%s.%s-%u-%08x" TRACE_SUFFIX, session->save_path, job, place,
		 window, host, session->pid, (uint32_t)session->file_id);
}

/* ---- the descriptor ---- */

/*
 * In its table a program may have closed our descriptor and been given its number: its file is not written, nor closed. In
 * another table the number is another's.
 */
static bool still_ours(void)
{
	struct statx st;

	return file >= 0 && file_apart == apart_here() && !statx(file, "", AT_EMPTY_PATH, STATX_INO, &st) && st.stx_ino == file_inode &&
	       ((uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor) == file_device;
}

static void close_file(void)
{
	if (still_ours())
		close(file);
	file = -1;
}

/* ---- opening ---- */

/*
 * Beside other threads the kernel takes 20 ms to make a table of descriptors larger: now, rather than when a
 * file is opened. By a second one of 0, 1 or 2, so that no number is taken that the program waits for; closing
 * it would give up record locks, which only files have.
 */
void writer_prepare(void)
{
	struct statx st;

	if (apart_here())
		return;
	for (int fd = 0; fd <= 2; fd++) {
		int high = -1;

		if (!statx(fd, "", AT_EMPTY_PATH, STATX_TYPE, &st) && (S_ISCHR(st.stx_mode) || S_ISFIFO(st.stx_mode)))
			high = fcntl(fd, F_DUPFD_CLOEXEC, OUR_FDS);
		if (high < 0)
			continue;
		close(high);
		return;
	}
}

static int remember(int fd)
{
	int high = apart_here() ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, OUR_FDS);
	struct statx st;

	if (high >= 0) {
		close(fd);
		fd = high;
	}
	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO, &st)) {
		close(fd);
		return -EIO;
	}
	file_device = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor;
	file_inode = st.stx_ino;
	file = fd;
	file_apart = apart_here();
	return 0;
}

/*
 * Before the file is there, and the first letter last: killed at any moment, we leave recovery a
 * whole name for what the rings hold. Until then it has the last file's, in session->final.
 */
static void publish_name(const char *part)
{
	if (part[0])
		text_copy(session->file + 1, sizeof(session->file) - 1, part + 1);
	__atomic_store_n(&session->file[0], part[0], __ATOMIC_RELEASE);
}

int writer_open(const char *path)
{
	char part[1100];
	const char *base;
	int folder, fd, error;

	if (strlen(path) >= sizeof(session->file) - strlen(TRACE_PART)) /* or was cut there */
		return -ENAMETOOLONG;
	snprintf(part, sizeof(part), "%s" TRACE_PART, path);
	folder = save_path_open(session->save_path, part, true, &base);
	if (folder < 0)
		return folder;
	publish_name(part);
	fd = openat(folder, base, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		fchmod(fd, 0600); /* the program's umask may keep its user from reading */
	error = fd < 0 ? -errno : remember(fd);
	save_path_leave(folder);
	if (error) {
		publish_name("");
		return error;
	}
	writing = true;
	file_size = 0;
	sequence = 0;
	last_events = 0;
	text_copy(session->final, sizeof(session->final), path);
	atomic_fetch_add(&session->files, 1);
	return 0;
}

bool writer_is_open(void)
{
	return writing;
}

/* ---- chunks ---- */

static int reopen(void)
{
	int fd = open(session->file, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	uint64_t device = file_device, inode = file_inode;

	file = -1;
	if (fd < 0)
		return -errno;
	if (remember(fd))
		return -EIO;
	if (device == file_device && inode == file_inode)
		return 0;
	close(file);
	file = -1;
	return -EBADF;
}

static void seal(struct chunk_header *h, const void *payload, size_t size)
{
	struct clock_triple now = clock_read();

	h->magic = CHUNK_MAGIC;
	h->major = TRACE_MAJOR;
	h->minor = TRACE_MINOR;
	h->file_id = session->file_id;
	h->sequence = sequence;
	h->length = (uint32_t)size;
	h->ticks = now.ticks;
	h->monotonic = now.monotonic;
	h->realtime = now.realtime;
	h->payload_crc = crc32c(0, payload, size);
	h->header_crc = crc32c(0, h, sizeof(*h) - sizeof(h->header_crc));
}

/* Memory of its own, taken once: the trainer's heap is not ours to use. */
static void *out;
static size_t out_size;
static ZSTD_CCtx *context;

static bool prepare(void)
{
	size_t need = ZSTD_estimateCCtxSize(1);
	void *workspace;

	if (out)
		return context;
	out_size = 2 * ZSTD_compressBound(2u << 20);
	workspace = mmap(NULL, need + out_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	out = workspace;
	if (workspace == MAP_FAILED)
		return false;
	context = ZSTD_initStaticCCtx(workspace, need);
	out = (char *)workspace + need;
	return context;
}

/* How much of the payload is chance: no use looking for more in it. */
static size_t chance(const struct chunk_header *h, const void *payload)
{
	const struct events_header *events = payload;

	return chunk_has_slots(h->type) ? sizeof(*events) + events->numbers : 0;
}

/* Two frames, so that the numbers, which no compression makes shorter, do not spoil the statistics of the rest. */
static const void *compress(struct chunk_header *h, const void *payload, size_t *size)
{
	size_t first, n = 0, m;

	if (*size < WORTH_PACKING || !prepare())
		return payload;
	first = chance(h, payload);
	if (first)
		n = ZSTD_compressCCtx(context, out, out_size, payload, first, HARDLY);
	if (ZSTD_isError(n))
		return payload;
	m = ZSTD_compressCCtx(context, (char *)out + n, out_size - n, (const char *)payload + first, *size - first, 1);
	if (ZSTD_isError(m) || n + m >= *size || chunk_is_packed_too_far(h->type, (uint32_t)*size, n + m))
		return payload;
	h->flags |= CHUNK_ZSTD;
	*size = n + m;
	return out;
}

/* A write may end early, at a limit or for less: the next one tells why. */
static int write_whole(struct iovec *v, int count)
{
	while (count) {
		ssize_t n = writev(file, v, count);

		if (n <= 0)
			return n ? -errno : -ENOSPC;
		for (; count && (size_t)n >= v->iov_len; v++, count--)
			n -= (ssize_t)v->iov_len;
		if (count) {
			v->iov_base = (char *)v->iov_base + n;
			v->iov_len -= (size_t)n;
		}
	}
	return 0;
}

int writer_chunk(struct chunk_header *h, const void *payload, size_t size)
{
	static const char zeros[CHUNK_ALIGN];
	struct iovec v[3];
	size_t total;
	int error;

	h->raw_length = (uint32_t)size;
	payload = compress(h, payload, &size);
	seal(h, payload, size);
	total = (sizeof(*h) + size + CHUNK_ALIGN - 1) & ~(size_t)(CHUNK_ALIGN - 1);
	v[0] = (struct iovec){ h, sizeof(*h) };
	v[1] = (struct iovec){ (void *)payload, size };
	v[2] = (struct iovec){ (void *)zeros, total - sizeof(*h) - size };
	if (!still_ours() && reopen())
		return -EBADF;
	error = write_whole(v, 3);
	if (error) {
		if (ftruncate(file, (off_t)file_size))
			return error; /* a torn tail: readers resynchronise behind it */
		return error;
	}
	if (h->type != CHUNK_TIMES) { /* which may go with what comes before */
		last_begin = file_size;
		last_events = h->events;
		last_sequence = sequence;
	}
	sequence++;
	file_size += total;
	atomic_fetch_add(&session->bytes, total);
	return 0;
}

uint32_t writer_take_back(size_t room)
{
	uint64_t need = last_begin + sizeof(struct chunk_header) + room;
	uint32_t events = last_events;

	last_events = 0;
	/* A limit may have been set below what the file has: that is kept, and the launcher tells what was lost. */
	if (!events || !shared_memory_files_may_have(need > file_size ? need : file_size))
		return 0;
	if (!still_ours() || ftruncate(file, (off_t)last_begin))
		return 0;
	file_size = last_begin;
	sequence = last_sequence;
	return events;
}

/* Never over a file that is there: the .part name stays, and can be read all the same. */
static int rename_whole(const char *from, const char *to)
{
	if (!syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */))
		return 0;
	return errno == EEXIST ? -1 : rename(from, to); /* not every file system knows how */
}

void writer_close(void)
{
	if (!writing)
		return;
	if (rename_whole(session->file, session->final))
		session_cause(CAUSE_SAVE_PATH, errno);
	writer_abandon();
}

void writer_abandon(void)
{
	close_file();
	writing = false;
	publish_name(""); /* final stays: the next window's calls may be in the rings already */
}

void writer_let_go(void)
{
	close_file();
}

void writer_forget(void)
{
	close_file();
	writing = false;
}
