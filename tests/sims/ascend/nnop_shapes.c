/*
 * nnop_shapes.c - SIM_SHAPES=path: a line for each operator that is given to a stream, `thread operator tensors`: what its
 * tensors are, in the order of its arguments, as `type:format[dimensions]` in CANN's own numbers.
 */
#include "tests/sims/ascend/nnop.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static FILE *shapes_file(void)
{
	static FILE *file;
	static int tried;

	if (!tried++)
		file = sim_log("SIM_SHAPES");
	return file;
}

static void print_tensor(FILE *file, const struct nnop_tensor *t)
{
	if (!t->magic)
		return;
	fprintf(file, " %d:%d[", t->type, t->format);
	for (int i = 0; i < t->ndims; i++)
		fprintf(file, i ? ",%ld" : "%ld", (long)t->dims[i]);
	fputc(']', file);
}

static void print_operand(FILE *file, char letter, const union nnop_operand *o)
{
	if (letter == 't')
		print_tensor(file, &o->tensor);
	if (letter != 'l' && letter != 'L')
		return;
	for (int64_t i = 0; i < o->list->n; i++)
		print_tensor(file, &o->list->tensors[i]);
}

void nnop_tell_shapes(const struct nnop_operator *op, const struct nnop_operands *given)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	FILE *file;

	pthread_mutex_lock(&lock);
	file = shapes_file();
	if (file) {
		fprintf(file, "%ld aclnn%s", (long)syscall(SYS_gettid), op->name);
		for (int i = 0; i < given->n; i++)
			print_operand(file, op->operands[i], &given->of[i]);
		fputc('\n', file);
	}
	pthread_mutex_unlock(&lock);
}
