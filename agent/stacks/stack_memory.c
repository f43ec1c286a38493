#include "agent/stacks/stack_memory.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "agent/base/attributes.h"
#include "agent/os/elf.h"
#include "agent/os/safe_read.h"
#include "agent/os/signal_context.h"

/* ---- where stacks end ---- */

#define UNKNOWN	 UINTPTR_MAX
#define MAIN_GAP (128ul << 20) /* below the first thread's stack the kernel leaves so much for it alone, unless asked for a place: mm/util.c, MIN_GAP */
#define FAR	 (64ul << 10)  /* the longest frame that is followed on a stack whose end is not known */

static __thread uintptr_t own_low __attribute__((tls_model("initial-exec"))); /* of the thread's own; 0: not asked yet, UNKNOWN */
static uintptr_t given;							      /* where the kernel put what it hands to the program */
static uintptr_t grows;							      /* so far below that the first thread's stack may be */
static int (*get_attributes)(pthread_t, pthread_attr_t *);
static int (*get_stack)(const pthread_attr_t *, void **, size_t *);
static int (*destroy_attributes)(pthread_attr_t *);

void stack_memory_start(void)
{
	static _Atomic bool started;
	struct rlimit limit;

	if (started) /* two threads at once find the same */
		return;
	grows = getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur > MAIN_GAP ? MAIN_GAP : limit.rlim_cur;
	given = getauxval(AT_EXECFN);
	*(void **)&get_stack = elf_find("pthread_attr_getstack", false);
	*(void **)&destroy_attributes = elf_find("pthread_attr_destroy", false);
	if (get_stack && destroy_attributes)
		*(void **)&get_attributes = elf_find("pthread_getattr_np", false);
	started = true;
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

/* The first thread's ends at what the program was given, and stays for good; others' end where libc keeps what it has of them. */
static uintptr_t known_end(uintptr_t sp)
{
	uintptr_t self = (uintptr_t)pthread_self();

	if (sp < given && given - sp < grows && !(self > sp && self < given))
		return given;
	return own_low && sp >= own_low && sp < self ? self : 0;
}

struct stack_reach stack_memory_reach(uintptr_t sp)
{
	uintptr_t end = known_end(sp);

	if (!end && !own_low && !signal_context_running()) {
		own_low = ask_libc();
		end = known_end(sp);
	}
	return (struct stack_reach){ sp, end };
}

bool stack_memory_above(uintptr_t sp, uintptr_t at, size_t bytes)
{
	uintptr_t end = known_end(sp);

	return (at >= sp && at < end && end - at >= bytes) || safe_read((const void *)at, bytes);
}

/* ---- anywhere ---- */

#define PAGES_MOST ((1u << 18) - 1)

static __thread struct {
	uint64_t first : 46, count : 18;
} known __attribute__((tls_model("initial-exec"))); /* what is there, in this walk: pages in a row; 0, 0: it has just begun */

static void extend_to(uintptr_t last)
{
	uint64_t count = last - known.first + 1;

	known.count = count < PAGES_MOST ? count : PAGES_MOST;
}

/* The thread's own stack, from the first look on: the walker's variables are looked at, too. */
static NOINLINE void begin_here(void)
{
	struct stack_reach own = stack_memory_reach((uintptr_t)__builtin_frame_address(0));

	known.first = own.sp / STACK_PAGE;
	if (own.end)
		extend_to(own.end / STACK_PAGE);
}

void stack_memory_begin(void)
{
	known.first = known.count = 0;
}

bool stack_memory_has(uintptr_t at)
{
	uintptr_t first = at / STACK_PAGE, last = (at + sizeof(at) - 1) / STACK_PAGE;

	if (UNLIKELY(!known.first))
		begin_here();
	if (LIKELY(first >= known.first && first <= last && last < known.first + known.count))
		return true;
	if (!safe_read((const void *)at, sizeof(at)))
		return false;
	if (first < known.first || first > known.first + known.count || last - known.first >= PAGES_MOST) {
		known.first = first;
		known.count = 0;
	}
	extend_to(last);
	return true;
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
