/*
 * clock.c - streams: queues in order on a clock of their own.
 *
 * Work is done when it is submitted, on the submitting thread; how long it took is what its task says. A stream's
 * clock stands where its last task ended, so that the time between two events is the sum of the tasks between them.
 */
#include "tests/sims/lib/queue.h"
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t sim_lock = PTHREAD_MUTEX_INITIALIZER;
void (*sim_on_task)(const struct sim_task *task, int device, int stream, uint64_t begin, uint64_t end);
void (*sim_on_collective)(void);

struct stream *sim_streams;
static int numbers;
static __thread int current = 0;

bool sim_is(const void *object, enum sim_magic magic)
{
	return object && *(const uint32_t *)object == magic;
}

/* ---- devices ---- */

int sim_devices(void)
{
	return (int)sim_setting("SIM_DEVICES", 1);
}

int sim_device(void)
{
	return current;
}

int sim_set_device(int device)
{
	if (device < 0 || device >= sim_devices())
		return SIM_NO_DEVICE;
	current = device;
	return 0;
}

/* ---- streams ---- */

static struct stream *make(void)
{
	struct stream *s = calloc(1, sizeof(*s));
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE); /* a callback may submit */
	pthread_mutex_init(&s->order, &attr);
	s->magic = SIM_STREAM;
	s->device = current;
	s->number = numbers++;
	s->next = sim_streams;
	sim_streams = s;
	return s;
}

struct stream *sim_stream(void *stream)
{
	static struct stream *own[64];

	if (stream)
		return sim_is(stream, SIM_STREAM) ? stream : NULL;
	pthread_mutex_lock(&sim_lock);
	if (!own[current])
		own[current] = make();
	pthread_mutex_unlock(&sim_lock);
	return own[current];
}

int sim_stream_new(void **stream)
{
	if (!stream)
		return SIM_INVALID;
	pthread_mutex_lock(&sim_lock);
	*stream = make();
	pthread_mutex_unlock(&sim_lock);
	return 0;
}

int sim_stream_end(void *stream)
{
	if (!sim_is(stream, SIM_STREAM))
		return SIM_INVALID;
	if (sim_async())
		sim_queue_wait_for(stream);
	pthread_mutex_lock(&sim_lock);
	for (struct stream **at = &sim_streams; *at; at = &(*at)->next)
		if (*at == stream) {
			*at = (*at)->next;
			break;
		}
	((struct stream *)stream)->magic = 0; /* never freed: events know it */
	pthread_mutex_unlock(&sim_lock);
	return 0;
}

int sim_stream_number(void *stream)
{
	struct stream *s = sim_stream(stream);

	return s ? s->number : -1;
}

/* ---- time ---- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * SIM_CLOCK=s: device 0 was started so many seconds after the Unix epoch, SIM_CLOCK_APART=s: and each other so much later.
 * SIM_CLOCK=0: their clocks stand still between work.
 */
uint64_t sim_boot(int device)
{
	uint64_t first = (uint64_t)sim_setting("SIM_CLOCK", 1600000000);

	return first ? (first + (uint64_t)device * (uint64_t)sim_setting("SIM_CLOCK_APART", 0)) * 1000000000u : 0;
}

static void not_before(struct stream *s, uint64_t ns)
{
	if (ns > s->now)
		s->now = ns;
}

/* Nothing that is submitted now was done before now. */
void sim_catch_up(struct stream *s)
{
	uint64_t boot = sim_boot(s->device);

	if (boot)
		not_before(s, now_ns() - boot);
	if (s->legacy)
		not_before(s, s->legacy->now);
	for (struct stream *other = sim_streams; other; other = other->next)
		if (other->legacy == s)
			not_before(s, other->now);
}

static FILE *task_file(void)
{
	static FILE *file;
	static int tried;

	if (!tried++)
		file = sim_log("SIM_TASKS");
	return file;
}

/*
 * SIM_TASKS=path: `thread stream begin end name`, and the calls that the work was submitted in, outermost first. Work that
 * is captured has no times, but a dash.
 */
