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
	struct out *out;   /* NULL: nothing more comes into it */
	char *name, *part; /* what it will be called, and is; part NULL: it is written to as it is */
};

/* What is to be taken away should a signal end us; names are put in and out whole. */
static char *volatile parts[1024];

struct destination {
	const char *path;
	bool is_folder, failed;
	size_t count, folder_count;
	struct file **files;
	char **folders; /* that were made, those inside others later */
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
	free(f->out);
	free(f);
}

static bool make_folder(struct destination *d, const char *path)
{
	if (mkdir(path, 0700))
		return errno == EEXIST;
	d->folders = alloc_grow(d->folders, d->folder_count + 1, sizeof(char *));
	d->folders[d->folder_count++] = alloc_text(path, strlen(path));
	return true;
}

/* Those that a file's name has below the destination. What cannot be made is met when the file is. */
static void make_folders(struct destination *d, char *path)
{
	for (char *slash = strchr(path + strlen(d->path) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		make_folder(d, path);
		*slash = '/';
	}
}

static struct file *add_file(struct destination *d, const char *name)
{
	struct file *f = alloc_zero(1, sizeof(*f));
	char *path = name ? alloc_format("%s/%s", d->path, name) : NULL;

	f->out = alloc_zero(1, sizeof(*f->out));
	if (path)
		make_folders(d, path);
	f->out->fd = d->path ? open_file(f, path ? path : d->path) : STDOUT_FILENO;
	free(path);
	if (f->out->fd < 0) {
		complain(d, d->is_folder ? f->name : d->path, errno);
		free_file(f);
		return NULL;
	}
	if (f->part)
		note_part(NULL, f->part);
	d->files = alloc_grow(d->files, d->count + 1, sizeof(struct file *));
	d->files[d->count++] = f;
	return f;
}

struct out *destination_file(struct destination *d, const char *name)
{
	struct file *f = add_file(d, name);

	return f ? f->out : NULL;
}

static void close_file(struct destination *d, struct file *f)
{
	if (!f->out)
		return;
	out_flush(f->out);
	if (d->path && close(f->out->fd) && !f->out->error)
		f->out->error = errno;
	if (f->out->error)
		complain(d, f->name ? f->name : "standard output", f->out->error);
	free(f->out);
	f->out = NULL;
}

void destination_file_done(struct destination *d, struct out *out)
{
	for (size_t i = d->count; i--;)
		if (d->files[i]->out == out)
			close_file(d, d->files[i]);
}

const char *destination_path(struct destination *d, const char *name)
{
	struct file *f = add_file(d, name);

	if (!f)
		return NULL;
	close_file(d, f);
	return f->part ? f->part : f->name;
}

struct destination *destination_open(const char *path, bool is_folder)
{
	struct destination *d = alloc_zero(1, sizeof(*d));

	*d = (struct destination){ .path = path, .is_folder = is_folder };
	expect_signals();
	if (!is_folder)
		return d;
	if (make_folder(d, path))
		return d;
	complain(d, path, errno);
	free(d);
	return NULL;
}

void destination_fail(struct destination *d)
{
	d->failed = true;
}

bool destination_is_well(const struct destination *d)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->files[i]->out && d->files[i]->out->error)
			return false;
	return !d->failed;
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
	while (d->folder_count) {
		rmdir(d->folders[--d->folder_count]); /* if it is empty */
		free(d->folders[d->folder_count]);
	}
	free(d->folders);
	for (size_t i = 0; i < d->count; i++)
		free_file(d->files[i]);
	free(d->files);
	well = !d->failed;
	free(d);
	return well;
}
