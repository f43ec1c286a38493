/* stacks_calls.c - copies for who asks through ctypes: as many as wanted, or by a signal handler until it has made enough. */
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

int aclrtMemcpy(void *to, size_t most, const void *from, size_t count, int way);

#define MOST	8192
#define BY_HAND 4096 /* bytes of a handler's copy */
static char to[MOST], from[MOST];

void copies(long count, long bytes)
{
	while (count--)
		aclrtMemcpy(to, MOST, from, (size_t)bytes, 2);
}

/* ---- by a signal handler ---- */

int handled; /* so many times */
static int enough;
static volatile sig_atomic_t inside;

#define LATER 50000 /* us: whether handlers block anything is asked again when the kernel's clock has ticked */

static void every(int us)
{
	struct itimerval timer = { { 0, us }, { 0, us ? LATER : 0 } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void on_signal(int number)
{
	(void)number;
	if (inside || handled == enough)
		return;
	inside = 1;
	copies(1, BY_HAND);
	if (++handled == enough)
		every(0);
	inside = 0;
}

void handle(int wanted, int us, int blocks_nothing)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART | (blocks_nothing ? SA_NODEFER : 0) };

	enough = wanted;
	sigaction(SIGALRM, &action, NULL);
	every(us);
}
