/* run_json.c - writes a struct run. */
#include "analysis/run/run_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/util/alloc.h"
#include "analysis/util/out.h"
#include "config/option.h"

static void put_key(struct out *o, const char *key)
{
	out_json(o, key);
	out_char(o, ':');
}

static void put_text(struct out *o, const char *key, const char *text)
{
	put_key(o, key);
	out_json(o, text);
	out_char(o, ',');
}

static void put_number(struct out *o, const char *key, int64_t n, bool is_null)
{
	put_key(o, key);
	if (is_null)
		out_text(o, "null");
	else
		out_i64(o, n);
	out_char(o, ',');
}

static void put_libraries(struct out *o, const char *libraries)
{
	char line[1024];
	int length;

	out_text(o, "\"libraries\":[");
	for (bool more = false; *libraries; more = true) {
		length = (int)strcspn(libraries, "\n");
		snprintf(line, sizeof(line), "%.*s", length, libraries);
		out_text(o, more ? "," : "");
		out_json(o, line);
		libraries += length + (libraries[length] == '\n');
	}
	out_char(o, ']');
}

static void put_counts(struct out *o, const char *key, const struct run_counts *c)
{
	out_char(o, ',');
	put_key(o, key);
	out_char(o, '{');
	for (unsigned int i = 0; i < c->count; i++) {
		out_text(o, i ? "," : "");
		put_key(o, c->list[i].name);
		out_i64(o, c->list[i].times);
	}
	out_char(o, '}');
}

#define TEXT(name, size)  put_text(o, #name, p->name);
#define NUMBER(name)	  put_number(o, #name, p->name, false);
#define MAYBE(name, none) put_number(o, #name, p->name, p->name == (none));

static void put_process(struct out *o, const struct run_process *p)
{
	out_char(o, '{');
	PROCESS_FIELDS(TEXT, NUMBER, MAYBE)
	put_libraries(o, p->libraries);
#define COUNTS(name) put_counts(o, #name, &p->name);
	PROCESS_COUNTS(COUNTS)
#undef COUNTS
	out_char(o, '}');
}

static void put_untraced(struct out *o, const struct run_untraced *p, bool more)
{
	out_text(o, more ? ",\n{" : "\n{");
	UNTRACED_FIELDS(TEXT, NUMBER, MAYBE)
	put_key(o, "user");
	out_i64(o, p->user);
	out_char(o, '}');
}

#define SETTING_TEXT 8192
_Static_assert(CONFIG_RANGES * sizeof("9007199254740992-9007199254740992,") < SETTING_TEXT, "the longest setting is a list");

static void put_asked(struct out *o, const struct config *c)
{
	static char text[SETTING_TEXT];
	bool more = false;

	out_text(o, "\"asked\":{");
	for (unsigned int id = 0; id < OPTIONS; id++) {
		if (option_elsewhere[id])
			continue;
		option_text(c, id, text, sizeof(text));
		out_text(o, more ? "," : "");
		put_key(o, options[id].key);
		out_json(o, text);
		more = true;
	}
	out_text(o, "},\n");
}

static void put_command(struct out *o, char **command)
{
	out_text(o, "\"command\":[");
	for (unsigned int i = 0; command && command[i]; i++) {
		out_text(o, i ? "," : "");
		out_json(o, command[i]);
	}
	out_text(o, "],\n");
}

static void put_run(struct out *o, const struct run *p)
{
	out_text(o, RUN_BEGIN "1,");
	RUN_FIELDS(TEXT, NUMBER, MAYBE)
	out_char(o, '\n');
	put_command(o, p->command);
	put_asked(o, &p->asked);
	out_text(o, "\"untraced\":[");
	for (unsigned int i = 0; i < p->untraced_count; i++)
		put_untraced(o, &p->untraced[i], i);
	out_text(o, "],\n\"processes\":[");
	for (unsigned int i = 0; i < p->count; i++) {
		out_text(o, i ? ",\n" : "\n");
		put_process(o, &p->processes[i]);
	}
	out_text(o, "\n]}\n");
}

#define OWN_NAME 160

/* A host may be called anything, but it names no folder. */
static void own_name(const struct run *r, const char *before, const char *behind, char name[OWN_NAME])
{
	snprintf(name, OWN_NAME, "%s%s-%s%s", before, r->host, r->launch, behind);
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '_';
}

/* Takes the first name that is free: the launchers of one job do not overwrite each other. */
static int give_name(const struct run *r, const char *hidden, int folder)
{
	char name[OWN_NAME];
	int err;

	err = linkat(folder, hidden, folder, "run.json", 0) ? -errno : 0;
	own_name(r, "run-", ".json", name);
	if (err == -EEXIST)
		err = linkat(folder, hidden, folder, name, 0) ? -errno : 0;
	/* A file system without links: nobody else's name can be overwritten by this one. */
	if (err && err != -EEXIST)
		return renameat(folder, hidden, folder, name) ? -errno : 0;
	unlinkat(folder, hidden, 0);
	return err;
}

int run_write(const struct run *r, int folder)
{
	char hidden[OWN_NAME];
	struct out *o;
	int err;

	own_name(r, ".run-", "", hidden);
	o = alloc_zero(1, sizeof(*o));
	o->fd = openat(folder, hidden, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (o->fd < 0) {
		err = -errno;
		goto out;
	}
	put_run(o, r);
	out_flush(o);
	close(o->fd);
	err = o->error ? -o->error : give_name(r, hidden, folder);
	if (o->error)
		unlinkat(folder, hidden, 0);
out:
	free(o);
	return err;
}
