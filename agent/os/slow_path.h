/* slow_path.h - around our slow paths: errno stays the program's, and no pthread_cancel ends us half done. */
#pragma once
#include <errno.h>
#include <pthread.h>

struct slow_path {
	int error, cancel;
};

static inline struct slow_path slow_path_begin(void)
{
	struct slow_path q = { .error = errno };

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &q.cancel);
	return q;
}

static inline void slow_path_end(struct slow_path q)
{
	pthread_setcancelstate(q.cancel, &q.cancel);
	errno = q.error;
}
