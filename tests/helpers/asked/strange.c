/*
 * strange STATUS WHAT - writes a request of `ranktrace ctl` as no ctl would into a status record: noise (SEED), half (a sound one that is
 * cut), wrong-number, wrong-sum, far (numbers beyond all bounds), unknown (another kind). The word that says so comes behind it.
 * strange FILE shared NUMBER makes a file as for processes of several hosts, with a sound start.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "agent/base/crc32c.h"
#include "agent/format/session_files.h"

static struct session_request r = { .kind = REQUEST_START, .step = 1, .steps = 0, .align = 1 };

static uint32_t sum(void)
{
	return crc32c(0, &r, offsetof(struct session_request, crc));
}

static void make(const char *what, uint32_t number, unsigned int seed)
{
	r.number = number;
	if (!strcmp(what, "noise")) {
		srand(seed);
		for (size_t i = 0; i < sizeof(r); i++)
			((unsigned char *)&r)[i] = (unsigned char)rand();
		return;
	}
	if (!strcmp(what, "wrong-number"))
		r.number = number + 1;
	if (!strcmp(what, "far")) {
		r.step = (seed & 1) ? INT64_MAX : INT64_MIN;
		r.steps = (seed & 2) ? UINT64_MAX : 0;
		r.align = (seed & 4) ? UINT64_MAX : 0;
		memset(r.text, 'x', sizeof(r.text));
	}
	if (!strcmp(what, "unknown"))
		r.kind = 77;
	r.crc = sum();
	if (!strcmp(what, "half"))
		r.steps = 5;
	if (!strcmp(what, "wrong-sum"))
		r.crc++;
}

static int share(const char *path, uint32_t number)
{
	struct session_request all[REQUEST_SLOTS] = { 0 };
	FILE *f = fopen(path, "w");

	make("sound", number, 0);
	all[REQUEST_OF_WINDOW] = r;
	return !f || fwrite(all, sizeof(all), 1, f) != 1 || fclose(f);
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[2], "shared"))
		return share(argv[1], (uint32_t)atoi(argv[3]));

	int fd = argc > 2 && !chmod(argv[1], 0600) ? open(argv[1], O_RDWR) : -1;
	uint32_t number = 0;

	if (fd < 0 || pread(fd, &number, sizeof(number), offsetof(struct session_status, asked)) != sizeof(number))
		return 1;
	number++;
	make(argv[2], number, argc > 3 ? (unsigned int)atoi(argv[3]) : 0);
	return pwrite(fd, &r, sizeof(r), offsetof(struct session_status, request)) != sizeof(r) ||
	       pwrite(fd, &number, sizeof(number), offsetof(struct session_status, asked)) != sizeof(number) || chmod(argv[1], 0400);
}
