/* yaml_value.c - every event of a file of settings passes check_event(). */
#include "config/load/yaml_value.h"
#include <string.h>

unsigned long yaml_line(const struct yaml *y)
{
	return y->event.start_mark.line + 1;
}

/* A byte that is no text at all is told by its place only. */
static unsigned long problem_line(const yaml_parser_t *p)
{
	const unsigned char *at = p->input.string.start, *end = at + p->problem_offset;
	unsigned long line = 1;

	if (p->error != YAML_READER_ERROR)
		return p->problem_mark.line + 1;
	for (; at < end && at < p->input.string.end; at++)
		line += *at == '\n';
	return line;
}

static int not_yaml(struct yaml *y)
{
	const yaml_parser_t *p = &y->parser;

	return yaml_fail(y, problem_line(p), "this is not YAML (%s): write lines like steps: [2, 4]",
			 p->problem ? p->problem : "it cannot be read");
}

static int check_event(struct yaml *y)
{
	const yaml_event_t *e = &y->event;
	const yaml_char_t *anchor = NULL, *tag = NULL;

	switch (e->type) {
	case YAML_SCALAR_EVENT:
		anchor = e->data.scalar.anchor;
		tag = e->data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		/* Both structs begin with anchor, tag. */
		anchor = e->data.sequence_start.anchor;
		tag = e->data.sequence_start.tag;
		y->depth++;
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		y->depth--;
		break;
	case YAML_ALIAS_EVENT:
		return yaml_fail(y, yaml_line(y), "aliases are not supported: write the value out");
	default:
		break;
	}
	if (anchor)
		return yaml_fail(y, yaml_line(y), "anchors are not supported: remove '&%.64s'",
				 (const char *)anchor);
	if (tag)
		return yaml_fail(y, yaml_line(y), "tags are not supported: remove '%.64s'",
				 (const char *)tag);
	if (y->depth > YAML_DEPTH)
		return yaml_fail(y, yaml_line(y), "nested deeper than %d levels: use fewer",
				 YAML_DEPTH);
	if (++y->events > YAML_EVENTS)
		return yaml_fail(y, yaml_line(y), "more than %d values and brackets: write fewer",
				 YAML_EVENTS);
	return 0;
}

int yaml_next(struct yaml *y)
{
	yaml_event_delete(&y->event);
	if (!yaml_parser_parse(&y->parser, &y->event))
		return not_yaml(y);
	return check_event(y);
}

/* Copies the current scalar behind what text holds already. */
static int append(struct yaml *y, struct value *v, char separator)
{
	const char *text = (const char *)y->event.data.scalar.value;
	size_t length = y->event.data.scalar.length, used = strlen(v->text);

	if (strlen(text) != length)
		return yaml_fail(y, yaml_line(y), "NUL is not allowed: remove it");
	if (used + length + 2 > sizeof(v->text))
		return yaml_fail(y, v->line, "longer than %zu bytes: shorten it", sizeof(v->text));
	if (used)
		v->text[used++] = separator;
	memcpy(v->text + used, text, length + 1);
	return 0;
}

bool yaml_is_null(const struct yaml *y)
{
	static const char *const words[] = { "", "~", "null", "Null", "NULL" };

	if (y->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		return false;
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp((const char *)y->event.data.scalar.value, words[i]))
			return true;
	return false;
}

static int read_list(struct yaml *y, struct value *v, char separator)
{
	int err;

	v->shape = SHAPE_LIST;
	for (;;) {
		err = yaml_next(y);
		if (err || y->event.type == YAML_SEQUENCE_END_EVENT)
			return err;
		if (y->event.type != YAML_SCALAR_EVENT || yaml_is_null(y))
			return yaml_fail(y, yaml_line(y),
					 "a list holds plain values here, like [2, 4]");
		err = append(y, v, separator);
		if (err)
			return err;
	}
}

