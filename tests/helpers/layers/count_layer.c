/*
 * An OpenCL layer that only counts: OPENCL_LAYERS=/path/libcount_layer.so. Each call is counted
 * under its name when it comes in, under "completed:<name>" when it has returned, and handed on
 * untouched. What a program did can then be compared with what somebody else says it did.
 *
 * COUNT_LAYER_OUT: file written when the process exits, lines of "name count" sorted by name,
 * without the zeros. COUNT_LAYER_SHM: file in which the counters themselves live, readable (see
 * count_dump.py) whatever the end of the process. In both, %p stands for the process id.
 */
#include "tests/contract/all_of_opencl.h"
#include <CL/cl_layer.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* A row that does not have the type of its slot must not compile. */
#pragma GCC diagnostic error "-Wincompatible-pointer-types"

#define CALL(ret, name, params, args) ID_##name, DONE_##name,
#define VOID_CALL(name, params, args) CALL(void, name, params, args)
enum id {
#include "dispatch.def"
	COUNTERS
};
#undef CALL

/* This is the layout of the COUNT_LAYER_SHM file. */
struct counter {
	char name[56];
	_Atomic uint64_t count;
};

struct counters {
	uint64_t count;
	struct counter of[COUNTERS];
};

#define CALL(ret, name, params, args) { #name, 0 }, { "completed:" #name, 0 },
static struct counters private_counters = {
	COUNTERS,
	{
#include "dispatch.def"
	},
};
#undef CALL
#undef VOID_CALL

static struct counters *counters = &private_counters;
static cl_icd_dispatch next, layer;

static void hit(enum id id)
{
	atomic_fetch_add_explicit(&counters->of[id].count, 1, memory_order_relaxed);
}

#define CALL(ret, name, params, args)              \
	static ret CL_API_CALL count_##name params \
	{                                          \
		ret rc;                            \
                                                   \
		hit(ID_##name);                    \
		rc = next.name args;               \
		hit(DONE_##name);                  \
		return rc;                         \
	}
#define VOID_CALL(name, params, args)               \
	static void CL_API_CALL count_##name params \
	{                                           \
		hit(ID_##name);                     \
		next.name args;                     \
		hit(DONE_##name);                   \
	}
#include "dispatch.def"
#undef CALL
#undef VOID_CALL

/* A slot the loader left empty stays empty. */
#define CALL(ret, name, params, args) \
	if (next.name)                \
		layer.name = count_##name;
#define VOID_CALL(name, params, args) CALL(void, name, params, args)
static void fill_layer(void)
{
#include "dispatch.def"
}

/* Returns -1 where the name is not set or too long. */
static int path_from(const char *variable, char *path, size_t size)
{
	const char *value = getenv(variable), *pid = value ? strstr(value, "%p") : NULL;
	size_t len;

	if (!value || !*value)
		return -1;
	if (!pid)
		len = snprintf(path, size, "%s", value);
	else
		len = snprintf(path, size, "%.*s%d%s", (int)(pid - value), value, (int)getpid(),
			       pid + 2);
	return len < size ? 0 : -1;
}

/* Counts what was counted so far in a file, until then and without one in private memory. */
static void share_counters(void)
{
	char path[4096];
	void *map;
	int fd;

	if (path_from("COUNT_LAYER_SHM", path, sizeof(path)))
		return;

	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0) {
		perror(path);
		return;
	}
	if (pwrite(fd, &private_counters, sizeof(private_counters), 0) != sizeof(private_counters)) {
		perror(path);
		goto out;
	}
	map = mmap(NULL, sizeof(*counters), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		perror(path);
	else
		counters = map;
out:
	close(fd);
}

/* A forked child counts for itself, unless it shares a file that is not named by process. */
static void begin_child(void)
{
	const char *shared = getenv("COUNT_LAYER_SHM");

	if (counters != &private_counters && !(shared && strstr(shared, "%p")))
		return;

	counters = &private_counters;
	for (int i = 0; i < COUNTERS; i++)
		private_counters.of[i].count = 0;
	share_counters();
}

__attribute__((constructor)) static void begin(void)
{
	share_counters();
	pthread_atfork(NULL, NULL, begin_child);
}

static int by_name(const void *a, const void *b)
{
	const struct counter *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

__attribute__((destructor)) static void end(void)
{
	const struct counter *sorted[COUNTERS];
	char path[4096];
	FILE *out;

	if (path_from("COUNT_LAYER_OUT", path, sizeof(path)))
		return;
	out = fopen(path, "we");
	if (!out) {
		perror(path);
		return;
	}

	for (int i = 0; i < COUNTERS; i++)
		sorted[i] = &counters->of[i];
	qsort(sorted, COUNTERS, sizeof(*sorted), by_name);
	for (int i = 0; i < COUNTERS; i++)
		if (sorted[i]->count)
			fprintf(out, "%s %llu\n", sorted[i]->name,
				(unsigned long long)sorted[i]->count);
	if (fclose(out))
		perror(path);
}

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value,
					 size_t *size_ret)
{
	static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	static const char text[] = "count";
	const void *answer;
	size_t len;

	switch (name) {
	case CL_LAYER_API_VERSION:
		answer = &version;
		len = sizeof(version);
		break;
	case CL_LAYER_NAME:
		answer = text;
		len = sizeof(text);
		break;
	default:
		return CL_INVALID_VALUE;
	}

	if (value && size < len)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, len);
	if (size_ret)
		*size_ret = len;
	return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target,
				      cl_uint *count_ret, const cl_icd_dispatch **layer_ret)
{
	size_t slots = sizeof(next) / sizeof(void *);

	if (!target || !count_ret || !layer_ret)
		return CL_INVALID_VALUE;

	/* An older loader has fewer slots than these headers; a newer one has more. */
	if (count > slots)
		count = slots;
	memcpy(&next, target, count * sizeof(void *));
	layer = next;
	fill_layer();

	*count_ret = count;
	*layer_ret = &layer;
	return CL_SUCCESS;
}
