/* surroundings.c - descriptors, limits, libraries, allocators, callbacks, core dumps. */
#include "life.h"
#include "tests/lib/traced_file.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* All descriptors are closed, and their numbers taken by a file of the program's: it must stay empty. */
LIFE(closefrom, after_closefrom_nothing_is_written_into_a_file_of_the_programs, "")
{
	struct stat st;
	int fd;

	life_calls(500);
	life_pause(50);
	closefrom(3);
	fd = open("victim", O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; i < 900; i++)
		if (dup(fd) < 0)
			break;
	for (int i = 0; i < 5; i++) {
		life_calls(9000);
		life_pause(40);
	}
	return fstat(fd, &st) || st.st_size ? 97 : 0;
}

static int small_files(rlim_t size)
{
	life_may("drop", 1000000);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ size, size });
	for (int i = 0; i < 6; i++) {
		life_calls(9000);
		life_pause(40);
	}
	return 0;
}

LIFE(fsize, a_limit_on_file_size_ends_nobody_and_every_call_is_counted, "says")
{
	return small_files(4096);
}

/* A write that crosses the limit is cut; only one that begins there is a signal. */
LIFE(fsize_later, a_limit_on_file_size_set_later_ends_nobody_and_every_call_is_counted, "says")
{
	off_t size = 0, before;

	life_calls(20000); /* more than half a ring: the first events are written, and then no more for a while */
	do {
		before = size;
		life_pause(10);
		size = traced_size();
	} while (getenv("LD_PRELOAD") && (size < 4096 || size != before));
	return small_files(size < 4096 ? 4096 : (rlim_t)size);
}

/* ---- libraries ---- */

LIFE(reopen, a_vendor_opened_and_closed_a_thousand_times_keeps_every_call, "")
{
	for (int i = 0; i < 1000; i++) {
		void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
		int (*launch)(void *, void *, unsigned int, const size_t *, const size_t *, const size_t *,
			      unsigned int, void *const *, void **) = dlsym(library, "clEnqueueNDRangeKernel");

		if (!library || !launch || launch(NULL, "reopened", 0, NULL, NULL, NULL, 0, NULL, NULL))
			return 83;
		dlclose(library);
	}
	return 0;
}

LIFE(reopen_plugin, a_plugin_opened_and_closed_a_thousand_times_keeps_every_call, "")
{
	for (int i = 0; i < 1000; i++) {
		void *plugin = life_library("life_plugin.so");
		void (*call)(void) = plugin ? (void (*)(void))dlsym(plugin, "plugin_call") : NULL;

		if (!call)
			return 83;
		call();
		dlclose(plugin);
	}
	return 0;
}

/* As many as fit beside nothing else in glibc's surplus of 1,664 bytes. */
LIFE(static_tls, six_libraries_with_static_tls_still_load_beside_us, "")
{
	char name[32];

	life_calls(10);
	for (int i = 1; i <= 6; i++) {
		snprintf(name, sizeof(name), "life_tls%d.so", i);
		if (!life_library(name))
			return 82;
	}
	life_calls(10);
	return 0;
}

LIFE(early_before, calls_of_a_constructor_in_front_of_us_are_kept, "before=life_early.so")
{
	life_calls(100);
	return 0;
}

/* ThreadSanitizer itself has not begun by then. */
LIFE(early_after, calls_of_a_constructor_behind_us_are_kept, "after=life_early.so not=thread")
{
	life_calls(100);
	return 0;
}

/* ---- allocators: a sanitizer's must be the only one ---- */

static int use_malloc(void)
{
	void *pieces[100];

	life_calls(100);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 100; i++)
			pieces[i] = malloc(64);
		for (int i = 0; i < 100; i++)
			free(pieces[i]);
		life_calls(10);
	}
	return 0;
}

/* The first calls come from malloc, in the middle of our own start as well: those are counted. */
LIFE(malloc_before, a_malloc_in_front_of_us_that_launches_is_forwarded_and_counted,
     "before=life_malloc_launches.so env=LIFE_MALLOC=launch not=address not=thread")
{
	life_may("drop", 200);
	return use_malloc();
}

LIFE(malloc_after, a_malloc_behind_us_that_launches_is_forwarded_and_counted,
     "after=life_malloc_launches.so env=LIFE_MALLOC=launch not=address not=thread")
{
	life_may("drop", 200);
	return use_malloc();
}

