#include "hooks/capture/devices.h"
#include "agent/record/handles.h"
#include "agent/session/definitions.h"

static struct handles devices;			    /* a = DEF_DEVICE id */
static _Atomic uint32_t devices_of[UINT16_MAX + 1]; /* streams */

uint32_t device_known(uint64_t handle)
{
	struct handle_slot *s = handles_get(&devices, handle);

	return s ? (uint32_t)s->a : 0;
}

uint32_t device_id(uint64_t handle, const char *name)
{
	static _Atomic uint32_t count;
	uint32_t id = device_known(handle);

	if (id)
		return id;
	id = atomic_fetch_add(&count, 1) + 1;
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
	static _Atomic uint32_t count;
	struct def_stream d = { handle, device, out_of_order };
	uint32_t id = atomic_fetch_add(&count, 1) + 1;

	if (id > UINT16_MAX)
		id = UINT16_MAX;
	definitions_add(DEF_STREAM, id, &d, sizeof(d), NULL, 0);
	atomic_store(&devices_of[id], device);
	return (uint16_t)id;
}

uint32_t stream_device(uint16_t stream)
{
	return atomic_load(&devices_of[stream]);
}
