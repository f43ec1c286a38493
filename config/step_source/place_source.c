#include "config/step_source/place_source.h"
#include <string.h>
#include "config/base/refuse.h"
#include "config/step_source/marker.h"
#include "config/step_source/python.h"
#include "config/step_source/spec_list.h"

#define PYTHON "python:"
#define MARKER "marker:"

const char *const place_source_usages[] = { PYTHON PYTHON_FUNCTION, NULL };
const char *const stage_source_usages[] = { PYTHON PYTHON_FUNCTION, MARKER "REGEX", NULL };

static int read_one(struct python_function *f, enum python_of of, const char *from, const char *end, char *why, size_t size)
{
	char text[512];
	size_t length = (size_t)(end - from);

	if (length >= sizeof(text))
		return refuse(why, size, "longer than %zu bytes: write a shorter one", sizeof(text) - 1);
	memcpy(text, from, length);
	text[length] = '\0';
	if (strncmp(text, PYTHON, strlen(PYTHON)))
		return refuse(why, size, "'%.64s' is no source here: write " PYTHON PYTHON_FUNCTION "%s", text, of == PYTHON_STAGE ? " or " MARKER "REGEX" : "");
	return python_read(f, of, text + strlen(PYTHON), why, size);
}

int place_source_parse(const char *text, enum python_of of, struct python_function list[PLACE_SOURCES], unsigned int *count, char *why,
		       size_t size)
{
	struct marker_spec markers[MARKER_STAGES];
	const char *from, *end;
	int err = of == PYTHON_STAGE ? marker_stages(text, markers, count, why, size) : 0;

	if (err)
		return err;
	for (*count = 0; spec_next(&text, &from, &end);) {
		if (of == PYTHON_STAGE && !strncmp(from, MARKER, strlen(MARKER)))
			continue;
		if (*count == PLACE_SOURCES)
			return refuse(why, size, "more than %d sources: write fewer", PLACE_SOURCES);
		err = read_one(&list[(*count)++], of, from, end, why, size);
		if (err)
			return err;
	}
	return 0;
}
