#include "analysis/export/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/export/parts.h"
#include "analysis/util/alloc.h"

struct file {
	struct out *out;    /* NULL: nothing more comes into it */
	char *name, *part;  /* what it will be called, and is; part NULL: it is written to as it is */
	char *asked, *head; /* the name that it was asked for by, and how a table begins; NULL: neither */
	bool begins;	    /* it has its head */
	uint64_t limit;	    /* bytes that its readers take; 0: any */
};

struct destination {
	const char *path;
	bool is_folder, is_pieces, failed;
	const struct destination *whole; /* of pieces: what there is before them; NULL: they may be of any place in it */
	enum packing packing;
	uint64_t limit;
	size_t count;
	struct file **files;
};

void destination_fail(struct destination *d)
{
	d->failed = true;
}

static void complain(struct destination *d, const char *name, int error)
{
	if (!d->failed)
		fprintf(stderr, d->path ? "ranktrace: %s: %s; give another %s with -o\n" : "ranktrace: %s: %s\n", name, strerror(error),
			d->is_folder ? "folder" : "file");
	d->failed = true;
}

#define GIB (1u << 30)

static void complain_of_size(struct destination *d, const char *name, uint64_t limit)
{
	if (!d->failed)
		fprintf(stderr, "ranktrace: %s: more than %" PRIu64 " %s, which is all that its readers take; export fewer steps at a time with --steps\n", name,
			limit >= GIB ? limit / GIB : limit, limit >= GIB ? "GiB" : "bytes");
	d->failed = true;
}

/* ---- making files ---- */

/* A terminal, a pipe or /dev/null is written to as it is. */
static bool is_no_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Six letters that nobody else takes. */
static void make_letters(char *letters)
{
	static const char all[64] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	struct timespec now;
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		random = ((uint64_t)now.tv_nsec ^ (uint64_t)getpid()) * 0x9e3779b97f4a7c15ull;
	}
	for (int i = 0; i < 6; i++, random >>= 6)
		letters[i] = all[random & 63];
}

/* Noted before it is there: a signal may come at any time. */
static int open_part(struct file *f)
{
	size_t length = strlen(f->name) + 1;

	f->part = alloc_format("%s.XXXXXX", f->name);
	do
		make_letters(f->part + length);
	while (!access(f->part, F_OK));
	parts_note(f->part, false);
	return open(f->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
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
	return open_part(f);
}

static void free_out(struct out *o)
{
	if (o)
		packer_free(o->packer);
	free(o);
}

static void free_file(struct file *f)
{
	free_out(f->out);
	free(f->name);
	free(f->part);
	free(f->asked);
	free(f->head);
	free(f);
}

static bool make_folder(const char *path)
{
	if (!access(path, F_OK))
		return true;
	parts_note(path, true);
	return !mkdir(path, 0700) || errno == EEXIST;
}

/* Those that a file's name has below the destination. What cannot be made is met when the file is. */
static void make_folders(struct destination *d, char *path)
{
	for (char *slash = strchr(path + strlen(d->path) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		make_folder(path);
		*slash = '/';
	}
}

static struct file *keep_file(struct destination *d, struct file *f)
{
	d->files = alloc_grow(d->files, d->count + 1, sizeof(struct file *));
	return d->files[d->count++] = f;
}

static struct out *new_out(const struct destination *d, int fd, enum packing packing)
{
	struct out *o = alloc_zero(1, sizeof(*o));

	o->fd = fd;
	o->limit = d->limit;
	o->packer = packing ? packer_new(packing) : NULL;
	return o;
}

static struct file *add_file(struct destination *d, const char *name, enum packing packing)
{
	struct file *f = alloc_zero(1, sizeof(*f));
	char *path = name ? alloc_format("%s/%s%s", d->path, name, packing_suffix(packing)) : NULL;
	int fd;

	if (path)
		make_folders(d, path);
	fd = d->path ? open_file(f, path ? path : d->path) : STDOUT_FILENO;
	free(path);
	if (fd < 0) {
		complain(d, d->is_folder ? f->name : d->path, errno);
		free_file(f);
		return NULL;
	}
	f->asked = name ? alloc_text(name, strlen(name)) : NULL;
	f->limit = d->limit;
	f->out = new_out(d, fd, packing);
	return keep_file(d, f);
}

struct out *destination_file(struct destination *d, const char *name)
{
	struct file *f = add_file(d, name, d->packing);

	return f ? f->out : NULL;
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : !a && !b;
}

static struct file *find_open(const struct destination *d, const char *asked)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->files[i]->out && same_name(d->files[i]->asked, asked))
			return d->files[i];
	return NULL;
}

