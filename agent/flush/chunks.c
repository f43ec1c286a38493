#include "agent/flush/chunks.h"
#include <errno.h>
#include "agent/flush/writer.h"
#include "agent/session/log.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"

static bool discarding, left_out;

void chunks_discard(enum session_cause cause, int error)
{
	if (discarding)
		return;
	discarding = true;
	session_cause(cause, error);
}

bool chunks_discarding(void)
{
	return discarding;
}

void chunks_leave_out(enum session_cause cause)
{
	left_out |= !discarding;
	chunks_discard(cause, 0);
}

bool chunks_left_out(void)
{
	return left_out;
}

void chunks_window(bool asked)
{
	if (asked)
		session_cause_over();
	/* A full disk or a reached limit is for good; an unknown rank may be known by now. */
	if (!session_cause_is_final(atomic_load(&session->cause)))
		discarding = left_out = false;
}

void chunks_no_memory(void)
{
	chunks_discard(CAUSE_NO_MEMORY, ENOMEM);
	log_once("no-memory", "no memory to write with; recording stops, the job runs on: raise the limits of memory "
			      "(ulimit -d, -v)");
}

enum session_cause chunks_cause_of(int error)
{
	switch (error) {
	case -ENOSPC:
	case -EDQUOT:
	case -EFBIG:
		return CAUSE_DISK_FULL;
	case -EMFILE:
	case -ENFILE:
		return CAUSE_NO_DESCRIPTOR;
	default:
		return CAUSE_SAVE_PATH;
	}
}

static void failed(int error)
{
	chunks_discard(chunks_cause_of(error), -error);
	log_once("write", "cannot write %s: %s (error %d); recording stops, the job runs on", session->file,
		 log_errno(-error), -error);
}

bool chunks_are_wanted(void)
{
	return !discarding && writer_is_open();
}

bool chunks_put(struct chunk_header *h, const void *payload, size_t size)
{
	int error;

	if (!chunks_are_wanted())
		return false;
	if (h->type != CHUNK_FILE && atomic_load(&session->bytes) + size / 2 > settings.max_size) {
		chunks_discard(CAUSE_MAX_SIZE, 0);
		log_once("max-size", "max_size reached: recording stops, later calls count as "
				     "dropped; select fewer steps or raise --max-size");
		return false;
	}
	error = writer_chunk(h, payload, size);
	if (error)
		failed(error);
	return !error;
}

void chunks_put_definitions(const void *bytes, size_t size)
{
	struct chunk_header h = { .type = CHUNK_DEFS };

	chunks_put(&h, bytes, size);
}

void chunks_forget(void)
{
	discarding = left_out = false;
}
