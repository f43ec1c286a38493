/*
 * faulty.c - a training program with faults by wish: ranks that meet in collectives, each a process.
 *
 *   faulty RANKS STEPS [KIND:STEP:RANK:NS]...
 * In this step (from 1) of this rank, each of them -1 for all, the fault makes the step so much longer. Each rank prints a line of
 * JSON: when its steps began (one more than there are), when it came to the collectives of each, by one clock for all ranks, how
 * long its thread waited for a processor in each, and how large faults came out.
 *
 * A step is host work, a batch copied, a forward pass, a look at the loss, a backward pass, a look at the gradients, two
 * collectives and an optimizer. Host work is done where the device has nothing to do: what is longer there makes the step longer.
 */
#include "agent/ranktrace.h"
#include "tests/programs/why/device.h"
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS	1000000u
#define LAYERS	5 /* two forwards, three backwards */
#define STEPS	64
#define WARM	4
#define TURN_NS 200000

static struct fault {
	char kind[16];
	int step, rank;
	uint64_t ns, came; /* as wished, as it came out */
} faults[8];

static const uint64_t usual[KERNELS] = { 600000, 200000, 100000, 100000, 500000 };
static int fault_count, step, rank, ranks, steps;
static uint64_t began[STEPS + 2], came[STEPS + 2], waited[STEPS + 2]; /* of each step; ns */

/* ---- time ---- */

static void sleep_for(uint64_t ns)
{
	nanosleep(&(struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) }, NULL);
}

/* How long this thread could have run and did not, since it began. */
static uint64_t stolen(void)
{
	static int fd = -1;
	unsigned long waited = 0;
	char text[64] = "";

	if (fd < 0)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && pread(fd, text, sizeof(text) - 1, 0) > 0)
		sscanf(text, "%*u %lu", &waited);
	return waited;
}

/* ---- faults ---- */

static struct fault *find(const char *kind)
{
	for (int i = 0; i < fault_count; i++)
		if (!strcmp(faults[i].kind, kind) && (faults[i].step == step || faults[i].step < 0) && (faults[i].rank == rank || faults[i].rank < 0))
			return &faults[i];
	return NULL;
}

/* A fault of the device comes out as wished. */
static uint64_t wished(const char *kind)
{
	struct fault *f = find(kind);

	if (f)
		f->came = f->ns;
	return f ? f->ns : 0;
}

/* One of the host is measured. */
static void suffer(const char *kind, void (*work)(uint64_t ns), uint64_t parts)
{
	struct fault *f = find(kind);
	uint64_t begin = device_now();

	if (!f)
		return;
	work(f->ns / parts);
	f->came += device_now() - begin;
}

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static sem_t held;

static void *hold(void *ns)
{
	pthread_mutex_lock(&shared);
	sem_post(&held);
	sleep_for((uintptr_t)ns);
	pthread_mutex_unlock(&shared);
	return NULL;
}

static void wait_for_lock(uint64_t ns)
{
	pthread_t other;

	sem_init(&held, 0, 0);
	pthread_create(&other, NULL, hold, (void *)(uintptr_t)ns);
	while (sem_wait(&held))
		;
	pthread_mutex_lock(&shared);
	pthread_mutex_unlock(&shared);
	pthread_join(other, NULL);
}

static void allocate_for(uint64_t ns)
{
	for (uint64_t end = device_now() + ns; device_now() < end;)
		device_allocate();
}

static void copy_more(void)
{
	struct fault *f = find("copy");

	if (f)
		f->came = device_copy_more(f->ns);
}

/* So many more as come closest, one at least. */
static void launch_more(void)
{
	struct fault *f = find("one_more");
	uint64_t n = f ? (f->ns + usual[MATMUL] / 2) / usual[MATMUL] : 0;

	if (!f)
		return;
	n = n ? n : 1;
	for (uint64_t i = 0; i < n; i++)
		device_kernel(MATMUL, usual[MATMUL], false);
	f->came = n * usual[MATMUL];
}

/* ---- a step ---- */

static void launch(enum kernel kernel)
{
	uint64_t ns = usual[kernel], all = usual[ADAM], more;
	bool longer = false;

	for (int i = 0; i < ADAM; i++)
		all += LAYERS * usual[i];
	ns += usual[kernel] * wished("throttle") / all;
	if (kernel == (enum kernel)(step % ADAM))
		ns += wished("kernel") / LAYERS;
	if (kernel == MATMUL && (more = wished("shapes"))) {
		ns += more / LAYERS;
		longer = true;
	}
	device_kernel(kernel, ns, longer);
}

static void pass(int layers)
{
	for (int i = 0; i < layers; i++)
		for (int kernel = 0; kernel < ADAM; kernel++)
			launch((enum kernel)kernel);
}

