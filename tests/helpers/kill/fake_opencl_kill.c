/*
 * A libOpenCL.so.1 with the few entry points that the kill and life tests call. Every launch and
 * copy is counted in the file named by FAKE_COUNTS, by process: the tests' own truth. Callbacks
 * are made at once, on the calling thread; built as C++ would build it, they may throw through here.
 */
#include "fake_counts.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void *handle;

/* Opened at the first call, which may come before any constructor or from a signal handler. */
static struct fake_counts *open_counts(void)
{
	static _Atomic(struct fake_counts *) counts;
	struct fake_counts *none = NULL, *mine = atomic_load(&counts);
	const char *path = mine ? NULL : getenv("FAKE_COUNTS");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (fd < 0)
		return mine;
	mine = mmap(NULL, sizeof(*mine), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (mine == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&counts, &none, mine))
		return mine;
	munmap(mine, sizeof(*mine));
	return none;
}

/* Or when we are loaded: later there may be no descriptor to be had. */
__attribute__((constructor)) static void loaded(void)
{
	open_counts();
}

static void count(void)
{
	struct fake_counts *counts = open_counts();
	uint32_t pid = counts ? (uint32_t)getpid() : 0;

	for (uint32_t n = 0; counts && n < FAKE_PROCESSES; n++) {
		uint32_t none = 0, i = (pid + n) % FAKE_PROCESSES;

		if (atomic_load(&counts->process[i].pid) != pid &&
		    !atomic_compare_exchange_strong(&counts->process[i].pid, &none, pid) && none != pid)
			continue;
		atomic_fetch_add(&counts->process[i].calls, 1);
		return;
	}
}

/* The call that HANG names does not return until somebody has written to the FIFO HANG_GATE. */
static void hang(const char *call)
{
	const char *which = getenv("HANG");
	char byte;
	int fd;

	if (!which || strcmp(which, call))
		return;
	fd = open(getenv("HANG_GATE"), O_RDONLY | O_CLOEXEC);
	while (read(fd, &byte, 1) > 0)
		;
	close(fd);
}

int clEnqueueNDRangeKernel(handle queue, handle kernel, unsigned int dims, const size_t *offset,
			   const size_t *global, const size_t *local, unsigned int n,
			   const handle *list, handle *event)
{
	(void)queue, (void)kernel, (void)dims, (void)offset, (void)global, (void)local;
	(void)n, (void)list, (void)event;
	count();
	hang("clEnqueueNDRangeKernel");
	return 0;
}

int clEnqueueWriteBuffer(handle queue, handle buffer, unsigned int blocking, size_t offset, size_t size,
			 const void *from, unsigned int n, const handle *list, handle *event)
{
	(void)queue, (void)buffer, (void)blocking, (void)offset, (void)size, (void)from;
	(void)n, (void)list, (void)event;
	count();
	return 0;
}

int clEnqueueNativeKernel(handle queue, void (*function)(void *), void *arguments, size_t size, unsigned int n,
			  const handle *objects, const void **places, unsigned int events,
			  const handle *list, handle *event)
{
	(void)queue, (void)size, (void)n, (void)objects, (void)places, (void)events, (void)list, (void)event;
	count();
	function(arguments);
	return 0;
}

int clSetEventCallback(handle event, int type, void (*notify)(handle, int, void *), void *data)
{
	notify(event, type, data);
	return 0;
}

int clBuildProgram(handle program, unsigned int n, const handle *devices, const char *options,
		   void (*notify)(handle, void *), void *data)
{
	(void)n, (void)devices, (void)options;
	if (notify)
		notify(program, data);
	return 0;
}

int clFinish(handle queue)
{
	(void)queue;
	hang("clFinish");
	return 0;
}

handle clCreateCommandQueue(handle context, handle device, uint64_t properties, int *err)
{
	(void)context, (void)device, (void)properties;
	if (err)
		*err = 0;
	return malloc(64);
}

/* A kernel is its name. */
handle clCreateKernel(handle program, const char *name, int *err)
{
	(void)program;
	if (err)
		*err = 0;
	return strdup(name);
}

int clReleaseKernel(handle kernel)
{
	free(kernel);
	return 0;
}

int clGetKernelInfo(handle kernel, unsigned int what, size_t size, void *value, size_t *size_ret)
{
	size_t n = strlen(kernel) + 1;

	(void)what;
	if (value && size >= n)
		memcpy(value, kernel, n);
	if (size_ret)
		*size_ret = n;
	return 0;
}

int fake_launch(void);
int fake_launch(void)
{
	return clEnqueueNDRangeKernel(NULL, "own", 0, NULL, NULL, NULL, 0, NULL, NULL);
}
