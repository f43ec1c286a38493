/* signals.c - handlers that call, and what a program may have arranged with the kernel. */
#include "life.h"
#include <dirent.h>
#include <sched.h>
#include <sys/time.h>

static _Atomic long handled;

static void on_signal(int number)
{
	int saved = errno;

	(void)number;
	handled++;
	life_calls(1);
	errno = saved;
}

static void storm(int number, int timer, int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART | flags };
	int every = flags & SA_NODEFER ? 1000 : 100; /* microseconds; such handlers may pile up */

	sigaction(number, &action, NULL);
	setitimer((__itimer_which_t)timer, &(struct itimerval){ { 0, every }, { 0, every } }, NULL);
}

/* A handler that records on top of a half-written record is dropped: at most as many as handlers ran. */
static void calm(int timer)
{
	setitimer((__itimer_which_t)timer, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
	life_may("drop", handled);
}

static void work_malloc(int n)
{
	static __thread void *kept[64];

	for (int i = 0; i < n; i++) {
		free(kept[i % 64]);
		kept[i % 64] = malloc(100 + (size_t)i * 37 % 5000);
	}
}

/* Fewer calls in all than a ring holds: what is dropped is dropped by handlers. */
static void *call_and_work(void *unused)
{
	for (int i = 0; i < 25; i++) {
		life_calls(1000);
		work_malloc(3000);
	}
	return unused;
}

static int under(int number, int timer)
{
	pthread_t threads[8];

	life_calls(1);
	storm(number, timer, 0);
	life_start(threads, 8, call_and_work, NULL);
	life_join(threads, 8);
	calm(timer);
	return handled ? 0 : 80;
}

LIFE(signals, a_sigalrm_handler_that_calls_each_100_us_tears_no_record, "")
{
	return under(SIGALRM, ITIMER_REAL);
}

LIFE(signals_prof, a_sigprof_handler_that_calls_each_100_us_tears_no_record, "")
{
	return under(SIGPROF, ITIMER_PROF);
}

LIFE(signals_threads, handlers_that_call_in_short_threads_tear_no_record, "")
{
	pthread_t threads[8];

	life_calls(1);
	storm(SIGALRM, ITIMER_REAL, 0);
	for (int round = 0; round < 20; round++) {
		life_start(threads, 8, life_call_some, (void *)200);
		life_join(threads, 8);
	}
	calm(ITIMER_REAL);
	return 0;
}

/* ---- a handler on top of malloc ---- */

static int first_on_top_of_malloc(int flags)
{
	storm(SIGALRM, ITIMER_REAL, flags);
	while (handled < 300)
		work_malloc(20000);
	calm(ITIMER_REAL);
	life_calls(100);
	return 0;
}

/* Its start takes memory: used to hang for ever, or to break the heap. */
LIFE(signals_first, a_first_call_by_a_handler_on_top_of_malloc_is_counted_and_the_start_put_off, "")
{
	return first_on_top_of_malloc(0);
}

/* Under AddressSanitizer it takes longer than until the next signal: the stack would overflow. */
LIFE(signals_first_nodefer, the_same_by_a_handler_that_blocks_nothing, "not=thread not=address")
{
	return first_on_top_of_malloc(SA_NODEFER);
}

LIFE(signals_first_stack, the_same_on_a_stack_of_its_own, "not=thread")
{
	static char memory[65536];
	stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };

	sigaltstack(&stack, NULL);
	return first_on_top_of_malloc(SA_ONSTACK);
}

LIFE(signals_only, a_program_whose_handlers_make_all_calls_has_them_counted, "")
{
	storm(SIGALRM, ITIMER_REAL, 0);
	while (handled < 100)
		work_malloc(20000);
	calm(ITIMER_REAL);
	return 0;
}

static void launch_kernel(void *kernel)
{
	static const size_t size = 64;

	clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
}

static void on_signal_new_kernel(int number)
{
	static char names[4096][32];
	static int next;
	int saved = errno;

	(void)number;
	handled++;
	next = (next + 1) % 4096;
	for (unsigned int i = 0; i < sizeof(names[0]) - 1; i++)
		names[next][i] = 'a' + (char)((unsigned int)next * 0x9E3779B1u >> i & 1);
	launch_kernel(names[next]);
	errno = saved;
}

