/* run_json_read.c - reads a struct run back; unknown keys are skipped. */
#include "analysis/run/run_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"
#include "analysis/util/json_reader.h"
#include "config/option.h"

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
	struct run_counts *c = NULL;

#define COUNTS(name)                            \
	if (p && !strcmp(leaf->path[2], #name)) \
		c = &p->name;
	PROCESS_COUNTS(COUNTS)
#undef COUNTS
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
