/* load.c - runs in every traced process, as in the command: no output, no leak, and errno stays. */
#include "config/load/load.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/load/dialects.h"
#include "config/preset.h"

#define YAML_BYTES (64 << 10)

/* ---- a YAML file ---- */

/*
 * A pipe would have to be waited for, which nobody's program does for us; and once it is opened, its writer takes us for its
 * reader. No stat(): its versioned symbol is newer than the C libraries that the agent must load in.
 */
static bool is_pipe(const char *path)
{
	struct statx st;

	return !statx(AT_FDCWD, path, 0, STATX_TYPE, &st) && S_ISFIFO(st.stx_mode);
}

static ssize_t read_file(const char *path, bool may_wait, char *text, size_t size)
{
	ssize_t n, used = 0;
	int fd;

	if (!may_wait && is_pipe(path))
		return -ESPIPE;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (may_wait ? 0 : O_NONBLOCK));
	if (fd < 0)
		return -errno;
	do {
		n = read(fd, text + used, size - used);
		used += n > 0 ? n : 0;
	} while ((n > 0 && (size_t)used < size) || (n < 0 && errno == EINTR));
	if (n < 0)
		used = -errno;
	close(fd);
	return used;
}

/* Some editors begin a file with a byte order mark. */
static size_t mark_size(const char *text)
{
	return memcmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
}

/* Each dialect in turn, until one takes the file for its own. */
static int read_text(void *loader, const char *path, const char *text, size_t length)
{
	static int (*const dialects[])(struct loader *, const char *, const char *, size_t) = {
#define DIALECT(word, function, known) function,
#include "config/load/dialects.def"
#undef DIALECT
	};
	int err = DIALECT_OTHER;

	for (size_t i = 0; err == DIALECT_OTHER && i < sizeof(dialects) / sizeof(dialects[0]); i++)
		err = dialects[i](loader, path, text, length);
	return err;
}

int load_file(struct loader *l, const char *path, bool may_wait, load_reader read, void *reader)
{
	char *text;
	ssize_t length;
	int err;

	text = calloc(1, YAML_BYTES + 1);
	if (!text)
		return refuse(l->error, l->size, "%s: no memory to read it", path);
	length = read_file(path, may_wait, text, YAML_BYTES + 1);
	if (length == -ESPIPE)
		err = refuse(l->error, l->size, "%s: a pipe: give a file, or let ranktrace-run read it", path);
	else if (length < 0)
		err = refuse(l->error, l->size, "%s: cannot be read: %s: give another file", path,
			     strerror(-length));
	else if (length > YAML_BYTES)
		err = refuse(l->error, l->size,
			     "%s: larger than %d KiB: give a file of settings", path,
			     YAML_BYTES >> 10);
	else
		err = read(reader, path, text + mark_size(text), (size_t)length - mark_size(text));
	free(text);
	return err;
}

int load_yaml(struct loader *l, const char *path, bool may_wait)
{
	loader_layer(l);
	return load_file(l, path, may_wait, read_text, l);
}

/* ---- the environment ---- */

static bool is_unset(enum option_id id, const char *text)
{
	return !text || (!*text && !options[id].type->empty);
}

/* The value of an option's variable, and its name. An older name counts where today's is unset. */
static const char *variable_text(enum option_id id, char name[OPTION_NAME])
{
	const char *text;

	option_variable(options[id].key, name);
	text = getenv(name);
	for (const struct option_spelling *s = option_spellings; s->key && is_unset(id, text); s++) {
		if (s->id != id)
			continue;
		option_variable(s->key, name);
		text = getenv(name);
	}
	return text;
}

int load_environment(struct loader *l)
{
	char name[OPTION_NAME];
	const char *text;
	int err;

	loader_layer(l);
	for (unsigned int id = 0; id < OPTIONS; id++) {
		text = variable_text(id, name);
		err = text ? loader_set(l, id, name, text) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* Ours, but no settings: read by the agent, the wrapper or the tests themselves. */
static const char *const other_variables[] = {
	"RANK",
	"GROUP",
	"REPLICA",
	"CONFIG",
	"RESOLVED",
	"PRELOAD",
	"LIBRARY",
	"BUILD",
	"SESSION_ROOT",
	"SANDBOX",
	"CLOCK",
	"VENV",
	NULL,
};

static bool is_variable(const char *key, const char *name, size_t length)
{
	char known[OPTION_NAME];

	option_variable(key, known);
	return strlen(known) == length && !strncmp(known, name, length);
}

static bool known_variable(const char *name, size_t length)
{
	for (unsigned int id = 0; id < OPTIONS; id++)
		if (is_variable(options[id].key, name, length))
			return true;
	for (const struct option_spelling *s = option_spellings; s->key; s++)
		if (is_variable(s->key, name, length))
			return true;
	name += strlen("RANKTRACE_");
	length -= strlen("RANKTRACE_");
	for (const char *const *other = other_variables; *other; other++)
		if (strlen(*other) == length && !strncmp(*other, name, length))
			return true;
	return false;
}

static void explain_stray(const char *stray, char *line, size_t size)
{
	char variables[OPTIONS][OPTION_NAME], name[OPTION_NAME];
	const char *names[OPTIONS + 1] = { NULL }, *near;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(stray, "="), stray);
	for (unsigned int id = 0; id < OPTIONS; id++) {
		option_variable(options[id].key, variables[id]);
		names[id] = variables[id] + strlen("RANKTRACE_");
	}
	near = word_nearest(name + strlen("RANKTRACE_"), names);
	if (near)
		snprintf(line, size, "%s is not a setting and is ignored: write RANKTRACE_%s", name, near);
	else
		snprintf(line, size, "%s is not a setting and is ignored: docs/options.md lists the settings", name);
}

bool config_stray_variable(char *line, size_t size)
{
	for (char **e = environ; e && *e; e++) {
		if (strncmp(*e, "RANKTRACE_", strlen("RANKTRACE_")) || known_variable(*e, strcspn(*e, "=")))
			continue;
		explain_stray(*e, line, size);
		return true;
	}
	return false;
}

/* ---- both ---- */

static int load_all(struct loader *l)
{
	const char *path = getenv("RANKTRACE_CONFIG"), *resolved = getenv("RANKTRACE_RESOLVED");
	int err;

	err = path && *path && !resolved ? load_yaml(l, path, false) : 0;
	if (!err)
		err = load_environment(l);
	return err ? err : loader_finish(l);
}

int config_load(struct config *c, char *error, size_t size)
{
	struct loader l;
	int err, saved = errno;

	loader_begin(&l, c, error, size);
	err = load_all(&l);
	if (err)
		c->enable = false;
	else
		preset_expand(c);
	errno = saved;
	return err;
}
