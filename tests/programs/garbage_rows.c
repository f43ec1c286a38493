/*
 * garbage_rows.c - calls each function that standard input names, of libraries that it is linked to and that refuse all calls: with 0 in all places
 * of arguments, and with an address that nobody may look at. Says how often these were called, and what was not answered as they answer.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ANSWER	  999
#define PLACES(m) m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m, m
typedef int (*function)(uintptr_t, ...);

long refused_calls; /* the libraries count in it */

int main(void)
{
	char name[256];

	while (fgets(name, sizeof(name), stdin)) {
		function f;

		name[strcspn(name, "\n")] = '\0';
		f = (function)(uintptr_t)dlsym(RTLD_DEFAULT, name);
		for (uintptr_t garbage = 0; garbage <= 16 && f; garbage += 16) {
			int rc;

			errno = 77;
			rc = f(PLACES(garbage));
			if (rc != ANSWER || errno != 77)
				printf("%s: %d, errno %d\n", name, rc, errno);
		}
		if (!f)
			printf("%s is not there\n", name);
	}
	printf("%ld calls\n", refused_calls);
	return 0;
}
