/* acl_streams.c - AscendCL: streams, waiting and events. */
#include "tests/sims/ascend/below.h"

aclError do_aclrtCreateStream(aclrtStream *stream)
{
	return BELOW(rtStreamCreate(stream, 0), sim_stream_new(stream));
}

aclError do_aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle)
{
	return BELOW(rtStreamCreate(stream, 0), sim_stream_new(stream));
}

aclError do_aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
	return BELOW(rtStreamCreateWithFlags(stream, (int32_t)priority, flag), sim_stream_new(stream));
}

aclError do_aclrtDestroyStream(aclrtStream stream)
{
	return BELOW(rtStreamDestroy(stream), sim_stream_end(stream));
}

aclError do_aclrtDestroyStreamForce(aclrtStream stream)
{
	return BELOW(rtStreamDestroy(stream), sim_stream_end(stream));
}

aclError do_aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
	*status = !sim_stream_idle(stream); /* 0: complete */
	return *status ? 0 : sim_stream_wait(stream);
}

aclError do_aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
	*streamId = sim_stream_number(stream);
	return *streamId < 0 ? SIM_ERROR_RT_PARAM_INVALID : 0;
}

aclError do_aclrtCtxGetCurrentDefaultStream(aclrtStream *stream)
{
	*stream = NULL;
	return 0;
}

/* ---- waiting ---- */

aclError do_aclrtSynchronizeStream(aclrtStream stream)
{
	return BELOW(rtStreamSynchronize(stream), sim_stream_wait(stream));
}

aclError do_aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
	return BELOW(rtStreamSynchronizeWithTimeout(stream, timeout), sim_stream_wait(stream));
}

static inline int wait_for_device(void)
{
	sim_device_wait();
	return 0;
}

aclError do_aclrtSynchronizeDevice(void)
{
	return BELOW(rtDeviceSynchronize(), wait_for_device());
}

aclError do_aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
	return BELOW(rtDeviceSynchronize(), wait_for_device());
}

/* ---- events ---- */

aclError do_aclrtCreateEvent(aclrtEvent *event)
{
	return sim_event_new(event, SIM_EVENT_SYNC | SIM_EVENT_TIME_LINE);
}

aclError do_aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
	return BELOW(rtEventCreateWithFlag(event, flag), sim_event_new(event, flag));
}

aclError do_aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
	return sim_event_new(event, flag);
}

aclError do_aclrtDestroyEvent(aclrtEvent event)
{
	return sim_event_end(event);
}

aclError do_aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
	return BELOW(rtEventRecord(event, stream), sim_event_record(event, stream));
}

aclError do_aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
	return BELOW(rtStreamWaitEvent(stream, event), sim_event_wait(stream, event));
}

aclError do_aclrtSynchronizeEvent(aclrtEvent event)
{
	return BELOW(rtEventSynchronize(event), sim_event_synchronize(event));
}

aclError do_aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
	return sim_event_synchronize(event);
}

aclError do_aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
	bool complete = false;
	int rc = sim_event_query(event, &complete);

	if (!rc)
		*status = complete; /* 1 is complete ... */
	return rc;
}

aclError do_aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
	bool complete = false;
	int rc = sim_event_query(event, &complete);

	if (!rc)
		*status = !complete; /* ... here it is 0 */
	return rc;
}

aclError do_aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
	*status = 0;
	return 0;
}

aclError do_aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
	return BELOW(rtEventElapsedTime(ms, startEvent, endEvent), sim_elapsed(ms, startEvent, endEvent));
}

/* Microseconds since the device was started. */
aclError do_aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp)
{
	uint64_t ns = 0;
	int rc = sim_event_time(event, &ns);

	if (!rc)
		*timestamp = ns / 1000;
	return rc;
}

aclError do_aclrtGetEventAvailNum(uint32_t *eventCount)
{
	*eventCount = (uint32_t)sim_setting("SIM_EVENTS", 65536);
	return 0;
}
