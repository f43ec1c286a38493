/* opencl_time.c - device times: events kept until the program itself has waited for them. */
#include "hooks/opencl.h"
#include "agent/agent.h"
#include "agent/arena.h"
#include "agent/session.h"
#include "hooks/resolve.h"
#include <sys/mman.h>

#define NODES	(1u << 18)
#define CROWDED 8192 /* a program that never waits is looked after now and then */

/* A command whose times are still to come. Nodes are named by index + 1; 0 is none. */
struct node {
	cl_event event;
	void *provider;		       /* a function of the library that the event is of */
	uint64_t ref, key, begin, end; /* DEVICE_REF, the event's key, host ticks of the call */
	uint32_t device, next;
	uint16_t stream;
};

struct vendor {
	cl_int (*event_info)(cl_event, cl_event_info, size_t, void *, size_t *);
	cl_int (*profiling)(cl_event, cl_profiling_info, size_t, void *, size_t *);
	cl_int (*retain)(cl_event);
	cl_int (*release)(cl_event);
};

static _Atomic(struct node *) nodes;
static _Atomic uint64_t free_list; /* tag << 32 | index: the tag makes a stale compare fail */
static _Atomic uint32_t fresh;	   /* nodes never used before */
static _Atomic uint32_t incoming;  /* stack of new nodes */
static uint32_t waiting;	   /* list of nodes looked at before; harvester only */
static atomic_flag harvesting = ATOMIC_FLAG_INIT;
static uint64_t best_width[256], last_clock[256];

/* Those of the library whose function this thread called last; there is but one, most often. */
static bool find_vendor(struct vendor *v)
{
	static _Atomic(void *) info, profiling, retain, release;
	static _Atomic bool found, finding;
	static struct vendor only;

	if (LIKELY(atomic_load_explicit(&found, memory_order_acquire) && !hook_rivals)) {
		*v = only;
		return true;
	}
	v->event_info = hook_vendor(&info, "clGetEventInfo");
	v->profiling = hook_vendor(&profiling, "clGetEventProfilingInfo");
	v->retain = hook_vendor(&retain, "clRetainEvent");
	v->release = hook_vendor(&release, "clReleaseEvent");
	if (!v->event_info || !v->profiling || !v->retain || !v->release)
		return false;
	if (!hook_rivals && !atomic_exchange(&finding, true)) {
		only = *v;
		atomic_store_explicit(&found, true, memory_order_release);
	}
	return true;
}

/* ---- nodes ---- */

static struct node *node(uint32_t index)
{
	return &atomic_load(&nodes)[index - 1];
}

static bool have_nodes(void)
{
	struct node *none = NULL, *n = atomic_load(&nodes);
	size_t size = NODES * sizeof(*n);

	if (n)
		return true;
	n = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (n == MAP_FAILED)
		return false;
	if (!atomic_compare_exchange_strong(&nodes, &none, n))
		munmap(n, size);
	return true;
}

static uint32_t take_node(void)
{
	uint64_t head = atomic_load(&free_list);
	uint32_t index;

	if (!have_nodes())
		return 0;
	while ((uint32_t)head) {
		uint64_t next = ((head >> 32) + 1) << 32 | node((uint32_t)head)->next;

		if (atomic_compare_exchange_weak(&free_list, &head, next))
			return (uint32_t)head;
	}
	index = atomic_fetch_add(&fresh, 1) + 1;
	if (index <= NODES)
		return index;
	atomic_fetch_sub(&fresh, 1);
	return 0;
}

static void give_node(uint32_t index)
{
	uint64_t head = atomic_load(&free_list), mine;

	do {
		node(index)->next = (uint32_t)head;
		mine = ((head >> 32) + 1) << 32 | index;
	} while (!atomic_compare_exchange_weak(&free_list, &head, mine));
}

/* ---- around a call ---- */

static void untimed(void)
{
	atomic_fetch_add_explicit(&session->untimed, 1, memory_order_relaxed);
}

static void remember(const struct call *c, const struct own_event *own, uint32_t index)
{
	struct node *n = node(index);
	uint32_t head = atomic_load(&incoming);

	n->event = own->event;
	n->device = own->device;
	n->provider = producer.provider;
	n->ref = DEVICE_REF(producer.ring->id, c->event.hook, c->slot);
	n->key = c->event.key;
	n->begin = c->event.begin;
	n->end = c->event.begin + c->event.duration;
	n->stream = c->event.stream;
	do
		n->next = head;
	while (!atomic_compare_exchange_weak(&incoming, &head, index));
}