LIFE(dlsym_before, a_malloc_in_front_of_us_that_calls_dlsym_does_not_hang,
     "before=life_malloc_dlsym.so not=address not=thread")
{
	for (int i = 0; i < 100; i++)
		dlsym(RTLD_DEFAULT, "clFlush"), dlsym(RTLD_DEFAULT, "no_such_name");
	return use_malloc();
}

LIFE(dlsym_after, a_malloc_behind_us_that_calls_dlsym_does_not_hang,
     "after=life_malloc_dlsym.so not=address not=thread")
{
	for (int i = 0; i < 100; i++)
		dlsym(RTLD_DEFAULT, "clFlush"), dlsym(RTLD_DEFAULT, "no_such_name");
	return use_malloc();
}

/* ---- callbacks of the runtime, on the calling thread ---- */

static void on_event(void *event, int status, void *n)
{
	(void)event, (void)status;
	life_calls((int)(intptr_t)n);
}

static void on_build(void *program, void *n)
{
	(void)program;
	life_calls((int)(intptr_t)n);
}

static void native(void *n)
{
	life_calls(*(int *)n);
}

LIFE(inner, a_launch_that_the_runtime_makes_inside_a_launch_is_a_part_of_it, "dump=flat")
{
	void (*own)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "fake_launch");

	for (int i = 0; i < 10; i++)
		clEnqueueNativeKernel(NULL, own, NULL, 0, 0, NULL, NULL, 0, NULL, NULL);
	life_may("inner", 10);
	return own ? 0 : 80;
}

LIFE(callbacks, calls_from_the_runtimes_callbacks_are_kept_and_are_not_nested, "dump=flat")
{
	int five = 5;

	for (int i = 0; i < 100; i++) {
		clSetEventCallback(NULL, 0, on_event, (void *)3);
		clBuildProgram(NULL, 0, NULL, NULL, on_build, (void *)4);
		clEnqueueNativeKernel(NULL, native, &five, sizeof(five), 0, NULL, NULL, 0, NULL, NULL);
		life_calls(1);
	}
	return 0;
}

/* ---- the wall clock is set ---- */

static int set_the_clock(void)
{
	static const long wrong[] = { -3600, 86400, -7200, 0 };
	void (*jump)(long) = (void (*)(long))dlsym(RTLD_DEFAULT, "clock_jump");

	for (int i = 0; i < 4; i++) {
		jump(wrong[i]);
		life_calls(9000); /* more than a quarter of a ring: a chunk with a clock of its own */
		life_pause(40);
	}
	return 0;
}

LIFE(clock, when_the_wall_clock_is_set_no_time_runs_backwards, "before=life_clock.so dump=steady")
{
	return set_the_clock();
}

LIFE(clock_ns, when_the_wall_clock_is_set_no_time_runs_backwards_without_a_tick_counter,
     "before=life_clock.so env=RANKTRACE_CLOCK=ns dump=steady")
{
	return set_the_clock();
}

/* ---- core dumps ---- */

/* KiB of mappings that are marked "do not dump"; how many of the session's are not. */
static long marked_memory(int *unmarked)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	bool ours = false, marked;
	long size = 0, sum = 0;
	char line[512];

	*unmarked = 0;
	while (f && fgets(line, sizeof(line), f)) {
		if (strchr(line, '-') && strchr(line, '-') < strchr(line, ' ')) {
			ours = strstr(line, "ranktrace-life") && !strstr(line, ".so");
		} else if (sscanf(line, "Size: %ld", &size) != 1 && !strncmp(line, "VmFlags:", 8)) {
			marked = strstr(line, " dd");
			sum += marked ? size : 0;
			*unmarked += ours && !marked;
		}
	}
	if (f)
		fclose(f);
	return sum;
}

static int look_at_mappings(void)
{
	int unmarked;
	long before = marked_memory(&unmarked), now;

	life_calls(1000);
	life_pause(50);
	now = marked_memory(&unmarked);
	return unmarked || (getenv("LD_PRELOAD") && now < before + 1024) ? 81 : 0; /* a ring at least */
}

/* Sanitizers mark memory of their own; qemu-user tells the kernel nothing of marks. */
LIFE(core, our_shared_memory_stays_out_of_core_dumps, "not=address not=thread not=qemu")
{
	return look_at_mappings();
}

LIFE(core_private, our_private_memory_stays_out_of_core_dumps, "says not=address not=thread not=qemu")
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 4096, 4096 });
	life_may("drop", 1000);
	return look_at_mappings();
}
