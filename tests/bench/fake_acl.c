/* fake_acl.c - launches, copies and events of AscendCL that do nothing, each over when it is given: for counting what a call costs more. */
#include <stddef.h>
#include <stdint.h>

int aclrtBinaryGetFunction(void *binary, const char *name, void **function);
int aclrtLaunchKernel(void *function, uint32_t blocks, const void *args, size_t size, void *stream);
int aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t bytes, int kind, void *stream);

int aclrtCreateEventExWithFlag(void **event, uint32_t flag);
int aclrtDestroyEvent(void *event);
int aclrtRecordEvent(void *event, void *stream);
int aclrtQueryEventStatus(void *event, int *status);
int aclrtEventElapsedTime(float *ms, void *from, void *to);
int aclrtEventGetTimestamp(void *event, uint64_t *us);
int aclmdlRICaptureGetInfo(void *stream, int *status, void **graph);
int aclrtSynchronizeStream(void *stream);
int aclrtGetCurrentContext(void **context);
int aclrtGetDevice(int32_t *device);

static uint64_t now = 1;

int aclrtBinaryGetFunction(void *binary, const char *name, void **function)
{
	(void)binary;
	*function = (void *)name;
	return 0;
}

int aclrtLaunchKernel(void *function, uint32_t blocks, const void *args, size_t size, void *stream)
{
	(void)function, (void)blocks, (void)args, (void)size, (void)stream;
	return 0;
}

int aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t bytes, int kind, void *stream)
{
	(void)to, (void)room, (void)from, (void)bytes, (void)kind, (void)stream;
	return 0;
}

int aclrtCreateEventExWithFlag(void **event, uint32_t flag)
{
	static uint64_t events[1 << 16], n;

	(void)flag;
	*event = &events[n++ % (sizeof(events) / sizeof(events[0]))];
	return 0;
}

int aclrtDestroyEvent(void *event)
{
	return !event;
}

int aclrtRecordEvent(void *event, void *stream)
{
	(void)stream;
	*(uint64_t *)event = now++;
	return 0;
}

int aclrtQueryEventStatus(void *event, int *status)
{
	*status = *(uint64_t *)event > 0;
	return 0;
}

int aclrtEventElapsedTime(float *ms, void *from, void *to)
{
	*ms = (float)(*(uint64_t *)to - *(uint64_t *)from) / 1e3f;
	return 0;
}

int aclrtEventGetTimestamp(void *event, uint64_t *us)
{
	*us = *(uint64_t *)event;
	return 0;
}

int aclmdlRICaptureGetInfo(void *stream, int *status, void **graph)
{
	(void)stream;
	*status = 0;
	*graph = NULL;
	return 0;
}

int aclrtSynchronizeStream(void *stream)
{
	(void)stream;
	return 0;
}

int aclrtGetCurrentContext(void **context)
{
	*context = &now;
	return 0;
}

int aclrtGetDevice(int32_t *device)
{
	*device = 0;
	return 0;
}
