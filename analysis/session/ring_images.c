#include "analysis/session/ring_images.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

#define DEFINITIONS_MAX (256u << 20) /* as many as the agent makes: DEFINITIONS_SEGMENTS */
#define HOLES_MAX	16	     /* a session kept on a disk may be packed by the file system */

/* The agent allocates what it maps: a file with holes is not its, and would cost nothing but us. */
static bool holds(int fd, size_t size)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size >= size &&
	       (uint64_t)st.st_blocks * 512 >= size / HOLES_MAX;
}

/* Copies, never maps: a mapping of a file that shrinks ends us by SIGBUS. */
static void *read_at(int fd, size_t size, size_t offset)
{
	uint8_t *bytes;
	size_t done = 0;
	ssize_t n;

	if (!holds(fd, offset + size))
		return NULL;
	bytes = alloc_grow(NULL, size, 1);
	while (done < size && (n = pread(fd, bytes + done, size - done, (off_t)(offset + done))) > 0)
		done += (size_t)n;
	if (done == size)
		return bytes;
	free(bytes);
	return NULL;
}

static int open_member(int dir, const char *name, unsigned int number)
{
	char file[32];

	snprintf(file, sizeof(file), "%s.%u", name, number);
	return openat(dir, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

static bool ring_makes_sense(const struct ring_header *h)
{
	return h->magic == RING_MAGIC && h->slots && h->slots <= RING_SLOTS_MAX &&
	       !(h->slots & (h->slots - 1)) && h->head - h->tail <= h->slots;
}

/* Of an empty one the slots are not looked at: their memory may have been given back. */
static bool read_ring(int fd, struct ring_image *ring)
{
	if (pread(fd, ring->header, sizeof(*ring->header), 0) != sizeof(*ring->header) ||
	    !ring_makes_sense(ring->header))
		return false;
	if (ring->header->head == ring->header->tail || ring->header->backing != BACKING_TMPFS)
		return true;
	ring->slots = read_at(fd, ring->header->slots * sizeof(struct event), SESSION_PAGE);
	return ring->slots;
}

static void take_ring(struct ring_images *image, int fd)
{
	size_t size = sizeof(struct ring_header);
	struct ring_image ring = { .header = aligned_alloc(_Alignof(struct ring_header), size) };

	if (!ring.header)
		return;
	memset(ring.header, 0, size);
	if (!read_ring(fd, &ring)) {
		/* Without its magic it was not ready yet, and nobody wrote into it. */
		image->bad += ring.header->magic != 0;
		free(ring.header);
		return;
	}
	image->rings = alloc_grow(image->rings, image->ring_count + 1, sizeof(*image->rings));
	image->rings[image->ring_count++] = ring;
}

/* Only whole definitions are taken, and only those the agent had published. */
static void take_definitions(struct ring_images *image, int fd)
{
	struct definitions_image *d;
	struct definitions_header head = { 0 };
	uint8_t *bytes = NULL;
	size_t used = 0, length;

	if (pread(fd, &head, sizeof(head), 0) == sizeof(head) && head.magic == DEFINITIONS_MAGIC &&
	    head.used <= DEFINITIONS_MAX)
		bytes = read_at(fd, head.used, sizeof(head));
	if (!bytes) {
		image->bad += head.magic != 0; /* without its magic it was not ready yet */
		return;
	}
	while ((length = defs_length(bytes + used, head.used - used)))
		used += length;
	image->segments = alloc_grow(image->segments, image->segment_count + 1, sizeof(*image->segments));
	d = &image->segments[image->segment_count++];
	*d = (struct definitions_image){ head.index, used, bytes };
}

static int by_index(const void *a, const void *b)
{
	uint32_t x = ((const struct definitions_image *)a)->index, y = ((const struct definitions_image *)b)->index;

	return (x > y) - (x < y);
}

/* In the order in which they were written, which is not that of the files: those are used again. */
static void join_definitions(struct ring_images *image)
{
	size_t size = 0;

	if (image->segment_count)
		qsort(image->segments, image->segment_count, sizeof(*image->segments), by_index);
	for (size_t i = 0; i < image->segment_count; i++)
		size += image->segments[i].size;
	image->defs = alloc_grow(NULL, size + 1, 1);
	for (size_t i = 0; i < image->segment_count; i++) {
		memcpy(image->defs + image->defs_size, image->segments[i].bytes, image->segments[i].size);
		image->defs_size += image->segments[i].size;
		free(image->segments[i].bytes);
	}
	free(image->segments);
}

static void read_definitions(struct ring_images *image)
{
	struct key_values facts = { 0 };

	defs_init(&image->known);
	defs_parse(&image->known, &facts, image->defs, image->defs_size);
	key_values_free(&facts);
}

static int by_number(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

/* The numbers N of the files NAME.N, in order. */
static size_t members(int fd, const char *name, unsigned int **numbers)
{
	DIR *dir = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	size_t count = 0, length = strlen(name);
	struct dirent *d;

	*numbers = NULL;
	while (dir && (d = readdir(dir))) {
		if (strncmp(d->d_name, name, length) || d->d_name[length] != '.')
			continue;
		*numbers = alloc_grow(*numbers, count + 1, sizeof(**numbers));
		(*numbers)[count++] = (unsigned int)strtoul(d->d_name + length + 1, NULL, 10);
	}
	if (dir)
		closedir(dir);
	if (count)
		qsort(*numbers, count, sizeof(**numbers), by_number);
	return count;
}

static void take_all(struct ring_images *image, const char *name,
		     void (*take)(struct ring_images *image, int fd))
{
	unsigned int *numbers;
	size_t count = members(image->dir, name, &numbers);

	for (size_t i = 0; i < count; i++) {
		/* ring.1 and ring.01 are the same number, and one file. */
		bool again = i && numbers[i] == numbers[i - 1];
		int fd = again ? -1 : open_member(image->dir, name, numbers[i]);

		if (fd < 0)
			continue;
		take(image, fd);
		close(fd);
	}
	free(numbers);
}

/* A thread that filled a ring went on in another: what it wrote first comes first. */
static int by_order(const void *a, const void *b)
{
	uint64_t x = ((const struct ring_image *)a)->header->order, y = ((const struct ring_image *)b)->header->order;

	return (x > y) - (x < y);
}

int ring_images_read(struct ring_images *image, const char *dir)
{
	*image = (struct ring_images){ 0 };
	image->dir = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (image->dir < 0)
		return -errno;
	take_all(image, "definitions", take_definitions);
	join_definitions(image);
	read_definitions(image);
	take_all(image, "ring", take_ring);
	if (image->ring_count)
		qsort(image->rings, image->ring_count, sizeof(*image->rings), by_order);
	return 0;
}

void ring_images_free(struct ring_images *image)
{
	for (size_t i = 0; i < image->ring_count; i++) {
		free(image->rings[i].header);
		free(image->rings[i].slots);
	}
	free(image->rings);
	free(image->defs);
	defs_free(&image->known);
	if (image->dir >= 0)
		close(image->dir);
}
