#include "agent/steps/phases.h"
#include <stdatomic.h>
#include <sys/mman.h>
#include "agent/base/text.h"
#include "agent/format/trace_file.h"
#include "agent/os/clock.h"
#include "agent/session/session.h"
#include "agent/steps/sessions.h"
#include "agent/steps/steps_lock.h"

#define TELLERS 32 /* on one host */

_Static_assert(offsetof(struct session_status, phase) + sizeof(((struct session_status *)0)->phase) <= SESSION_PAGE, "in the page that is mapped");

struct tellers {
	const struct session_status *of[TELLERS]; /* the first page of each */
	unsigned int count;
};
static struct tellers tellers; /* under the steps' lock */

/* ---- who tells ---- */

/* No time while it changes: see read_phase(). */
void phases_tell(const char *role, int64_t step)
{
	struct session_phase *p = &session->phase;

	atomic_store(&p->at, 0);
	atomic_thread_fence(memory_order_release); /* before what is written now; pairs with the fence in read_phase() */
	text_copy(p->role, sizeof(p->role), role);
	p->step = step;
	atomic_store(&p->at, clock_now_ns());
}

void phases_will_tell(void)
{
	atomic_store(&session->phase.will_tell, 1);
}

/* ---- who listens ---- */

static void add_teller(int fd, void *found)
{
	struct tellers *t = found;
	uint32_t will_tell;
	void *page;

	if (t->count == TELLERS || !SESSION_READ(fd, phase.will_tell, &will_tell) || !will_tell || !session_is_of_run(fd))
		return;
	page = mmap(NULL, SESSION_PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED)
		t->of[t->count++] = page;
}

static void leave_all(struct tellers *t)
{
	for (unsigned int i = 0; i < t->count; i++)
		munmap((void *)(uintptr_t)t->of[i], SESSION_PAGE);
	t->count = 0;
}

void phases_look(void)
{
	struct tellers now = { .count = 0 }, before;

	sessions_each(add_teller, &now);
	if (!steps_lock()) {
		leave_all(&now);
		return;
	}
	before = tellers;
	tellers = now;
	steps_unlock();
	leave_all(&before);
}

bool phases_any(void)
{
	return tellers.count;
}

static uint64_t read_phase(const struct session_phase *p, struct phase *phase)
{
	for (int tries = 0; tries < 8; tries++) {
		uint64_t at = atomic_load(&p->at);

		text_copy(phase->role, sizeof(phase->role), p->role);
		phase->step = p->step;
		atomic_thread_fence(memory_order_acquire);
		if (at && atomic_load(&p->at) == at)
			return at;
	}
	return 0;
}

bool phases_now(struct phase *phase)
{
	uint64_t newest = 0;

	for (unsigned int i = 0; i < tellers.count; i++) {
		const struct session_phase *p = &tellers.of[i]->phase;
		struct phase its;
		uint64_t at;

		if (atomic_load(&p->at) <= newest)
			continue;
		at = read_phase(p, &its);
		if (at > newest) {
			newest = at;
			*phase = its;
		}
	}
	return newest;
}

/* The parent's pages are mapped here, too. */
void phases_forget(void)
{
	leave_all(&tellers);
}
