/* cupti_listener.c - fills memory five times, and five times more while it listens to CUPTI itself; prints how many fills CUPTI told it of. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int cudaMalloc(void **at, size_t size);
int cudaMemset(void *at, int value, size_t size);
int cudaDeviceSynchronize(void);
int cuptiActivityRegisterCallbacks(void (*)(uint8_t **, size_t *, size_t *), void (*)(void *, uint32_t, uint8_t *, size_t, size_t));
int cuptiActivityEnable(int kind);
int cuptiActivityFlushAll(uint32_t flag);
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, int **record);

enum { FILLS = 5,
       MEMSET = 2,
       ROOM = 1 << 20 };

static int told;

static void request(uint8_t **buffer, size_t *size, size_t *most)
{
	*buffer = aligned_alloc(64, ROOM);
	*size = ROOM;
	*most = 0;
}

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	int *record = NULL;

	(void)context, (void)stream, (void)size;
	while (!cuptiActivityGetNextRecord(buffer, valid, &record))
		told += *record == MEMSET;
	free(buffer);
}

static int fill(void *at)
{
	int rc = 0;

	for (int i = 0; i < FILLS; i++)
		rc |= cudaMemset(at, i, ROOM);
	return rc | cudaDeviceSynchronize();
}

int main(void)
{
	void *at;
	int rc = cudaMalloc(&at, ROOM) | fill(at);

	rc |= cuptiActivityRegisterCallbacks(request, complete) | cuptiActivityEnable(MEMSET) | fill(at) | cuptiActivityFlushAll(0);
	printf("told of %d\n", told);
	return rc;
}
