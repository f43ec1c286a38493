/* check_definitions_lock.c - who writes definitions is waited for by others, for a while; by a signal handler on top of it not at all. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include "tests/lib/unit.h"

static uint64_t clock_now; /* ns */
static unsigned int yields;

static int some_yield(void)
{
	yields++;
	clock_now += 1000;
	return sched_yield();
}

#define sched_yield some_yield
#include "agent/os/bounded_lock.c"
#undef sched_yield
#include "agent/session/definitions.c"

static unsigned int sleeps, leaves_after; /* so many sleeps; 0: never */

bool futex_wait(_Atomic uint32_t *word, uint32_t seen, unsigned int milliseconds)
{
	(void)word, (void)seen;
	clock_now += milliseconds * 1000000u;
	if (++sleeps == leaves_after)
		unlock();
	return false;
}

static unsigned int makes; /* of segments */
static bool is_stopped_meanwhile;
static struct session_status status;
struct session_status *session = &status;
unsigned int clock_kind;

uint64_t clock_now_ns(void)
{
	return clock_now + 1;
}

uint64_t clock_hz(void)
{
	return 1;
}

void *shared_memory_make(const char *what, unsigned int number, size_t size)
{
	(void)what, (void)number;
	makes++;
	if (is_stopped_meanwhile)
		ck_assert(lock());
	return calloc(1, size);
}

uint64_t shared_memory_most(void)
{
	return 1 << 30;
}

void shared_memory_unlink(const char *what, unsigned int number)
{
	(void)what, (void)number;
}

static void *take(void *done)
{
	*(bool *)done = lock();
	if (*(bool *)done)
		unlock();
	return NULL;
}

static void *define(void *done)
{
	*(bool *)done = definitions_text(DEF_STRING, 1, "name");
	return NULL;
}

static bool done_by_another(void *(*what)(void *done))
{
	pthread_t thread;
	bool done;

	pthread_create(&thread, NULL, what, &done);
	pthread_join(thread, NULL);
	return done;
}

START_TEST(one_has_it_at_a_time)
{
	ck_assert(lock());
	ck_assert(!done_by_another(take));
	ck_assert_uint_gt(yields, 0);
	unlock();
	ck_assert(done_by_another(take));
}
END_TEST

START_TEST(who_has_it_does_not_wait_for_itself)
{
	yields = 0;
	ck_assert(lock());
	ck_assert(!lock());
	ck_assert_uint_eq(yields, 0);
	unlock();
	ck_assert(lock());
	unlock();
}
END_TEST

/* As a busy host stops a thread: what another defines meanwhile was counted as lost. */
START_TEST(who_is_stopped_while_it_writes_is_waited_for)
{
	leaves_after = sleeps + 50;
	ck_assert(lock());
	ck_assert(done_by_another(take));
	ck_assert_uint_eq(sleeps, leaves_after);
}
END_TEST

START_TEST(who_does_not_get_it_takes_no_memory)
{
	ck_assert(lock());
	for (int i = 0; i < 5; i++)
		ck_assert(!done_by_another(define));
	ck_assert_uint_eq(makes, 0);
	ck_assert_uint_eq(status.beyond[LIMIT_lost_definitions], 5);
	unlock();
}
END_TEST

START_TEST(memory_that_was_made_in_vain_is_the_next_ones)
{
	is_stopped_meanwhile = true;
	ck_assert(!definitions_text(DEF_STRING, 1, "name"));
	is_stopped_meanwhile = false;
	unlock();
	ck_assert(done_by_another(define));
	ck_assert_uint_eq(makes, 1);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("definitions_lock");

	tcase_add_test(c, one_has_it_at_a_time);
	tcase_add_test(c, who_has_it_does_not_wait_for_itself);
	tcase_add_test(c, who_is_stopped_while_it_writes_is_waited_for);
	tcase_add_test(c, who_does_not_get_it_takes_no_memory);
	tcase_add_test(c, memory_that_was_made_in_vain_is_the_next_ones);
	return unit_run("definitions_lock", c);
}
