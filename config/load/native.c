/* native.c - a native profile.yaml: which keys there are and what they may hold. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "config/base/refuse.h"
#include "config/base/words.h"
#include "config/load/dialects.h"
#include "config/load/yaml_value.h"

/* All keys that a file may hold: what is no setting, settings, and their older names. */
static const char *const keys[] = {
	"export", "step",
#define OPTION(key, type, initial, metavar, help) #key,
#define SPELLING(key, other)			  #other,
#include "config/options.def"
	NULL
};
#define NO_SETTINGS 2 /* the first ones, which are not proposed in place of another word */
#define KEYS	    (sizeof(keys) / sizeof(keys[0]) - 1)

bool native_knows(const char *key)
{
	for (unsigned int i = 0; i < KEYS; i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

/* A file that is being read. */
struct native {
	struct yaml y;
	bool began;			 /* a document */
	uint64_t seen[BITS_WORDS(KEYS)]; /* keys */
};

/* Where else in a file it may stand. */
static const char *other_key_for(enum option_id id)
{
	for (const struct option_spelling *s = option_spellings; s->key; s++)
		if (s->id == id)
			return s->key;
	return "step.sources";
}

static int set_option(struct yaml *y, enum option_id id, const char *key, struct value *v)
{
	const struct option_row *o = &options[id];
	char where[WHERE_SIZE];

	if (v->shape == SHAPE_NULL)
		return 0;
	if ((v->shape == SHAPE_MAP && !o->type->map && !o->type->maps) || (v->shape == SHAPE_LIST && !o->type->list))
		return yaml_fail(y, v->line, "%s: a %s is not allowed here: write %s", key,
				 v->shape == SHAPE_MAP ? "mapping" : "list",
				 o->type->maps ? "a mapping like {actor: {ranks: [0]}}" : o->type->list ? "a list like [a, b]"
										  : o->type->map	? "a mapping like {a: 1}"
													: "one value");
	if (v->shape == SHAPE_MAP && (o->type->maps ? yaml_read_maps(y, v) : yaml_read_map(y, v, ',')))
		return -EINVAL;
	if (bits_has(y->l->given, id))
		return yaml_fail(y, v->line, "%s and %s are the same setting: keep one", o->key, other_key_for(id));
	snprintf(where, sizeof(where), "%s:%lu: %s", y->path, v->line, key);
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
			return yaml_fail(y, yaml_line(y), "step may only contain sources: write "
							  "step: {sources: [api]}");
		v = malloc(sizeof(*v));
		if (!v)
			return yaml_fail(y, yaml_line(y), "no memory to read it");
		err = yaml_read_value(y, v, ';');
		err = err ? err : set_option(y, OPTION_step_source, "step_source", v);
		free(v);
		err = err ? err : yaml_next(y);
	}
	return err;
}

/* What is no setting. */
static int other_key(struct yaml *y, const char *key, const struct value *v)
{
	unsigned long line = v->line;

	if (v->shape == SHAPE_NULL)
		return 0;
	if (!strcmp(key, "step")) {
		if (v->shape == SHAPE_MAP)
			return read_step(y);
		return yaml_fail(y, line, "unknown key 'step': write 'steps'");
	}
	if (v->shape == SHAPE_LIST && !v->text[0])
		return 0;
	return yaml_fail(y, line, "%s is no setting: write analysis: true and export_type: text", key);
}

/* Returns the current key as it stands in keys, or NULL after a complaint. */
static const char *find_key(struct native *n)
{
	struct yaml *y = &n->y;
	const char *text = (const char *)y->event.data.scalar.value, *near;

	if (!strcmp(text, "<<")) {
		yaml_fail(y, yaml_line(y), "merge keys are not supported: write the values out");
		return NULL;
	}
	for (unsigned int i = 0; i < KEYS; i++) {
		if (strcmp(keys[i], text))
			continue;
		if (bits_has(n->seen, i)) {
			yaml_fail(y, yaml_line(y), "the key '%s' is given twice: keep one",
				  text);
			return NULL;
		}
		bits_add(n->seen, i);
		return keys[i];
	}
	near = word_nearest(text, keys + NO_SETTINGS);
	if (near)
		yaml_fail(y, yaml_line(y), "unknown key '%.64s': write '%s'", text, near);
	else
		yaml_fail(y, yaml_line(y), "unknown key '%.64s': docs/options.md lists the keys",
			  text);
	return NULL;
}

static int read_keys(struct native *n, struct value *v)
{
	struct yaml *y = &n->y;
	const char *key;
	enum option_id id;
	int err;

	err = yaml_next(y);
	while (!err && y->event.type != YAML_MAPPING_END_EVENT) {
		if (y->event.type != YAML_SCALAR_EVENT)
			return yaml_fail(y, yaml_line(y), "a key must be a word, like steps");
		key = find_key(n);
		if (!key)
			return -EINVAL;
		id = option_find(key);
		err = yaml_read_value(y, v, id < OPTIONS && options[id].type->semicolons ? ';' : ',');
		if (!err)
			err = id < OPTIONS ? set_option(y, id, key, v) : other_key(y, key, v);
		err = err ? err : yaml_next(y);
	}
	return err;
}

/* `steps:[2]` is one word to YAML. */
static bool lacks_blank(const struct yaml *y)
{
	const char *text = (const char *)y->event.data.scalar.value;
	size_t length = strcspn(text, ":");
	char key[OPTION_NAME];

	snprintf(key, sizeof(key), "%.*s", (int)length, text);
	for (unsigned int i = 0; text[length] && i < KEYS; i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

/* Elsewhere null leaves a setting unset; trainers' files mean no steps by it, unless a range says which. */
static int mean_no_steps(struct native *n)
{
	const uint64_t *given = n->y.l->given;

	for (unsigned int i = 0; i < KEYS; i++)
		if (!strcmp(keys[i], "steps") && bits_has(n->seen, i) && !bits_has(given, OPTION_steps) &&
		    !bits_has(given, OPTION_step_start) && !bits_has(given, OPTION_step_end))
			return loader_set(n->y.l, OPTION_steps, "steps", "");
	return 0;
}

static int read_document(struct native *n, struct value *v)
{
	struct yaml *y = &n->y;
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
			return mean_no_steps(n);
		case YAML_DOCUMENT_START_EVENT:
			if (n->began)
				return yaml_fail(y, yaml_line(y),
						 "a second document begins: keep one");
			n->began = true;
			break;
		case YAML_MAPPING_START_EVENT:
			err = read_keys(n, v);
			break;
		default:
			if (y->event.type == YAML_SCALAR_EVENT && lacks_blank(y))
				return yaml_fail(y, yaml_line(y), "no blank behind the ':': write lines like steps: [2, 4]");
			if (y->event.type != YAML_SCALAR_EVENT || !yaml_is_null(y))
				return yaml_fail(y, yaml_line(y),
						 "no settings: write lines like steps: [2, 4]");
		}
	}
}

int native_read(struct loader *l, const char *path, const char *text, size_t length)
{
	struct native n = { .y = { .l = l, .path = path } };
	struct value *v = malloc(sizeof(*v));
	int err;

	if (!v || !yaml_parser_initialize(&n.y.parser)) {
		free(v);
		return refuse(l->error, l->size, "%s: no memory to read it", path);
	}
	yaml_parser_set_input_string(&n.y.parser, (const unsigned char *)text, length);
	err = read_document(&n, v);
	yaml_event_delete(&n.y.event);
	yaml_parser_delete(&n.y.parser);
	free(v);
	return err;
}
