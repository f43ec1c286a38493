/* yaml_value.h - libyaml's events, one at a time and within limits, and values made flat. */
#pragma once
#include <yaml.h>
#include "config/base/refuse.h"
#include "config/loader.h"

#define YAML_DEPTH  16
#define YAML_EVENTS 4096

struct yaml {
	struct loader *l;
	const char *path;
	yaml_parser_t parser;
	yaml_event_t event; /* the current one; deleted by yaml_next() */
	unsigned int events, depth;
};

enum shape { SHAPE_NULL,
	     SHAPE_SCALAR,
	     SHAPE_LIST,
	     SHAPE_MAP };

/* A value, flat: the items of a list with a separator between. */
struct value {
	enum shape shape;
	unsigned long line;
	char text[8192];
};

#define yaml_fail(y, line, format, ...) \
	refuse((y)->l->error, (y)->l->size, "%s:%lu: " format, (y)->path, line, ##__VA_ARGS__)

/* The line of the current event. */
unsigned long yaml_line(const struct yaml *y);

/* Goes on to the next event; 0, or -EINVAL with a line in the loader's error. */
int yaml_next(struct yaml *y);

/* Is the current scalar YAML's null? */
bool yaml_is_null(const struct yaml *y);

/* Reads what is left of a mapping of plain values: key=value each, a separator between. */
int yaml_read_map(struct yaml *y, struct value *v, char separator);

/* Reads what is left of a mapping of mappings: name{key=value,...} each, semicolons between; of lists and mappings in those, blanks. */
int yaml_read_maps(struct yaml *y, struct value *v);

/* Reads a value whole; of a mapping only its opening. */
int yaml_read_value(struct yaml *y, struct value *v, char separator);