/* Ranks launch one after the other, as they would on machines of their own, and come together again before they meet. */
static uint64_t turn(int place)
{
	return (uint64_t)place * TURN_NS;
}

static void load_data(void)
{
	sleep_for(2 * MS + turn(rank));
	suffer("sleep", sleep_for, 1);
	suffer("neighbour", sleep_for, 3);
	device_copy();
	copy_more();
}

static void look_at_loss(void)
{
	device_wait();
	sleep_for(MS / 4);
	for (int i = 0; i < 3; i++)
		device_allocate();
	suffer("neighbour", sleep_for, 3);
	suffer("gc", sleep_for, 1);
	suffer("lock", wait_for_lock, 1);
	suffer("alloc", allocate_for, 1);
	suffer("build", device_build, 1);
	suffer("first", device_first, 1);
}

static void look_at_gradients(void)
{
	device_wait();
	sleep_for(MS / 4 + turn(ranks - rank));
	suffer("neighbour", sleep_for, 3);
	suffer("late", sleep_for, 1);
}

static void run_step(void)
{
	load_data();
	pass(2);
	launch_more();
	look_at_loss();
	pass(LAYERS - 2);
	look_at_gradients();
	came[step] = device_now();
	for (int i = 0; i < 2; i++)
		device_all_reduce(MS + wished("link") / 2);
	launch(ADAM);
	device_wait();
}

/* ---- a rank ---- */

static char line[8192];
static size_t length;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	length += (size_t)vsnprintf(line + length, sizeof(line) - length, format, args);
	va_end(args);
}

static void add_list(const char *name, const uint64_t *ns, int n)
{
	add(",\"%s\":[", name);
	for (int i = 0; i < n; i++)
		add("%s%lu", i ? "," : "", (unsigned long)ns[i]);
	add("]");
}

static void print(void)
{
	uint64_t out[sizeof(faults) / sizeof(*faults)];

	for (int i = 0; i < fault_count; i++)
		out[i] = faults[i].came;
	add("{\"rank\":%d", rank);
	add_list("began", began + 1, steps + 1);
	add_list("came", came + 1, steps);
	add_list("stolen", waited + 1, steps);
	add_list("faults", out, fault_count);
	add("}\n");
	if (write(STDOUT_FILENO, line, length) != (ssize_t)length)
		exit(1);
}

/* Steps follow each other without a gap that no clock is read for. */
static void begin_step(int number)
{
	uint64_t until_now = stolen();

	if (step > 0)
		waited[step] = until_now - waited[step];
	step = number;
	waited[step] = until_now;
	began[step] = device_now();
	ranktrace_begin_step(step);
}

static int run_rank(const char *job)
{
	prctl(PR_SET_TIMERSLACK, 1);
	device_start((uint32_t)rank, (uint32_t)ranks, job);
	for (int i = 0; i < WARM; i++) /* what only the first ones do is done before step 1 */
		run_step();
	for (int i = 1; i <= steps; i++) {
		begin_step(i);
		run_step();
	}
	begin_step(steps + 1); /* the last one ends here */
	device_end();
	print();
	return 0;
}

/* Each rank is a process of its own from its beginning. */
static int run_ranks(char **argv)
{
	char number[32], job[64];
	int status, failed = 0;

	snprintf(job, sizeof(job), "faulty-%d", getpid());
	snprintf(number, sizeof(number), "%d", ranks);
	setenv("WORLD_SIZE", number, 1);
	setenv("FAULTY_JOB", job, 1);
	for (int i = 0; i < ranks; i++) {
		snprintf(number, sizeof(number), "%d", i);
		setenv("RANK", number, 1);
		if (!fork()) {
			execv("/proc/self/exe", argv);
			_exit(127);
		}
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
	const char *job = getenv("FAULTY_JOB");

	ranks = argc > 2 ? atoi(argv[1]) : 0;
	steps = argc > 2 ? atoi(argv[2]) : 0;
	if (ranks < 1 || steps < 1 || steps > STEPS || argc > 11) {
		fprintf(stderr, "usage: faulty RANKS STEPS [KIND:STEP:RANK:NS]...: at most %d steps and 8 faults\n", STEPS);
		return 2;
	}
	for (int i = 3; i < argc; i++) {
		struct fault *f = &faults[fault_count++];

		if (sscanf(argv[i], "%15[a-z_]:%d:%d:%lu", f->kind, &f->step, &f->rank, &f->ns) != 4) {
			fprintf(stderr, "faulty: %s is no KIND:STEP:RANK:NS\n", argv[i]);
			return 2;
		}
	}
	if (!job)
		return run_ranks(argv);
	rank = atoi(getenv("RANK"));
	return run_rank(job);
}
