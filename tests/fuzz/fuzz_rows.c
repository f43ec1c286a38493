/*
 * fuzz_rows.c - every row of every vendor, called through the agent with texts, counts and sizes around each limit that the tree
 * has. The input is a list of calls of four bytes: which row (0xffff: all), which limit, and what is beside it. Whatever a row
 * is given, the program's memory stays its own and each definition in tmpfs is whole.
 *
 * Linked to libranktrace.so and, behind it, to a library of empty functions (rows/vendor.c).
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/format/session_files.h"
#include "agent/format/trace_file.h"
#include "agent/session/definitions.h"
#include "analysis/trace/defs.h"
#include "hooks/ascend/aclnn/operator.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/rows/rows.h"
#include "tests/programs/each.h"

#define PAGE	    65536u	/* the largest of any architecture */
#define LONGEST	    (1u << 20)	/* length that anything is given */
#define ARRAY	    (32u << 20) /* bytes behind an address */
#define ELEMENTS    70000u	/* of a list that is made for a row: beyond UINT16_MAX and PIECES_MOST */
#define MOST	    16		/* calls of an input */
#define FEW	    4100u	/* of an array of whatever kind, at most ARRAY / FEW bytes each */
#define PIECES_MOST 32768	/* of a call: hooks/ascend/mstx/memory.c */

void ranktrace_step(int64_t n);

/* ---- lengths ---- */

/* Powers of two are the sizes of most tables and texts; the others stand here. */
static const size_t limits[] = {
	0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, LONGEST,
	DEFINITION_LONGEST, DEFINITION_LONGEST - sizeof(struct def_hook), DEFINITION_LONGEST - sizeof(struct def_communicator),
	DEFINITION_LONGEST + sizeof(struct definition), DEFINITIONS_SEGMENT - sizeof(struct definitions_header),
	SYMBOL_BYTES, SHAPES_TENSORS, SHAPES_DIMENSIONS, UINT8_MAX, UINT16_MAX,
	3 * SHAPES_TENSORS, 767, /* of a path */
};

/* What stands beside a limit. */
static size_t beside(size_t limit, uint8_t how)
{
	switch (how % 6) {
	case 0: return limit;
	case 1: return limit ? limit - 1 : 0;
	case 2: return limit + 1;
	case 3: return 2 * limit;
	case 4: return limit > 8 ? limit - 8 : 0;
	default: return limit + 8;
	}
}

/* ---- what rows are given ---- */

static struct {
	char *text_end; /* behind it lies nothing */
	char *letters;
	uint8_t *zeros;	   /* readable, of no content */
	uint64_t *handles; /* the same, but for the first few words */
	uint64_t first_handle;
	size_t length;
	uint8_t how;
} given;

static char letter(size_t i)
{
	return (char)('a' + (i * 7 + i / 26) % 26);
}

