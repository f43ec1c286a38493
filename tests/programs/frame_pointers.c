/*
 * frame_pointers.c MODE - copies from functions whose callers are known, built with frame pointers: each copies as many bytes as functions down() are on
 * its stack. MODE: deep, threads, coroutines, callback (from a function of libc's), handler (on a stack of its own); broken: the frame pointer of
 * who copies is something else; given: on stacks of the program's own; gone: it is memory that goes.
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

int aclrtMemcpy(void *to, size_t most, const void *from, size_t count, int way);

#define MOST   4096
#define DEPTHS 100
#define STACK  (64 << 10)
#define KEPT   __asm__ volatile("" :: \
				      : "memory") /* behind a call: it is no jump */

static __thread char to[MOST], from[MOST];

__attribute__((noinline)) void asks(unsigned int bytes)
{
	aclrtMemcpy(to, MOST, from, bytes, 2);
	KEPT;
}

__attribute__((noinline)) void down(unsigned int more, unsigned int bytes)
{
	if (more > 1)
		down(more - 1, bytes);
	else
		asks(bytes);
	KEPT;
}

__attribute__((noinline)) void deep(void)
{
	for (unsigned int n = 1; n <= DEPTHS; n++)
		down(n, n);
	KEPT;
}

static void *thread(void *unused)
{
	(void)unused;
	deep();
	return NULL;
}

static void threads(void)
{
	pthread_t made[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&made[i], NULL, thread, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(made[i], NULL);
}

/* Each on memory that is gone when the next one begins, with nothing behind it. */
static ucontext_t here, there;

static void coroutines(void)
{
	for (int i = 0; i < 8; i++) {
		char *memory = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		getcontext(&there);
		there.uc_stack = (stack_t){ .ss_sp = memory, .ss_size = STACK };
		there.uc_link = &here;
		makecontext(&there, deep, 0);
		swapcontext(&here, &there);
		munmap(memory, STACK);
		deep();
	}
}

static int compare(const void *a, const void *b)
{
	down(3, 3);
	return *(const char *)a - *(const char *)b;
}

static void callback(void)
{
	char sorted[] = "frames";

	for (int i = 0; i < 100; i++)
		qsort(sorted, sizeof(sorted) - 1, 1, compare);
}

static void on_signal(int number)
{
	(void)number;
	down(5, 5);
}

static void handler(void)
{
	stack_t apart = { .ss_sp = malloc(STACK), .ss_size = STACK };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	sigaltstack(&apart, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 100; i++) {
		down(2, 2);
		raise(SIGUSR1);
	}
}

/* On the thread's stack, which the program has made, lie two others below it; the one that made the other goes, and is called by no more. */
static ucontext_t first, second;
static char *given;

static void in_second(void)
{
	down(2, 2);
	swapcontext(&second, &first);
	down(3, 3);
}

static void in_first(void)
{
	down(1, 1);
	getcontext(&second);
	second.uc_stack = (stack_t){ .ss_sp = given, .ss_size = STACK };
	second.uc_link = &here;
	makecontext(&second, in_second, 0);
	swapcontext(&first, &second);
}

static void *on_given(void *unused)
{
	down(4, 4);
	getcontext(&first);
	first.uc_stack = (stack_t){ .ss_sp = given + STACK, .ss_size = STACK };
	first.uc_link = &here;
	makecontext(&first, in_first, 0);
	swapcontext(&here, &first);
	munmap(given + STACK, STACK);
	if (second.uc_link) {
		second.uc_link = NULL;
		swapcontext(&here, &second);
	}
	return unused;
}

static void stacks_of_its_own(void)
{
	pthread_attr_t attributes;
	pthread_t made;

	given = mmap(NULL, 8 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, given + 2 * STACK, 6 * STACK);
	pthread_create(&made, &attributes, on_given, NULL);
	pthread_join(made, NULL);
}

/* asks() with this in the register of the frame pointer. */
static void asks_with(uintptr_t frame)
{
#if defined(__x86_64__)
	__asm__ volatile("push %%rbp\n\tmov %0, %%rbp\n\tmov $1, %%edi\n\tsub $136, %%rsp\n\tcall asks\n\tadd $136, %%rsp\n\tpop %%rbp"
			 : "+a"(frame)
			 :
			 : "rdi", "rsi", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
#elif defined(__aarch64__)
	__asm__ volatile("mov x20, x29\n\tmov x29, %0\n\tmov w0, #1\n\tbl asks\n\tmov x29, x20"
			 :
			 : "r"(frame)
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x20", "x30",
			   "memory", "cc");
#endif
}

static void broken(void)
{
	char *gone = mmap(NULL, STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *record[2] = { record, (void *)(uintptr_t)0x1234567890 };
	const uintptr_t frames[] = {
		0,
		1,
		8,
		UINTPTR_MAX,
		UINTPTR_MAX - 15,
		1ull << 63,
		(uintptr_t)gone,
		(uintptr_t)gone + STACK - 16,
		(uintptr_t)record,
		(uintptr_t)record + 1,
		(uintptr_t)record - (1 << 20),
		(uintptr_t)record + (64 << 20),
		(uintptr_t)to,
		(uintptr_t)pthread_self(),
		(uintptr_t)environ[0] & ~7ull,
	};

	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++)
			asks_with(frames[i]);
}

/* The register has a buffer above the thread's stack, and still has it when the buffer is gone. */
static char *buffer;
#define BUFFER (1 << 20)

static void *keeps(void *unused)
{
	for (int i = 0; i < 2; i++)
		for (char *at = buffer; at < buffer + BUFFER; at += 4096)
			asks_with((uintptr_t)at);
	munmap(buffer, BUFFER);
	for (char *at = buffer; at < buffer + BUFFER; at += 4096)
		asks_with((uintptr_t)at);
	return unused;
}

static void gone(void)
{
	pthread_t made;

	buffer = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&made, NULL, keeps, NULL);
	pthread_join(made, NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = { { "deep", deep }, { "threads", threads }, { "coroutines", coroutines }, { "callback", callback }, { "handler", handler }, { "broken", broken }, { "given", stacks_of_its_own }, { "gone", gone } };

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc == 2 && !strcmp(argv[1], modes[i].name))
			modes[i].run();
	return 0;
}