char opencl_no_event[1];

static void keep(const struct call *c, const struct own_event *own)
{
	struct vendor v;
	bool known = find_vendor(&v);
	uint32_t index = c->recording && known ? take_node() : 0;

	if (!index) {
		untimed();
		if (known && !own->given)
			v.release(own->event);
		return;
	}
	if (own->given)
		v.retain(own->event); /* the program's own: it may let go of it before we have read it */
	atomic_fetch_add(&flush_pending, 1);
	remember(c, own, index);
	if (atomic_load(&flush_pending) % CROWDED == 0)
		opencl_harvest();
}

void opencl_take(const struct call *c, const struct own_event *own, bool ok)
{
	bool written = own->event != (cl_event)opencl_no_event;

	if (written && own->given)
		*own->given = own->event;
	if (!ok)
		return;
	if (written && own->event)
		keep(c, own);
	else
		untimed();
}

/* ---- reading ---- */

/*
 * The device's clock when the command was queued, which was between the call's begin and end: the
 * shortest calls tell it best.
 */
static void calibrate(const struct node *n, uint64_t queued)
{
	struct def_device_clock d = { queued, n->begin + (n->end - n->begin) / 2, (n->end - n->begin) / 2 + 1 };
	uint32_t i = n->device & 255;
	static uint64_t second;
	bool old;

	if (!second)
		second = clock_hz();
	old = d.ticks - last_clock[i] > second;

	if (last_clock[i] && d.width >= best_width[i] - best_width[i] / 8 && !(old && d.width < 2 * best_width[i]))
		return;
	arena_define(DEF_DEVICE_CLOCK, n->device, &d, sizeof(d), NULL, 0);
	if (!last_clock[i] || d.width < best_width[i])
		best_width[i] = d.width;
	last_clock[i] = d.ticks;
}

static bool read_times(const struct vendor *v, const struct node *n)
{
	cl_ulong queued = 0, start = 0, end = 0;
	struct event e = { .hook = CTRL_DEVICE, .stream = n->stream, .key = n->key, .arg = n->ref };
	struct event more = { .hook = CTRL_LONG };

	if (v->profiling(n->event, CL_PROFILING_START, sizeof(start), &start, NULL) ||
	    v->profiling(n->event, CL_PROFILING_END, sizeof(end), &end, NULL) || end < start)
		return false;
	if (!v->profiling(n->event, CL_PROFILING_QUEUED, sizeof(queued), &queued, NULL) && queued)
		calibrate(n, queued);
	e.begin = start;
	more.key = end - start;
	e.duration = end - start < UINT32_MAX ? (uint32_t)(end - start) : UINT32_MAX;
	return record_control(&e, e.duration == UINT32_MAX ? &more : NULL);
}

/* True if the node is done with, one way or the other. */
static bool collect(struct node *n)
{
	void *last = producer.provider;
	cl_int status = 0;
	struct vendor its, *v = &its;
	bool known;

	producer.provider = n->provider;
	known = find_vendor(v);
	producer.provider = last;
	if (!known || v->event_info(n->event, CL_EVENT_STATUS, sizeof(status), &status, NULL))
		status = -1;
	if (status > 0)
		return false; /* queued, submitted or running */
	if (status < 0 || !read_times(v, n))
		untimed();
	if (known)
		v->release(n->event);
	return true;
}

/* New nodes come as a stack; commands are read in the order in which they were given. */
static uint32_t reversed(uint32_t list)
{
	uint32_t result = 0, next;

	for (; list; list = next) {
		next = node(list)->next;
		node(list)->next = result;
		result = list;
	}
	return result;
}

static void append(uint32_t list)
{
	uint32_t *end = &waiting;

	while (*end)
		end = &node(*end)->next;
	*end = list;
}

void opencl_harvest(void)
{
	uint32_t *link;

	if (atomic_load(&flush_pending) <= 0 || atomic_flag_test_and_set(&harvesting))
		return;
	append(reversed(atomic_exchange(&incoming, 0)));
	for (link = &waiting; *link;) {
		uint32_t index = *link;

		if (!collect(node(index))) {
			link = &node(index)->next;
			continue;
		}
		*link = node(index)->next;
		give_node(index);
		atomic_fetch_sub(&flush_pending, 1);
	}
	atomic_flag_clear(&harvesting);
	if (!((uint32_t)gate_load() & GATE_WINDOW) && atomic_load(&flush_pending) <= 0)
		flush_wake();
}
