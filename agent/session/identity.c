#include "agent/session/identity.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "agent/base/text.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"
#include "config/base/printable.h"

static _Atomic bool settled; /* a thread may tell a step while the process exits */
struct identity identity = { .rank = -1, .rank_source = "", .local_rank = -1, .world = -1, .replica = -1 };

/* Of the task that Slurm started, by itself or with PMI, which need not be what trains: see is_task(). */
static const char *const task_names[] = {
	"PMIX_RANK",
	"PMI_RANK",
	"SLURM_PROCID",
	NULL,
};
#define TASKS "SLURM_NTASKS"

/* In order of trust. */
static const char *const rank_names[] = {
	"RANKTRACE_RANK",
	"RANK",
	"OMPI_COMM_WORLD_RANK",
	"PMIX_RANK",
	"PMI_RANK",
	"MV2_COMM_WORLD_RANK",
	"SLURM_PROCID",
	"RANK_ID",
	NULL,
};
static const char *const world_names[] = {
	"WORLD_SIZE",
	"OMPI_COMM_WORLD_SIZE",
	"PMI_SIZE",
	TASKS,
	"RANK_SIZE",
	NULL,
};
static const char *const local_names[] = {
	"LOCAL_RANK",
	"OMPI_COMM_WORLD_LOCAL_RANK",
	"MPI_LOCALRANKID",
	"SLURM_LOCALID",
	"DEVICE_ID",
	NULL,
};

static const char *const replica_names[] = {
	"RANKTRACE_REPLICA",
	"VERL_REPLICA_RANK",
	NULL,
};

/* -1: the variable is not set, or is no number. */
static int64_t number_of(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long long n;

	if (!text || *text < '0' || *text > '9')
		return -1;
	errno = 0;
	n = strtoll(text, &end, 10);
	return *end || errno ? -1 : n;
}

static bool is_of_ray(void)
{
	return getenv("RAY_JOB_ID") || getenv("RAY_RAYLET_PID");
}

/*
 * Not under a launcher of its own below Slurm's: the workers of Ray have the variables of the task that started Ray on their node, and those of
 * torchrun, which have a RANK sooner or later, a WORLD_SIZE that is not the number of tasks.
 */
static bool is_task(void)
{
	int64_t world = number_of("WORLD_SIZE"), tasks = number_of(TASKS);

	return !is_of_ray() && (world < 0 || tasks < 0 || world == tasks);
}

static bool is_listed(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

static int64_t first_number(const char *const *names, const char **source)
{
	for (; *names; names++) {
		int64_t n = number_of(*names);

		if (n < 0 || ((is_listed(*names, task_names) || !strcmp(*names, TASKS)) && !is_task()))
			continue;
		*source = *names;
		return n;
	}
	return -1;
}

static const char *text_of(const char *name)
{
	const char *text = getenv(name);

	return text ? text : "";
}

/* Its first letter comes last: others read it meanwhile, and take the empty one for none. */
static void put_group(char *to, const char *text)
{
	text_copy(to + 1, sizeof(identity.worker_group) - 1, *text ? text + 1 : "");
	__atomic_store_n(to, *text, __ATOMIC_RELEASE);
}

static bool has_group(const char *group)
{
	return __atomic_load_n(group, __ATOMIC_ACQUIRE);
}

/*
 * Trainers on Ray have several groups of workers, each with a RANK from 0 on. verl names them; others give each a meeting point, whose port
 * rank 0 finds when it has called the vendor already (MindSpeed-RL).
 */
static void read_worker_group(void)
{
	const char *own = text_of("RANKTRACE_GROUP"), *host = text_of("MASTER_ADDR"), *port = text_of("MASTER_PORT");
	const char *name = *own ? own : text_of("WG_PREFIX");
	char text[sizeof(identity.worker_group)] = "";

	if (has_group(identity.worker_group) || (!*own && (!is_of_ray() || strcmp(identity.rank_source, "RANK"))))
		return;
	if (*name)
		text_copy(text, sizeof(text), name);
	else if (*host && *port) /* cut short, if at all, where groups are alike */
		snprintf(text, sizeof(text), "%.100s:%.20s", host, port);
	make_printable(text);
	put_group(identity.worker_group, text);
}

static void read_command(void)
{
	int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, identity.command, sizeof(identity.command) - 1);

	if (fd >= 0)
		close(fd);
	identity.command[n > 0 ? n - 1 : 0] = '\0'; /* the kernel ends it with a newline */
}

const char *identity_refused(const char **text)
{
	for (const char *const *name = rank_names; *name; name++) {
		*text = getenv(*name);
		if (*text && **text && number_of(*name) < 0)
			return *name;
	}
	return NULL;
}

bool identity_read(void)
{
	const char *ignored;

	if (!identity.command[0])
		read_command();
	if (identity.rank < 0 || identity_may_change()) { /* a forked child's is its parent's, group and all */
		identity.rank = first_number(rank_names, &identity.rank_source);
		read_worker_group();
	}
	identity.local_rank = first_number(local_names, &ignored);
	identity.world = first_number(world_names, &ignored);
	if (identity.replica < 0)
		identity.replica = first_number(replica_names, &ignored);
	return identity.rank >= 0;
}

bool identity_may_change(void)
{
	return is_listed(identity.rank_source, task_names) && !settled;
}

enum verdict identity_verdict(const struct selection *ranks)
{
	if (ranks->all)
		return VERDICT_WRITE;
	if (!ranks->count && !ranks->unknown)
		return VERDICT_DISCARD;
	if (identity.rank < 0)
		return ranks->unknown ? VERDICT_WRITE : VERDICT_WAIT;
	if (selection_has(ranks, identity.rank))
		return VERDICT_WRITE;
	return identity_may_change() ? VERDICT_WAIT : VERDICT_DISCARD;
}

void identity_settle(void)
{
	if (settled)
		return;
	if (identity_may_change())
		identity_read();
	read_worker_group();
	identity_publish();
	settled = true;
}

bool identity_told_world(int64_t rank, int64_t size)
{
	if (identity.rank >= 0 || rank < 0 || identity_read() || identity.world != size)
		return false;
	identity_told(rank, IDENTITY_INFERRED);
	return true;
}

void identity_told(int64_t rank, const char *source)
{
	if (identity.rank >= 0 || rank < 0 || identity_read())
		return;
	identity.rank_source = source;
	identity.rank = rank;
	identity_publish();
}

void identity_told_replica(int64_t replica)
{
	if (identity.replica < 0)
		identity.replica = replica;
	atomic_store(&session->replica, identity.replica);
}

static bool publish_worker_group(void)
{
	_Static_assert(sizeof(session->worker_group) == sizeof(identity.worker_group), "one is put where the other is");
	if (!has_group(identity.worker_group) || has_group(session->worker_group))
		return false;
	put_group(session->worker_group, identity.worker_group);
	return true;
}

void identity_publish(void)
{
	char text[256];

	if (identity.rank < 0)
		return;
	if (publish_worker_group()) {
		snprintf(text, sizeof(text), "worker_group=%s\n", identity.worker_group);
		definitions_text(DEF_IDENTITY, 0, text);
	}
	if (atomic_load(&session->rank) == identity.rank)
		return;
	text_copy(session->rank_source, sizeof(session->rank_source), identity.rank_source);
	atomic_store(&session->rank, identity.rank);
	snprintf(text, sizeof(text), "rank=%lld\nrank_source=%s\n", (long long)identity.rank,
		 identity.rank_source);
	definitions_text(DEF_IDENTITY, 0, text);
}