static struct file *add_table(struct destination *d, const char *name, const char *head)
{
	struct file *f = add_file(d, name, d->packing);

	if (!f)
		return NULL;
	f->head = alloc_text(head, strlen(head));
	f->begins = !d->is_pieces || (d->whole && !find_open(d->whole, name));
	if (!f->begins) /* the whole has it */
		return f;
	out_text(f->out, head);
	out_end_piece(f->out);
	return f;
}

struct out *destination_table(struct destination *d, const char *name, const char *head)
{
	struct file *f = add_table(d, name, head);

	return f ? f->out : NULL;
}

static void close_file(struct destination *d, struct file *f)
{
	const char *name = f->name ? f->name : "standard output";
	struct out *o = f->out;

	if (!o)
		return;
	out_end_piece(o);
	if (d->path && close(o->fd) && !o->error)
		o->error = errno;
	if (o->error && o->limit && o->written > o->limit)
		complain_of_size(d, name, o->limit);
	else if (o->error)
		complain(d, name, o->error);
	free_out(o);
	f->out = NULL;
}

void destination_file_done(struct destination *d, struct out *out)
{
	for (size_t i = d->count; i--;)
		if (d->files[i]->out == out)
			close_file(d, d->files[i]);
}

static const char *path_of(const struct file *f)
{
	return f->part ? f->part : f->name;
}

const char *destination_path(struct destination *d, const char *name)
{
	struct file *f = add_file(d, name, PACKING_NONE);

	if (!f)
		return NULL;
	close_file(d, f);
	return path_of(f);
}

void destination_path_failed(struct destination *d, const char *path, int error)
{
	const struct file *f = NULL;

	for (size_t i = d->count; i-- && !f;)
		f = path_of(d->files[i]) == path ? d->files[i] : NULL;
	if (error)
		complain(d, f->name, error);
	else
		complain_of_size(d, f->name, f->limit);
}

/* ---- pieces ---- */

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
	return d->path && !is_no_file(d->path);
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
		close_file(d, d->files[i]);
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
	ssize_t n;
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
	struct file *f = keep_file(d, alloc_zero(1, sizeof(*f)));

	*f = (struct file){ .asked = p->asked, .name = p->name, .part = p->part, .head = p->head };
	*p = (struct piece){ 0 };
	return f;
}

/* More will be put behind it. */
static void go_on(struct destination *d, struct file *f)
{
	int fd = open(f->part, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		complain(d, f->name, errno);
	else
		f->out = new_out(d, fd, d->packing);
	if (f->out)
		out_written(f->out, (uint64_t)lseek(fd, 0, SEEK_END));
}

bool destination_take(struct destination *d, struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count && destination_is_well(d); i++) {
		struct piece *p = &pieces->list[i];
		struct file *f = find_open(d, p->asked);

		if (!f && p->head && p->begins) {
			go_on(d, adopt(d, p));
			continue;
		}
		if (!f && p->head)
			f = add_table(d, p->asked, p->head);
		if (f)
			append(p, f);
		else if (!p->head)
			adopt(d, p);
	}
	destination_drop(pieces);
	return destination_is_well(d);
}

/* ---- all of it ---- */

struct destination *destination_open(const char *path, bool is_folder)
{
	struct destination *d = alloc_zero(1, sizeof(*d));

	*d = (struct destination){ .path = path, .is_folder = is_folder };
	parts_expect_signals();
	if (!is_folder)
		return d;
	if (make_folder(path))
		return d;
	complain(d, path, errno);
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
	parts_take_away();
	for (size_t i = 0; i < d->count; i++)
		free_file(d->files[i]);
	free(d->files);
	well = !d->failed;
	free(d);
	return well;
}
