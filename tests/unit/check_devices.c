/* check_devices.c - numbers of devices, given by several threads at once. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "tests/lib/unit.h"

/* What the agent does with a definition is not looked at. */
#define definitions_text(kind, id, text)		    ((void)(id), (void)(text))
#define definitions_add(kind, id, head, size, text, length) ((void)(head))
#define session_beyond(limit, n)			    ((void)0)
#include "hooks/capture/devices.c"

#define THREADS 2 /* as a machine of two processors runs at once */
#define DEVICES 2000

static _Atomic uint64_t arrived;
static uint32_t ids[THREADS][DEVICES];

/* All go on at once, within a few instructions. */
static void wait_for_all(uint64_t times)
{
	atomic_fetch_add(&arrived, 1);
	for (int spin = 0; atomic_load(&arrived) < times * THREADS; spin++)
		if (spin > 10000)
			sched_yield();
}

/* Two devices at a time, in turn the same one first, and each another one. */
static void *meet_all(void *row)
{
	uint32_t *id = row;
	uint64_t swap = row == ids[1];

	for (uint64_t n = 0; n < DEVICES; n++) {
		uint64_t met = n / 2 % 2 ? n ^ swap : n;

		if (n % 2 == 0)
			wait_for_all(n / 2 + 1);
		id[met] = device_id(met + 1, "device");
	}
	return NULL;
}

START_TEST(a_device_that_several_threads_meet_at_once_has_one_number)
{
	pthread_t threads[THREADS];
	unsigned int times[DEVICES + 1] = { 0 };

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, meet_all, ids[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int n = 0; n < DEVICES; n++) {
		for (int i = 1; i < THREADS; i++)
			ck_assert_uint_eq(ids[i][n], ids[0][n]);
		ck_assert_uint_eq(device_known((uint64_t)n + 1), ids[0][n]);
		ck_assert_uint_le(ids[0][n], DEVICES);
		ck_assert_uint_eq(times[ids[0][n]]++, 0);
	}
	ck_assert_uint_eq(device_known(DEVICES + 1), 0);
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("devices");

	tcase_add_test(c, a_device_that_several_threads_meet_at_once_has_one_number);
	return unit_run("devices", c);
}
