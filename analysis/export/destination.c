#include "analysis/export/destination.h"

#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

#include "analysis/export/files.h"
#include "analysis/export/parts.h"
#include "analysis/util/alloc.h"

struct destination *destination_open(const char *path, bool is_folder)
{
	struct destination *d = alloc_zero(1, sizeof(*d));

	*d = (struct destination){ .path = path, .is_folder = is_folder };
	parts_expect_signals();
	if (!is_folder)
		return d;
	if (parts_make_folder(path))
		return d;
	files_complain(d, path, errno);
	free(d);
	return NULL;
}

void destination_packing(struct destination *d, enum packing packing)
{
	d->packing = packing;
}

void destination_limit(struct destination *d, uint64_t bytes)
{
	d->limit = bytes;
}

static struct out *out_of(struct file *f)
{
	static struct out nowhere;

	nowhere.error = EBADF;
	return f ? f->out : &nowhere;
}

struct out *destination_file(struct destination *d, const char *name)
{
	return out_of(files_add(d, name, d->packing));
}

struct out *destination_table(struct destination *d, const char *name, const char *head)
{
	return out_of(files_add_table(d, name, head));
}

void destination_file_done(struct destination *d, struct out *out)
{
	for (size_t i = d->count; i--;)
		if (d->files[i]->out == out)
			files_close(d, d->files[i]);
}

static const char *path_of(const struct file *f)
{
	return f->part ? f->part : f->name;
}

const char *destination_path(struct destination *d, const char *name)
{
	struct file *f = files_add(d, name, PACKING_NONE);

	if (!f)
		return NULL;
	files_close(d, f);
	return path_of(f);
}

void destination_path_failed(struct destination *d, const char *path, int error)
{
	const struct file *f = NULL;

	for (size_t i = d->count; i-- && !f;)
		f = path_of(d->files[i]) == path ? d->files[i] : NULL;
	if (error)
		files_complain(d, f->name, error);
	else
		files_complain_of_size(d, f->name, f->limit);
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
		files_complain(d, f->name, errno);
	unlink(f->part);
}

bool destination_close(struct destination *d, bool keep)
{
	bool well;

	for (size_t i = 0; i < d->count; i++)
		files_close(d, d->files[i]);
	for (size_t i = 0; i < d->count; i++)
		settle_file(d, d->files[i], keep && !d->failed);
	parts_take_away();
	for (size_t i = 0; i < d->count; i++)
		files_free(d->files[i]);
	free(d->files);
	well = !d->failed;
	free(d);
	return well;
}
