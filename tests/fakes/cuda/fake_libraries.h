/* fake_libraries.h - the tests' cuBLAS, cublasLt and cuDNN, made of the rows: what they tell the program, and how arguments are counted. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "hooks/cuda/abi/abi.h"
#include "hooks/cuda/blas/abi.h"
#include "hooks/cuda/dnn/abi.h"
#include "tests/programs/each.h"

/* Each call, with a number for the bytes of its arguments. The program may define it. */
void fake_called(const char *symbol, uint64_t arguments) __attribute__((weak));

static inline uint64_t fake_hash(uint64_t h, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3ull;
	return h ^ size;
}

#define UNPAREN(...) __VA_ARGS__
#define ADD(a)	     hash = fake_hash(hash, (const void *)&(a), sizeof(a));
#define HASH_OF(args)      \
	uint64_t hash = 0; \
	EACH(ADD, UNPAREN args)

/* Who passes this for a handle is refused: the codes are the libraries' own. */
#define FAKE_BAD ((void *)0xbad)

/* A handle that nobody has seen being made, whose work goes to this stream. */
cublasHandle_t fake_blas_handle(cudaStream_t stream);

/* Descriptors. */
struct fake_layout {
	uint64_t is_one; /* FAKE_LAYOUT */
	uint64_t rows, columns;
	int32_t type;
	uint32_t batch;
};
#define FAKE_LAYOUT 0x6c61796f7574ull
struct fake_descriptor {
	uint64_t is_one; /* FAKE_DESCRIPTOR */
	int type, format, dimensions, sizes[8], strides[8];
};
#define FAKE_DESCRIPTOR 0x64657363ull
