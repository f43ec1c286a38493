/* recover.c - `ranktrace recover`: all sessions of this user, or some, one line each. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/run/launcher_lock.h"
#include "analysis/session/recover.h"
#include "analysis/util/alloc.h"

static const char usage[] =
	"Usage: ranktrace recover [--session DIR] [PATH]...\n"
	"Completes the trace files of your processes that were killed, or ended before all was\n"
	"written, from memory. Running ones are left alone; the call that each of their threads is\n"
	"in is printed.\n"
	"  -s, --session DIR   this session only, even if its launcher is still running\n"
	"  -h, --help          this text\n"
	"With PATHs: only processes that trace into these folders (or these session folders).\n";

/* The path behind all links, though its last folders may not be there yet; NULL: it is none. */
static char *real_path(const char *path)
{
	size_t n = strlen(path), name;
	char *there = realpath(path, NULL), *parent, *up, *whole = NULL;

	if (there || errno != ENOENT || !n)
		return there;
	while (n > 1 && path[n - 1] == '/')
		n--;
	for (name = n; name && path[name - 1] != '/';)
		name--;
	parent = name ? alloc_text(path, name) : alloc_text(".", 1);
	up = real_path(parent);
	if (up && asprintf(&whole, "%s/%.*s", strcmp(up, "/") ? up : "", (int)(n - name), path + name) < 0)
		whole = NULL;
	free(parent);
	free(up);
	return whole;
}

static bool below(const char *folder, const char *path)
{
	char *a = real_path(folder), *b = real_path(path);
	size_t n = a ? strlen(a) : 0;
	bool yes = a && b && !strncmp(a, b, n) && (!b[n] || b[n] == '/' || n == 1);

	free(a);
	free(b);
	return yes;
}

static bool traces_into(const struct session_entry *e, const char *path)
{
	return below(path, e->path) || below(path, e->status->save_path);
}

static bool wanted(const struct session_entry *e, char **paths, int count)
{
	for (int i = 0; i < count; i++)
		if (traces_into(e, paths[i]))
			return true;
	return !count;
}

static void describe(const struct session_entry *e)
{
	printf("process %u", e->status->pid);
	if (e->status->rank >= 0)
		printf(" (rank %" PRId64 ")", e->status->rank);
	printf(" on %s: ", e->status->host);
}

static void describe_calls(const struct recovered *r, const char *verb)
{
	for (size_t i = 0; i < r->call_count; i++) {
		const struct recovered_call *c = &r->calls[i];

		printf("  thread %u %s inside %s", c->tid, verb, c->hook);
		if (c->seconds >= 0)
			printf(", entered %.3f s ago", c->seconds);
		printf("\n");
	}
}

/* A forked child, say, that recorded nothing. */
static bool had_nothing(const struct recovered *r)
{
	return !r->live && !r->busy && !r->file[0] && !r->call_count && !r->bad && !r->waited;
}

/* Returns EXIT_LOST if something could not be saved; said counts processes that there was something to say of. */
static int recover_one(const struct session_entry *e, int *said)
{
	struct recovered r;
	int err = recover_session(e->path, &r);

	if (!err && had_nothing(&r))
		return 0;
	++*said;
	describe(e);
	if (err) {
		printf("cannot be recovered: %s; the session stays in %s\n", strerror(-err), e->path);
		recovered_free(&r);
		return EXIT_LOST;
	}
	if (r.live)
		printf("still running; nothing to recover\n");
	else if (r.busy)
		printf("another process is recovering it\n");
	else if (r.file[0])
		printf("%" PRIu64 " events saved, file completed: %s\n", r.events, r.file);
	else
		printf("nothing left to recover\n");
	describe_calls(&r, r.live ? "is" : session_has_left(e) ? "was"
							       : "died");
	recovered_free(&r);
	if (r.waited)
		printf("  %" PRIu64 " call%s " RECOVERED_WAITED ": set RANKTRACE_RANK in each process, or give --ranks all\n", r.waited,
		       r.waited == 1 ? "" : "s");
	if (r.gone)
		printf("  %" PRIu64 " calls " RECOVERED_GONE "\n", r.gone);
	if (r.lost_buffers)
		printf("  %" PRIu64 " buffers " RECOVERED_BUFFERS "\n", r.lost_buffers);
	if (r.bad)
		printf("  %" PRIu64 " damaged buffers were left out\n", r.bad);
	return r.bad || r.gone || r.lost_buffers ? EXIT_LOST : 0;
}

