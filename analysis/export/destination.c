#include "analysis/export/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

struct file {
	struct out out;
	char *name, *part; /* what it will be called, and is; part NULL: it is written to as it is */
};

/* What is to be taken away should a signal end us; names are put in and out whole. */
static char *volatile parts[64];

struct destination {
	const char *path;
	bool is_folder, made_folder, failed;
	size_t count;
	struct file **files;
};

static void complain(struct destination *d, const char *name, int error)
{
	if (!d->failed)
		fprintf(stderr, d->path ? "ranktrace: %s: %s; give another %s with -o\n" : "ranktrace: %s: %s\n", name, strerror(error),
			d->is_folder ? "folder" : "file");
	d->failed = true;
}

/* A terminal, a pipe or /dev/null is written to as it is. */
static bool is_no_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int open_file(struct file *f, const char *name)
{
	struct stat st;

	f->name = alloc_text(name, strlen(name));
	if (is_no_file(name))
		return open(name, O_WRONLY | O_CLOEXEC);
	if (!stat(name, &st) && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	f->part = alloc_format("%s.XXXXXX", name);
	return mkostemp(f->part, O_CLOEXEC);
}

static void end_by_signal(int number)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i])
			unlink(parts[i]);
	signal(number, SIG_DFL);
	raise(number);
}

static void expect_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction was;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &was) && was.sa_handler == SIG_DFL)
			signal(numbers[i], end_by_signal);
	signal(SIGXFSZ, SIG_IGN); /* the write that fails tells */
}

static void note_part(char *part, char *instead)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i] == part) {
			parts[i] = instead;
			return;
		}
}

static void free_file(struct file *f)
{
	if (f->part)
		note_part(f->part, NULL);
	free(f->name);
	free(f->part);
	free(f);
}

struct out *destination_file(struct destination *d, const char *name)
{
	struct file *f = alloc_zero(1, sizeof(*f));
	char *path = name ? alloc_format("%s/%s", d->path, name) : NULL;

	f->out.fd = d->path ? open_file(f, path ? path : d->path) : STDOUT_FILENO;
	free(path);
	if (f->out.fd < 0) {
		complain(d, d->is_folder ? f->name : d->path, errno);
		free_file(f);
		return NULL;
	}
	if (f->part)
		note_part(NULL, f->part);
	d->files = alloc_grow(d->files, d->count + 1, sizeof(struct file *));
	d->files[d->count++] = f;
	return &f->out;
}

struct destination *destination_open(const char *path, bool is_folder)
{
	struct destination *d = alloc_zero(1, sizeof(*d));

	*d = (struct destination){ .path = path, .is_folder = is_folder };
	expect_signals();
	if (!is_folder)
		return d;
	d->made_folder = !mkdir(path, 0700);
	if (d->made_folder || errno == EEXIST)
		return d;
	complain(d, path, errno);
	free(d);
	return NULL;
}

bool destination_is_well(const struct destination *d)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->files[i]->out.error)
			return false;
	return !d->failed;
}

static void close_file(struct destination *d, struct file *f)
{
	out_flush(&f->out);
	if (d->path && close(f->out.fd) && !f->out.error)
		f->out.error = errno;
	if (f->out.error)
		complain(d, f->name ? f->name : "standard output", f->out.error);
}

/* A link planted at the name is replaced, not followed. */
static void settle_file(struct destination *d, struct file *f, bool keep)
{
	if (!f->part || (keep && !rename(f->part, f->name)))
		return;
	if (keep)
		complain(d, f->name, errno);
	unlink(f->part);
}

bool destination_close(struct destination *d, bool keep)
{
	bool well;

	for (size_t i = 0; i < d->count; i++)
		close_file(d, d->files[i]);
	for (size_t i = 0; i < d->count; i++)
		settle_file(d, d->files[i], keep && !d->failed);
	if (d->made_folder)
		rmdir(d->path); /* if it is empty */
	for (size_t i = 0; i < d->count; i++)
		free_file(d->files[i]);
	free(d->files);
	well = !d->failed;
	free(d);
	return well;
}
