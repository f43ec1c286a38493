#include "agent/stacks/stack_memory.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "agent/os/elf.h"
#include "agent/os/safe_read.h"
#include "agent/os/signal_context.h"

/* One way of finding native functions is used in a process: */
static __thread union {
	struct {
		uint64_t first : 46, count : 18;
	} there;       /* what has been found to be there in this walk: pages in a row */
	uintptr_t low; /* or where the thread's own stack begins; 0: not asked yet, UNKNOWN */
} own __attribute__((tls_model("initial-exec")));

/* ---- anywhere ---- */

#define PAGE	   4096u
#define PAGES_MOST ((1u << 18) - 1)

void stack_memory_begin(void)
{
	own.there.first = own.there.count = 0;
}

bool stack_memory_has(uintptr_t at)
{
	uintptr_t first = at / PAGE, last = (at + sizeof(at) - 1) / PAGE, behind = own.there.first + own.there.count;

	if (first >= own.there.first && first <= last && last < behind)
		return true;
	if (!safe_read((const void *)at, sizeof(at)))
		return false;
	if (first < own.there.first || first > behind || last - own.there.first >= PAGES_MOST) {
		own.there.first = first;
		own.there.count = 0;
	}
	own.there.count = last - own.there.first + 1;
	return true;
}

/* ---- where stacks end ---- */

#define UNKNOWN	 UINTPTR_MAX
#define MAIN_GAP (128ul << 20) /* below the first thread's stack the kernel leaves so much for it alone: mm/util.c, MIN_GAP */
#define FAR	 (64ul << 10)  /* the longest frame that is followed on a stack whose end is not known */

static int (*get_attributes)(pthread_t, pthread_attr_t *);
static int (*get_stack)(const pthread_attr_t *, void **, size_t *);
static int (*destroy_attributes)(pthread_attr_t *);

void stack_memory_start(void)
{
	*(void **)&get_stack = elf_find("pthread_attr_getstack", false);
	*(void **)&destroy_attributes = elf_find("pthread_attr_destroy", false);
	if (get_stack && destroy_attributes)
		*(void **)&get_attributes = elf_find("pthread_getattr_np", false);
}

/* Takes memory. Of the first thread libc would read files. */
static uintptr_t ask_libc(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;
	bool told;

	if (!get_attributes || getpid() == syscall(SYS_gettid) || get_attributes(pthread_self(), &attributes))
		return UNKNOWN;
	told = !get_stack(&attributes, &low, &size);
	destroy_attributes(&attributes);
	return told ? (uintptr_t)low : UNKNOWN;
}

/* Of the first thread the stack ends where the kernel put what it hands to the program, and stays for good; of others where libc keeps what it has of them. */
struct stack_reach stack_memory_reach(uintptr_t sp)
{
	uintptr_t given = getauxval(AT_EXECFN), self = (uintptr_t)pthread_self();

	if (sp < given && given - sp < MAIN_GAP && !(self > sp && self < given))
		return (struct stack_reach){ sp, given };
	if (!own.low && !signal_context_running())
		own.low = ask_libc();
	return (struct stack_reach){ sp, own.low && sp >= own.low && sp < self ? self : 0 };
}

/* ---- reading ---- */

/*
 * Of this process the kernel allows it to everybody; where a sandbox does not, there is nothing. A kernel without the call is asked whether there is
 * memory, which then may go before it is read.
 */
bool stack_memory_copy(const void *from, void *to, unsigned int bytes)
{
	struct iovec there = { (void *)(uintptr_t)from, bytes }, here = { to, bytes };
	int saved = errno;
	long copied = syscall(SYS_process_vm_readv, getpid(), &here, 1ul, &there, 1ul, 0ul);
	bool missing = copied == -1 && errno == ENOSYS;

	errno = saved;
	if (!missing)
		return copied == (long)bytes;
	if (!safe_read(from, bytes))
		return false;
	memcpy(to, from, bytes);
	return true;
}

bool stack_memory_read(const struct stack_reach *r, uintptr_t at, uintptr_t words[2])
{
	unsigned int bytes = 2 * sizeof(*words);

	if (at % sizeof(*words) || at < r->sp)
		return false;
	if (!r->end)
		return at - r->sp < FAR && stack_memory_copy((const void *)at, words, bytes);
	if (at > r->end - bytes)
		return false;
	memcpy(words, (const void *)at, bytes);
	return true;
}
