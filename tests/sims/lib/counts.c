/*
 * counts.c - how often every function of the simulated libraries was called, in a file that outlives the process
 * (SIM_COUNTS=path, %p is the process), the faults that SIM_FAIL asks for, and latency (SIM_LATENCY_NS).
 *
 * The file is a tree of calls: an entry is a function of a library, called from within another one of these (or from
 * outside, 0). So it is known what a program called, and what the libraries called in turn. Calls that come from
 * libranktrace.so are told apart by where in it, so that those of its own are known. tests/sims/lib/counts.py prints it.
 */
#include "tests/sims/lib/sim.h"
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ENTRIES 4096

/* The first is nobody: what has no caller. */
static struct entry {
	char library[24], symbol[104];
	_Atomic uint32_t caller, place; /* place: in libranktrace.so, 0: elsewhere */
	_Atomic uint64_t calls;
} * entries;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t used;
static __thread uint32_t current; /* the call that this thread is in */

/* All calls that it is in, each with a number of its own; those below base belong to a call of the program's function. */
#define DEPTH 32
static __thread struct {
	const char *symbol;
	uint64_t number;
	uint64_t told; /* by a listener as it began, or the call around it */
} chain[DEPTH];
uint64_t (*sim_on_call)(const struct sim_row *row);
static __thread unsigned int depth, base;

long sim_setting(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtol(text, NULL, 0) : otherwise;
}

/* ---- the file ---- */

/* The path that a setting names, with the process for %p. */
static bool path_of(const char *setting, char *path, size_t size)
{
	const char *given = getenv(setting), *mark;

	if (!given || !*given)
		return false;
	mark = strstr(given, "%p");
	if (mark)
		snprintf(path, size, "%.*s%d%s", (int)(mark - given), given, getpid(), mark + 2);
	else
		snprintf(path, size, "%s", given);
	return true;
}

FILE *sim_log(const char *setting)
{
	char path[1024];
	FILE *file = path_of(setting, path, sizeof(path)) ? fopen(path, "a") : NULL;

	if (file)
		setvbuf(file, NULL, _IOLBF, 0);
	return file;
}

static int open_file(void)
{
	char path[1024];

	return path_of("SIM_COUNTS", path, sizeof(path)) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644) : -1;
}

/* A process that was executed anew goes on where its file ends. */
static void map_file(void)
{
	size_t size = ENTRIES * sizeof(*entries);
	int fd = open_file();

	if (fd >= 0 && ftruncate(fd, (off_t)size)) {
		close(fd);
		fd = -1;
	}
	entries = mmap(NULL, size, PROT_READ | PROT_WRITE, fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	if (entries == MAP_FAILED)
		abort(); /* a count that is not kept would prove nothing */
	if (fd >= 0)
		close(fd);
	for (used = 1; used < ENTRIES && entries[used].symbol[0]; used++)
		;
}

/* The child of a fork counts for itself; rows keep their places. */
static void after_fork(void)
{
	struct entry *parents = entries;
	uint32_t n = used;

	map_file();
	for (; used < n; used++) {
		memcpy(entries[used].library, parents[used].library, sizeof(entries->library));
		memcpy(entries[used].symbol, parents[used].symbol, sizeof(entries->symbol));
		entries[used].caller = parents[used].caller;
		entries[used].place = parents[used].place;
	}
	pthread_mutex_init(&lock, NULL);
}

/* ---- who calls ---- */

static uintptr_t guest_begin, guest_end; /* libranktrace.so */

static int look_for_guest(struct dl_phdr_info *object, size_t size, void *unused)
{
	const char *name = strrchr(object->dlpi_name, '/');

	if (!name || strcmp(name, "/libranktrace.so"))
		return 0;
	guest_begin = object->dlpi_addr;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_LOAD)
			guest_end = guest_begin + object->dlpi_phdr[i].p_vaddr + object->dlpi_phdr[i].p_memsz;
	return 1;
}

static uint32_t place_of(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	return at >= guest_begin && at < guest_end ? (uint32_t)(at - guest_begin) : 0;
}

__attribute__((constructor)) static void start(void)
{
	map_file();
	pthread_atfork(NULL, NULL, after_fork);
	dl_iterate_phdr(look_for_guest, NULL);
}

/* ---- the tree ---- */

static bool is_entry(const struct entry *e, const struct sim_row *row, uint32_t caller, uint32_t place)
{
	return e->caller == caller && e->place == place && !strcmp(e->symbol, row->symbol) &&
	       !strcmp(e->library, row->library);
}