static void make_places(void)
{
	char *text = mmap(NULL, 4 * LONGEST + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	given.zeros = mmap(NULL, ARRAY, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	given.handles = mmap(NULL, ARRAY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	fuzz_promise(text != MAP_FAILED && (void *)given.zeros != MAP_FAILED && (void *)given.handles != MAP_FAILED,
		     "there is room for what is given");
	given.text_end = text + 4 * LONGEST;
	mprotect(given.text_end, PAGE, PROT_NONE);
	given.letters = malloc(4 * LONGEST);
	for (size_t i = 0; i < 4 * LONGEST; i++)
		given.letters[i] = letter(i);
}

/* Ends where memory ends: who reads on does not come far. */
static char *text_of(size_t length, bool with_end)
{
	char *text = given.text_end - length - with_end;

	memcpy(text, given.letters, length);
	if (with_end)
		text[length] = '\0';
	return text;
}

static void *words(void)
{
	for (unsigned int i = 0; i < 8; i++)
		given.handles[i] = given.first_handle + 64 * i;
	return given.handles;
}

enum { INTEGERS = 1, /* of __builtin_classify_type() */
       POINTERS = 5 };

static void fill(void *place, size_t size, int class, bool is_text)
{
	size_t count = given.length < FEW ? given.length : FEW;
	void *pointer = is_text ? text_of(given.length, true) : given.how & 8 ? words()
									      : given.zeros;

	if (class == POINTERS)
		memcpy(place, &pointer, sizeof(pointer));
	else if (class == INTEGERS)
		memcpy(place, &count, size < sizeof(count) ? size : sizeof(count));
	else
		memset(place, given.how & 8, size);
}

/* ---- the calls ---- */

#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#pragma GCC diagnostic ignored "-Wsizeof-array-argument"
#include "hooks/rows/undef_forms.h"
/* clang-format off: one macro a form */
#define UNPAREN(...) __VA_ARGS__
#define IS_TEXT(a)   (__builtin_types_compatible_p(__typeof__(a), const char *) || __builtin_types_compatible_p(__typeof__(a), char *))
#define SET(a)	     fill((void *)&a, sizeof(a), __builtin_classify_type(a), IS_TEXT(a));
#define EACH_OF(...) __VA_OPT__(EACH(SET, __VA_ARGS__))
#define CALLS(sym, params, args)             \
	static void call_##sym params        \
	{                                    \
		EACH_OF args(void) sym args; \
	}
#define HOOK(ret, sym, params, args, ...) \
	ret sym params;                   \
	CALLS(sym, params, args)
#define HOOK_VOID(sym, params, args, ...) \
	void sym params;                  \
	static void call_##sym params     \
	{                                 \
		EACH_OF args              \
			sym args;         \
	}
#define HOOK_QUIET	 HOOK_VOID
#define HOOK_DOUBLE	 HOOK
#define HOOK_DOUBLE_VOID HOOK_VOID
#define HOOK_PTR	 HOOK
#define HOOK_PTR0	 HOOK
#define HOOK_VALUE	 HOOK
#define HOOK_ANSWER	 HOOK
#define HOOK_CUSTOM	 HOOK
#define HOOK_CUSTOM_PTR	 HOOK
#include "hooks/rows/vendors.def"

#include "hooks/rows/one_form.h"
#undef HOOK_INJECTED /* nobody can call it by its name */
#undef HOOK_INJECTED_VOID
#define HOOK(ret, sym, ...) (void (*)(void)) call_##sym,
static void (*const calls[])(void) = {
#include "hooks/rows/vendors.def"
};
/* clang-format on */
#define ROWS (sizeof(calls) / sizeof(*calls))

/* With room for the arguments that a row has on the stack: it fills them in itself. */
static void call(void (*row)(void))
{
	typedef uintptr_t w;

	((void (*)(w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w))row)(
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* ---- what no row tells by itself: lists that end where memory ends, texts without an end, look-ups ---- */

static void *list_of(size_t count, size_t size)
{
	char *list = given.text_end - count * size;

	memset(list, 0, count * size);
	return list;
}

static size_t elements(size_t most)
{
	return given.length < most ? given.length : most;
}

static void texts_without_end(void)
{
	char *text = text_of(given.length, false);

	aclprofMarkEx(text, given.length, NULL);
	aclprofSetStampTraceMessage(text, text, (uint32_t)given.length);
}

static void memory_lists(void)
{
	size_t count = elements(PIECES_MOST + 2);
	mstxMemVirtualRangeDesc_t *ranges = list_of(count, sizeof(*ranges));
	mstxMemRegionsRegisterBatch_t made = { .regionCount = count, .regionDescArray = ranges };
	mstxMemRegionsUnregisterBatch_t ended = { .refCount = count };

	for (size_t i = 0; i < count; i++)
		ranges[i] = (mstxMemVirtualRangeDesc_t){ 0, given.handles + i, i };
	mstxMemRegionsRegister(NULL, &made);
	ended.refArray = list_of(count, sizeof(*ended.refArray));
	mstxMemRegionsUnregister(NULL, &ended);
	mstxMemHeapRegister(NULL, &(mstxMemHeapDesc_t){ 0, 0, count ? made.regionDescArray : NULL });
}

static void copy_lists(void)
{
	size_t count = elements(ELEMENTS);
	size_t *sizes = list_of(count, sizeof(*sizes)), none;
	void **addresses = (void **)given.zeros;

	aclrtMemcpyBatch(addresses, sizes, addresses, sizes, count, NULL, NULL, 0, &none);
	HcclBatchSendRecv(list_of(count, sizeof(HcclSendRecvItem)), (uint32_t)count, given.handles, NULL);
	clEnqueueSVMFree(given.handles, (cl_uint)count, list_of(count, sizeof(void *)), NULL, NULL, 0, NULL, NULL);
}

static void operators(void)
{
	static int (*first)(const aclTensorList *, uint64_t *, aclOpExecutor **);
	static int (*second)(void *, uint64_t, aclOpExecutor *, aclrtStream);
	uint64_t dims = elements(ELEMENTS), bytes;
	size_t count = elements(3 * SHAPES_TENSORS + 1);
	const aclTensor *tensors[3 * SHAPES_TENSORS + 1];
	aclOpExecutor *plan = NULL;

	if (!first) {
		first = dlsym(RTLD_DEFAULT, "aclnnFuzzGetWorkspaceSize");
		second = dlsym(RTLD_DEFAULT, "aclnnFuzz");
	}
	for (size_t i = 0; i < count; i++)
		tensors[i] = aclCreateTensor(list_of(dims, sizeof(int64_t)), dims, 0, NULL, 0, 0, NULL, 0, NULL);
	first(aclCreateTensorList(tensors, count), &bytes, &plan);
	second(NULL, bytes, plan, NULL);
}

static void look_ups(void)
{
	char *name = text_of(given.length, true);

	dlsym(RTLD_DEFAULT, name);
	if (given.length >= 5)
		memcpy(name, "aclnn", 5);
	dlsym(RTLD_DEFAULT, name);
	dlopen(name, RTLD_LAZY);
}

static void (*const others[])(void) = { texts_without_end, memory_lists, copy_lists, operators, look_ups };
#define OTHERS (sizeof(others) / sizeof(*others))

static void call_one(size_t i)
{
	vendor_name.text = text_of(given.length, true);
	vendor_name.length = given.length;
	if (i < ROWS)
		call(calls[i]);
	else
		others[i - ROWS]();
}

/* ---- what came of it ---- */

static char top[128];
static struct defs all;
static struct key_values facts;

/* Of a text that we made, its beginning; nothing behind its end. */
static void check_text(const struct definition *d, const char *text)
{
	size_t n = d->length - sizeof(*d);

	fuzz_promise(n <= DEFINITION_LONGEST, "no text is longer than a definition may be");
	for (size_t i = 0; d->type == DEF_STRING && i < n && n > SYMBOL_BYTES; i++)
		fuzz_promise(text[i] == letter(i), "a name is what was given, and ends where that ends");
}

/* Those that stand behind this place of a file. One step is all there is: no file is used again. */
static void check_definitions(const char *path, size_t *done)
{
	static uint8_t bytes[DEFINITIONS_SEGMENT];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, bytes, sizeof(bytes), 0);
	struct definitions_header header;
	size_t at, length, end;

	close(fd);
	fuzz_promise(n >= (ssize_t)sizeof(header), "there are definitions");
	memcpy(&header, bytes, sizeof(header));
	end = sizeof(header) + header.used;
	fuzz_promise(header.magic == DEFINITIONS_MAGIC && end <= (size_t)n, "definitions have a header");
	for (at = *done ? *done : sizeof(header); at < end; at += length) {
		struct definition d;

		length = defs_length(bytes + at, end - at);
		fuzz_promise(length, "each definition is whole");
		memcpy(&d, bytes + at, sizeof(d));
		check_text(&d, (const char *)bytes + at + sizeof(d));
		fuzz_promise(defs_parse(&all, &facts, bytes + at, length) == length, "each definition makes sense");
	}
	*done = end;
}

/* The only one in this folder. */
static bool find_session(char *folder, size_t size)
{
	DIR *root = opendir(folder);
	struct dirent *e;
	size_t n = strlen(folder);

	while (root && (e = readdir(root)))
		if (*e->d_name != '.')
			snprintf(folder + n, size - n, "/%s", e->d_name);
	closedir(root);
	return folder[n];
}

static void check_session(void)
{
	static size_t done[LOGS * DEFINITIONS_SEGMENTS];
	char folder[512], path[640];

	snprintf(folder, sizeof(folder), "%s/shm-%u", top, geteuid());
	fuzz_promise(find_session(folder, sizeof(folder)), "the agent has a session");
	for (unsigned int i = 0; i < LOGS * DEFINITIONS_SEGMENTS; i++) {
		struct stat st;

		snprintf(path, sizeof(path), "%s/definitions.%u", folder, i);
		if (stat(path, &st))
			return;
		check_definitions(path, &done[i]);
	}
}

/* ---- the agent ---- */

static void prepare(void)
{
	const char *folder = getenv("TMPDIR");
	char path[160];

	make_places();
	snprintf(top, sizeof(top), "%s/ranktrace-fuzz-%d", folder ? folder : "/dev/shm", getpid());
	mkdir(top, 0700);
	snprintf(path, sizeof(path), "%s/shm", top);
	setenv("RANKTRACE_SESSION_ROOT", path, 1);
	snprintf(path, sizeof(path), "%s/out", top);
	setenv("RANKTRACE_SAVE_PATH", path, 1);
	setenv("RANKTRACE_STEPS", "all", 1);
	setenv("RANKTRACE_LEVEL", "level2", 1);
	setenv("RANKTRACE_CONTENTS", "cpu,memory,shapes", 1);
	defs_init(&all);
	ranktrace_step(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned int serial;

	if (!top[0])
		prepare();
	for (int i = 0; size >= 4 && i < MOST; i++, data += 4, size -= 4) {
		size_t row = data[0] | (size_t)data[1] << 8;

		given.how = data[3];
		given.length = beside(limits[data[2] % (sizeof(limits) / sizeof(*limits))], given.how);
		given.first_handle = 0x1000000 + 512 * (serial++ % 512);
		for (size_t each = 0; row == 0xffff && each < ROWS + OTHERS; each++)
			call_one(each);
		if (row != 0xffff)
			call_one(row % (ROWS + OTHERS));
	}
	check_session();
	return 0;
}
