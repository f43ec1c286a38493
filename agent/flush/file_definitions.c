#include "agent/flush/file_definitions.h"
#include "agent/flush/chunks.h"
#include "agent/flush/needed.h"
#include "agent/record/rings.h"

/* They are written again, so that a damaged chunk loses little. */
#define REPEAT_CHUNKS 64 /* after so many chunks, */
#define REPEAT_EPOCHS 16 /* or when the log of epochs has grown by so many segments */

static struct definitions_place lasting, epochs; /* so far they are in the file ... */
static struct definitions_place epochs_once;	 /* ... and so far twice */
static unsigned int chunks;

void file_definitions_begin(struct definitions_place first_epoch)
{
	chunks = 0;
	lasting = (struct definitions_place){ 0 };
	epochs = epochs_once = first_epoch;
	needed_anew();
}

static void put_lasting(void)
{
	const void *bytes;
	size_t n;

	while ((n = definitions_read(LOG_LASTING, &lasting, &bytes))) {
		needed_learn(bytes, n);
		chunks_put_definitions(bytes, n);
	}
}

static void put_epochs(uint8_t *room)
{
	const void *bytes;
	size_t n;

	while ((n = definitions_read(LOG_EPOCHS, &epochs, &bytes)))
		if (room)
			chunks_put_definitions(room, definitions_without_old_epochs(room, bytes, n));
		else
			chunks_put_definitions(bytes, n);
}

/* What was written since the last time is written again. */
static void repeat(uint8_t *room)
{
	lasting = (struct definitions_place){ 0 };
	epochs = epochs_once;
	put_epochs(room);
	epochs_once = epochs;
	needed_anew();
}

void file_definitions_put(uint8_t *room)
{
	put_epochs(room);
	if (++chunks % REPEAT_CHUNKS == 0 || epochs.segment - epochs_once.segment >= REPEAT_EPOCHS)
		repeat(room);
	put_lasting();
	if (!needed_look())
		chunks_no_memory();
}

static void needed_by_ring(struct ring_header *r, uint64_t tail, uint64_t end)
{
	size_t n;

	for (uint64_t at = tail; at < end; at += n) {
		n = r->slots - at % r->slots;
		n = end - at < n ? end - at : n;
		needed_by(&ring_slots(r)[at % r->slots], n);
	}
}

/* What repeats is a template: a look at these is one at all slots, if each has one. */
void file_definitions_of(const struct encoder *e, struct ring_header *r, uint64_t tail, uint64_t end, uint8_t *room)
{
	size_t n;

	if (e->templates == GUESS_TEMPLATES)
		needed_by_ring(r, tail, end);
	else
		for (const struct encode_template *t = e->template; t < e->template + e->templates; t++)
			needed_by_kind(encode_hook_of(t), t->key, t->arg);
	while ((n = needed_take(room, DEFINITIONS_SEGMENT)))
		chunks_put_definitions(room, n);
}

bool file_definitions_are_behind(void)
{
	return definitions_newest(LOG_EPOCHS).segment - epochs.segment >= REPEAT_EPOCHS / 2;
}

void file_definitions_release(const struct definitions_place *others)
{
	bool others_are_before = others && others->segment < epochs_once.segment;

	definitions_release(LOG_EPOCHS, others_are_before ? *others : epochs_once);
}

void file_definitions_forget(void)
{
	lasting = epochs = epochs_once = (struct definitions_place){ 0 };
	needed_forget();
}