static bool is_awaited(const char *path, const struct sessions *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (traces_into(&all->list[i], path))
			return true;
	return false;
}

/* A path that is not there is a mistake, unless somebody traces into it: then recovery makes it. */
static int miss_paths(char **paths, int count, const struct sessions *all)
{
	int rc = 0;

	for (int i = 0; i < count; i++) {
		if (is_awaited(paths[i], all) || !access(paths[i], F_OK))
			continue;
		fprintf(stderr, "ranktrace: %s: %s: name the --save-path of a run\n", paths[i], strerror(errno));
		rc = EXIT_LOST;
	}
	return rc;
}

#define NOTHING	      "nothing to recover\n"
#define OTHER_RELEASE "another release of ranktrace"

/* Returns EXIT_LOST if one of them is left to that release. */
static int say_foreign(const struct sessions *all, char **paths, int count, int *said)
{
	int rc = 0;

	for (size_t i = 0; i < all->foreign_count; i++) {
		const struct foreign_session *f = &all->foreign[i];
		bool asked = !count;

		for (int j = 0; j < count; j++)
			asked |= below(paths[j], f->path);
		if (!asked)
			continue;
		++*said;
		if (f->alive)
			printf("process %u: still running, traced by " OTHER_RELEASE "\n", f->pid);
		else
			printf("process %u: left by " OTHER_RELEASE ": recover it with that one; its session is %s\n", f->pid, f->path);
		rc |= f->alive ? 0 : EXIT_LOST;
	}
	return rc;
}

static int recover_all(char **paths, int count)
{
	struct sessions all;
	int rc, done = 0;

	sessions_read(&all);
	rc = miss_paths(paths, count, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct session_entry *e = &all.list[i];

		if (!wanted(e, paths, count))
			continue;
		if (session_is_over(e) && launcher_is_alive(e->status->launch)) {
			done++;
			describe(e);
			printf("its ranktrace-run is still running and will collect it\n");
			continue;
		}
		rc |= recover_one(e, &done);
	}
	rc |= say_foreign(&all, paths, count, &done);
	sessions_free(&all);
	launcher_sweep();
	if (!done && !rc)
		fputs(NOTHING, stdout);
	return rc;
}

static int recover_given(const char *dir)
{
	struct sessions all;
	int rc = -1, said = 0;

	sessions_read(&all);
	for (size_t i = 0; i < all.count && rc < 0; i++) {
		if (below(dir, all.list[i].path))
			rc = recover_one(&all.list[i], &said);
	}
	if (!rc && !said)
		fputs(NOTHING, stdout);
	sessions_free(&all);
	if (rc < 0) {
		char root[SESSION_PATH];

		sessions_root(root, sizeof(root));
		fprintf(stderr, "ranktrace: %s is not one of your sessions; sessions are in %s\n", dir, root);
		rc = EXIT_LOST;
	}
	return rc;
}

int cmd_recover(int argc, char **argv)
{
	static const struct option options[] = {
		{ "session", required_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	const char *session = NULL;
	int option;

	while ((option = arguments_next(argc, argv, "s:h", options)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (option != 's')
			return EXIT_USAGE;
		session = optarg;
	}
	umask(077); /* what is saved is its owner's, who may read it */
	return session ? recover_given(session) : recover_all(argv + optind, argc - optind);
}
