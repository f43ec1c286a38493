#include "analysis/run/untraced.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/run/descendants.h"
#include "analysis/session/sessions.h"
#include "analysis/util/alloc.h"
#include "hooks/rows/family.h"
#include "hooks/rows/table.h"

#define SECOND	   1000000000ull
#define SHARE	   200 /* of its time the launcher looks no longer than this part */
#define UNREADABLE (10 * SECOND)

struct known {
	uint64_t start, stack; /* this very program of this very process */
	uint64_t hidden_since; /* in ns; 0: it can be looked into */
	bool settled;	       /* nothing more is to be found out, */
	bool traced;	       /* but whether it sets a seccomp filter: it has us, and */
	char library[128];     /* this one of a vendor */
};

struct look {
	struct untraced_watch *watch;
	struct run *run;
	struct table known; /* of those that live now */
	uint64_t now;
};

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* ---- what a process has mapped ---- */

/* The file of a line of /proc/PID/maps that may be executed; NULL: it is none. */
static const char *mapped_code(char *line)
{
	const char *rights = strchr(line, ' '), *path = strchr(line, '/');

	line[strcspn(line, "\n")] = '\0';
	return rights && path && rights[3] == 'x' ? strrchr(path, '/') + 1 : NULL;
}

static bool is_vendors(const char *library)
{
	for (unsigned int i = 0; i < hook_row_count; i++)
		if ((!i || hook_rows[i].family != hook_rows[i - 1].family) && family_has(hook_rows[i].family, library))
			return true;
	return false;
}

/* Is libranktrace.so there, and a vendor's library, which is named? 0, or a negative errno. */
static int read_maps(pid_t pid, bool *ours, char *library, size_t size)
{
	char path[64], *line = NULL;
	const char *name;
	size_t room = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	if (!maps)
		return -errno;
	*ours = false;
	*library = '\0';
	while (getline(&line, &room, maps) > 0) {
		name = mapped_code(line);
		*ours |= name && !strncmp(name, "libranktrace.so", strlen("libranktrace.so"));
		if (name && !*library && is_vendors(name))
			snprintf(library, size, "%s", name);
	}
	free(line);
	fclose(maps);
	return 0;
}

/* The value of a variable that the process was started with, in text of this size; false: it has none. */
static bool read_variable(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64], *entry = NULL;
	size_t room = 0, length = strlen(name);
	bool found = false;
	FILE *environment;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	environment = fopen(path, "re");
	while (environment && !found && getdelim(&entry, &room, '\0', environment) > 0) {
		found = !strncmp(entry, name, length) && entry[length] == '=';
		if (found)
			snprintf(text, size, "%s", entry + length + 1);
	}
	free(entry);
	if (environment)
		fclose(environment);
	return found;
}

/* ---- what is to be told ---- */

static void name_program(const struct descendant *d, char *text, size_t size)
{
	char path[64], file[4096];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)d->pid);
	n = readlink(path, file, sizeof(file) - 1);
	file[n > 0 ? n : 0] = '\0';
	snprintf(text, size, "%s", n > 0 ? strrchr(file, '/') + 1 : d->name);
}

static bool is_sandboxed(const struct run_untraced *u)
{
	return !strcmp(u->why, UNTRACED_SANDBOXED);
}

static void tell(const struct look *l, const struct descendant *d, const char *why, const char *library, int64_t user)
{
	struct run *r = l->run;
	struct run_untraced one = { .pid = d->pid, .user = user };

	name_program(d, one.program, sizeof(one.program));
	snprintf(one.why, sizeof(one.why), "%s", why);
	snprintf(one.library, sizeof(one.library), "%s", library);
	for (unsigned int i = 0; i < r->untraced_count; i++)
		if (!strcmp(r->untraced[i].program, one.program) && is_sandboxed(&r->untraced[i]) == is_sandboxed(&one))
			return;
	*run_add_untraced(r) = one;
}

static bool has_session(const struct descendant *d)
{
	struct sessions all;
	bool found = false;

	sessions_read(&all);
	for (size_t i = 0; i < all.count; i++)
		found |= all.list[i].status->pid == (uint32_t)d->pid && all.list[i].status->start_time == d->start;
	sessions_free(&all);
	return found;
}

static void judge_hidden(const struct look *l, const struct descendant *d, struct known *k)
{
	if (!k->hidden_since)
		k->hidden_since = l->now;
	if (l->now - k->hidden_since < UNREADABLE)
		return;
	if (!has_session(d))
		tell(l, d, "hidden", "", -1);
	k->settled = true;
}

