/* hip_batches.c - copies in batches, with the parameters that HIP 7.1 has for them, and with those of later releases. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int hipMemcpyBatchAsync();
int hipDeviceSynchronize(void);

int main(void)
{
	char from[3][64] = { "one", "two", "three" }, to[3][64] = { "" };
	void *sources[] = { from[0], from[1], from[2] }, *destinations[] = { to[0], to[1], to[2] }, *stream = NULL;
	size_t sizes[] = { 8, 16, 64 }, failed, none = 0;
	int rc = hipMemcpyBatchAsync(destinations, sources, sizes, (size_t)2, NULL, NULL, none, &failed, stream);

	printf("with the failed one's number %d\n", rc);
	printf("without %d\n", hipMemcpyBatchAsync(destinations, sources, sizes, (size_t)3, NULL, NULL, none, stream));
	printf("none %d\n", hipMemcpyBatchAsync(destinations, sources, sizes, none, NULL, NULL, none, stream));
	return hipDeviceSynchronize() || memcmp(from, to, sizeof(from));
}
