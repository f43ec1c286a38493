/* dnn.c - libcudnn: handles, and descriptions of tensors and filters. */
#include "tests/sims/cuda/library.h"
#include "tests/sims/cuda/declare.h"
#include <stdlib.h>

#define DIMENSIONS 8
#define BAD	   2000 /* CUDNN_STATUS_BAD_PARAM */

struct description {
	int type, format, dimensions, sizes[DIMENSIONS], strides[DIMENSIONS];
};

cudnnStatus_t do_cudnnCreate(cudnnHandle_t *handle)
{
	return library_handle(handle) ? BAD : 0;
}

cudnnStatus_t do_cudnnDestroy(cudnnHandle_t handle)
{
	return library_end(handle) ? BAD : 0;
}

cudnnStatus_t do_cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId)
{
	return !handle || library_set_stream(handle, streamId) ? BAD : 0;
}

cudnnStatus_t do_cudnnGetStream(cudnnHandle_t handle, cudaStream_t *streamId)
{
	*streamId = handle ? library_stream(handle) : NULL;
	return handle ? 0 : BAD;
}

/* ---- descriptions ---- */

static int set(struct description *d, int type, int format, int dimensions, const int *sizes, const int *strides)
{
	if (!d || dimensions < 3 || dimensions > DIMENSIONS)
		return BAD;
	*d = (struct description){ .type = type, .format = format, .dimensions = dimensions };
	for (int i = 0; i < dimensions; i++) {
		d->sizes[i] = sizes[i];
		d->strides[i] = strides ? strides[i] : 0;
	}
	return 0;
}

/* As many as there is room for; how many there are. */
static int get(const struct description *d, int room, int *type, int *dimensions, int *sizes, int *strides)
{
	if (!d || !d->dimensions)
		return BAD;
	*type = d->type;
	*dimensions = d->dimensions;
	for (int i = 0; i < d->dimensions && i < room; i++) {
		sizes[i] = d->sizes[i];
		if (strides)
			strides[i] = d->strides[i];
	}
	return 0;
}

cudnnStatus_t do_cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensorDesc)
{
	return library_made(tensorDesc, sizeof(struct description)) ? BAD : 0;
}

cudnnStatus_t do_cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType, int nbDims, const int *dimA,
					    const int *strideA)
{
	return set(tensorDesc, dataType, 0, nbDims, dimA, strideA);
}

cudnnStatus_t do_cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t tensorDesc, int nbDimsRequested, cudnnDataType_t *dataType,
					    int *nbDims, int *dimA, int *strideA)
{
	return get(tensorDesc, nbDimsRequested, dataType, nbDims, dimA, strideA);
}

cudnnStatus_t do_cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensorDesc)
{
	free(tensorDesc);
	return 0;
}

cudnnStatus_t do_cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filterDesc)
{
	return library_made(filterDesc, sizeof(struct description)) ? BAD : 0;
}

cudnnStatus_t do_cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType, cudnnTensorFormat_t format,
					    int nbDims, const int *filterDimA)
{
	return set(filterDesc, dataType, format, nbDims, filterDimA, NULL);
}

cudnnStatus_t do_cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t filterDesc, int nbDimsRequested, cudnnDataType_t *dataType,
					    cudnnTensorFormat_t *format, int *nbDims, int *filterDimA)
{
	const struct description *d = filterDesc;

	if (d)
		*format = d->format;
	return get(d, nbDimsRequested, dataType, nbDims, filterDimA, NULL);
}

cudnnStatus_t do_cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filterDesc)
{
	free(filterDesc);
	return 0;
}
