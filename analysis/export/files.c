#include "analysis/export/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/export/parts.h"
#include "analysis/util/alloc.h"

#define GIB (1u << 30)

void files_complain(struct destination *d, const char *name, int error)
{
	if (!d->failed)
		fprintf(stderr, d->path ? "ranktrace: %s: %s; give another %s with -o\n" : "ranktrace: %s: %s\n", name, strerror(error),
			d->is_folder ? "folder" : "file");
	d->failed = true;
}

void files_complain_of_size(struct destination *d, const char *name, uint64_t limit)
{
	if (!d->failed)
		fprintf(stderr, "ranktrace: %s: more than %" PRIu64 " %s, which is all that its readers take; export fewer steps at a time with --steps\n", name,
			limit >= GIB ? limit / GIB : limit, limit >= GIB ? "GiB" : "bytes");
	d->failed = true;
}

bool files_is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int open_file(struct file *f, const char *name)
{
	struct stat st;

	f->name = alloc_text(name, strlen(name));
	if (files_is_special(name))
		return open(name, O_WRONLY | O_CLOEXEC);
	if (!stat(name, &st) && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	return parts_make(f->name, &f->part);
}

static void free_out(struct out *o)
{
	if (o)
		packer_free(o->packer);
	free(o);
}

void files_free(struct file *f)
{
	free_out(f->out);
	free(f->name);
	free(f->part);
	free(f->asked);
	free(f->head);
	free(f);
}

/* Those that a file's name has below the destination. What cannot be made is met when the file is. */
static void make_folders(struct destination *d, char *path)
{
	for (char *slash = strchr(path + strlen(d->path) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		parts_make_folder(path);
		*slash = '/';
	}
}

struct file *files_keep(struct destination *d, struct file *f)
{
	d->files = alloc_grow(d->files, d->count + 1, sizeof(struct file *));
	return d->files[d->count++] = f;
}

struct out *files_new_out(const struct destination *d, int fd, enum packing packing)
{
	struct out *o = alloc_zero(1, sizeof(*o));

	o->fd = fd;
	o->limit = d->limit;
	o->packer = packing ? packer_new(packing) : NULL;
	return o;
}

struct file *files_add(struct destination *d, const char *name, enum packing packing)
{
	struct file *f = alloc_zero(1, sizeof(*f));
	char *path = name ? alloc_format("%s/%s%s", d->path, name, packing_suffix(packing)) : NULL;
	int fd;

	if (path)
		make_folders(d, path);
	fd = d->path ? open_file(f, path ? path : d->path) : STDOUT_FILENO;
	free(path);
	if (fd < 0) {
		files_complain(d, d->is_folder ? f->name : d->path, errno);
		files_free(f);
		return NULL;
	}
	f->asked = name ? alloc_text(name, strlen(name)) : NULL;
	f->limit = d->limit;
	f->out = files_new_out(d, fd, packing);
	return files_keep(d, f);
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : !a && !b;
}

struct file *files_find_open(const struct destination *d, const char *asked)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->files[i]->out && same_name(d->files[i]->asked, asked))
			return d->files[i];
	return NULL;
}

struct file *files_add_table(struct destination *d, const char *name, const char *head)
{
	struct file *f = files_add(d, name, d->packing);

	if (!f)
		return NULL;
	f->head = alloc_text(head, strlen(head));
	f->begins = !d->is_pieces || (d->whole && !files_find_open(d->whole, name));
	if (!f->begins) /* the whole has it */
		return f;
	out_text(f->out, head);
	out_end_piece(f->out);
	return f;
}

void files_close(struct destination *d, struct file *f)
{
	const char *name = f->name ? f->name : "standard output";
	struct out *o = f->out;

	if (!o)
		return;
	out_end_piece(o);
	if (d->path && close(o->fd) && !o->error)
		o->error = errno;
	if (o->error && o->limit && o->written > o->limit)
		files_complain_of_size(d, name, o->limit);
	else if (o->error)
		files_complain(d, name, o->error);
	free_out(o);
	f->out = NULL;
}
