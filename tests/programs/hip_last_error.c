/* hip_last_error.c - what HIP's last error is behind calls that succeed and calls that fail, and behind questions to events. */
#include <stddef.h>
#include <stdio.h>

int hipMalloc(void **ptr, size_t size);
int hipFree(void *ptr);
int hipMemsetAsync(void *dst, int value, size_t bytes, void *stream);
int hipStreamSynchronize(void *stream);
int hipStreamCreate(void **stream);
int hipEventCreate(void **event);
int hipEventRecord(void *event, void *stream);
int hipEventQuery(void *event);
int hipPeekAtLastError(void);
int hipGetLastError(void);

static void said(const char *what, int rc)
{
	printf("%s %d, then %d\n", what, rc, hipPeekAtLastError());
}

int main(void)
{
	void *memory, *stream, *event, *none;

	said("malloc", hipMalloc(&memory, 4096));
	said("stream", hipStreamCreate(&stream));
	said("event", hipEventCreate(&event));
	for (int i = 0; i < 3; i++) {
		said("fill", hipMemsetAsync(memory, 0, 4096, stream));
		said("fill", hipMemsetAsync(memory, 0, 4096, NULL));
		said("record", hipEventRecord(event, stream));
		said("query", hipEventQuery(event));
		said("wait", hipStreamSynchronize(stream));
		said("too much", hipMalloc(&none, (size_t)1 << 50));
		said("fill", hipMemsetAsync(memory, 0, 4096, stream));
		said("nowhere", hipMemsetAsync(NULL, 0, 4096, stream));
		said("wait", hipStreamSynchronize(stream));
		said("clear", hipGetLastError());
	}
	said("free", hipFree(memory));
	return 0;
}
