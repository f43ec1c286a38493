/* launches.cu - as nvcc makes launches: 12 of a kernel that is a template, 3 of another; prints how many ran, and what came of them. */
#include <cstdio>

template <typename T> __global__ void scale(T *to, T by)
{
	to[threadIdx.x] *= by;
}

extern "C" __global__ void shift(float *to)
{
	to[threadIdx.x] += 1;
}

int main()
{
	float *memory, host[32];
	cudaStream_t stream;

	for (float &value : host)
		value = 1;
	if (cudaMalloc(&memory, sizeof(host)) || cudaStreamCreate(&stream))
		return 1;
	cudaMemcpy(memory, host, sizeof(host), cudaMemcpyHostToDevice);
	for (int i = 0; i < 12; i++)
		scale<float><<<1, 32, 0, i % 2 ? stream : 0>>>(memory, 2);
	cudaDeviceSynchronize();
	for (int i = 0; i < 3; i++)
		shift<<<1, 32>>>(memory);
	cudaMemcpy(host, memory, sizeof(host), cudaMemcpyDeviceToHost);
	printf("result %a\nkernels _Z5scaleIfEvPT_S0_ 12\nkernels shift 3\n", (double)host[0]);
	return cudaGetLastError();
}
