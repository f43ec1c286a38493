#include "hooks/cuda/blas/handles.h"
#include "agent/record/gate.h"
#include "agent/record/record.h"
#include "agent/record/question.h"
#include "hooks/capture/streams/contexts.h"
#include "hooks/link/resolve.h"

struct handles library_handles;
_Atomic(void *) cublas_asked, cudnn_asked, cublas_old_stream;

void handle_new(const void *handle)
{
	handle_stream_is(handle, NULL);
}

void handle_end(const void *handle)
{
	struct handle_slot *s = handles_get(&library_handles, (uintptr_t)handle);

	if (s)
		handles_forget(s);
}

/* PyTorch says the same one before each call. */
void handle_stream_is(const void *handle, cudaStream_t stream)
{
	struct handle_slot *s = handles_peek(&library_handles, (uintptr_t)handle);

	if (s && atomic_load_explicit(&s->a, memory_order_relaxed) == (uintptr_t)stream)
		return;
	if (handle && gate_may_record())
		handles_put(&library_handles, (uintptr_t)handle, (uintptr_t)stream, 0);
}

cudaStream_t handle_stream_before(const void *handle)
{
	struct handle_slot *s = handles_get(&library_handles, (uintptr_t)handle);

	return s ? (cudaStream_t)(uintptr_t)atomic_load(&s->a) : NO_STREAM;
}

cudaStream_t handle_stream_slowly(const void *handle, _Atomic(void *) *asked, const char *name)
{
	struct handle_slot *s = handles_get(&library_handles, (uintptr_t)handle);
	int (*ask)(const void *, cudaStream_t *);
	struct question question;
	cudaStream_t stream = NULL;

	if (s)
		return (cudaStream_t)(uintptr_t)atomic_load(&s->a);
	ask = handle ? hook_vendor(asked, name) : NULL;
	question = question_begin();
	if (ask && ask(handle, &stream))
		stream = NULL;
	question_end(question);
	handle_stream_is(handle, stream);
	return stream;
}
