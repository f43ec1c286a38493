#include "agent/stacks/python_layout.h"
#include <string.h>
#include "agent/base/text.h"
#include "agent/stacks/python_layouts.h"

#define SELF_DESCRIBED 13

/* Where in the table of _PyRuntime (words) an offset stands: pycore_debug_offsets.h of each version. */
struct described {
	uint16_t minor;
	uint8_t frame, back, code, instr, owner, bytes, name, file, lines, line, length, state, ascii, bytes_length, bytes_begin;
};

static const struct described described[] = {
	{ .minor = 13, .frame = 23, .back = 29, .code = 30, .instr = 31, .owner = 33, .file = 35, .name = 37, .lines = 38, .line = 39, .bytes = 43, .bytes_length = 65, .bytes_begin = 66, .state = 68, .length = 69, .ascii = 70 },
	{ .minor = 14, .frame = 26, .back = 32, .code = 33, .instr = 34, .owner = 36, .file = 40, .name = 42, .lines = 43, .line = 44, .bytes = 48, .bytes_length = 75, .bytes_begin = 76, .state = 78, .length = 79, .ascii = 80 },
};

enum { WORD_COOKIE,
       WORD_VERSION, /* PY_VERSION_HEX */
       WORD_FREE_THREADED };

static const struct described *described_by(const uint64_t *table, unsigned int minor)
{
	if (!table || memcmp(&table[WORD_COOKIE], "xdebugpy", 8) || table[WORD_VERSION] >> 16 != (3u << 8 | minor) || table[WORD_FREE_THREADED])
		return NULL;
	for (unsigned int i = 0; i < sizeof(described) / sizeof(*described); i++)
		if (described[i].minor == minor)
			return &described[i];
	return NULL;
}

static bool take_described(struct python_layout *l, const uint64_t *table, unsigned int minor)
{
	const struct described *d = described_by(table, minor);

	if (!d)
		return false;
	*l = (struct python_layout){ .minor = (uint16_t)minor };
#define TAKE(field) (l->field = (uint16_t)table[d->field])
	TAKE(frame), TAKE(back), TAKE(code), TAKE(instr), TAKE(owner), TAKE(bytes), TAKE(name), TAKE(file), TAKE(lines), TAKE(line), TAKE(length), TAKE(state), TAKE(ascii),
		TAKE(bytes_length), TAKE(bytes_begin);
#undef TAKE
	l->version = (uint16_t)(l->line + VERSION_BEHIND_LINE);
	return true;
}

/* Of "3.11.7 (main, ...)": 11. */
static unsigned int minor_of(const char *version)
{
	unsigned int minor = 0;

	if (!text_starts(version, "3."))
		return 0;
	for (const char *p = version + 2; *p >= '0' && *p <= '9' && minor < 1000; p++)
		minor = 10 * minor + (unsigned int)(*p - '0');
	return minor;
}

bool python_layout_find(struct python_layout *l, const char *version, const void *runtime)
{
	unsigned int minor = minor_of(version);

	l->minor = 0;
	if (minor >= SELF_DESCRIBED)
		return take_described(l, runtime, minor);
	if (minor < PYTHON_OLDEST)
		return false;
	*l = *python_layout_of(minor);
	return true;
}
