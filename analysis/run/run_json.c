/* run_json.c - writes a struct run and reads it back; unknown keys are skipped. */
#include "analysis/run/run_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/util/alloc.h"
#include "analysis/util/json_reader.h"
#include "analysis/util/out.h"
#include "config/option.h"

struct run_process *run_add(struct run *r)
{
	struct run_process *p;

	r->processes = alloc_grow(r->processes, r->count + 1, sizeof(*p));
	p = &r->processes[r->count++];
	*p = (struct run_process){ .rank = -1, .last_step = STEP_NULL, .signal = -1 };
	return p;
}

struct run_untraced *run_add_untraced(struct run *r)
{
	r->untraced = alloc_grow(r->untraced, r->untraced_count + 1, sizeof(*r->untraced));
	r->untraced[r->untraced_count] = (struct run_untraced){ .user = -1 };
	return &r->untraced[r->untraced_count++];
}

void run_add_count(struct run_counts *c, const char *name, size_t length, int64_t times)
{
	c->list = alloc_grow(c->list, c->count + 1, sizeof(*c->list));
	c->list[c->count++] = (struct run_count){ alloc_text(name, length), times };
}

void run_clear_counts(struct run_counts *c)
{
	for (unsigned int i = 0; i < c->count; i++)
		free(c->list[i].name);
	free(c->list);
	*c = (struct run_counts){ 0 };
}

void run_free(struct run *r)
{
	for (unsigned int i = 0; i < r->count; i++) {
		for (unsigned int k = 0; k < r->processes[i].unrecorded_count; k++)
			free(r->processes[i].unrecorded[k].name);
		free(r->processes[i].unrecorded);
		run_clear_counts(&r->processes[i].sources);
		run_clear_counts(&r->processes[i].stages);
	}
	free(r->command_line);
	r->command_line = NULL;
	free(r->children);
	r->children = NULL;
	r->child_count = 0;
	free(r->untraced);
	r->untraced = NULL;
	r->untraced_count = 0;
	free(r->processes);
	r->processes = NULL;
	r->count = 0;
}

/* ---- writing ---- */

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
	out_text(o, "],");
}

static void put_counts(struct out *o, const char *key, const struct run_counts *c)
{
	put_key(o, key);
	out_char(o, '{');
	for (unsigned int i = 0; i < c->count; i++) {
		out_text(o, i ? "," : "");
		put_key(o, c->list[i].name);
		out_i64(o, c->list[i].times);
	}
	out_text(o, "},");
}

#define TEXT(name, size)  put_text(o, #name, p->name);
#define NUMBER(name)	  put_number(o, #name, p->name, false);
#define MAYBE(name, none) put_number(o, #name, p->name, p->name == (none));

