#include "analysis/util/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

static int open_file(void)
{
	const char *folder = getenv("TMPDIR");
	char *path;
	int fd;

	folder = folder && *folder ? folder : "/var/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	path = alloc_format("%s/ranktrace.XXXXXX", folder); /* a file system that has none without a name */
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size, uint64_t at)
{
	while (size) {
		ssize_t n = pwrite(fd, bytes, size, (off_t)at);

		if (n <= 0 && errno != EINTR)
			return false;
		bytes += n > 0 ? n : 0;
		at += n > 0 ? (uint64_t)n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

static bool read_all(int fd, uint8_t *bytes, size_t size, uint64_t at)
{
	while (size) {
		ssize_t n = pread(fd, bytes, size, (off_t)at);

		if (!n || (n < 0 && errno != EINTR))
			return false;
		bytes += n > 0 ? n : 0;
		at += n > 0 ? (uint64_t)n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* False: no more can be. */
static bool put_in_file(struct shelf *s, const void *bytes, size_t size)
{
	if (!s->opened && !s->failed) {
		s->fd = open_file();
		s->opened = s->fd >= 0;
		s->failed = !s->opened;
	}
	s->failed |= s->opened && !s->failed && !write_all(s->fd, bytes, size, s->end);
	return !s->failed;
}

struct shelved shelf_put(struct shelf *s, const void *bytes, size_t size)
{
	struct shelved put = { .size = size };

	if (s->used + size > s->most && put_in_file(s, bytes, size)) {
		put.at = s->end;
		s->end += size;
		return put;
	}
	put.bytes = alloc_grow(NULL, size + 1, 1);
	if (size)
		memcpy(put.bytes, bytes, size);
	s->used += size;
	return put;
}

static void must(bool done)
{
	if (done)
		return;
	fprintf(stderr, "ranktrace: a file of ours in %s: %s: set TMPDIR to a folder on another disk\n", getenv("TMPDIR") ? getenv("TMPDIR") : "/var/tmp", strerror(errno));
	exit(1);
}

void shelf_read(const struct shelf *s, const struct shelved *of, size_t from, void *to, size_t size)
{
	if (size && of->bytes)
		memcpy(to, of->bytes + from, size);
	else if (size)
		must(read_all(s->fd, to, size, of->at + from));
}

void shelf_write(const struct shelf *s, const struct shelved *of, size_t from, const void *bytes, size_t size)
{
	if (size && of->bytes)
		memcpy(of->bytes + from, bytes, size);
	else if (size)
		must(write_all(s->fd, bytes, size, of->at + from));
}

void shelf_drop(struct shelf *s, struct shelved *of)
{
	if (of->bytes)
		s->used -= of->size;
	free(of->bytes);
	*of = (struct shelved){ 0 };
}

void shelf_free(struct shelf *s)
{
	if (s->opened)
		close(s->fd);
	*s = SHELF;
}
