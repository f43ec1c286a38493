/* fake_opapi.c - sixteen operators whose second phases do nothing, or with -DWORK about 50 ns of something, and tensors. */
#include <stdint.h>

void *aclCreateTensor(const int64_t *shape, uint64_t dims, int type, const int64_t *strides, int64_t offset, int format,
		      const int64_t *storage, uint64_t storage_dims, void *data);
int aclDestroyTensor(const void *tensor);

void *aclCreateTensor(const int64_t *shape, uint64_t dims, int type, const int64_t *strides, int64_t offset, int format,
		      const int64_t *storage, uint64_t storage_dims, void *data)
{
	static __thread char tensors[64];
	static __thread unsigned int n;

	(void)shape, (void)dims, (void)type, (void)strides, (void)offset, (void)format, (void)storage, (void)storage_dims;
	return data ? &tensors[n++ % 64] : 0;
}

int aclDestroyTensor(const void *tensor)
{
	return !tensor;
}

#ifdef WORK
static void work(uint64_t x)
{
	static __attribute__((used)) volatile uint64_t sink;

	for (int i = 0; i < 60; i++) /* each waits for the one before: about 4 cycles */
		x = x * 6364136223846793005ull + 1442695040888963407ull;
	sink = x;
}
#else
static void work(uint64_t x)
{
	(void)x;
}
#endif

#define OPERATOR(n)                                                                                            \
	int aclnnBench##n##GetWorkspaceSize(const void *in, const void *out, uint64_t *size, void **executor); \
	int aclnnBench##n##GetWorkspaceSize(const void *in, const void *out, uint64_t *size, void **executor)  \
	{                                                                                                      \
		static uint64_t plan;                                                                          \
                                                                                                               \
		(void)in, (void)out;                                                                           \
		*size = 4096;                                                                                  \
		*executor = &plan;                                                                             \
		return 0;                                                                                      \
	}                                                                                                      \
	int aclnnBench##n(void *workspace, uint64_t size, void *executor, void *stream);                       \
	int aclnnBench##n(void *workspace, uint64_t size, void *executor, void *stream)                        \
	{                                                                                                      \
		(void)workspace, (void)executor, (void)stream;                                                 \
		work(size);                                                                                    \
		return 0;                                                                                      \
	}
OPERATOR(0)
OPERATOR(1)
OPERATOR(2)
OPERATOR(3)
OPERATOR(4)
OPERATOR(5)
OPERATOR(6)
OPERATOR(7)
OPERATOR(8)
OPERATOR(9)
OPERATOR(10)
OPERATOR(11)
OPERATOR(12)
OPERATOR(13)
OPERATOR(14)
OPERATOR(15)
