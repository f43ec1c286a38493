/* nccl_kernel.c - a kernel of libnccl: the pieces of all its collectives move at once, then what is to be added is added. */
#include "tests/sims/cuda/nccl.h"
#include <stdlib.h>
#include <string.h>

struct moves {
	struct ranks_item *items;
	size_t n, room;
};

static size_t width(int type)
{
	static const unsigned char bytes[] = { 1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1 };

	return (size_t)type < sizeof(bytes) ? bytes[type] : 1;
}

static void move(struct moves *m, const struct nccl_op *op, bool sends, uint32_t peer, char *data, size_t size)
{
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 64;
		m->items = realloc(m->items, m->room * sizeof(*m->items));
	}
	m->items[m->n++] = (struct ranks_item){ op->comm->ranks, sends, peer, data, size, 0 };
}

/* ---- adding up ---- */

#define REDUCE(type)                                                   \
	for (size_t i = 0; i < n; i++) {                               \
		type *a = (type *)to + i, b = ((const type *)from)[i]; \
                                                                       \
		*a = op == SIM_NCCL_PROD  ? *a * b                     \
		     : op == SIM_NCCL_MAX ? (*a > b ? *a : b)          \
		     : op == SIM_NCCL_MIN ? (*a < b ? *a : b)          \
					  : *a + b;                    \
	}                                                              \
	break

static void add_up(void *to, const void *from, size_t n, int type, int op)
{
	switch (type) {
	case 0: REDUCE(int8_t);
	case 1: REDUCE(uint8_t);
	case 2: REDUCE(int32_t);
	case 3: REDUCE(uint32_t);
	case 4: REDUCE(int64_t);
	case 5: REDUCE(uint64_t);
	case 7: REDUCE(float);
	case 8: REDUCE(double);
	}
}

#define DIVIDE(type)                         \
	for (size_t i = 0; i < n; i++)       \
		((type *)to)[i] /= (type)by; \
	break

static void divide(void *to, size_t n, int type, uint32_t by)
{
	switch (type) {
	case 2: DIVIDE(int32_t);
	case 4: DIVIDE(int64_t);
	case 7: DIVIDE(float);
	case 8: DIVIDE(double);
	}
}

/* ---- what goes where ---- */

/* Pieces to all (the same, or one each), and room for a piece from each. */
static void to_all(struct moves *m, const struct nccl_op *op, const char *from, bool same, size_t size)
{
	for (uint32_t i = 0; i < ranks_number(op->comm->ranks); i++)
		move(m, op, true, i, (char *)from + (same ? 0 : i * size), size);
}

static void from_all(struct moves *m, const struct nccl_op *op, char *to, size_t size)
{
	for (uint32_t i = 0; i < ranks_number(op->comm->ranks); i++)
		move(m, op, false, i, to + i * size, size);
}

/* What it sends lies in `kept`, as it may be where something is received; what it adds up comes behind that. */
static void plan(struct moves *m, const struct nccl_op *op, char *kept)
{
	size_t size = op->count * width(op->type);
	bool root = ranks_rank(op->comm->ranks) == (uint32_t)op->root;
	char *pieces = kept + size * ranks_number(op->comm->ranks);

	switch (op->kind) {
	case NCCL_ALL_REDUCE:
		to_all(m, op, kept, true, size);
		from_all(m, op, pieces, size);
		break;
	case NCCL_REDUCE_SCATTER:
		to_all(m, op, kept, false, size);
		from_all(m, op, pieces, size);
		break;
	case NCCL_REDUCE:
	case NCCL_GATHER:
		move(m, op, true, (uint32_t)op->root, kept, size);
		if (root)
			from_all(m, op, op->kind == NCCL_GATHER ? op->recv : pieces, size);
		break;
	case NCCL_BROADCAST:
	case NCCL_SCATTER:
		if (root)
			to_all(m, op, kept, op->kind == NCCL_BROADCAST, size);
		move(m, op, false, (uint32_t)op->root, op->recv, size);
		break;
	case NCCL_ALL_GATHER:
	case NCCL_ALL_TO_ALL:
		to_all(m, op, kept, op->kind == NCCL_ALL_GATHER, size);
		from_all(m, op, op->recv, size);
		break;
	case NCCL_SEND: move(m, op, true, (uint32_t)op->root, kept, size); break;
	case NCCL_RECV: move(m, op, false, (uint32_t)op->root, op->recv, size); break;
	}
}

/* How much of op->send there is. */
static size_t sent(const struct nccl_op *op, uint32_t n)
{
	size_t size = op->count * width(op->type);
	bool root = ranks_rank(op->comm->ranks) == (uint32_t)op->root;

	if (op->kind == NCCL_RECV || ((op->kind == NCCL_BROADCAST || op->kind == NCCL_SCATTER) && !root))
		return 0;
	return op->kind == NCCL_REDUCE_SCATTER || op->kind == NCCL_ALL_TO_ALL || op->kind == NCCL_SCATTER ? n * size : size;
}

static void finish(const struct nccl_op *op, const char *kept)
{
	uint32_t n = ranks_number(op->comm->ranks);
	size_t size = op->count * width(op->type);
	const char *pieces = kept + size * n;
	bool adds = op->kind == NCCL_ALL_REDUCE || op->kind == NCCL_REDUCE_SCATTER ||
		    (op->kind == NCCL_REDUCE && ranks_rank(op->comm->ranks) == (uint32_t)op->root);

	if (!adds)
		return;
	memcpy(op->recv, pieces, size);
	for (uint32_t i = 1; i < n; i++)
		add_up(op->recv, pieces + i * size, op->count, op->type, op->reduce);
	if (op->reduce == SIM_NCCL_AVG)
		divide(op->recv, op->count, op->type, n);
}

void nccl_kernel(void **params, const unsigned int grid[3], const unsigned int block[3])
{
	const struct nccl_job *job = params[0];
	const struct nccl_op *ops = job->more ? job->more : job->ops;
	char **kept = calloc((size_t)job->n + 1, sizeof(*kept));
	struct moves m = { 0 };

	for (int i = 0; i < job->n; i++) {
		uint32_t n = ranks_number(ops[i].comm->ranks);

		kept[i] = malloc(2 * n * ops[i].count * width(ops[i].type) + 1);
		memcpy(kept[i], ops[i].send ? ops[i].send : "", ops[i].send ? sent(&ops[i], n) : 0);
		plan(&m, &ops[i], kept[i]);
	}
	if (!ranks_move(m.items, m.n, NCCL_SECONDS))
		fprintf(stderr, "simulated NCCL: a rank did not come\n");
	for (int i = 0; i < job->n; i++) {
		finish(&ops[i], kept[i]);
		free(kept[i]);
	}
	free(m.items);
	free(kept);
}
