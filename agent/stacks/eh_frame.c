#include "agent/stacks/eh_frame.h"
#if defined(__x86_64__)
#include <string.h>

/*
 * .eh_frame and .eh_frame_hdr: Linux Standard Base Core 5.0, 10.6; what stands in them: DWARF 4, 6.4, and the System V ABI for x86-64, 3.6.2. Of the
 * encodings those that GNU ld and lld write for a library: relative to the place, or to the table, in 32 bits.
 */
#define TABLE_HEAD    12 /* bytes: version, three encodings, where .eh_frame is, how many entries */
#define TABLE_VERSION 1
#define ENCODING_HERE 0x1b /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
#define ENCODING_FROM 0x3b /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */
#define ENCODING_U4   0x03 /* DW_EH_PE_udata4 */

/* In the order of DWARF's numbers. */
enum { REGISTER_FP = 6,
       REGISTER_SP };

static int32_t word_at(const uint8_t *at)
{
	int32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

const uint8_t *eh_frame_table(const void *header)
{
	static const uint8_t head[] = { TABLE_VERSION, ENCODING_HERE, ENCODING_U4, ENCODING_FROM };

	return memcmp(header, head, sizeof(head)) ? NULL : header;
}

#define KEPT_MOST 4

struct said {
	const uint8_t *at, *end;
	uint64_t code_unit;
	int64_t data_unit;
	struct frame_rule rule, first, kept[KEPT_MOST];
	unsigned int kept_count;
};

static uint64_t take_unsigned(struct said *s)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; s->at < s->end; shift += 7) {
		uint8_t byte = *s->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return value;
}

static int64_t take_signed(struct said *s)
{
	const uint8_t *first = s->at;
	uint64_t value = take_unsigned(s);
	unsigned int bits = 7 * (unsigned int)(s->at - first);

	return bits < 64 && value >> (bits - 1) & 1 ? (int64_t)(value - (1ull << bits)) : (int64_t)value;
}

static uint32_t take_bytes(struct said *s, unsigned int size)
{
	uint32_t value = 0;

	memcpy(&value, s->at, size);
	s->at += size;
	return value;
}

static void take_cfa(struct said *s, uint64_t of, int64_t offset)
{
	s->rule.unknown |= of != REGISTER_FP && of != REGISTER_SP;
	s->rule.from_fp = of == REGISTER_FP;
	s->rule.offset = (int32_t)offset;
}

static void take_saved(struct said *s, uint64_t of, int64_t at)
{
	if (of == REGISTER_FP)
		s->rule.saved = (int32_t)(at * s->data_unit);
}

static void take_restored(struct said *s, uint64_t of)
{
	if (of == REGISTER_FP)
		s->rule.saved = s->first.saved;
}

static void keep(struct said *s)
{
	s->rule.unknown |= s->kept_count == KEPT_MOST;
	if (!s->rule.unknown)
		s->kept[s->kept_count++] = s->rule;
}

static void keep_no_more(struct said *s)
{
	s->rule.unknown |= !s->kept_count;
	if (!s->rule.unknown)
		s->rule = s->kept[--s->kept_count];
}

enum { CFA_ADVANCE = 1,
       CFA_OFFSET,
       CFA_RESTORE }; /* in two high bits; else: */
enum { CFA_NOP,
       CFA_ADVANCE_1 = 2,
       CFA_ADVANCE_2,
       CFA_ADVANCE_4,
       CFA_OFFSET_EXTENDED,
       CFA_RESTORE_EXTENDED,
       CFA_UNDEFINED,
       CFA_SAME_VALUE,
       CFA_REMEMBER = 0x0a,
       CFA_RESTORE_STATE,
       CFA_DEF_CFA,
       CFA_DEF_CFA_REGISTER,
       CFA_DEF_CFA_OFFSET,
       CFA_ARGS_SIZE = 0x2e };

