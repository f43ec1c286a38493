/*
 * arguments_rows.c - what each place of each row is given when it is good, the call itself, and what came of
 * it. Made from the table of hooks: what a place takes is told by the type and the name of its argument.
 *
 * ARGUMENTS_OF is a header of the vendor's: the objects that are good; VALUE(argument), what a place takes by its type; good_integers, by its
 * name; own_value(), where it takes something else; own_place(), what no place may have; STATUS, the type of a result that is one; ROWS_OF, a
 * file with all rows; real_objects() and find_extensions(), as in arguments.h.
 */
#include "arguments.h"
#include "tests/programs/each.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZONE	  512
#define UNTOUCHED 0x5a5a /* errno before a call */

/* ---- what is good in a place ---- */

enum kind { INTEGER,
	    POINTER,
	    HANDLE,
	    FUNCTION };

struct value {
	enum kind kind;
	uintptr_t value;     /* of an integer or a handle */
	const void *content; /* of what a pointer leads to; NULL: nothing in particular */
	size_t size;
};

struct named_integer {
	const char *name;
	uintptr_t value;
};

static void called_back(void)
{
}

#define CONTENT(...)                                          \
	(struct value)                                        \
	{                                                     \
		POINTER, 0, &__VA_ARGS__, sizeof(__VA_ARGS__) \
	}
#define OBJECT(object)                                  \
	(struct value)                                  \
	{                                               \
		HANDLE, (uintptr_t)good.object, NULL, 0 \
	}
#define SOMETHING                   \
	(struct value)              \
	{                           \
		POINTER, 0, NULL, 0 \
	}
#define CALLBACK                     \
	(struct value)               \
	{                            \
		FUNCTION, 0, NULL, 0 \
	}
#define NUMBER                      \
	(struct value)              \
	{                           \
		INTEGER, 0, NULL, 0 \
	}

#include ARGUMENTS_OF

void fake_objects(void)
{
	void **object = (void **)&good;

	for (size_t i = 0; i < sizeof(good) / sizeof(*object); i++)
		object[i] = (void *)(0x100000ul + 64 * i);
}

static uintptr_t good_integer(const char *name)
{
	for (size_t i = 0; i < sizeof(good_integers) / sizeof(*good_integers); i++)
		if (!strcmp(name, good_integers[i].name))
			return good_integers[i].value;
	return 0;
}

static uintptr_t good_value(const char *name, const struct value *v, unsigned char *zone)
{
	uintptr_t own = own_value(name, v);

	if (own)
		return own;
	switch (v->kind) {
	case INTEGER: return good_integer(name);
	case FUNCTION: return (uintptr_t)called_back;
	case HANDLE: return v->value;
	case POINTER: break;
	}
	if (v->content && !strstr(name, "origin") && !strstr(name, "offset"))
		memcpy(zone, v->content, v->size);
	return (uintptr_t)zone;
}

/* ---- one call: one place is bad, the others are good ---- */

struct variant variant;
int places;
unsigned char *zones;
char shown[4096];
static unsigned char before[MOST][ZONE];

/* What stands at the next place of this call. */
static uintptr_t place(const char *name, struct value v)
{
	int i = places++;
	unsigned char *zone = zones + i * ZONE;
	uintptr_t value;

	memset(zone, 0, ZONE);
	value = good_value(name, &v, zone);
	if (variant.place == i || variant.place == MOST)
		value = variant.value[v.kind];
	if (i == 0 && variant.first_is_null)
		value = 0;
	value = own_place(name, value, zone);
	memcpy(before[i], zone, ZONE);
	return value;
}

/* ---- what came of it ---- */

void show(const char *format, ...)
{
	size_t n = strlen(shown);
	va_list list;

	va_start(list, format);
	vsnprintf(shown + n, sizeof(shown) - n, format, list);
	va_end(list);
}

/* Small numbers as they are; of addresses and times only that there is something. */
static void show_written(void)
{
	for (int i = 0; i < places; i++) {
		for (size_t at = 0; at < ZONE; at += 4) {
			int32_t now, was;

			memcpy(&now, zones + i * ZONE + at, 4);
			memcpy(&was, before[i] + at, 4);
			if (now == was)
				continue;
			if (now > -200 && now < 65536)
				show(" %d+%zu=%d", i, at, now);
			else
				show(" %d+%zu=something", i, at);
			if (now <= -200 || now >= 65536)
				at += 4; /* the other half of an address may be 0 or not */
		}
	}
}

static void outcome(bool is_status, uintptr_t result)
{
	int error = errno;

	if (is_status)
		show("%d", (int)result);
	else
		show("%s", result ? "object" : "NULL");
	if (error != UNTOUCHED)
		show(" errno %d", error);
	show_written();
}

#define UNPAREN(...) __VA_ARGS__
#include "hooks/rows/one_form.h"
#define SET(a) a = (__typeof__(a))place(#a, VALUE(a));
#define HOOK(ret, sym, params, args, ...)                                                \
	static void try_##sym params                                                     \
	{                                                                                \
		EACH(SET, UNPAREN args)                                                  \
		errno = UNTOUCHED;                                                       \
		outcome(__builtin_types_compatible_p(ret, STATUS), (uintptr_t)sym args); \
	}
#undef HOOK_VOID
#define HOOK_VOID(sym, params, args, ...) \
	static void try_##sym params      \
	{                                 \
		EACH(SET, UNPAREN args)   \
		errno = UNTOUCHED;        \
		sym args;                 \
		outcome(true, 0);         \
	}
#define HOOK_AS(sym, kind)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wpointer-to-int-cast"
#include ROWS_OF
#include "hooks/rows/undef_forms.h"

#define ONE(a)				  +1
#define HOOK(ret, sym, params, args, ...) { #sym, (void *)try_##sym, 0 EACH(ONE, UNPAREN args) },
#include "hooks/rows/one_form.h"
#define HOOK_AS(sym, kind)
const struct row rows[] = {
#include ROWS_OF
};
const size_t row_count = sizeof(rows) / sizeof(*rows);
