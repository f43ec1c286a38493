#include "hooks/cuda/dnn/descriptors.h"
#include "agent/record/record.h"
#include "agent/record/question.h"
#include "hooks/link/resolve.h"

/* In the order of cudnnDataType_t. */
static const uint8_t types[] = {
	DATA_FP32,
	DATA_FP64,
	DATA_FP16,
	DATA_INT8,
	DATA_INT32,
	DATA_INT8, /* 4 side by side */
	DATA_UINT8,
	DATA_UINT8, /* 4 side by side */
	DATA_INT8,  /* 32 side by side */
	DATA_BF16,
	DATA_INT64,
	DATA_BOOL,
	DATA_FP8,   /* E4M3 */
	DATA_FP8,   /* E5M2 */
	DATA_OTHER, /* a way to compute */
	DATA_FP8,   /* E8M0 */
	DATA_FP4,
	DATA_INT4,
	DATA_OTHER, /* UINT4 */
	DATA_UINT32,
	DATA_COMPLEX64,
	DATA_COMPLEX128,
	DATA_BOOL, /* of a byte each */
	DATA_FP8,  /* E5M3 */
};

static uint8_t type_of(cudnnDataType_t type)
{
	return (size_t)type < sizeof(types) ? types[type] : DATA_OTHER;
}

/* Dimensions are told as N, C and what is behind them; whether channels lie side by side their strides say. */
static uint8_t format_of(unsigned int dimensions, bool channels_last)
{
	if (dimensions == 4)
		return channels_last ? FORMAT_NHWC : FORMAT_NCHW;
	if (dimensions == 5)
		return channels_last ? FORMAT_NDHWC : FORMAT_NCDHW;
	return FORMAT_ND;
}

static bool is_channels_last(unsigned int dimensions, const int *sizes, const int *strides)
{
	return dimensions > 2 && sizes[1] > 1 && strides[1] == 1 && strides[dimensions - 1] > 1;
}

struct answer {
	cudnnDataType_t type;
	int dimensions, sizes[SHAPES_DIMENSIONS], strides[SHAPES_DIMENSIONS];
	bool channels_last;
};

static bool ask_tensor(const void *descriptor, struct answer *a)
{
	static _Atomic(void *) cache;
	cudnnStatus_t (*get)(const void *, int, cudnnDataType_t *, int *, int *, int *) = hook_vendor(&cache, "cudnnGetTensorNdDescriptor");

	if (!get || get(descriptor, SHAPES_DIMENSIONS, &a->type, &a->dimensions, a->sizes, a->strides) || a->dimensions < 1)
		return false;
	a->channels_last = a->dimensions <= SHAPES_DIMENSIONS && is_channels_last((unsigned int)a->dimensions, a->sizes, a->strides);
	return true;
}

#define CUDNN_TENSOR_NHWC 1

static bool ask_filter(const void *descriptor, struct answer *a)
{
	static _Atomic(void *) cache;
	cudnnStatus_t (*get)(const void *, int, cudnnDataType_t *, cudnnTensorFormat_t *, int *, int *) =
		hook_vendor(&cache, "cudnnGetFilterNdDescriptor");
	cudnnTensorFormat_t format;

	if (!get || get(descriptor, SHAPES_DIMENSIONS, &a->type, &format, &a->dimensions, a->sizes) || a->dimensions < 1)
		return false;
	a->channels_last = format == CUDNN_TENSOR_NHWC;
	return true;
}

static bool describe(struct def_tensor *d, const struct described *one)
{
	struct question question = question_begin();
	struct answer a = { 0 };
	bool told = one->is_filter ? ask_filter(one->descriptor, &a) : ask_tensor(one->descriptor, &a);

	question_end(question);
	if (!told)
		return false;
	d->type = type_of(a.type);
	d->format = format_of((unsigned int)a.dimensions, a.channels_last);
	d->dimensions = (uint8_t)(a.dimensions < SHAPES_DIMENSIONS ? a.dimensions : SHAPES_DIMENSIONS);
	d->left_out = (uint8_t)(a.dimensions - d->dimensions);
	d->reserved = 0;
	for (unsigned int i = 0; i < d->dimensions; i++)
		d->dimension[i] = a.sizes[i];
	return true;
}

uint64_t descriptors_launch(unsigned int hook, const struct described *list, unsigned int count)
{
	struct def_tensor tensors[DESCRIBED_MOST];
	struct operator_shapes given = { tensors, 0, 0 };

	for (unsigned int i = 0; i < count; i++) {
		if (!list[i].descriptor)
			continue;
		if (given.count < DESCRIBED_MOST && describe(&tensors[given.count], &list[i]))
			given.count++;
		else
			given.left_out++;
	}
	return operator_shapes_launch(row_name(hook), &given);
}
