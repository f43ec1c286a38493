/*
 * fake_session.c - leaves a session in tmpfs as the agent would, with the numbers given on its
 * command line: `fake_session rank=3 cause=step-not-reached last_step=2`. Words besides the fields:
 * state=killed, pid=N of a process that is not us, wait (say "ready", live until stdin ends), load
 * (open the library).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/format/causes.h"
#include "agent/format/session_files.h"
#include "agent/format/trace_file.h"

static struct session_status status = {
	.magic = SESSION_MAGIC,
	.major = TRACE_MAJOR,
	.minor = TRACE_MINOR,
	.clock = CLOCK_NANOSECONDS,
	.state = SESSION_ENDED,
	.rank = -1,
	.last_step = STEP_NULL,
	.file_id = 1,
};

static const char *variable(const char *name)
{
	const char *text = getenv(name);

	return text ? text : "";
}

static uint64_t start_time(void)
{
	char text[1024] = "", *at;
	int fd = open("/proc/self/stat", O_RDONLY);

	if (read(fd, text, sizeof(text) - 1) < 0)
		exit(1);
	close(fd);
	at = strrchr(text, ')');
	for (int field = 2; field < 22; field++)
		at = strchr(at + 1, ' ');
	return strtoull(at, NULL, 10);
}

static void fill(void)
{
	struct stat st;

	stat("/proc/self/ns/pid", &st);
	status.pid_namespace = st.st_ino;
	status.pid = (uint32_t)getpid();
	status.start_time = start_time();
	snprintf(status.host, sizeof(status.host), "here");
	snprintf(status.job, sizeof(status.job), "%s", variable("RANKTRACE_JOB"));
	snprintf(status.launch, sizeof(status.launch), "%s", variable("RANKTRACE_LAUNCH"));
	snprintf(status.steps, sizeof(status.steps), "%s", variable("RANKTRACE_STEPS"));
	snprintf(status.ranks, sizeof(status.ranks), "%s", variable("RANKTRACE_RANKS"));
	snprintf(status.save_path, sizeof(status.save_path), "%s", variable("RANKTRACE_SAVE_PATH"));
}

static uint32_t word_number(const char *value)
{
	static const char *const causes[] = {
#define CAUSE(symbol, word, sort) word,
		SESSION_CAUSES(CAUSE)
#undef CAUSE
	};

	for (uint32_t i = 0; i < CAUSE_COUNT; i++)
		if (!strcmp(causes[i], value))
			return i;
	fprintf(stderr, "fake_session: no cause %s\n", value);
	exit(1);
}

static void set_state(const char *value)
{
	static const char *const words[] = { "", "dormant", "recording", "ended", "executed" };

	if (!strcmp(value, "killed")) {
		status.start_time--; /* nobody has this number and that start */
		status.state = SESSION_RECORDING;
	}
	for (uint32_t i = 1; i < 5; i++)
		if (!strcmp(words[i], value))
			status.state = i;
}

static void set(const char *name, const char *value)
{
#define NUMBER(field)              \
	if (!strcmp(name, #field)) \
		status.field = strtoll(value, NULL, 10);
#define TEXT(field)                \
	if (!strcmp(name, #field)) \
		snprintf(status.field, sizeof(status.field), "%s", value);
	/* clang-format off: it takes a list of macros for nested statements */
	NUMBER(pid)
	NUMBER(rank)
	NUMBER(last_step)
	NUMBER(boundaries)
	NUMBER(windows)
	NUMBER(kept)
	NUMBER(entered)
	NUMBER(dropped)
	NUMBER(no_ring)
	NUMBER(untimed)
	NUMBER(bytes)
	NUMBER(files)
	NUMBER(error)
	TEXT(rank_source)
	TEXT(step_source)
	TEXT(libraries)
	TEXT(facts)
	TEXT(launch)
	TEXT(final)
	TEXT(save_path)
	/* clang-format on */
#undef NUMBER
#undef TEXT
	if (!strcmp(name, "cause"))
		status.cause = word_number(value);
	if (!strcmp(name, "state"))
		set_state(value);
	if (!strcmp(name, "unrecorded")) {
		status.hooks = 4;
		status.unrecorded[3] = strtoull(value, NULL, 10);
	}
}

static void write_session(void)
{
	const char *root = getenv("RANKTRACE_SESSION_ROOT");
	char folder[512], path[600];
	int fd, n;

	n = snprintf(folder, sizeof(folder), "%s-%u", root ? root : SESSION_ROOT,
		     (unsigned int)geteuid());
	mkdir(folder, 0700);
	snprintf(folder + n, sizeof(folder) - (size_t)n, "/%u-%llu-0000%04x", status.pid,
		 (unsigned long long)status.start_time, (unsigned int)getpid() & 0xffff);
	mkdir(folder, 0700);
	snprintf(path, sizeof(path), "%s/status.0", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (write(fd, &status, sizeof(status)) != sizeof(status))
		exit(1);
	close(fd);
}

int main(int argc, char **argv)
{
	char *equal, byte;
	int wait = 0;

	fill();
	for (int i = 1; i < argc; i++) {
		equal = strchr(argv[i], '=');
		if (equal) {
			*equal = '\0';
			set(argv[i], equal + 1);
		}
		wait |= !strcmp(argv[i], "wait");
	}
	write_session();
	if (wait) {
		puts("ready");
		fflush(stdout);
		while (read(0, &byte, 1) > 0)
			;
	}
	return 0;
}
