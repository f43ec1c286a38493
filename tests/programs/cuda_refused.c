/*
 * cuda_refused.c - calls that NVIDIA's runtime has to refuse where no driver, or one that is not NVIDIA's, is there. Says of each what it
 * answered, what the runtime calls that, and what the last error is then.
 */
#include "tests/sims/cuda/declare.h"
#include <stdio.h>

static void say(const char *symbol, int rc)
{
	printf("%s %d %s, %s; then %d\n", symbol, rc, cudaGetErrorName(rc), cudaGetErrorString(rc), (int)cudaPeekAtLastError());
}
#define SAY(symbol, ...) say(#symbol, (int)symbol(__VA_ARGS__))

int main(void)
{
	static const char stub[16];
	char here[64] = "";
	void *memory = NULL, *function = NULL;
	cudaStream_t stream = NULL;
	cudaEvent_t event = NULL;
	int number = -1, status = -1;

	SAY(cudaRuntimeGetVersion, &number);
	SAY(cudaDriverGetVersion, &number);
	SAY(cudaGetDeviceCount, &number);
	SAY(cudaSetDevice, 0);
	SAY(cudaMalloc, &memory, 4096);
	SAY(cudaMemcpy, here, here + 32, 16, 0);
	SAY(cudaStreamCreate, &stream);
	SAY(cudaGetLastError);
	SAY(cudaMemcpyAsync, here, here + 32, 16, 2, NULL);
	SAY(cudaMemsetAsync, here, 0, 16, NULL);
	SAY(cudaLaunchKernel, stub, (dim3){ 2, 3, 4 }, (dim3){ 5, 6, 7 }, NULL, 0, NULL);
	SAY(cudaEventCreate, &event);
	SAY(cudaGetDriverEntryPoint, "cuLaunchKernel", &function, 0, &status);
	SAY(cudaStreamSynchronize, NULL);
	SAY(cudaDeviceSynchronize);
	SAY(cudaFree, memory);
	return 0;
}