/* A pair's key, then its value behind the sign; a value of null is one that was not written. */
static int read_pair(struct yaml *y, struct value *v, char separator)
{
	size_t before = strlen(v->text);
	int err;

	if (y->event.type != YAML_SCALAR_EVENT)
		return yaml_fail(y, yaml_line(y), "a key must be a word, like wait");
	err = append(y, v, separator);
	err = err ? err : yaml_next(y);
	if (err)
		return err;
	if (y->event.type != YAML_SCALAR_EVENT)
		return yaml_fail(y, yaml_line(y), "a mapping holds plain values here, like {wait: 1, active: 3}");
	if (!yaml_is_null(y))
		return append(y, v, '=');
	v->text[before] = '\0';
	return 0;
}

int yaml_read_map(struct yaml *y, struct value *v, char separator)
{
	int err;

	for (;;) {
		err = yaml_next(y);
		if (err || y->event.type == YAML_MAPPING_END_EVENT)
			return err;
		err = read_pair(y, v, separator);
		if (err)
			return err;
	}
}

/* ---- mappings in a mapping ---- */

static int put(struct yaml *y, struct value *v, char c)
{
	size_t used = strlen(v->text);

	if (used + 2 > sizeof(v->text))
		return yaml_fail(y, v->line, "longer than %zu bytes: shorten it", sizeof(v->text));
	v->text[used] = c;
	v->text[used + 1] = '\0';
	return 0;
}

/* Commas stand between values of a name; in one of them blanks say the same. */
static int append_blanks(struct yaml *y, struct value *v, char separator)
{
	char *added = v->text + strlen(v->text);
	int err = append(y, v, separator);

	for (added += !err; !err && *added; added++)
		if (*added == ',')
			*added = ' ';
	return err;
}

static int read_inner_value(struct yaml *y, struct value *v, size_t before)
{
	int err;

	switch (y->event.type) {
	case YAML_SCALAR_EVENT:
		if (!yaml_is_null(y))
			return append_blanks(y, v, '=');
		v->text[before] = '\0';
		return 0;
	case YAML_SEQUENCE_START_EVENT:
		err = put(y, v, '=');
		return err ? err : read_list(y, v, ' ');
	case YAML_MAPPING_START_EVENT:
		err = put(y, v, '=');
		return err ? err : yaml_read_map(y, v, ' ');
	default:
		return yaml_fail(y, yaml_line(y), "a value is missing here");
	}
}

/* name{key=value,...}: what is left of the mapping behind a name. */
static int read_inner(struct yaml *y, struct value *v)
{
	size_t start = strlen(v->text), before;
	int err;

	for (;;) {
		err = yaml_next(y);
		if (err)
			return err;
		if (y->event.type == YAML_MAPPING_END_EVENT)
			return v->text[start] ? put(y, v, '}') : 0;
		if (y->event.type != YAML_SCALAR_EVENT)
			return yaml_fail(y, yaml_line(y), "a key must be a word, like ranks");
		before = strlen(v->text);
		err = append(y, v, before == start ? '{' : ',');
		err = err ? err : yaml_next(y);
		err = err ? err : read_inner_value(y, v, before);
		if (err)
			return err;
	}
}

int yaml_read_maps(struct yaml *y, struct value *v)
{
	int err;

	for (;;) {
		err = yaml_next(y);
		if (err || y->event.type == YAML_MAPPING_END_EVENT)
			return err;
		if (y->event.type != YAML_SCALAR_EVENT)
			return yaml_fail(y, yaml_line(y), "a key must be a word, like actor");
		err = append(y, v, ';');
		err = err ? err : yaml_next(y);
		if (err)
			return err;
		if (y->event.type == YAML_MAPPING_START_EVENT)
			err = read_inner(y, v);
		else if (y->event.type != YAML_SCALAR_EVENT || !yaml_is_null(y))
			err = yaml_fail(y, yaml_line(y), "a mapping stands here, like actor: {ranks: [0]}");
		if (err)
			return err;
	}
}

int yaml_read_value(struct yaml *y, struct value *v, char separator)
{
	int err = yaml_next(y);

	v->line = yaml_line(y);
	v->text[0] = '\0';
	if (err)
		return err;
	if (y->event.type == YAML_MAPPING_START_EVENT) {
		v->shape = SHAPE_MAP;
		return 0;
	}
	if (y->event.type == YAML_SEQUENCE_START_EVENT)
		return read_list(y, v, separator);
	v->shape = yaml_is_null(y) ? SHAPE_NULL : SHAPE_SCALAR;
	return append(y, v, separator);
}
