/* slow_waker.c - preloaded: when the first thread wakes others by a futex, they get ahead of it. */
#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...)
{
	const struct timespec head_start = { 0, 20000000 };
	long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long a[6], result;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	result = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (number == SYS_futex && a[1] == FUTEX_WAKE_PRIVATE && real(SYS_gettid) == getpid())
		nanosleep(&head_start, NULL);
	return result;
}
