/*
 * ranks.c - see ranks.h. Between any two ranks stand a box for each direction; what is larger than a box goes through it in
 * pieces, and what goes the same way goes in order. Meetings are a table of their own in the same file.
 */
#include "tests/sims/lib/ranks.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BOX	 65536
#define MEETINGS 4  /* at a time */
#define RANKS	 64 /* that may meet */

struct box {
	_Atomic uint32_t full; /* bytes + 1 */
	char data[BOX];
};

/* A rank came to a meeting; the number is written last. */
struct post {
	_Atomic uint64_t number; /* + 1 */
	uint64_t begin, ns;
};

struct shared {
	_Atomic uint32_t here; /* ranks that opened it */
	_Atomic uint32_t posts;
	struct post meetings[MEETINGS][RANKS];
	struct box boxes[];
};

struct ranks {
	uint32_t n, rank;
	uint64_t next; /* meeting */
	char name[128];
	struct shared *shared;
};

static size_t size_of(uint32_t n)
{
	return sizeof(struct shared) + (size_t)n * n * sizeof(struct box);
}

/* Whoever comes last takes the name away. */
struct ranks *ranks_join(const char *name, uint32_t n, uint32_t rank)
{
	struct ranks *r;
	char path[160];
	int fd;

	snprintf(path, sizeof(path), "/dev/shm/%s", name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)size_of(n)))
		return NULL;
	r = calloc(1, sizeof(*r));
	*r = (struct ranks){ .n = n, .rank = rank };
	snprintf(r->name, sizeof(r->name), "%s", name);
	r->shared = mmap(NULL, size_of(n), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (r->shared == MAP_FAILED) {
		free(r);
		return NULL;
	}
	if (atomic_fetch_add(&r->shared->here, 1) + 1 == n)
		unlink(path);
	return r;
}

void ranks_leave(struct ranks *ranks)
{
	munmap(ranks->shared, size_of(ranks->n));
	free(ranks);
}

uint32_t ranks_rank(const struct ranks *ranks)
{
	return ranks->rank;
}

uint32_t ranks_number(const struct ranks *ranks)
{
	return ranks->n;
}

const char *ranks_name(const struct ranks *ranks)
{
	return ranks->name;
}

/* ---- meeting ---- */

uint64_t ranks_next(struct ranks *ranks)
{
	return ranks->next++;
}

void ranks_post(struct ranks *ranks, uint64_t number, uint64_t begin, uint64_t ns)
{
	struct post *p = &ranks->shared->meetings[number % MEETINGS][ranks->rank % RANKS];

	p->begin = begin;
	p->ns = ns;
	atomic_store(&p->number, number + 1);
	atomic_fetch_add(&ranks->shared->posts, 1);
	syscall(SYS_futex, &ranks->shared->posts, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

bool ranks_met(const struct ranks *ranks, uint64_t number, uint64_t *end)
{
	uint64_t begin = 0, ns = 0;

	for (uint32_t i = 0; i < ranks->n; i++) {
		const struct post *p = &ranks->shared->meetings[number % MEETINGS][i % RANKS];

		if (atomic_load(&p->number) != number + 1)
			return false;
		begin = p->begin > begin ? p->begin : begin;
		ns = p->ns > ns ? p->ns : ns;
	}
	*end = begin + ns;
	return true;
}

uint32_t ranks_posts(const struct ranks *ranks)
{
	return atomic_load(&ranks->shared->posts);
}

void ranks_await(const struct ranks *ranks, uint32_t posts)
{
	struct timespec most = { 0, 1000000 };

	syscall(SYS_futex, &ranks->shared->posts, FUTEX_WAIT, posts, &most, NULL, 0);
}

/* ---- moving ---- */

static struct box *box_of(const struct ranks_item *item)
{
	const struct ranks *r = item->of;
	uint32_t from = item->sends ? r->rank : item->peer, to = item->sends ? item->peer : r->rank;

	return &r->shared->boxes[from * r->n + to];
}

/* As much as fits now; has it got any further? */
static bool advance(struct ranks_item *item)
{
	struct box *b = box_of(item);
	uint32_t full = atomic_load_explicit(&b->full, memory_order_acquire);
	size_t n = item->size - item->done < BOX ? item->size - item->done : BOX;

	if (item->sends == (full != 0))
		return false;
	if (item->sends)
		memcpy(b->data, item->data + item->done, n);
	else
		memcpy(item->data + item->done, b->data, n = full - 1);
	atomic_store_explicit(&b->full, item->sends ? (uint32_t)n + 1 : 0, memory_order_release);
	item->done += n;
	return true;
}

/* Is one before it on the same way still under way? */
static bool must_wait(const struct ranks_item *items, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (items[before].done < items[before].size && items[before].of == items[i].of && items[before].sends == items[i].sends &&
		    items[before].peer == items[i].peer)
			return true;
	return false;
}

bool ranks_move(struct ranks_item *items, size_t n, long seconds)
{
	time_t deadline = time(NULL) + seconds;
	struct timespec moment = { 0, 20000 };
	bool moved = true, left = true;

	while (left) {
		if (!moved && time(NULL) > deadline)
			return false;
		if (!moved)
			nanosleep(&moment, NULL);
		moved = left = false;
		for (size_t i = 0; i < n; i++) {
			if (items[i].done < items[i].size && !must_wait(items, i))
				moved |= advance(&items[i]);
			left |= items[i].done < items[i].size;
		}
	}
	return true;
}
