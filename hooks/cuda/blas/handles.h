/*
 * handles.h - handles of cuBLAS and cuDNN, and the stream that the work of each goes to: the last that it was given, else the
 * context's default stream. Asked for is only the one of a handle that was made, or given its stream, where nobody looked, and
 * that a call has just taken.
 */
#pragma once
#include "agent/base/attributes.h"
#include "agent/record/handles.h"
#include "hooks/cuda/blas/abi.h"

extern struct handles library_handles OURS; /* a = cudaStream_t */

void handle_new(const void *handle);
void handle_end(const void *handle); /* before the real end */
void handle_stream_is(const void *handle, cudaStream_t stream);

/* Without asking, before a call; NO_STREAM: it is not known. */
cudaStream_t handle_stream_before(const void *handle);

cudaStream_t handle_stream_slowly(const void *handle, _Atomic(void *) *asked, const char *name);

/* name: the library's function that tells it; asked: where that is kept */
ALWAYS_INLINE cudaStream_t handle_stream(const void *handle, _Atomic(void *) *asked, const char *name)
{
	struct handle_slot *s = handles_peek(&library_handles, (uintptr_t)handle);

	return LIKELY(s) ? (cudaStream_t)(uintptr_t)atomic_load_explicit(&s->a, memory_order_relaxed) : handle_stream_slowly(handle, asked, name);
}

extern _Atomic(void *) cublas_asked OURS, cudnn_asked OURS;
#define cublas_stream(handle) handle_stream(handle, &cublas_asked, "cublasGetStream_v2")
#define cudnn_stream(handle)  handle_stream(handle, &cudnn_asked, "cudnnGetStream")

/* Of the functions that have no handle. */
extern _Atomic(void *) cublas_old_stream OURS;
