/* tree_yaml.c - reads a document into nodes. */
#include <errno.h>
#include <string.h>
#include "config/load/tree.h"

/* A document that is being read. */
struct reading {
	struct yaml y;
	struct tree *t;
};

static int read_node(struct reading *r, struct node *n);

static int no_room(struct reading *r)
{
	return yaml_fail(&r->y, yaml_line(&r->y), "too many settings: write fewer");
}

static bool has_nul(const yaml_event_t *e)
{
	return e->type == YAML_SCALAR_EVENT && strlen((const char *)e->data.scalar.value) != e->data.scalar.length;
}

/* The node for the current key. */
static struct node *node_for_key(struct reading *r, struct node *map)
{
	const char *key = (const char *)r->y.event.data.scalar.value;
	unsigned long line = yaml_line(&r->y);
	struct node *n = NULL;

	if (r->y.event.type != YAML_SCALAR_EVENT)
		yaml_fail(&r->y, line, "a key must be a word, like steps");
	else if (has_nul(&r->y.event))
		yaml_fail(&r->y, line, "NUL is not allowed: remove it");
	else if (!strcmp(key, "<<"))
		yaml_fail(&r->y, line, "merge keys are not supported: write the values out");
	else if (tree_child(map, key, strlen(key)))
		yaml_fail(&r->y, line, "the key '%.64s' is given twice: keep one", key);
	else if (!(n = tree_add(r->t, map, key, strlen(key))))
		no_room(r);
	if (n)
		n->line = line;
	return n;
}

static int read_map(struct reading *r, struct node *map)
{
	struct node *n;
	int err = yaml_next(&r->y);

	while (!err && r->y.event.type != YAML_MAPPING_END_EVENT) {
		n = node_for_key(r, map);
		if (!n)
			return -EINVAL;
		err = yaml_next(&r->y);
		err = err ? err : read_node(r, n);
		err = err ? err : yaml_next(&r->y);
	}
	return err;
}

static int read_list(struct reading *r, struct node *list)
{
	struct node *n;
	int err = yaml_next(&r->y);

	while (!err && r->y.event.type != YAML_SEQUENCE_END_EVENT) {
		n = tree_add(r->t, list, NULL, 0);
		if (!n)
			return no_room(r);
		err = read_node(r, n);
		err = err ? err : yaml_next(&r->y);
	}
	return err;
}

/* The current event is where it begins. */
static int read_node(struct reading *r, struct node *n)
{
	const yaml_event_t *e = &r->y.event;

	n->origin = r->y.path;
	if (!n->key)
		n->line = yaml_line(&r->y);
	if (e->type == YAML_MAPPING_START_EVENT || e->type == YAML_SEQUENCE_START_EVENT) {
		n->shape = e->type == YAML_MAPPING_START_EVENT ? SHAPE_MAP : SHAPE_LIST;
		return n->shape == SHAPE_MAP ? read_map(r, n) : read_list(r, n);
	}
	if (has_nul(e))
		return yaml_fail(&r->y, n->line, "NUL is not allowed: remove it");
	n->shape = yaml_is_null(&r->y) ? SHAPE_NULL : SHAPE_SCALAR;
	n->text = tree_text(r->t, (const char *)e->data.scalar.value, e->data.scalar.length);
	return n->text ? 0 : no_room(r);
}

static int read_document(struct reading *r, struct node *n)
{
	bool began = false;
	int err = yaml_next(&r->y);

	while (!err && r->y.event.type != YAML_STREAM_END_EVENT) {
		switch (r->y.event.type) {
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_DOCUMENT_START_EVENT:
			if (began)
				return yaml_fail(&r->y, yaml_line(&r->y), "a second document begins: keep one");
			began = true;
			break;
		default:
			err = read_node(r, n);
		}
		err = err ? err : yaml_next(&r->y);
	}
	return err;
}

int tree_read(struct tree *t, struct node *n, struct loader *l, const char *path, const char *text, size_t length)
{
	struct reading r = { .y = { .l = l, .path = path }, .t = t };
	int err;

	if (!yaml_parser_initialize(&r.y.parser))
		return refuse(l->error, l->size, "%s: no memory to read it", path);
	yaml_parser_set_input_string(&r.y.parser, (const unsigned char *)text, length);
	err = read_document(&r, n);
	yaml_event_delete(&r.y.event);
	yaml_parser_delete(&r.y.parser);
	return err;
}
