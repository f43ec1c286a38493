#include "agent/stacks/python_frames.h"
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "agent/base/hash.h"
#include "agent/os/safe_read.h"
#include "agent/os/signal_context.h"
#include "agent/stacks/python_layouts.h"

#define SHIMS_MOST   256 /* frames that are none of Python's functions, in a row of any length */
#define OWNED_BY_C   3	 /* owner from here on: a frame of the interpreter's own, between C and Python */
#define FIRST_TAGGED 14
#define TAGS	     7u /* low bits of a code object's address in a frame, from there on */
#define FIRST_RECORD 11
#define FIRST_TOLD   12 /* a thread's state is that of the interpreter that it runs */
#define TYPE_AT	     8

/* Odd numbers without a pattern, of 31 bits: an instruction holds one. */
enum { A = 0x9E3779B9 >> 1 | 1,
       B = 0xBF58476D >> 1 | 1,
       C = 0x94D049BB >> 1 | 1 };

static uint64_t word_at(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

ALWAYS_INLINE uint64_t rotated(uint64_t word, unsigned int bits)
{
	return word << bits | word >> (64 - bits);
}

/*
 * Of a text or bytes object: its length, and some bytes of its middle and of its end, with those of its head where it has fewer. A word's last byte
 * is in its product's last byte alone: of what is added up each is rotated by as many bits as no other, and two changes are no change.
 */
ALWAYS_INLINE uint64_t content(const char *object, unsigned int length_at, unsigned int begin)
{
	uint64_t length = python_size(object, length_at);
	const char *at = object + begin - sizeof(length);

	return word_at(at + length) * A + rotated(word_at(at + length / 2), 29) + 2 * length;
}

ALWAYS_INLINE uint64_t code_hash(const struct python_layout *l, const char *code)
{
	const char *file = python_pointer(code, l->file), *name = python_pointer(code, l->name), *lines = python_pointer(code, l->lines);
	uint64_t line = (uint64_t)python_int(code, l->line) << 32;

	if (l->version)
		return ((uintptr_t)code + A) * (uintptr_t)name + ((uintptr_t)file + B) * (uintptr_t)lines + (line | (uint32_t)python_int(code, l->version)) * C;
	return ((uintptr_t)code + A) * (uintptr_t)name + ((uintptr_t)file + B) * (uintptr_t)lines + word_at(lines + l->bytes_begin) * C + line * B +
	       rotated(content(lines, l->bytes_length, l->bytes_begin), 13) + rotated(content(file, l->length, l->ascii), 37) + rotated(content(name, l->length, l->ascii), 50);
}

uint64_t python_code_hash(const struct python_layout *l, const char *code)
{
	return hash_word(0, code_hash(l, code));
}

/* ---- Python's end ---- */

#define READERS	    16
#define PAUSE	    100000 /* ns */
#define PAUSES_MOST 1000

static struct {
	_Alignas(64) _Atomic uint32_t count;
} readers[READERS];		/* threads that read; more than one counter, for many do at a time */
static _Atomic uintptr_t ender; /* the state of the thread that Python ends on */

/* NULL: it has none, or its memory may go meanwhile. */
static const char *thread_state(const struct python_frames *p)
{
	const char *state = p->state ? p->state() : NULL;
	uintptr_t only = atomic_load(&ender);

	if (only)
		return only == (uintptr_t)state ? state : NULL;
	return state && !p->ending() ? state : NULL;
}

static _Atomic uint32_t *reader(const struct python_stack *s)
{
	return &readers[(uintptr_t)s * 0x9E3779B97F4A7C15ull >> 60].count;
}

static bool are_read(void)
{
	uint32_t count = 0;

	for (unsigned int i = 0; i < READERS; i++)
		count |= atomic_load(&readers[i].count);
	return count;
}

/* Bounded: a signal handler may have jumped out of a read. */
void python_frames_end(const struct python_frames *p)
{
	const struct timespec pause = { .tv_nsec = PAUSE };

	atomic_store(&ender, (uintptr_t)p->state());
	for (unsigned int i = 0; i < PAUSES_MOST && are_read(); i++)
		nanosleep(&pause, NULL);
}

void python_frames_forget(void)
{
	for (unsigned int i = 0; i < READERS; i++)
		atomic_store(&readers[i].count, 0);
}

/* ---- frames ---- */

static const char *innermost(const struct python_frames *p)
{
	const char *state = thread_state(p);

	if (state && p->layout.has_record)
		state = python_pointer(state, p->layout.record);
	return state ? python_pointer(state, p->layout.frame) : NULL;
}

ALWAYS_INLINE int32_t instruction(const struct python_layout *l, const char *frame, const char *code)
{
	if (l->minor < FIRST_RECORD)
		return python_int(frame, l->instr) * (l->minor == 10 ? 2 : 1);
	return (int32_t)(python_pointer(frame, l->instr) - (code + l->bytes));
}

/* NULL: it is a frame of the interpreter's own. */
ALWAYS_INLINE const char *code_of(const struct python_layout *l, const void *code_type, const char *frame)
{
	const char *code;

	if (l->owner && *(const uint8_t *)(frame + l->owner) >= OWNED_BY_C)
		return NULL;
	code = python_pointer(frame, l->code);
	if (l->minor >= FIRST_TAGGED)
		code = (const char *)((uintptr_t)code & ~(uintptr_t)TAGS);
	return code && python_pointer(code, TYPE_AT) == code_type ? code : NULL;
}

ALWAYS_INLINE void read_by(const struct python_layout *l, const struct python_frames *p, struct python_stack *s)
{
	const void *code_type = p->code_type;
	const char *frame = innermost(p);
	struct python_frame *f = s->frames;
	unsigned int shims = 0;
	uint64_t hash = 0;

	for (; frame && f < s->frames + STACK_FRAMES; frame = python_pointer(frame, l->back)) {
		const char *code = code_of(l, code_type, frame);

		if (!code) {
			if (++shims == SHIMS_MOST)
				break;
			continue;
		}
		*f = (struct python_frame){ code, instruction(l, frame, code) };
		hash = hash_word(hash + (uint32_t)f->at, code_hash(l, code));
		f++;
	}
	s->hash = hash;
	s->count = (unsigned int)(f - s->frames);
	s->truncated = frame;
}

/* Where the compiler knows the layout, a function costs three quarters. */
static void read_frames(const struct python_frames *p, struct python_stack *s)
{
	switch (p->layout.minor) {
	case 8:
	case 9:
		return read_by(python_layout_of(9), p, s);
	case 10:
		return read_by(python_layout_of(10), p, s);
	case 11:
		return read_by(python_layout_of(11), p, s);
	case 12:
		return read_by(python_layout_of(12), p, s);
	default:
		return read_by(&p->layout, p, s);
	}
}

/*
 * A signal handler's call may have interrupted the interpreter between two words of what is read here. Who has let the GIL go is not in the
 * interpreter; of others the kernel is asked.
 */
static bool interrupts_python(const struct python_frames *p)
{
	uint64_t blocked = 0;

	if (!p->holds_gil())
		return false;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof(blocked));
	return (blocked || signal_context_may_block_nothing()) && signal_context_running();
}

