#include "hooks/capture/devices.h"
#include "agent/record/handles.h"
#include "agent/session/definitions.h"
#include "agent/session/session.h"

#define SHARED UINT16_MAX /* the number of all that come when there are no others left */

static struct handles devices;			/* a = DEF_DEVICE id */
static _Atomic uint32_t devices_of[SHARED + 1]; /* streams */

/* The next number. *fresh: nobody had it before. */
static uint16_t next_number(_Atomic uint32_t *given, bool *fresh)
{
	uint32_t n = atomic_load(given);

	while (n < SHARED && !atomic_compare_exchange_weak(given, &n, n + 1))
		;
	*fresh = n < SHARED;
	if (n < SHARED - 1)
		return (uint16_t)(n + 1);
	session_beyond(LIMIT_shared_streams, 1);
	return SHARED;
}

uint32_t device_known(uint64_t handle)
{
	struct handle_slot *s = handles_get(&devices, handle);

	return s ? (uint32_t)s->a : 0;
}

uint32_t device_id(uint64_t handle, const char *name)
{
	static _Atomic uint32_t given;
	uint32_t id = device_known(handle);
	bool fresh;

	if (id)
		return id;
	id = next_number(&given, &fresh);
	if (fresh)
		definitions_text(DEF_DEVICE, id, name);
	handles_put(&devices, handle, id, 0);
	return id;
}

void device_source(uint32_t device, const char *word)
{
	definitions_text(DEF_TIME_SOURCE, device, word);
}

uint16_t stream_id(uint64_t handle, uint32_t device, bool out_of_order)
{
	static _Atomic uint32_t given;
	bool fresh;
	uint16_t id = next_number(&given, &fresh);
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