static void log_task(const struct sim_task *task, const struct stream *s, bool captured)
{
	FILE *file = task_file();

	if (!file)
		return;
	fprintf(file, "%ld %d ", (long)syscall(SYS_gettid), s->number);
	if (captured)
		fprintf(file, "- - ");
	else
		fprintf(file, "%lu %lu ", (unsigned long)(s->now - task->ns), (unsigned long)s->now);
	fprintf(file, "%s", task->name);
	sim_print_calls(file);
}

/* ---- work ---- */

struct node *sim_graph_add(struct graph *graph, const struct sim_task *task)
{
	struct node *n = calloc(1, sizeof(*n) + task->size);

	n->task = *task;
	n->task.args = memcpy(n + 1, task->args ? task->args : "", task->args ? task->size : 0);
	n->owner = graph;
	*graph->last = n;
	graph->last = &n->next;
	return n;
}

int sim_submit(void *stream, const struct sim_task *given)
{
	struct stream *s = sim_stream(stream);
	struct sim_task it = *given, *task = &it;
	uint64_t begin;

	if (!s)
		return SIM_INVALID;
	it.ns = sim_work_ns(it.ns);
	if (s->graph) {
		pthread_mutex_lock(&sim_lock);
		log_task(task, s, true);
		pthread_mutex_unlock(&sim_lock);
		s->tail++;
		sim_graph_add(s->graph, task);
		return 0;
	}
	if (sim_async()) {
		sim_queue_task(s, task);
		return 0;
	}
	pthread_mutex_lock(&s->order);
	if (task->run)
		task->run(task->args);
	pthread_mutex_lock(&sim_lock);
	sim_catch_up(s);
	begin = s->now;
	s->now += task->ns;
	log_task(task, s, false);
	pthread_mutex_unlock(&sim_lock);
	if (sim_on_task)
		sim_on_task(task, s->device, s->number, begin, begin + task->ns);
	pthread_mutex_unlock(&s->order);
	return 0;
}

int sim_stream_wait(void *stream)
{
	struct stream *s = sim_stream(stream);

	if (!s)
		return SIM_INVALID;
	if (s->graph)
		return SIM_CAPTURED;
	if (sim_async())
		sim_queue_wait_for(s);
	pthread_mutex_lock(&s->order);
	s->done = s->records;
	pthread_mutex_unlock(&s->order);
	return 0;
}

bool sim_stream_idle(void *stream)
{
	struct stream *s = sim_stream(stream);

	return !s || !sim_async() || sim_queue_done(s);
}

/* What is submitted after this begins after everything before it. */
void sim_device_wait(void)
{
	uint64_t latest = 0;

	for (struct stream *s = sim_async() ? sim_streams : NULL; s; s = s->next)
		if (s->device == current)
			sim_queue_wait_for(s);
	pthread_mutex_lock(&sim_lock);
	for (struct stream *s = sim_streams; s; s = s->next)
		if (s->device == current && s->now > latest)
			latest = s->now;
	for (struct stream *s = sim_streams; s; s = s->next)
		if (s->device == current) {
			s->now = latest;
			s->done = s->records;
		}
	pthread_mutex_unlock(&sim_lock);
}

bool sim_capture_joined(const struct graph *graph)
{
	bool joined = true;

	pthread_mutex_lock(&sim_lock);
	for (struct stream *s = sim_streams; s; s = s->next)
		if (s->graph == graph && s != graph->origin && s->joined < s->tail)
			joined = false;
	pthread_mutex_unlock(&sim_lock);
	return joined;
}

void sim_stream_detach(const struct graph *graph)
{
	pthread_mutex_lock(&sim_lock);
	for (struct stream *s = sim_streams; s; s = s->next)
		if (s->graph == graph) {
			s->graph = NULL;
			s->tail = s->joined = 0;
		}
	pthread_mutex_unlock(&sim_lock);
}
