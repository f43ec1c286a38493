/* threads.c - threads that come, go, crowd and are cancelled. */
#include "life.h"
#include "../../lib/count_entries.h"

/* ---- many, one after another ---- */

static int count_lines(const char *path, const char *with)
{
	FILE *f = fopen(path, "r");
	char line[512];
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += !with || strstr(line, with);
	if (f)
		fclose(f);
	return n;
}

LIFE(churn, of_2560_short_threads_maps_and_descriptors_stay_constant, "")
{
	pthread_t threads[64];
	int fds = 0;

	for (int round = 0; round < 40; round++) {
		life_start(threads, 64, life_call_some, (void *)10);
		life_join(threads, 64);
		life_pause(round % 4 ? 0 : 25); /* our thread looks round each 20 ms */
		if (round == 4)
			fds = folder_entries("/proc/self/fd");
	}
	if (folder_entries("/proc/self/fd") > fds)
		return 87;
	/* At most 64 threads live at once, and two rings are kept ready for the next. */
	return count_lines("/proc/self/maps", "/ring.") > 64 + 2 ? 86 : 0;
}

/* ---- many at once ---- */

static pthread_barrier_t barrier;

static void *call_together(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier);
	life_calls(10);
	pthread_barrier_wait(&barrier);
	life_calls(10);
	return NULL;
}

LIFE(many, three_hundred_threads_at_once_keep_every_call, "")
{
	pthread_t threads[300];

	pthread_barrier_init(&barrier, NULL, 300);
	life_start(threads, 300, call_together, NULL);
	life_join(threads, 300);
	return 0;
}

#define CROWD	    10000
#define RINGS_MAX   1024
#define SHM_KIB_MAX (256 * 1024 + 64) /* and the session's own record */

static void *call_and_stay(void *unused)
{
	life_calls(3);
	pthread_barrier_wait(&barrier); /* all are here, and have called */
	pthread_barrier_wait(&barrier); /* they have been looked at */
	return unused;
}

/* KiB of the mappings whose path holds a word. */
static long mapped(const char *with)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512];
	long sum = 0, n;
	bool ours = false;

	while (f && fgets(line, sizeof(line), f)) {
		if (strchr(line, '-') && strchr(line, '-') < strchr(line, ' '))
			ours = strstr(line, with);
		else if (ours && sscanf(line, "Size: %ld", &n) == 1)
			sum += n;
	}
	if (f)
		fclose(f);
	return sum;
}

/* Sanitizers' own memory for so many threads is not to be had; under qemu-user they take minutes, with us and without. */
LIFE(crowd, of_10000_threads_alive_memory_is_bounded_and_calls_beyond_the_caps_are_counted, "not=address not=thread not=qemu")
{
	static pthread_t threads[CROWD];
	pthread_attr_t attr;
	int bad = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32 << 10);
	pthread_barrier_init(&barrier, NULL, CROWD + 1);
	for (int i = 0; i < CROWD; i++)
		if (pthread_create(&threads[i], &attr, call_and_stay, NULL))
			return 85;
	pthread_barrier_wait(&barrier);
	bad = mapped("/dev/shm/") > SHM_KIB_MAX;
	pthread_barrier_wait(&barrier);
	life_may("drop", 3 * (CROWD - RINGS_MAX + 1)); /* the flush thread may be making one ready meanwhile */
	life_join(threads, CROWD);
	return bad ? 84 : 0;
}

/* ---- cancelled ---- */

static void *call_until_cancelled(void *unused)
{
	(void)unused;
	for (;;) {
		life_calls(3);
		life_pause(0); /* where the cancellation comes in */
	}
	return NULL;
}

static _Atomic int going;

static void *call_until_cancelled_anywhere(void *unused)
{
	(void)unused;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &(int){ 0 });
	going = 1;
	for (;;)
		life_calls(1000);
	return NULL;
}

static void cancel_threads(int n, void *(*run)(void *), bool wait)
{
	for (int i = 0; i < n; i++) {
		pthread_t thread;

		going = 0;
		life_start(&thread, 1, run, NULL);
		while (wait && !going)
			life_pause(0);
		if (!wait)
			life_pause(i % 4);
		pthread_cancel(thread);
		life_join(&thread, 1);
	}
}

/* ThreadSanitizer takes a thread cancelled inside its own interceptors for an error. */
LIFE(cancel, two_hundred_cancelled_threads_keep_every_call, "not=thread")
{
	life_calls(1); /* the fake library opens its file, which may be cancelled too */
	cancel_threads(200, call_until_cancelled, false);
	life_calls(100);
	return 0;
}

#define PENDING 12

/* No call of the program's is a place where it may be cancelled, before the last line. */
static void *call_with_cancellation_pending(void *reached)
{
	pthread_cancel(pthread_self());
	life_calls(3);
	pthread_barrier_wait(&barrier); /* all at once, so that each has a ring made for it */
	atomic_fetch_add((_Atomic int *)reached, 1);
	pthread_testcancel();
	return NULL;
}

LIFE(cancel_pending, a_thread_with_a_cancellation_pending_is_not_cancelled_in_its_first_call, "not=thread")
{
	static _Atomic int reached;
	pthread_t threads[PENDING];

	life_calls(1);
	pthread_barrier_init(&barrier, NULL, PENDING);
	life_start(threads, PENDING, call_with_cancellation_pending, (void *)&reached);
	life_join(threads, PENDING);
	return reached == PENDING ? 0 : 81;
}

/* A thread that is stopped at any instruction may have entered a call that never reaches the vendor. */
LIFE(cancel_async, two_hundred_threads_cancelled_at_any_instruction_leave_whole_rings, "not=thread not=address")
{
	life_may("cut", 200);
	life_may("fly", 200);
	life_may("drop", 1000000); /* nobody slows these threads down: rings may run full */
	life_calls(1);
	cancel_threads(200, call_until_cancelled_anywhere, true);
	life_calls(100);
	return 0;
}

/* ---- after our own destructor ---- */

static pthread_key_t key;

/* Comes round as often as the thread library allows. */
static void late(void *rounds)
{
	life_calls(1);
	if ((intptr_t)rounds > 1)
		pthread_setspecific(key, (char *)rounds - 1);
}

static void *call_and_leave_late(void *unused)
{
	(void)unused;
	pthread_setspecific(key, (void *)4);
	life_calls(10);
	return NULL;
}

static int late_destructors(bool key_first)
{
	pthread_t thread;

	if (key_first)
		pthread_key_create(&key, late);
	life_calls(1);
	if (!key_first)
		pthread_key_create(&key, late);
	for (int i = 0; i < 50; i++) {
		life_start(&thread, 1, call_and_leave_late, NULL);
		life_join(&thread, 1);
	}
	return 0;
}

/* ThreadSanitizer has nothing to stand on in destructors that run after its own. */
LIFE(late_before, calls_of_a_destructor_registered_before_ours_are_kept, "not=thread")
{
	return late_destructors(true);
}

LIFE(late_after, calls_of_a_destructor_registered_after_ours_are_kept, "not=thread")
{
	return late_destructors(false);
}
