/* ends.c - the ways out of a program. */
#include "fake_counts.h"
#include "life.h"
#include <dlfcn.h>
#include <fcntl.h>

LIFE(_exit, _exit_loses_no_call, "")
{
	life_calls(700);
	_exit(3);
}

LIFE(quick_exit, quick_exit_loses_no_call, "")
{
	life_calls(500);
	quick_exit(6);
}

LIFE(kill, sigkill_loses_no_call, "killed")
{
	life_calls(500);
	raise(SIGKILL);
	return 95;
}

LIFE(abort, abort_loses_no_call, "")
{
	life_calls(500);
	abort();
}

LIFE(segv, a_segmentation_fault_loses_no_call, "")
{
	life_calls(500);
	raise(SIGSEGV);
	return 95;
}

static void say_and_leave(int number)
{
	static const char said[] = "the program's own handler\n";

	(void)number;
	if (write(STDERR_FILENO, said, sizeof(said) - 1) > 0)
		_exit(44);
}

LIFE(segv_handler, the_programs_own_crash_handler_has_the_last_word, "")
{
	signal(SIGSEGV, say_and_leave);
	life_calls(500);
	raise(SIGSEGV);
	return 95;
}

static void *exit_from_here(void *unused)
{
	(void)unused;
	life_calls(500);
	exit(4);
}

LIFE(exit_thread, exit_by_another_thread_loses_no_call, "")
{
	pthread_t thread;

	life_calls(500);
	life_start(&thread, 1, exit_from_here, NULL);
	life_join(&thread, 1);
	return 93;
}

/* What the fake library has counted of this process so far. */
static long counted(void)
{
	static struct fake_counts all;
	int fd = open(getenv("FAKE_COUNTS"), O_RDONLY | O_CLOEXEC);
	long calls = 0;

	if (read(fd, &all, sizeof(all)) != sizeof(all))
		exit(78);
	close(fd);
	for (int i = 0; i < FAKE_PROCESSES; i++)
		if (all.process[i].pid == (uint32_t)getpid())
			calls = (long)all.process[i].calls;
	return calls;
}

LIFE(exit_busy, exit_while_others_call_neither_hangs_nor_loses, "")
{
	pthread_t threads[3];

	life_may("fly", 4);
	life_start(threads, 3, life_call_until_over, NULL);
	while (!counted())
		life_pause(1);
	life_pause(20);
	life_may("shut", counted());
	exit(7);
}

/* ThreadSanitizer takes a program left inside its own interceptors for an error. */
LIFE(exit_constructor, exit_in_a_constructor_loses_no_call, "not=thread")
{
	life_calls(500);
	life_library("life_exit.so");
	return 94;
}

static void exit_in_handler(int number)
{
	(void)number;
	exit(8);
}

LIFE(exit_handler, exit_in_a_signal_handler_loses_no_call, "not=thread")
{
	signal(SIGTERM, exit_in_handler);
	life_calls(500);
	raise(SIGTERM);
	return 95;
}

static volatile sig_atomic_t told;

static void note(int number)
{
	(void)number;
	told = 1;
}

/* A scheduler says TERM and then KILL: see e2e_life_jobs.sh. */
LIFE(scheduler, a_job_ended_by_a_scheduler, "elsewhere")
{
	void (*step)(int64_t) = (void (*)(int64_t))dlsym(RTLD_DEFAULT, "ranktrace_step");

	if (!step)
		return 79;
	signal(SIGTERM, note);
	step(1);
	life_calls(100);
	step(2);
	life_calls(500);
	if (write(STDOUT_FILENO, "ready\n", 6) != 6)
		return 78;
	while (!told)
		life_pause(1);
	life_calls(300);
	if (write(STDOUT_FILENO, "still here\n", 11) != 11)
		return 78;
	for (;;)
		pause();
}
