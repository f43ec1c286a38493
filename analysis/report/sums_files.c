#include "analysis/report/sums_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/util/alloc.h"

bool sums_file_look(struct sums_file *f)
{
	struct stat st;

	if (stat(f->path, &st) || !S_ISREG(st.st_mode))
		return false;
	f->size = (uint64_t)st.st_size;
	f->changed = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	f->inode = st.st_ino;
	return true;
}

static bool is_as_it_was(const struct sums_file *f)
{
	struct sums_file now = { .path = f->path };

	return sums_file_look(&now) && now.size == f->size && now.changed == f->changed && now.inode == f->inode;
}

static uint64_t number_of(const char *path)
{
	return table_text_key(path, strlen(path));
}

struct sums_file *sums_file_find(const struct sums *s, const char *path)
{
	const uint32_t *number = table_find(&s->by_path, number_of(path));

	return number && !strcmp(s->files[*number - 1].path, path) ? &s->files[*number - 1] : NULL;
}

void sums_file_add(struct sums *s, const struct sums_file *f)
{
	uint32_t *number = table_put(&s->by_path, number_of(f->path));

	if (s->file_count == s->file_room) {
		s->file_room = s->file_room ? 2 * s->file_room : 64;
		s->files = alloc_grow(s->files, s->file_room, sizeof(*s->files));
	}
	s->files[s->file_count++] = *f;
	*number = (uint32_t)s->file_count;
}

bool sums_files_are_as_they_were(const struct sums_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_as_it_was(&files[i]))
			return false;
	return count;
}

void sums_files_parcel(struct parcel *p, const char *folder, struct sums_file **files, size_t *count)
{
	for (size_t i = 0; parcel_has(p, i, files, count, sizeof(**files)); i++) {
		struct sums_file *f = &(*files)[i];
		char *name = p->opened ? NULL : f->path + strlen(folder) + 1;

		parcel_text(p, &name);
		PARCEL(p, f->size);
		PARCEL(p, f->changed);
		PARCEL(p, f->inode);
		PARCEL_U64S(p, f->known);
		if (!p->opened)
			continue;
		f->path = alloc_format("%s/%s", folder, name);
		free(name);
	}
}
