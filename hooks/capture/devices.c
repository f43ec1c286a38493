#include "hooks/capture/devices.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"

#define SHARED UINT16_MAX /* the number of all that come when there are no others left */

static _Atomic uint64_t devices[SHARED];	/* handles by id - 1; 0: not given yet */
static _Atomic uint32_t devices_of[SHARED + 1]; /* streams */

/* They are few, and none is ever forgotten. */
uint32_t device_known(uint64_t handle)
{
	uint32_t i = 0;
	uint64_t at;

	while (i < SHARED && (at = atomic_load(&devices[i])) && at != handle)
		i++;
	return i < SHARED && at ? i + 1 : 0;
}

/* Two threads that meet a device at once give it one number. */
uint32_t device_id(uint64_t handle, const char *name)
{
	uint64_t at;

	for (uint32_t i = 0; i < SHARED; i++) {
		at = 0;
		if (atomic_compare_exchange_strong(&devices[i], &at, handle)) {
			definitions_text(DEF_DEVICE, i + 1, name);
			return i + 1;
		}
		if (at == handle)
			return i + 1;
	}
	session_beyond(LIMIT_shared_streams, 1);
	return SHARED;
}

void device_source(uint32_t device, const char *word)
{
	definitions_text(DEF_TIME_SOURCE, device, word);
}

/* The next number. */
static uint16_t next_number(bool *fresh)
{
	static _Atomic uint32_t given;
	uint32_t n = atomic_load(&given);

	while (n < SHARED && !atomic_compare_exchange_weak(&given, &n, n + 1))
		;
	*fresh = n < SHARED;
	if (n < SHARED - 1)
		return (uint16_t)(n + 1);
	session_beyond(LIMIT_shared_streams, 1);
	return SHARED;
}

uint16_t stream_id(uint64_t handle, uint32_t device, bool out_of_order)
{
	bool fresh;
	uint16_t id = next_number(&fresh);
	struct def_stream d = { id < SHARED ? handle : 0, device, out_of_order };

	if (!fresh)
		return id;
	definitions_add(DEF_STREAM, id, &d, sizeof(d), NULL, 0);
	atomic_store(&devices_of[id], device);
	return id;
}

uint32_t stream_device(uint16_t stream)
{
	return atomic_load(&devices_of[stream]);
}
