/* quiet.h - around our slow paths: errno stays the program's, and no pthread_cancel ends us half done. */
#pragma once
#include <errno.h>
#include <pthread.h>

struct quiet {
	int error, cancel;
};

static inline struct quiet quiet_begin(void)
{
	struct quiet q = { .error = errno };

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &q.cancel);
	return q;
}

static inline void quiet_end(struct quiet q)
{
	pthread_setcancelstate(q.cancel, &q.cancel);
	errno = q.error;
}
