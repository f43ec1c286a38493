/* words.h - what the capture words of cuDNN do around a call, beside those of cuBLAS (hooks/cuda/blas/words.h). */
#pragma once
#include "hooks/cuda/blas/words.h"
#include "hooks/cuda/dnn/descriptors.h"
#include "hooks/cuda/dnn/kinds.h"

/* DNN(handle, descriptors), DNN_ON(stream, descriptors): of each T(tensor) or F(filter) */
#define T(descriptor)		{ descriptor, false }
#define F(descriptor)		{ descriptor, true }
#define DESCRIPTORS(...)	(struct described[]){ __VA_ARGS__ }, sizeof((struct described[]){ __VA_ARGS__ }) / sizeof(struct described)
#define OPENS_DNN(...)		OPENS_OPERATOR
#define DO_DNN(handle, ...)							\
	OPERATOR(handle_stream_before(handle), cudnn_stream(handle), descriptors_launch(hook, DESCRIPTORS(__VA_ARGS__)))
#define OPENS_DNN_ON(...)	OPENS_OPERATOR
#define DO_DNN_ON(handle, ...)	OPERATOR(handle, handle, descriptors_launch(hook, DESCRIPTORS(__VA_ARGS__)))
