/*
 * two_collectives.c - NCCL on a stream of CUDA and RCCL on one of HIP, whose functions have the same names, each by what dlsym answers for
 * its handle: two_collectives PREFIX RUNTIME COLLECTIVES COUNT ..., as in `hip libamdhip64.so.6 librccl.so.1 1000`.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOAT = 7,
       SUM = 0,
       TO_HOST = 2 };

static void *function(void *library, const char *prefix, const char *name)
{
	char symbol[64];
	void *found;

	snprintf(symbol, sizeof(symbol), "%s%s", prefix, name);
	found = library ? dlsym(library, symbol) : NULL;
	if (!found)
		fprintf(stderr, "no %s: %s\n", symbol, dlerror()), exit(1);
	return found;
}

struct with {
	int (*create)(void **stream);
	int (*wait)(void *stream);
	int (*get)(void **memory, size_t bytes);
	int (*copy)(void *to, const void *from, size_t bytes, int kind);
	int (*join)(void **comm, int devices, const int *list);
	int (*reduce)(const void *from, void *to, size_t count, int type, int how, void *comm, void *stream);
	void *stream, *comm;
	float *memory;
	const char *prefix;
	size_t count;
};

static int started(struct with *w, char **words)
{
	void *runtime = dlopen(words[1], RTLD_NOW), *collectives = dlopen(words[2], RTLD_NOW);

	*w = (struct with){
		.create = (int (*)(void **))function(runtime, words[0], "StreamCreate"),
		.wait = (int (*)(void *))function(runtime, words[0], "StreamSynchronize"),
		.get = (int (*)(void **, size_t))function(runtime, words[0], "Malloc"),
		.copy = (int (*)(void *, const void *, size_t, int))function(runtime, words[0], "Memcpy"),
		.join = (int (*)(void **, int, const int *))function(collectives, "nccl", "CommInitAll"),
		.reduce = (int (*)(const void *, void *, size_t, int, int, void *, void *))function(collectives, "nccl", "AllReduce"),
		.prefix = words[0],
		.count = strtoul(words[3], NULL, 10),
	};
	return w->create(&w->stream) || w->get((void **)&w->memory, w->count * sizeof(float)) || w->join(&w->comm, 1, NULL);
}

static int reduced(struct with *w)
{
	float first = 0;
	int rc = w->reduce(w->memory, w->memory, w->count, FLOAT, SUM, w->comm, w->stream) || w->wait(w->stream) || w->copy(&first, w->memory, sizeof(first), TO_HOST);

	printf("%s %d\n", w->prefix, rc);
	return rc;
}

int main(int argc, char **argv)
{
	struct with all[4];
	int n = 0, rc = 0;

	for (; n < 4 && 4 * n + 4 < argc; n++)
		if (started(&all[n], argv + 1 + 4 * n))
			return 1;
	for (int i = 0; i < 2 * n; i++)
		rc |= reduced(&all[i % n]);
	return rc;
}
