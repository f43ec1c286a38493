/*
 * parcel.h - what is kept in memory as bytes, and back. One function says both ways, so that they cannot differ: it names each
 * value once, which is written to a parcel that is made, and read from one that is opened. What was made by somebody else is not
 * trusted: of bytes that are no parcel `broken` is set, and all that comes from there on is zero.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parcel {
	bool opened, broken; /* opened: it is read */
	uint8_t *bytes;	     /* of one that is made: for free() */
	size_t size, used;   /* of one that is made size grows */
};

/* One to be read; the bytes stay the caller's. */
#define PARCEL_OF(of, length) ((struct parcel){ .opened = true, .bytes = (uint8_t *)(uintptr_t)(of), .size = (length) })

/* A number of any of these types. */
#define PARCEL(p, number)        \
	_Generic((number),       \
		 bool            \
		 : parcel_truth, \
		   uint16_t      \
		 : parcel_u16,   \
		   uint32_t      \
		 : parcel_u32,   \
		   int32_t       \
		 : parcel_i32,   \
		   uint64_t      \
		 : parcel_u64,   \
		   int64_t       \
		 : parcel_i64,   \
		   double        \
		 : parcel_double)(p, &(number))

void parcel_truth(struct parcel *p, bool *yes);
void parcel_u16(struct parcel *p, uint16_t *n);
void parcel_u32(struct parcel *p, uint32_t *n);
void parcel_i32(struct parcel *p, int32_t *n);
void parcel_u64(struct parcel *p, uint64_t *n);
void parcel_i64(struct parcel *p, int64_t *n);
void parcel_double(struct parcel *p, double *n);

/* A structure, or a row of them, of nothing but uint64_t. */
#define PARCEL_U64S(p, of)                                                               \
	do {                                                                             \
		_Static_assert(sizeof(of) % sizeof(uint64_t) == 0, "uint64_t, no more"); \
		parcel_u64s(p, (uint64_t *)&(of), sizeof(of) / (sizeof(uint64_t)));      \
	} while (0)
void parcel_u64s(struct parcel *p, uint64_t *list, size_t count);

/* One of so many words. */
void parcel_word(struct parcel *p, unsigned int *word, unsigned int limit);
#define PARCEL_ENUM(p, value, limit)             \
	do {                                     \
		unsigned int word_of = (value);  \
		parcel_word(p, &word_of, limit); \
		(value) = word_of;               \
	} while (0)

/* A text for free(); one that may be NULL; and one that has its place. */
void parcel_text(struct parcel *p, char **text);
void parcel_text_or_none(struct parcel *p, char **text);
void parcel_short_text(struct parcel *p, char *text, size_t room);

/* What must stand here; anything else is broken. */
void parcel_expect(struct parcel *p, uint64_t number);
void parcel_expect_text(struct parcel *p, const char *text);

/* Bytes as they are; of one that is opened those that stand there, NULL if there are not so many. */
const uint8_t *parcel_bytes(struct parcel *p, const void *bytes, size_t size);

/*
 * A list: for (size_t i = 0; parcel_has(p, i, &list, &count, sizeof(*list)); i++) with what packs list[i]. list is a pointer to that of the
 * items, which is made when the parcel is opened, for free(), with count as many as came.
 */
bool parcel_has(struct parcel *p, size_t i, void *list, size_t *count, size_t item_size);