/* A name is held against the expression when it is first seen: regexec() takes memory for what it learns of it. */
LIFE(signals_kernel, new_kernels_launched_by_a_handler_on_top_of_malloc_do_not_hang, "env=RANKTRACE_STEP_SOURCE=kernel:^(a|b)*a(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)$")
{
	life_calls(1);
	signal(SIGALRM, on_signal_new_kernel);
	setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 100 }, { 0, 100 } }, NULL);
	while (handled < 300)
		work_malloc(20000);
	calm(ITIMER_REAL);
	return 0;
}

static void *malloc_and_be_interrupted(void *unused)
{
	sigset_t set;

	(void)unused;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	while (!life_over)
		work_malloc(1000);
	return NULL;
}

/* With many keys in use, the first call of a thread makes the C library take memory for ours. */
LIFE(signals_keys, the_first_call_of_each_thread_by_a_handler_on_top_of_malloc_does_not_hang, "")
{
	pthread_t threads[4];
	pthread_key_t keys[40];
	sigset_t set;

	for (int i = 0; i < 40; i++)
		pthread_key_create(&keys[i], NULL);
	life_calls(1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR1, on_signal);
	for (int round = 0; round < 8; round++) {
		life_over = 0;
		life_start(threads, 4, malloc_and_be_interrupted, NULL);
		for (int i = 0; i < 12; i++)
			pthread_kill(threads[i % 4], SIGUSR1);
		life_over = 1;
		life_join(threads, 4);
	}
	life_may("drop", handled);
	return 0;
}

/* ---- what is the program's stays the program's ---- */

#define LIBC_SIGNALS (3ull << 31) /* 32 and 33: libc's own, taken with the first thread of a program */

static void describe(FILE *to)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long long set;
	char line[256], word[16];
	stack_t stack;

	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "%15[SigPndBlkICt]: %llx", word, &set) == 2)
			fprintf(to, "%s %llx\n", word, set & ~LIBC_SIGNALS);
	fclose(status);
	for (int i = 1; i < 65; i++) {
		struct sigaction a;

		if (!sigaction(i, NULL, &a))
			fprintf(to, "%d %p %x\n", i, (void *)a.sa_handler, (unsigned int)a.sa_flags);
	}
	sigaltstack(NULL, &stack);
	fprintf(to, "%p %d %zu\n", stack.ss_sp, stack.ss_flags, stack.ss_size);
}

static void *description(void *unused)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)unused;
	describe(f);
	fclose(f);
	return text;
}

/* Threads that are not the program's block all that can be blocked. */
static int tasks_that_take_signals(void)
{
	DIR *d = opendir("/proc/self/task");
	const struct dirent *e;
	int n = 0;

	while ((e = readdir(d))) {
		char path[300], line[256];
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/status", e->d_name);
		if (!atoi(e->d_name) || atoi(e->d_name) == getpid() || !(f = fopen(path, "r")))
			continue;
		while (fgets(line, sizeof(line), f))
			n += !strncmp(line, "SigBlk:", 7) && strtoull(line + 7, NULL, 16) != 0xfffffffe7ffbfeff &&
			     strtoull(line + 7, NULL, 16) != 0xfffffffc7ffbfeff; /* as libc, or as a sanitizer has it */
		fclose(f);
	}
	closedir(d);
	return n;
}

/* qemu-user's own signals are in /proc, too. */
LIFE(signals_kept, mask_handlers_and_signal_stack_are_the_programs_own, "not=thread not=address not=qemu")
{
	static char memory[65536];
	stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };
	const char *before, *after;
	sigset_t set;

	sigaltstack(&stack, NULL);
	signal(SIGUSR2, on_signal);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	before = description(NULL);
	life_calls(5000);
	life_pause(50);
	after = description(NULL);
	if (strcmp(before, after))
		fprintf(stderr, "%s became %s", before, after);
	return tasks_that_take_signals() ? 84 : !!strcmp(before, after);
}
