/*
 * index.c - two tables: how names of rows begin, which is all that names of other worlds are compared with, and where each name
 * is. The second is built when the first has let a name through.
 *
 * Who builds one at the same time - another thread, a signal handler that interrupts one, a forked child - does the same in the
 * same order: finds each row where it would put it, and makes a beginning no longer than it was.
 */
#include "hooks/rows/index.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/base/attributes.h"
#include "agent/base/text.h"
#include "hooks/rows/ids.h"
#include "hooks/rows/table.h"

/* A place: all names that have it begin as this row's does, for so many letters. */
struct index_beginnings index_beginnings;
#define BEGINNING(row, letters) (((row) + 1) << 16 | (letters))
#define NAME_OF(beginning)	(hook_rows[((beginning) >> 16) - 1].name)
#define LETTERS_OF(beginning)	((beginning)&0xffff)
#define LETTERS			3 /* that index_place() looks at */

#define SLOTS			(3 * HOOK_COUNT)
static _Atomic uint16_t slots[SLOTS]; /* row + 1, at the hash of its name or behind; 0: free */
static _Atomic bool slots_built;
_Static_assert(HOOK_COUNT < UINT16_MAX, "a row's number has 16 bits");

static const uint16_t patterns[] = {
#define HOOK_ANY(sym, ...) HOOK_##sym,
#include "hooks/rows/vendors.def"
	HOOK_COUNT
};

/* No library has the function of a row that is injected, and callers are linked to some others: nobody may look them up. */
BARE static bool has_library(unsigned int row)
{
	return hook_rows[row].family[0];
}

/* ---- patterns ---- */

BARE static bool is_pattern(unsigned int row)
{
	unsigned int i = 0;

	while (patterns[i] < row)
		i++;
	return patterns[i] == row;
}

BARE static bool fits(const char *pattern, const char *name)
{
	for (; *pattern && *pattern != '*'; name++) {
		if (*pattern == '[' && *name >= pattern[1] && *name <= pattern[3])
			pattern += sizeof("[A-Z]") - 1;
		else if (*pattern++ != *name)
			return false;
	}
	if (!*pattern)
		return !*name;
	while (!fits(pattern + 1, name))
		if (!*name++)
			return false;
	return true;
}

/* ---- beginnings ---- */

/* So many letters they have in common, at most. */
BARE ALWAYS_INLINE uint32_t common(const char *a, const char *b, uint32_t most)
{
	uint32_t n = 0;

	while (n < most && a[n] == b[n])
		n++;
	return n;
}

/* Letters in front of what is none: no name has a star or a bracket. */
BARE static uint32_t literal(const char *name)
{
	uint32_t n = 0;

	while (name[n] && name[n] != '*' && name[n] != '[')
		n++;
	return n;
}

BARE static void add_beginning(unsigned int row, unsigned int place)
{
	const char *name = hook_rows[row].name;
	uint32_t known = atomic_load_explicit(&index_beginnings.place[place], memory_order_relaxed), more;

	do
		more = known ? (known & ~0xffffu) | common(NAME_OF(known), name, LETTERS_OF(known)) : BEGINNING(row, literal(name));
	while (more != known && !atomic_compare_exchange_weak(&index_beginnings.place[place], &known, more));
}

/* Of a pattern with fewer letters than are hashed, names are anywhere. */
BARE static void add_beginnings(unsigned int row)
{
	const char *name = hook_rows[row].name;

	if (!has_library(row))
		return;
	if (!is_pattern(row) || literal(name) >= LETTERS)
		add_beginning(row, index_place(name));
	else
		for (unsigned int place = 0; place < INDEX_BEGINNINGS; place++)
			add_beginning(row, place);
}

BARE NOINLINE static void build_beginnings(void)
{
	for (unsigned int row = 0; row < HOOK_COUNT; row++)
		add_beginnings(row);
	atomic_store_explicit(&index_beginnings.built, true, memory_order_release);
}

BARE bool index_compare(const char *name)
{
	uint32_t known;

	if (!hook_rows[HOOK_COUNT - 1].name) /* the loader has not come to our own relocations */
		return false;
	if (!atomic_load_explicit(&index_beginnings.built, memory_order_acquire))
		build_beginnings();
	known = atomic_load_explicit(&index_beginnings.place[index_place(name)], memory_order_relaxed);
	return known && common(NAME_OF(known), name, LETTERS_OF(known)) == LETTERS_OF(known);
}

/* ---- names ---- */

BARE static unsigned int slot_of(const char *name)
{
	uint32_t h = 5381;

	while (*name)
		h = h * 33 + (unsigned char)*name++;
	return (unsigned int)((uint64_t)(h * 0x9E3779B1u) * SLOTS >> 32);
}

/* Where this name is, or would be. */
BARE static _Atomic uint16_t *find_slot(const char *name)
{
	unsigned int slot = slot_of(name), known;

	while ((known = atomic_load_explicit(&slots[slot], memory_order_relaxed)) && !text_equal(hook_rows[known - 1].name, name))
		slot = slot + 1 < SLOTS ? slot + 1 : 0;
	return &slots[slot];
}

/* A HOOK_AS row has the name of the HOOK row in front of it, which counts. */
BARE NOINLINE static void build_slots(void)
{
	for (unsigned int row = 0; row < HOOK_COUNT; row++) {
		_Atomic uint16_t *slot = is_pattern(row) || !has_library(row) ? NULL : find_slot(hook_rows[row].name);

		if (slot && !atomic_load_explicit(slot, memory_order_relaxed))
			atomic_store_explicit(slot, (uint16_t)(row + 1), memory_order_relaxed);
	}
	atomic_store_explicit(&slots_built, true, memory_order_release);
}

BARE int index_find(const char *name)
{
	if (!index_may_have(name))
		return -1;
	if (UNLIKELY(!atomic_load_explicit(&slots_built, memory_order_acquire)))
		build_slots();
	return (int)atomic_load_explicit(find_slot(name), memory_order_relaxed) - 1;
}

BARE int index_fit(const char *name)
{
	if (!index_may_have(name))
		return -1;
	for (unsigned int i = 0; patterns[i] < HOOK_COUNT; i++)
		if (fits(hook_rows[patterns[i]].name, name))
			return patterns[i];
	return -1;
}