static uint32_t find(const struct sim_row *row, uint32_t caller, uint32_t place)
{
	uint32_t i;

	pthread_mutex_lock(&lock);
	for (i = 1; i < used && !is_entry(&entries[i], row, caller, place); i++)
		;
	if (i == ENTRIES)
		abort();
	if (i == used) {
		entries[i].caller = caller;
		entries[i].place = place;
		snprintf(entries[i].library, sizeof(entries->library), "%s", row->library);
		snprintf(entries[i].symbol, sizeof(entries->symbol), "%s", row->symbol);
		used++;
	}
	pthread_mutex_unlock(&lock);
	return i;
}

static uint32_t entry_of(struct sim_row *row, uint32_t caller, uint32_t place)
{
	_Atomic uint64_t *known = &row->known[(caller + place) % 4];
	uint64_t last = atomic_load_explicit(known, memory_order_relaxed);

	if (!last || last >> 32 != caller || entries[(uint32_t)last].place != place) {
		last = (uint64_t)caller << 32 | find(row, caller, place);
		atomic_store_explicit(known, last, memory_order_relaxed);
	}
	return (uint32_t)last;
}

/* ---- faults and latency ---- */

/* SIM_FAIL=symbol:n:code,... : the n-th call of the process fails with this code; n = 0: every call. */
static int fault(const char *symbol, uint64_t n)
{
	size_t length = strcspn(symbol, "."); /* a twin fails as it does */
	unsigned long which;
	int code;

	for (const char *at = getenv("SIM_FAIL"); at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, symbol, length) || sscanf(at + length, ":%lu:%i", &which, &code) != 2)
			continue;
		if (!which || which == n)
			return code;
	}
	return 0;
}

static void wait_a_little(void)
{
	static long ns = -1;
	struct timespec from, now;

	if (ns < 0)
		ns = sim_setting("SIM_LATENCY_NS", 0);
	if (!ns)
		return;
	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000l + now.tv_nsec - from.tv_nsec < ns);
}

static void note(const struct sim_row *row)
{
	static _Atomic uint64_t number;

	if (depth < DEPTH) {
		chain[depth].symbol = row->symbol;
		chain[depth].number = atomic_fetch_add_explicit(&number, 1, memory_order_relaxed) + 1;
		chain[depth].told = depth > base ? chain[depth - 1].told : 0;
		if (!chain[depth].told && sim_on_call)
			chain[depth].told = sim_on_call(row);
	}
	depth++;
}

uint64_t sim_call_told(void)
{
	return depth > base && depth <= DEPTH ? chain[depth - 1].told : 0;
}

void sim_print_calls(FILE *to)
{
	for (unsigned int i = base; i < depth && i < DEPTH; i++)
		fprintf(to, " %s:%lu", chain[i].symbol, (unsigned long)chain[i].number);
	fputc('\n', to);
}

int sim_entered(struct sim_row *row, const void *caller)
{
	static int faults = -1;
	uint64_t n = atomic_fetch_add_explicit(&row->calls, 1, memory_order_relaxed) + 1;

	if (!current)
		wait_a_little();
	sim_call_spends(row->symbol);
	current = entry_of(row, current, place_of(caller));
	note(row);
	atomic_fetch_add_explicit(&entries[current].calls, 1, memory_order_relaxed);
	if (faults < 0)
		faults = getenv("SIM_FAIL") != NULL;
	return faults ? fault(row->symbol, n) : 0;
}

/* SIM_KEEP=symbol: the counts as they are at the end of its n-th call by the program are kept beside the file, as its path.n. */
static void keep(const char *symbol)
{
	static _Atomic unsigned int ended;
	const char *wanted = getenv("SIM_KEEP");
	char path[1024], to[1040];
	FILE *file;

	if (!wanted || strcmp(symbol, wanted) || !path_of("SIM_COUNTS", path, sizeof(path)))
		return;
	snprintf(to, sizeof(to), "%s.%u", path, atomic_fetch_add(&ended, 1) + 1);
	file = fopen(to, "w");
	if (!file || fwrite(entries, sizeof(*entries), ENTRIES, file) != ENTRIES || fclose(file))
		abort();
}

void sim_leave(void)
{
	current = entries[current].caller;
	depth--;
	if (!current && !depth)
		keep(chain[0].symbol);
}

uint32_t sim_outside(void)
{
	uint32_t was = current;

	current = 0;
	base = depth;
	return was;
}

void sim_inside(uint32_t was)
{
	current = was;
	base = 0;
}