static void put_process(struct out *o, const struct run_process *p)
{
	out_char(o, '{');
	PROCESS_FIELDS(TEXT, NUMBER, MAYBE)
	put_libraries(o, p->libraries);
	put_counts(o, "sources", &p->sources);
	put_counts(o, "stages", &p->stages);
	out_text(o, "\"unrecorded\":{");
	for (unsigned int i = 0; i < p->unrecorded_count; i++) {
		out_text(o, i ? "," : "");
		put_key(o, p->unrecorded[i].name);
		out_u64(o, p->unrecorded[i].calls);
	}
	out_text(o, "}}");
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
		if (!options[id].help || id == OPTION_step_start || id == OPTION_step_end)
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

/* ---- reading ---- */

#define RUN_PIECE    (64u << 10)
#define RUN_BYTES    (256u << 20)
#define PROCESS_TEXT 128 /* we never write less of a process, and half of that of an untraced one */

static void get_text(char *field, size_t size, const char *text)
{
	snprintf(field, size, "%s", text ? text : "");
}

static int64_t get_number(const char *text, int64_t none)
{
	return text ? (int64_t)strtoll(text, NULL, 10) : none;
}

/* What older releases wrote. */
static const char *current_key(const char *key)
{
	return !strcmp(key, "homeless") ? "no_ring" : key;
}

static void get_process(struct run_process *p, const char *key, const char *text)
{
#undef TEXT
#undef NUMBER
#undef MAYBE
#define TEXT(name, size)         \
	if (!strcmp(key, #name)) \
		get_text(p->name, size, text);
#define NUMBER(name)             \
	if (!strcmp(key, #name)) \
		p->name = get_number(text, 0);
#define MAYBE(name, none)        \
	if (!strcmp(key, #name)) \
		p->name = get_number(text, none);
	PROCESS_FIELDS(TEXT, NUMBER, MAYBE)
}

static void get_untraced(struct run_untraced *p, const char *key, const char *text)
{
	UNTRACED_FIELDS(TEXT, NUMBER, MAYBE)
	if (!strcmp(key, "user"))
		p->user = get_number(text, -1);
}

/* Older releases called what stood in a vendor's way by the vendor. */
static const char *current_run_key(const char *key)
{
#define VENDOR(name)             \
	if (!strcmp(key, #name)) \
		return "environment";
#include "hooks/rows/vendors.def"
	return key;
}

static void get_run(struct run *p, const char *key, const char *text)
{
	RUN_FIELDS(TEXT, NUMBER, MAYBE)
}

struct reading {
	struct run *run;
	unsigned int before, untraced_before; /* of files read earlier */
	size_t most;			      /* processes that a text of this length can tell of */
	size_t command_length, command_room;
	bool ours;
};

static void get_word(struct reading *reading, const struct json_leaf *leaf)
{
	struct run *r = reading->run;
	const char *word = leaf->text ? leaf->text : "";
	size_t used = leaf->index ? reading->command_length : 0, length = strlen(word);

	while (used + length + 2 > reading->command_room) {
		reading->command_room = 2 * reading->command_room + 512;
		r->command_line = alloc_grow(r->command_line, reading->command_room, 1);
	}
	if (used)
		r->command_line[used++] = ' ';
	memcpy(r->command_line + used, word, length + 1);
	reading->command_length = used + length;
}

static void get_count(struct reading *reading, const struct json_leaf *leaf)
{
	struct run *r = reading->run;
	struct run_process *p = leaf->index < reading->most && reading->before + leaf->index < r->count
					? &r->processes[reading->before + leaf->index]
					: NULL;
	struct run_counts *c = !p ? NULL : !strcmp(leaf->path[2], "sources") ? &p->sources
				   : !strcmp(leaf->path[2], "stages")	     ? &p->stages
									     : NULL;

	if (c)
		run_add_count(c, leaf->path[3], strlen(leaf->path[3]), get_number(leaf->text, 0));
}

static void get_list(struct reading *reading, const struct json_leaf *leaf)
{
	struct run *r = reading->run;

	if (!strcmp(leaf->path[0], "processes") && leaf->index < reading->most) {
		while (r->count <= reading->before + leaf->index)
			run_add(r);
		get_process(&r->processes[reading->before + leaf->index], current_key(leaf->path[2]), leaf->text);
	} else if (!strcmp(leaf->path[0], "untraced") && leaf->index < 2 * reading->most) {
		while (r->untraced_count <= reading->untraced_before + leaf->index)
			run_add_untraced(r);
		get_untraced(&r->untraced[reading->untraced_before + leaf->index], leaf->path[2], leaf->text);
	}
}

static void get_leaf(void *context, const struct json_leaf *leaf)
{
	struct reading *reading = context;
	struct run *r = reading->run;
	char why[256];

	if (leaf->depth == 1 && !strcmp(leaf->path[0], "version"))
		reading->ours = true;
	if (leaf->depth == 1)
		get_run(r, current_run_key(leaf->path[0]), leaf->text);
	if (leaf->depth == 2 && !strcmp(leaf->path[0], "command"))
		get_word(reading, leaf);
	if (leaf->depth == 2 && !strcmp(leaf->path[0], "asked") && leaf->text &&
	    option_find(leaf->path[1]) < OPTIONS)
		option_set(&r->asked, option_find(leaf->path[1]), leaf->text, why, sizeof(why));
	if (leaf->depth == 3)
		get_list(reading, leaf);
	if (leaf->depth == 4 && !strcmp(leaf->path[0], "processes"))
		get_count(reading, leaf);
}

static char *read_whole(const char *path, int *err)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t used = 0, n;

	*err = file ? 0 : -errno;
	if (!file)
		return NULL;
	do {
		text = alloc_grow(text, used + RUN_PIECE + 1, 1);
		n = fread(text + used, 1, RUN_PIECE, file);
		used += n;
	} while (n == RUN_PIECE && used < RUN_BYTES);
	text[used] = '\0';
	fclose(file);
	return text;
}

int run_read(struct run *r, const char *path)
{
	struct reading reading = { .run = r, .before = r->count, .untraced_before = r->untraced_count };
	char *text;
	int err;

	text = read_whole(path, &err);
	reading.most = text ? strlen(text) / PROCESS_TEXT + 1 : 0;
	if (!err)
		err = json_read(text, get_leaf, &reading);
	if (!err && !reading.ours)
		err = -EINVAL;
	free(text);
	return err;
}
