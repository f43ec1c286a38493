/* library.h - what the vendor's libraries of operators share: handles, and kernels that are only time. */
#pragma once
#include "hooks/cuda/blas/abi.h"
#include "hooks/cuda/dnn/abi.h"
#include "tests/sims/cuda/abi.h"

#pragma GCC visibility push(hidden)
int library_handle(void **handle);
int library_end(void *handle);
int library_set_stream(void *handle, cudaStream_t stream); /* NULL: of functions without a handle */
cudaStream_t library_stream(void *handle);
int library_launch(const char *operator, cudaStream_t stream);
int library_made(void **object, size_t size); /* one that nobody looks into */
#pragma GCC visibility pop

enum { LIBRARY_INVALID = 7,   /* CUBLAS_STATUS_INVALID_VALUE */
       LIBRARY_FAILED = 13 }; /* CUBLAS_STATUS_EXECUTION_FAILED */
