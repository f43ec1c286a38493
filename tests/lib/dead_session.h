/*
 * dead_session.h - the session of a process that is dead, made by hand: a status record, a ring that has
 * wrapped, definitions. setup() makes the folder, make_session() puts what stands in the variables.
 */
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "agent/format/session_files.h"
#include "tests/lib/small_traces.h"
#include <check.h>

#define SLOTS 256
#define TAIL  200 /* the ring wraps: slots 200 to 299 are in it */
#define HEAD  300

static char top[] = "/tmp/dead_session.XXXXXX", *folder;
static char root[128], dir[256], final[300], part[310];
static struct session_status status;
static _Alignas(64) uint8_t ring_bytes[SESSION_PAGE + SLOTS * sizeof(struct event)];
static struct maker definitions;

static void put_file(const char *in, const char *name, const void *bytes, size_t size)
{
	char path[400];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", in, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	close(fd);
}

static uint32_t dead_pid(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return (uint32_t)pid;
}

static uint64_t pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
}

static void make_status(void)
{
	memset(&status, 0, sizeof(status));
	status.magic = SESSION_MAGIC;
	status.major = TRACE_MAJOR;
	status.pid = dead_pid();
	status.clock = CLOCK_NANOSECONDS;
	status.start_time = 1;
	status.pid_namespace = pid_namespace();
	status.file_id = MAKER_ID;
	status.state = SESSION_RECORDING;
	status.rank = 3;
	status.hooks = 4;
	status.unrecorded[HOOK_FREE] = 17;
	status.no_ring = 5;
	status.base[0] = (struct file_base){ 1, 1 };
	strcpy(status.host, "h");
	strcpy(status.ranks, "all");
	snprintf(status.save_path, sizeof(status.save_path), "%s", folder);
	snprintf(status.final, sizeof(status.final), "%s", final);
	strcpy(status.facts, "host=h\npid=1\nrank_source=RANK\n");
}

/* Slot 250 begins step 5; slot 260 is made by another thread; one call is under way. */
static void make_ring(void)
{
	struct ring_header *h = (struct ring_header *)ring_bytes;
	struct event *slots = (struct event *)(ring_bytes + SESSION_PAGE);

	memset(ring_bytes, 0, sizeof(ring_bytes));
	*h = (struct ring_header){
		.head = HEAD,
		.tail = TAIL,
		.entered = 310,
		.dropped = 2,
		.tail_epoch = 4,
		.tail_tid = 11,
		.magic = RING_MAGIC,
		.id = 1,
		.slots = SLOTS,
		.state = RING_OWNED,
		.tid = 12,
		.base = { { .entered = 10 } },
		.call_hook = HOOK_COPY + 1,
		.call_begin = 1,
	};
	for (uint64_t i = TAIL; i < HEAD; i++)
		slots[i % SLOTS] = (struct event){
			.begin = 1000 * i,
			.duration = 10,
			.hook = HOOK_LAUNCH,
			.stream = 1,
			.key = 7,
		};
	slots[250 % SLOTS] = (struct event){ .hook = CTRL_STEP, .key = 5 };
	slots[260 % SLOTS] = (struct event){ .hook = CTRL_THREAD, .key = 12 };
}

static void make_definitions(void)
{
	static uint8_t bytes[sizeof(struct definitions_header) + sizeof(definitions.defs)];
	struct definitions_header head = { .magic = DEFINITIONS_MAGIC, .size = sizeof(bytes) };

	maker_open(&definitions, -1);
	maker_usual_defs(&definitions);
	maker_epoch(&definitions, 4, 4, 1, 250000);
	maker_epoch(&definitions, 5, 5, 250000, 0);
	head.used = definitions.defs_size;
	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + sizeof(head), definitions.defs, definitions.defs_size);
	put_file(dir, "definitions.0", bytes, sizeof(bytes));
}

static void make_session(void)
{
	snprintf(dir, sizeof(dir), "%s-%u/%u-1-00000001", root, geteuid(), status.pid);
	ck_assert(!mkdir(dir, 0700) || access(dir, F_OK) == 0);
	put_file(dir, "status.0", &status, sizeof(status));
	put_file(dir, "ring.0", ring_bytes, sizeof(ring_bytes));
	make_definitions();
}

static void setup(void)
{
	char own_root[160];

	strcpy(top, "/tmp/dead_session.XXXXXX");
	folder = mkdtemp(top);
	ck_assert_ptr_nonnull(folder);
	snprintf(root, sizeof(root), "%s/shm", folder);
	snprintf(own_root, sizeof(own_root), "%s-%u", root, geteuid());
	ck_assert_int_eq(mkdir(own_root, 0700), 0);
	setenv("RANKTRACE_SESSION_ROOT", root, 1);
	snprintf(final, sizeof(final), "%s/job/rank3/step-4.rtrace", folder);
	snprintf(part, sizeof(part), "%s" TRACE_PART, final);
	make_status();
	make_ring();
}

static void teardown(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}
