/* unit.h - what unit tests share: how a case is run, chance that repeats itself, and a limit of memory. */
#pragma once
#include <check.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Runs one case as a suite of its own: the status of main(). CK_VERBOSITY tells how much is said. */
__attribute__((unused)) static int unit_run(const char *name, TCase *cases)
{
	Suite *suite = suite_create(name);
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, cases);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* In so many threads at once, which are told their number, from 0. */
__attribute__((unused)) static void unit_in_threads(uintptr_t count, void *(*run)(void *))
{
	pthread_t threads[64];

	ck_assert_uint_le(count, 64);
	for (uintptr_t i = 0; i < count; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run, (void *)i), 0);
	for (uintptr_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

#define UNIT_CHANCE 88172645463325252ull

__attribute__((unused)) static uint64_t unit_chance = UNIT_CHANCE; /* not 0; who sets it begins anew */

/* The same numbers in every run. */
__attribute__((unused)) static uint64_t unit_random(void)
{
	unit_chance ^= unit_chance << 13;
	unit_chance ^= unit_chance >> 7;
	unit_chance ^= unit_chance << 17;
	return unit_chance;
}

/* What is allocated beyond this fails; a sanitizer needs terabytes for itself. */
__attribute__((unused)) static void unit_limit_memory(size_t bytes)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	struct rlimit limit;
	unsigned long pages;
	FILE *f = fopen("/proc/self/statm", "r");

	ck_assert_int_eq(fscanf(f, "%lu", &pages), 1);
	fclose(f);
	limit.rlim_cur = limit.rlim_max = pages * 4096 + bytes;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
#endif
	(void)bytes;
}
