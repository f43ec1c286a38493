/* arguments.h - calls to every row in which one argument is bad and the others are good. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST 14 /* arguments of a row */

/* What is bad in the next call. */
extern struct variant {
	int place;	    /* the bad one; MOST: all of them */
	bool first_is_null; /* so that the call fails before the bad place is looked at */
	uintptr_t value[4]; /* for an integer, a pointer, a handle, a function */
	const char *name;
} variant;

/* Every row: try() makes the call that the variant asks for, and shows what came of it. */
extern const struct row {
	const char *name;
	void *try;
	int places;
} rows[];
extern const size_t row_count;

extern unsigned char *zones; /* where pointers lead to: four pages, the third not to be touched */
extern char shown[4096];     /* the result, errno, the status and whatever else was written */
extern int places;	     /* of the row, so far */

void show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The good objects: made up, or a real runtime's. The latter returns 77 if there is no device. */
void fake_objects(void);
int real_objects(void);
/* Functions that are no library's exports: only the runtime's look-up finds them. */
void find_extensions(void);
