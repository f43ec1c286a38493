/* native.c - a native profile.yaml: which keys there are and what they may hold. */
#include "config/load/load.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/load/yaml_value.h"

#define YAML_BYTES (64 << 10)

static int set_option(struct yaml *y, enum option_id id, const struct value *v)
{
	const struct option_row *o = &options[id];
	char where[WHERE_SIZE];

	if (v->shape == SHAPE_NULL)
		return 0;
	if (v->shape == SHAPE_MAP || (v->shape == SHAPE_LIST && !o->type->list))
		return yaml_fail(y, v->line, "%s: a %s cannot stand here: write %s", o->key,
				 v->shape == SHAPE_MAP ? "mapping" : "list",
				 o->type->list ? "a list like [a, b]" : "one value");
	if (id == OPTION_step_source && y->l->given & 1u << id)
		return yaml_fail(y, v->line, "step_source and step.sources say the same: keep one");
	snprintf(where, sizeof(where), "%s:%lu: %s", y->path, v->line, o->key);
	return loader_set(y->l, id, where, v->text);
}

/* step: {sources: [...]} says the same as step_source. */
static int read_step(struct yaml *y)
{
	struct value *v;
	int err;

	err = yaml_next(y);
	while (!err && y->event.type != YAML_MAPPING_END_EVENT) {
		if (y->event.type != YAML_SCALAR_EVENT ||
		    strcmp((const char *)y->event.data.scalar.value, "sources"))
			return yaml_fail(y, yaml_line(y), "step holds nothing but sources: "
							  "write step: {sources: [api]}");
		v = malloc(sizeof(*v));
		if (!v)
			return yaml_fail(y, yaml_line(y), "no memory to read it");
		err = yaml_read_value(y, v, ';');
		err = err ? err : set_option(y, OPTION_step_source, v);
		free(v);
		err = err ? err : yaml_next(y);
	}
	return err;
}

/* Keys of design.md's native file that belong to later versions: only their defaults pass. */
static int other_key(struct yaml *y, const char *key, const struct value *v)
{
	bool flag = !strcmp(key, "discrete") || !strcmp(key, "analysis");
	unsigned long line = v->line;
	int err;

	if (v->shape == SHAPE_NULL)
		return 0;
	if (!strcmp(key, "step")) {
		if (v->shape == SHAPE_MAP)
			return read_step(y);
		return yaml_fail(y, line, "unknown key 'step': write 'steps'");
	}
	if (flag && v->shape == SHAPE_SCALAR && !strcmp(v->text, "false"))
		return 0;
	if (!flag && v->shape == SHAPE_LIST && !v->text[0])
		return 0;
	if (v->shape == SHAPE_MAP && !strcmp(key, "roles")) {
		err = yaml_next(y);
		if (err || y->event.type == YAML_MAPPING_END_EVENT)
			return err;
	}
	return yaml_fail(y, line, "%s: this version does not support it yet: take the line away",
			 key);
}

/* Returns the current key as option_keys() has it, or NULL after a complaint. */
static const char *find_key(struct yaml *y)
{
	const char *text = (const char *)y->event.data.scalar.value, *near;
	const char *const *keys = option_keys();

	if (!strcmp(text, "<<")) {
		yaml_fail(y, yaml_line(y), "merge keys are not read: write the values out");
		return NULL;
	}
	for (unsigned int i = 0; keys[i]; i++) {
		if (strcmp(keys[i], text))
			continue;
		if (y->seen & 1u << i) {
			yaml_fail(y, yaml_line(y), "the key '%s' stands here twice: keep one",
				  text);
			return NULL;
		}
		y->seen |= 1u << i;
		return keys[i];
	}
	near = word_nearest(text, keys);
	if (near)
		yaml_fail(y, yaml_line(y), "unknown key '%.64s': write '%s'", text, near);
	else
		yaml_fail(y, yaml_line(y), "unknown key '%.64s': docs/options.md lists the keys",
			  text);
	return NULL;
}

static int read_keys(struct yaml *y, struct value *v)
{
	const char *key;
	enum option_id id;
	int err;

	err = yaml_next(y);
	while (!err && y->event.type != YAML_MAPPING_END_EVENT) {
		if (y->event.type != YAML_SCALAR_EVENT)
			return yaml_fail(y, yaml_line(y), "a key must be a word, like steps");
		key = find_key(y);
		if (!key)
			return -EINVAL;
		id = option_find(key);
		err = yaml_read_value(y, v, id == OPTION_step_source ? ';' : ',');
		if (!err)
			err = id < OPTIONS ? set_option(y, id, v) : other_key(y, key, v);
		err = err ? err : yaml_next(y);
	}
	return err;
}

static int read_document(struct yaml *y, struct value *v)
{
	int err = 0;

	for (;;) {
		err = err ? err : yaml_next(y);
		if (err)
			return err;
		switch (y->event.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_STREAM_END_EVENT:
			return 0;
		case YAML_DOCUMENT_START_EVENT:
			if (y->seen & 1u << 31)
				return yaml_fail(y, yaml_line(y),
						 "a second document begins: keep one");
			y->seen |= 1u << 31;
			break;
		case YAML_MAPPING_START_EVENT:
			err = read_keys(y, v);
			break;
		default:
			if (y->event.type != YAML_SCALAR_EVENT || !yaml_is_null(y))
				return yaml_fail(y, yaml_line(y),
						 "no settings: write lines like steps: [2, 4]");
		}
	}
}

/* No fstat(): its versioned symbol is newer than the C libraries that the agent must load in. */
static ssize_t read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n, used = 0;

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

static int parse(struct loader *l, const char *path, const char *text, size_t length,
		 struct value *v)
{
	struct yaml y = { .l = l, .path = path };
	int err;

	if (!yaml_parser_initialize(&y.parser))
		return refuse(l->error, l->size, "%s: no memory to read it", path);
	yaml_parser_set_input_string(&y.parser, (const unsigned char *)text, length);
	err = read_document(&y, v);
	yaml_event_delete(&y.event);
	yaml_parser_delete(&y.parser);
	return err;
}

int load_yaml(struct loader *l, const char *path)
{
	struct {
		struct value value;
		char text[YAML_BYTES + 1];
	} * buffer;
	ssize_t length;
	int err;

	loader_layer(l);
	buffer = malloc(sizeof(*buffer));
	if (!buffer)
		return refuse(l->error, l->size, "%s: no memory to read it", path);
	length = read_file(path, buffer->text, sizeof(buffer->text));
	if (length < 0)
		err = refuse(l->error, l->size, "%s: cannot be read: %s: give another file", path,
			     strerror(-length));
	else if (length > YAML_BYTES)
		err = refuse(l->error, l->size,
			     "%s: larger than %d KiB: give a file of settings", path,
			     YAML_BYTES >> 10);
	else
		err = parse(l, path, buffer->text, length, &buffer->value);
	free(buffer);
	return err;
}
