/*
 * entry_points.c - which ABI was answered is not said by the answer. The interface's rule says it: the newest one of the
 * name that is not newer than the version asked for. Where a newer one may exist than is known here, the driver is asked
 * once more, for the newest that is: the same answer is that ABI.
 */
#include "hooks/cuda/entry_points.h"
#include <stdlib.h>
#include <string.h>
#include "agent/os/elf.h"
#include "agent/record/handles.h"
#include "agent/record/record.h"
#include "agent/session/session.h"
#include "agent/record/question.h"
#include "hooks/capture/runtime/entry_point.h"
#include "hooks/cuda/abi/abi.h"
#include "hooks/link/resolve.h"
#include "hooks/link/wrapper_for.h"
#include "hooks/rows/index.h"

enum streams { LEGACY_STREAM,
	       PER_THREAD_STREAM };
#define NEWEST 13000 /* version of the interface that abis.def was made from */

struct abi {
	const char *name;
	int version;
	enum streams streams;
	const char *symbol;
};

/* Sorted by name, streams and version. */
static const struct abi abis[] = {
#define ABI(name, version, streams, symbol) { #name, version, streams, #symbol },
#include "hooks/cuda/abis.def"
#undef ABI
};
#define ABIS (sizeof(abis) / sizeof(*abis))

static size_t first_of(const char *name)
{
	size_t from = 0, to = ABIS;

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (strcmp(abis[middle].name, name) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The newest that is not newer than asked for; NULL: there is none. */
static const struct abi *newest(size_t first, const char *name, enum streams streams, int version)
{
	const struct abi *found = NULL;

	for (size_t i = first; i < ABIS && !strcmp(abis[i].name, name); i++)
		if (abis[i].streams == streams && abis[i].version <= version)
			found = &abis[i];
	return found;
}

/* Names that have no variant for the thread's stream mean the same function with the flag. */
static const struct abi *abi_of(const struct entry_point *asked)
{
	bool per_thread = entry_point_per_thread(asked->flags, asked->per_thread);
	size_t first = first_of(asked->name);
	const struct abi *found = per_thread ? newest(first, asked->name, PER_THREAD_STREAM, asked->version) : NULL;

	return found ? found : newest(first, asked->name, LEGACY_STREAM, asked->version);
}

/* What the driver answers for the newest version that is known here. */
static void *answer_of_newest(const struct entry_point *asked)
{
	static _Atomic(void *) cache;
	CUresult (*get)(const char *, void **, int, cuuint64_t, int *) = hook_vendor(&cache, "cuGetProcAddress_v2");
	uint64_t flags = asked->flags ? asked->flags : asked->per_thread ? ENTRY_PER_THREAD
									 : 0;
	struct question question = question_begin();
	void *answer = NULL;
	int status;

	if (!get || get(asked->name, &answer, NEWEST, flags, &status))
		answer = NULL;
	question_end(question);
	return answer;
}

void cuda_entry_point(const struct entry_point *asked, void **answer)
{
	const struct abi *abi;
	int hook;

	if (!asked->name || !answer || !*answer || producer.inside & INSIDE_AGENT)
		return;
	abi = abi_of(asked);
	hook = abi ? index_find(abi->symbol) : -1;
	if (hook < 0 || hook_called_by_vendor((unsigned int)hook, asked->caller))
		return;
	if (asked->version > NEWEST && answer_of_newest(asked) != *answer) {
		session_beyond(LIMIT_newer_functions, 1);
		return;
	}
	*answer = wrapper_answered((unsigned int)hook, *answer);
}

/* ---- the runtime ---- */

int cuda_runtime_version(void)
{
	static _Atomic(void *) cache;
	cudaError_t (*get)(int *) = hook_vendor(&cache, "cudaRuntimeGetVersion");
	struct question question = question_begin();
	int version = 0;

	if (get && get(&version))
		version = 0;
	question_end(question);
	return version;
}

int cuda_major(const void *function)
{
	static const char soname[] = "libcudart.so.";
	static struct handles majors; /* a = by a function of it */
	struct handle_slot *s = handles_get(&majors, (uintptr_t)function);
	struct elf_object o;
	int major = 0;

	if (s)
		return (int)atomic_load(&s->a);
	if (elf_object_at(function, &o) && !strncmp(elf_name(&o), soname, sizeof(soname) - 1))
		major = atoi(elf_name(&o) + sizeof(soname) - 1);
	handles_put(&majors, (uintptr_t)function, (uint64_t)major, 0);
	return major;
}
