/* pieces.c - what forks of ours write of a destination, on its way to the parent: see destination.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/export/files.h"
#include "analysis/export/parts.h"
#include "analysis/util/alloc.h"

struct piece {
	char *asked, *name, *part, *head; /* as in struct file */
	bool begins;
};

struct pieces {
	size_t count;
	struct piece *list;
};

bool destination_takes_pieces(const struct destination *d)
{
	return d->path && !files_is_special(d->path);
}

void destination_end_piece(struct destination *d)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->files[i]->out)
			out_end_piece(d->files[i]->out);
}

void destination_be_pieces(struct destination *d, bool next)
{
	if (next) {
		struct destination *whole = alloc_zero(1, sizeof(*whole));

		*whole = *d;
		d->whole = whole;
	}
	d->is_pieces = true;
	d->count = 0;
	d->files = NULL;
	parts_be_child();
}

static void send_text(FILE *to, const char *text)
{
	uint32_t size = text ? (uint32_t)strlen(text) : UINT32_MAX;

	fwrite(&size, sizeof(size), 1, to);
	if (text)
		fwrite(text, 1, size, to);
}

static char *receive_text(FILE *from)
{
	uint32_t size = UINT32_MAX;
	char *text;

	if (fread(&size, sizeof(size), 1, from) != 1 || size == UINT32_MAX)
		return NULL;
	text = alloc_zero((size_t)size + 1, 1);
	if (fread(text, 1, size, from) != size)
		*text = '\0';
	return text;
}

bool destination_send(struct destination *d, FILE *to)
{
	uint64_t count = d->count;

	for (size_t i = 0; i < d->count; i++)
		files_close(d, d->files[i]);
	fwrite(&count, sizeof(count), 1, to);
	for (size_t i = 0; i < d->count; i++) {
		send_text(to, d->files[i]->asked);
		send_text(to, d->files[i]->name);
		send_text(to, d->files[i]->part);
		send_text(to, d->files[i]->head);
		fwrite(&d->files[i]->begins, sizeof(bool), 1, to);
	}
	return !d->failed;
}

struct pieces *destination_receive(FILE *from)
{
	struct pieces *pieces = alloc_zero(1, sizeof(*pieces));
	uint64_t count = 0;

	if (fread(&count, sizeof(count), 1, from) != 1)
		count = 0;
	pieces->list = alloc_zero(count ? count : 1, sizeof(*pieces->list));
	for (; pieces->count < count; pieces->count++) {
		struct piece *p = &pieces->list[pieces->count];

		p->asked = receive_text(from);
		p->name = receive_text(from);
		p->part = receive_text(from);
		p->head = receive_text(from);
		if (fread(&p->begins, sizeof(bool), 1, from) != 1)
			p->begins = false;
	}
	return pieces;
}

void destination_drop(struct pieces *pieces)
{
	for (size_t i = 0; pieces && i < pieces->count; i++) {
		struct piece *p = &pieces->list[i];

		if (p->part)
			unlink(p->part);
		free(p->asked);
		free(p->name);
		free(p->part);
		free(p->head);
	}
	if (pieces)
		free(pieces->list);
	free(pieces);
}

/* The kernel copies, or shares the blocks; what it does not is read and written. */
static int copy_all(int from, struct out *to)
{
	ssize_t n = 0;
	char room[1u << 16];

	out_end_piece(to);
	while (!to->error && (n = copy_file_range(from, NULL, to->fd, NULL, 1u << 30, 0)) > 0)
		out_written(to, (uint64_t)n);
	while (!to->error && (n = read(from, room, sizeof(room))) > 0)
		out_packed(to, room, (size_t)n);
	return to->error ? 0 : n < 0 ? errno
				     : 0;
}

static void append(const struct piece *p, struct file *f)
{
	int fd = open(p->part, O_RDONLY | O_CLOEXEC), rc = fd < 0 ? errno : copy_all(fd, f->out);

	if (rc)
		f->out->error = rc;
	if (fd >= 0)
		close(fd);
}

/* It is a file of its own, and changes hands. */
static struct file *adopt(struct destination *d, struct piece *p)
{
	struct file *f = files_keep(d, alloc_zero(1, sizeof(*f)));

	*f = (struct file){ .asked = p->asked, .name = p->name, .part = p->part, .head = p->head };
	*p = (struct piece){ 0 };
	return f;
}

/* More will be put behind it. */
static void go_on(struct destination *d, struct file *f)
{
	int fd = open(f->part, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		files_complain(d, f->name, errno);
	else
		f->out = files_new_out(d, fd, d->packing);
	if (f->out)
		out_written(f->out, (uint64_t)lseek(fd, 0, SEEK_END));
}

bool destination_take(struct destination *d, struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count && destination_is_well(d); i++) {
		struct piece *p = &pieces->list[i];
		struct file *f = files_find_open(d, p->asked);

		if (!f && p->head && p->begins) {
			go_on(d, adopt(d, p));
			continue;
		}
		if (!f && p->head)
			f = files_add_table(d, p->asked, p->head);
		if (f)
			append(p, f);
		else if (!p->head)
			adopt(d, p);
	}
	destination_drop(pieces);
	return destination_is_well(d);
}