/* Returns how far the code has gone: what follows is true from there on. */
static uint64_t take_one(struct said *s)
{
	uint8_t op = *s->at++, low = op & 0x3f;
	uint64_t of;

	switch (op >> 6) {
	case CFA_ADVANCE: return low * s->code_unit;
	case CFA_OFFSET: take_saved(s, low, (int64_t)take_unsigned(s)); return 0;
	case CFA_RESTORE: take_restored(s, low); return 0;
	}
	switch (low) {
	case CFA_NOP: break;
	case CFA_ADVANCE_1: return take_bytes(s, 1) * s->code_unit;
	case CFA_ADVANCE_2: return take_bytes(s, 2) * s->code_unit;
	case CFA_ADVANCE_4: return take_bytes(s, 4) * s->code_unit;
	case CFA_OFFSET_EXTENDED: of = take_unsigned(s), take_saved(s, of, (int64_t)take_unsigned(s)); break;
	case CFA_RESTORE_EXTENDED: take_restored(s, take_unsigned(s)); break;
	case CFA_UNDEFINED:
	case CFA_SAME_VALUE: s->rule.unknown |= take_unsigned(s) == REGISTER_FP; break;
	case CFA_REMEMBER: keep(s); break;
	case CFA_RESTORE_STATE: keep_no_more(s); break;
	case CFA_DEF_CFA: of = take_unsigned(s), take_cfa(s, of, (int64_t)take_unsigned(s)); break;
	case CFA_DEF_CFA_REGISTER: take_cfa(s, take_unsigned(s), s->rule.offset); break;
	case CFA_DEF_CFA_OFFSET: s->rule.offset = (int32_t)take_unsigned(s); break;
	case CFA_ARGS_SIZE: take_unsigned(s); break;
	default: s->rule.unknown = true;
	}
	return 0;
}

/* Until the code has gone so far. */
static void take_until(struct said *s, uint64_t far)
{
	uint64_t gone = 0;

	while (s->at < s->end && !s->rule.unknown && (gone += take_one(s)) <= far)
		;
}

/* What all of some functions have in common, and what is said of one of them. */
static void begin_common(struct said *s, const uint8_t *entry)
{
	const char *kind = (const char *)entry + 9;

	s->end = entry + 4 + word_at(entry);
	s->at = (const uint8_t *)kind + strlen(kind) + 1;
	s->code_unit = take_unsigned(s);
	s->data_unit = take_signed(s);
	take_unsigned(s); /* the register of return addresses */
	if (*kind != 'z')
		s->rule.unknown = true;
	s->at += take_unsigned(s);
}

static void begin_function(struct said *s, const uint8_t *entry)
{
	s->end = entry + 4 + word_at(entry);
	s->at = entry + 16;
	s->at += take_unsigned(s);
}

/* The last function that begins at or before a place. */
static const uint8_t *entry_of(const uint8_t *table, uintptr_t at)
{
	int32_t wanted = (int32_t)((intptr_t)at - (intptr_t)table);
	uint32_t low = 0, high = (uint32_t)word_at(table + 8);

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (word_at(table + TABLE_HEAD + 8ull * middle) <= wanted)
			low = middle;
		else
			high = middle;
	}
	return high ? table + word_at(table + TABLE_HEAD + 8ull * low + 4) : NULL;
}

struct frame_rule eh_frame_rule(const uint8_t *table, uintptr_t at)
{
	const uint8_t *entry = table ? entry_of(table, at) : NULL;
	struct said s = { .rule = { 0 } };
	uintptr_t first;

	if (!entry)
		return (struct frame_rule){ .unknown = true };
	first = (uintptr_t)entry + 8 + (uintptr_t)(intptr_t)word_at(entry + 8);
	if (at - first >= (uint32_t)word_at(entry + 12))
		return (struct frame_rule){ .unknown = true };
	begin_common(&s, entry + 4 - word_at(entry + 4));
	take_until(&s, UINT64_MAX);
	s.first = s.rule;
	begin_function(&s, entry);
	take_until(&s, at - first);
	return s.rule;
}
#endif
