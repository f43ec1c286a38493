/* check_devices.c - numbers of devices, given by several threads at once. */
#include <pthread.h>

#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "tests/lib/unit.h"

/* What the agent does with a definition is not looked at. */
#define definitions_text(kind, id, text)		    ((void)(id), (void)(text))
#define definitions_add(kind, id, head, size, text, length) ((void)(head))
#define session_beyond(limit, n)			    ((void)0)
#include "hooks/capture/devices.c"

#define THREADS 4
#define DEVICES 2000

static pthread_barrier_t start;
static uint32_t ids[THREADS][DEVICES];

static void *meet_all(void *row)
{
	uint32_t *id = row;

	pthread_barrier_wait(&start);
	for (uint64_t n = 0; n < DEVICES; n++)
		id[n] = device_id(n + 1, "device");
	return NULL;
}

START_TEST(a_device_that_several_threads_meet_at_once_has_one_number)
{
	pthread_t threads[THREADS];
	unsigned int times[DEVICES + 1] = { 0 };

	pthread_barrier_init(&start, NULL, THREADS);
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
