/*
 * python_end.c - preloaded into a Python: stops a thread where ranktrace has just asked whether the thread may have the GIL, until
 * Python ends: until its main thread waits for somebody meanwhile, or else until it is gone. Called by queue_told.py.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t asks, goes, is_gone;
static void *thread_state;
static volatile bool is_ending, has_gone;
static pthread_key_t end_of_thread;

static void let_go(void)
{
	if (!has_gone)
		sem_post(&goes);
	has_gone = true;
}

static void *stop(void)
{
	sem_post(&asks);
	sem_wait(&goes);
	return thread_state;
}

static void gone(void *unused)
{
	sem_post(&is_gone);
}

/* In the place of PyGILState_GetThisThreadState. */
static void put_stop_at(void *function)
{
#if defined(__x86_64__)
	unsigned char code[16] = { 0x48, 0xb8 }; /* movabs $stop, %rax; jmp *%rax */
	uintptr_t to = (uintptr_t)stop;

	memcpy(code + 2, &to, sizeof(to));
	memcpy(code + 10, "\xff\xe0", 2);
#elif defined(__aarch64__)
	uint32_t code[4] = { 0x58000050, 0xd61f0200 }; /* ldr x16, 8; br x16 */
	uintptr_t to = (uintptr_t)stop;

	memcpy(code + 2, &to, sizeof(to));
#endif
	uintptr_t page = (uintptr_t)function & -4096ul;

	mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy(function, code, sizeof(code));
	__builtin___clear_cache(function, (char *)function + sizeof(code));
}

/* In the thread that is to be stopped. */
void stop_here(void *(*get_this_thread_state)(void));
void stop_here(void *(*get_this_thread_state)(void))
{
	thread_state = get_this_thread_state();
	pthread_setspecific(end_of_thread, &asks);
	put_stop_at((void *)get_this_thread_state);
}

/* In the main thread, before Python ends. */
void wait_for_stop(void);
void wait_for_stop(void)
{
	sem_wait(&asks);
	is_ending = true;
}

/* By Py_AtExit(): Python is gone. */
void python_is_gone(void);
void python_is_gone(void)
{
	if (has_gone)
		return;
	let_go();
	sem_wait(&is_gone);
}

/* All that the main thread waits for as Python ends is what we want to see. */
long waited_for(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");
long waited_for(long number, long a, long b, long c, long d, long e, long f)
{
	static long (*real)(long, long, long, long, long, long, long);

	if (!real)
		real = (long (*)(long, long, long, long, long, long, long))dlsym(RTLD_NEXT, "syscall");
	if (is_ending && number == SYS_futex && (b & FUTEX_CMD_MASK) == FUTEX_WAIT && real(SYS_gettid, 0, 0, 0, 0, 0, 0) == getpid())
		let_go();
	return real(number, a, b, c, d, e, f);
}

__attribute__((constructor)) static void start(void)
{
	sem_init(&asks, 0, 0);
	sem_init(&goes, 0, 0);
	sem_init(&is_gone, 0, 0);
	pthread_key_create(&end_of_thread, gone);
}