/* To 3.11 a thread's state is told of the interpreter that it began in, whichever it runs. */
static bool may_run_another(const struct python_frames *p)
{
	return p->layout.minor < FIRST_TOLD && p->newest_interpreter() != p->main_interpreter();
}

bool python_frames_begin(const struct python_frames *p, struct python_stack *s)
{
	s->count = 0;
	atomic_fetch_add(reader(s), 1);
	if (!may_run_another(p) && !interrupts_python(p))
		read_frames(p, s);
	return s->count;
}

void python_frames_done(const struct python_stack *s)
{
	atomic_fetch_sub(reader(s), 1);
}

/* ---- before the first time ---- */

#define OBJECT_BYTES 256 /* of what is looked at */
#define TEXT_BYTES   4096

static bool text_there(const struct python_layout *l, const char *text)
{
	return safe_read(text, OBJECT_BYTES / 4) && python_size(text, l->length) < TEXT_BYTES && safe_read(text, 4 * python_size(text, l->length) + OBJECT_BYTES / 4);
}

static bool code_there(const struct python_layout *l, const char *code)
{
	return safe_read(code, OBJECT_BYTES) && text_there(l, python_pointer(code, l->name)) && text_there(l, python_pointer(code, l->file));
}

bool python_frames_there(const struct python_frames *p)
{
	const struct python_layout *l = &p->layout;
	const char *at = p->state ? p->state() : NULL;
	const char *frame, *code;

	if (!safe_read(at, OBJECT_BYTES) || (l->has_record && !safe_read(python_pointer(at, l->record), OBJECT_BYTES / 4)))
		return false;
	frame = innermost(p);
	for (unsigned int i = 0; frame && i < STACK_FRAMES + SHIMS_MOST; i++) {
		if (!safe_read(frame, OBJECT_BYTES / 2) || !safe_read(python_pointer(frame, l->code), TYPE_AT + sizeof(void *)))
			return false;
		code = code_of(l, p->code_type, frame);
		if (code && !code_there(l, code))
			return false;
		frame = python_pointer(frame, l->back);
	}
	return true;
}