/* A user other than ours, who traces into our folder and may not even enter it? -1: no. */
static int64_t shut_out(const struct look *l, const struct descendant *d)
{
	const char *save_path = l->run->asked.save_path;
	char path[64], theirs[1200];
	struct stat process, folder;

	snprintf(path, sizeof(path), "/proc/%d", (int)d->pid);
	if (stat(path, &process) || process.st_uid == geteuid() || process.st_uid == 0 || stat(save_path, &folder) ||
	    folder.st_uid != geteuid() || folder.st_mode & 011)
		return -1;
	if (!read_variable(d->pid, "RANKTRACE_SAVE_PATH", theirs, sizeof(theirs)) || strcmp(theirs, save_path) != 0)
		return -1;
	return process.st_uid;
}

static void judge_traced(const struct look *l, const struct descendant *d, struct known *k, const char *library)
{
	int64_t user = shut_out(l, d);

	k->settled = user < 0 || *library;
	if (user >= 0 && *library)
		tell(l, d, "shut-out", library, user);
	k->traced = user < 0 && *library;
	snprintf(k->library, sizeof(k->library), "%s", library);
}

/*
 * How many filters of seccomp a process runs under, and one more, so that it is never 0; of kernels before Linux 5.9 it is only known
 * whether there are any. -1: it cannot be looked into.
 */
static int filters_of(const char *pid)
{
	char path[64], *line = NULL;
	int mode = 0, count = -1;
	size_t room = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%.20s/status", pid);
	status = fopen(path, "re");
	if (!status)
		return -1;
	while (getline(&line, &room, status) > 0) {
		sscanf(line, "Seccomp: %d", &mode);
		sscanf(line, "Seccomp_filters: %d", &count);
	}
	free(line);
	fclose(status);
	return 1 + (count >= 0 ? count : mode == 2);
}

/*
 * A filter that we do not run under ourselves: if it was set before the first hooked call, the agent has left the process alone. That
 * is told in the end, and only if nothing was recorded.
 */
static void judge_filters(const struct look *l, const struct descendant *d, struct known *k)
{
	char pid[16], allowed[16];

	if (!l->watch->filters)
		l->watch->filters = filters_of("self");
	snprintf(pid, sizeof(pid), "%d", (int)d->pid);
	if (l->watch->filters < 0 || filters_of(pid) <= l->watch->filters)
		return;
	k->traced = false;
	if (!read_variable(d->pid, "RANKTRACE_SANDBOX", allowed, sizeof(allowed)) || strcmp(allowed, "allowed") != 0)
		tell(l, d, UNTRACED_SANDBOXED, k->library, -1);
}

static void judge_untraced(const struct look *l, const struct descendant *d, const char *library)
{
	char preload[4096];
	bool kept = read_variable(d->pid, "LD_PRELOAD", preload, sizeof(preload)) && strstr(preload, "/libranktrace.so");

	tell(l, d, kept ? "refused" : "dropped", library, -1);
}

static void judge(const struct look *l, const struct descendant *d, struct known *k)
{
	char library[sizeof(((struct run_untraced *)0)->library)];
	bool ours = false;
	int err = read_maps(d->pid, &ours, library, sizeof(library));

	if (err == -EACCES || err == -EPERM)
		judge_hidden(l, d, k);
	if (err)
		return;
	k->hidden_since = 0;
	if (ours) {
		judge_traced(l, d, k, library);
	} else if (*library) {
		judge_untraced(l, d, library);
		k->settled = true;
	}
}

static void visit(void *context, const struct descendant *d)
{
	struct look *l = context;
	struct known *k = table_put(&l->known, (uint64_t)d->pid);
	const struct known *before = table_find(&l->watch->known, (uint64_t)d->pid);

	*k = (struct known){ .start = d->start, .stack = d->stack };
	if (before && before->start == d->start && before->stack == d->stack)
		*k = *before;
	if (!k->settled)
		judge(l, d, k);
	if (k->traced)
		judge_filters(l, d, k);
}

/* ---- when ---- */

int untraced_pause(struct untraced_watch *w)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (!w->next)
		w->next = now + SECOND;
	return w->next > now ? (int)((w->next - now) / 1000000) + 1 : 0;
}

void untraced_look(struct untraced_watch *w, struct run *r)
{
	struct look l = { .watch = w, .run = r, .known = TABLE(struct known), .now = clock_ns(CLOCK_MONOTONIC) };
	uint64_t took = clock_ns(CLOCK_PROCESS_CPUTIME_ID), pause;

	if (l.now < w->next)
		return;
	descendants_visit(visit, &l);
	table_free(&w->known);
	w->known = l.known;
	pause = SHARE * (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - took);
	w->next = clock_ns(CLOCK_MONOTONIC) + (pause > SECOND ? pause : SECOND);
}
