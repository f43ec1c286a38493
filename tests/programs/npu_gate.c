/*
 * npu_gate.c - when torch_npu tells of markers and of its allocator, by generation, and on which roads:
 *   npu_gate A|B|C COUNT
 * A (to 26.0) looks for files in LD_PRELOAD and for functions by handle; B (26.1) asks mspti too, at every call, and looks
 * for functions in the global scope first; C looks for the names anywhere in LD_PRELOAD. Does COUNT of everything in each of
 * steps 1 to 3 (before, inside and after step 2) and prints `phase function calls` for those that it made. TORCH_NPU names a
 * library that it opens as torch_npu is imported, TORCH_NPU_LATE one that it opens behind the first call.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKS	  "libmspti.so"
#define ALLOCATOR "libascend_kernel_hook.so"
#define GARBAGE	  ((void *)0x1) /* torch_npu fills in no more than it needs */

struct range {
	uint32_t device;
	const void *address;
	uint64_t size;
};
struct heap {
	int usage, type;
	const struct range *range;
};
struct regions {
	void *heap;
	int type;
	size_t count;
	const struct range *ranges;
	void **handles;
};
struct references {
	size_t count;
	const struct {
		int type;
		const void *pointer;
	} * list;
};

static char generation;
static const char *phase = "before";

/* ---- looking up ---- */

static void *look_up(const char *library, const char *name)
{
	const char *preload = getenv("LD_PRELOAD");
	void *found = generation > 'A' && preload && *preload ? dlsym(RTLD_DEFAULT, name) : NULL, *handle;

	if (found)
		return found;
	handle = dlopen(library, RTLD_LAZY);
	return handle ? dlsym(handle, name) : NULL;
}

static unsigned int calls[16];
static const char *names[16];

static void count(const char *name)
{
	int i = 0;

	while (names[i] && strcmp(names[i], name))
		i++;
	names[i] = name;
	calls[i]++;
}

static void say_counts(void)
{
	for (int i = 0; names[i]; i++)
		if (calls[i])
			printf("%s %s %u\n", phase, names[i], calls[i]);
	memset(calls, 0, sizeof(calls));
}

/* CALL(library, type of result, parameters, symbol, arguments): nothing happens where nobody has it */
#define CALL(library, ret, params, symbol, ...)                              \
	({                                                                   \
		static ret(*function) params;                                \
                                                                             \
		if (!function)                                               \
			function = (ret(*) params)look_up(library, #symbol); \
		if (!function)                                               \
			fprintf(stderr, "no %s\n", #symbol), exit(1);        \
		count(#symbol);                                              \
		function(__VA_ARGS__);                                       \
	})
#define MSTX(ret, params, symbol, ...) CALL("libms_tools_ext.so", ret, params, symbol, __VA_ARGS__)

static bool cann_has(const char *library)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/lib64/%s", getenv("ASCEND_HOME_PATH"), library);
	return getenv("ASCEND_HOME_PATH") && !access(path, R_OK);
}

/* ---- the gates ---- */

/* Does an entry lead to a file of such a name, with something before it? */
static bool leads_to(const char *name)
{
	char list[4096], real[PATH_MAX], *rest = list, *entry;
	const char *preload = getenv("LD_PRELOAD");

	if (!preload)
		return false;
	if (generation == 'C')
		return strstr(preload, name);
	snprintf(list, sizeof(list), "%s", preload);
	while ((entry = strsep(&rest, ":")))
		if (realpath(entry, real) && strlen(real) > strlen(name) && !strcmp(real + strlen(real) - strlen(name), name))
			return true;
	return false;
}

static bool allocator_open(void)
{
	return leads_to(ALLOCATOR);
}

static bool marks_open(void)
{
	if (generation > 'A' && allocator_open())
		return false;
	if (leads_to(MARKS))
		return true;
	return generation > 'A' && cann_has("libmspti.so") &&
	       CALL("libmspti.so", bool, (int), msptiActivityIsEnabled, 1);
}

/* ---- what it tells ---- */

static void mark(const char *text)
{
	static int stream;

	if (!cann_has("libms_tools_ext.so"))
		CALL("libmsprofiler.so", int, (const char *, size_t, void *), aclprofMarkEx, text, strlen(text), &stream);
	else if (marks_open())
		MSTX(void, (const char *, void *), mstxMarkA, text, NULL);
}

static void *domain(const char *name)
{
	return MSTX(void *, (const char *), mstxDomainCreateA, name);
}

static void reduce(void)
{
	static void *communication;
	uint64_t id = 0;

	if (!cann_has("libms_tools_ext.so"))
		return;
	if (marks_open()) {
		if (!communication)
			communication = domain("communication");
		id = MSTX(uint64_t, (void *, const char *, void *), mstxDomainRangeStartA, communication,
			  "{\\\"streamId\\\": \\\"96\\\",\\\"count\\\": \\\"300\\\",\\\"dataType\\\": \\\"fp32\\\","
			  "\\\"groupName\\\": \\\"group_name_0\\\",\\\"opName\\\": \\\"HcclAllreduce\\\"}",
			  NULL);
	}
	if (id && marks_open())
		MSTX(void, (void *, uint64_t), mstxDomainRangeEnd, communication, id);
}

static char memory[1 << 16];

static void *told_of_heap(const void *address, uint64_t held)
{
	struct range range = { 0, address, held };
	struct heap heap = { 0x7e57, 0x7e57, &range };
	void *in = domain("ptaCaching");

	MSTX(void *, (void *, const struct heap *), mstxMemHeapRegister, in, &heap);
	return in;
}

static void allocate(int i, uint64_t size)
{
	struct range range = { 0, memory + 512 * i, size };
	struct regions regions = { GARBAGE, 0x7e57, 1, &range, GARBAGE };

	if (allocator_open())
		MSTX(void, (void *, const struct regions *), mstxMemRegionsRegister, told_of_heap(range.address, 2 << 20), &regions);
}

static void release(int i)
{
	__typeof__(*((struct references *)0)->list) reference = { 0, memory + 512 * i };
	struct references references = { 1, &reference };

	if (allocator_open())
		MSTX(void, (void *, const struct references *), mstxMemRegionsUnregister, told_of_heap(reference.pointer, 2 << 20),
		     &references);
}

static void import(const char *variable)
{
	const char *library = getenv(variable);

	if (library && *library && !dlopen(library, RTLD_NOW | RTLD_LOCAL))
		fprintf(stderr, "%s\n", dlerror()), exit(1);
}

int main(int argc, char **argv)
{
	void (*step)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");
	static const char *const phases[] = { "before", "inside", "after" };
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!n || n > 100)
		return 2;
	generation = argv[1][0];
	dlopen("libascendcl.so", RTLD_NOW | RTLD_LOCAL);
	import("TORCH_NPU");
	CALL("libascendcl.so", int, (const char *), aclInit, NULL);
	CALL("libascendcl.so", int, (void), aclrtSynchronizeDevice);
	import("TORCH_NPU_LATE");
	CALL("libascendcl.so", int, (int), aclrtSetDevice, 0);
	for (int64_t i = 0; i < 3; i++) {
		phase = phases[i];
		if (step)
			step(i + 1);
		for (int k = 0; k < n; k++) {
			mark("here");
			reduce();
			allocate(k, 512);
		}
		for (int k = 0; k < n - (i == 1); k++) /* in step 2 one is forgotten */
			release(k);
		say_counts();
	}
	return 0;
}
