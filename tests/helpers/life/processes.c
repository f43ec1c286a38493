/* processes.c - children of every make. */
#include "life.h"
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>

extern char **environ;

LIFE(plain, a_program_that_runs_and_ends_keeps_every_call, "")
{
	life_calls(1000);
	return 0;
}

/* ---- copies ---- */

static int go_on_as_two(pid_t child, int child_calls)
{
	life_calls(child ? 500 : child_calls);
	return child ? life_wait(child) : 0;
}

/* ThreadSanitizer does not follow threads over fork, here and below. */
LIFE(fork, parent_and_child_of_a_fork_each_keep_their_own_calls, "not=thread")
{
	life_calls(500);
	return go_on_as_two(fork(), 300);
}

LIFE(clone, a_child_by_raw_clone_keeps_its_own_calls, "not=thread")
{
	life_calls(500);
	return go_on_as_two((pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL), 200);
}

LIFE(_Fork, a_child_by_Fork_without_handlers_keeps_its_own_calls, "not=thread")
{
	life_calls(500);
	return go_on_as_two(_Fork(), 200);
}

LIFE(fork_idle, a_child_that_calls_nothing_leaves_no_trace, "not=thread")
{
	pid_t child;

	life_calls(500);
	child = fork();
	if (!child)
		exit(0);
	return go_on_as_two(child, 0);
}

LIFE(fork_first, a_child_forked_before_the_first_call_keeps_its_own_calls, "not=thread")
{
	return go_on_as_two(fork(), 300);
}

/* A child of a child, and siblings: each a file of its own. */
LIFE(fork_twice, a_child_of_a_child_keeps_its_own_calls, "not=thread")
{
	pid_t child;

	life_calls(10);
	child = fork();
	if (!child) {
		life_calls(20);
		child = fork();
		life_calls(40);
		_exit(child ? life_wait(child) : 0);
	}
	life_calls(10);
	return life_wait(child);
}

static int fork_while_threads_call(int forks, int calls_every)
{
	pthread_t threads[8];
	int bad = 0;

	life_start(threads, 8, life_call_until_over, NULL);
	for (int i = 0; i < forks; i++) {
		pid_t child = fork();

		if (!child) {
			if (i % calls_every == 0)
				life_calls(1 + i % 3 * 5);
			if (i % 2)
				_exit(0);
			exit(0);
		}
		bad |= life_wait(child);
	}
	life_over = 1;
	life_join(threads, 8);
	return bad;
}

/* gcc 12's AddressSanitizer does not hold its allocator's lock over fork: a child may wait for ever. */
LIFE(fork_load, sixty_four_forks_under_eight_recording_threads_keep_each_call_once,
     "not=address not=thread dump=once")
{
	return fork_while_threads_call(64, 1);
}

LIFE(fork_many, hundreds_of_forks_under_eight_recording_threads_do_not_hang, "not=address not=thread")
{
	const char *forks = getenv("LIFE_FORKS");
	int n = forks ? atoi(forks) : 400;

	return fork_while_threads_call(n, n / 100);
}

/* ---- the same memory ---- */

LIFE(vfork, a_program_executed_by_a_vfork_child_keeps_its_own_calls, "")
{
	pid_t child;

	life_calls(500);
	child = vfork();
	if (!child)
		life_exec_self();
	life_calls(500);
	return life_wait(child);
}

LIFE(vfork_calls, calls_of_a_vfork_child_are_kept_in_its_parents_trace, "not=thread")
{
	pid_t child;

	life_may("together", 0);
	life_calls(500);
	child = vfork();
	if (!child) {
		life_calls(100);
		_exit(0);
	}
	life_calls(500);
	return life_wait(child);
}

/* qemu-user forks in its place. */
LIFE(vfork_first, a_vfork_child_that_calls_first_does_not_take_its_parents_trace, "not=thread not=qemu")
{
	pid_t child = vfork();

	if (!child) {
		life_calls(1);
		_exit(0);
	}
	life_may("together", 0);
	life_may("absent", child);
	life_may("drop", 1);
	life_calls(500);
	return life_wait(child);
}

static pid_t spawn(const char *program)
{
	char *arguments[] = { (char *)program, "plain", NULL };
	pid_t child = -1;

	if (posix_spawn(&child, program, NULL, NULL, arguments, environ))
		return -1;
	return child;
}

LIFE(spawn, a_spawned_program_keeps_its_own_calls, "")
{
	pid_t child;

	life_calls(500);
	child = spawn(life_self);
	life_calls(500);
	return life_wait(child);
}

static void *reap(void *bad)
{
	while (!life_over || waitpid(-1, NULL, WNOHANG) >= 0) {
		int status = 0;

		if (waitpid(-1, &status, 0) > 0 && status)
			atomic_fetch_add((_Atomic int *)bad, 1);
	}
	return NULL;
}

/* Nobody waits for one before the next: the pace is the clock's. */
LIFE(spawn_each_ms, a_child_each_millisecond_harms_neither_side, "")
{
	_Atomic int bad = 0;
	pthread_t threads[3];

	life_start(threads, 2, life_call_until_over, NULL);
	life_start(threads + 2, 1, reap, (void *)&bad);
	for (int i = 0; i < 300; i++) {
		bad += spawn("/bin/true") < 0;
		life_pause(1);
	}
	life_over = 1;
	life_join(threads, 3);
	return bad ? 88 : 0;
}

LIFE(exec, both_programs_of_a_process_that_execs_keep_their_calls, "")
{
	life_calls(500);
	life_pause(30);
	life_exec_self();
	return 0;
}
