/* nnop_tensors.c - libnnopbase: descriptions of tensors, scalars and arrays. */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/nnop.h"
#include <stdlib.h>
#include <string.h>

aclnnStatus do_aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
			     const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims,
			     uint64_t storageDimsNum, void *tensorDataAddr)
{
	struct nnop_tensor *t = tensor;

	if (viewDimsNum > NNOP_DIMS)
		return SIM_ERROR_INVALID_PARAM;
	*t = (struct nnop_tensor){ SIM_TENSOR, dataType, format, (int)viewDimsNum, { 0 }, { 0 }, offset, tensorDataAddr };
	for (int64_t i = t->ndims - 1, step = 1; i >= 0; step *= t->dims[i--]) {
		t->dims[i] = viewDims[i];
		t->strides[i] = stride ? stride[i] : step;
	}
	return 0;
}

aclTensor *do_aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride, int64_t offset,
			      aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData)
{
	aclTensor *t = malloc(sizeof(struct nnop_tensor));

	if (do_aclInitTensor(t, viewDims, viewDimsNum, dataType, stride, offset, format, storageDims, storageDimsNum, tensorData)) {
		free(t);
		return NULL;
	}
	return t;
}

static int destroy(const void *object, enum sim_magic magic)
{
	if (!sim_is(object, magic))
		return SIM_ERROR_INVALID_PARAM;
	*(uint32_t *)object = 0;
	free((void *)object);
	return 0;
}

aclnnStatus do_aclDestroyTensor(const aclTensor *tensor)
{
	return destroy(tensor, SIM_TENSOR);
}

/* The caller must delete[] what it gets, as C++ does it: the very functions of libstdc++. */
extern void *_Znam(size_t size);

static int give_array(const int64_t *from, int n, int64_t **values, uint64_t *count)
{
	*values = _Znam((size_t)n * sizeof(int64_t));
	memcpy(*values, from, (size_t)n * sizeof(int64_t));
	*count = (uint64_t)n;
	return 0;
}

aclnnStatus do_aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum)
{
	const struct nnop_tensor *t = tensor;

	return sim_is(t, SIM_TENSOR) ? give_array(t->dims, t->ndims, viewDims, viewDimsNum) : SIM_ERROR_INVALID_PARAM;
}

aclnnStatus do_aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum)
{
	return do_aclGetViewShape(tensor, storageDims, storageDimsNum);
}

aclnnStatus do_aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum)
{
	const struct nnop_tensor *t = tensor;

	return sim_is(t, SIM_TENSOR) ? give_array(t->strides, t->ndims, stridesValue, stridesNum) : SIM_ERROR_INVALID_PARAM;
}

aclnnStatus do_aclGetDataType(const aclTensor *tensor, aclDataType *dataType)
{
	*dataType = ((const struct nnop_tensor *)tensor)->type;
	return 0;
}

aclnnStatus do_aclGetFormat(const aclTensor *tensor, aclFormat *format)
{
	*format = ((const struct nnop_tensor *)tensor)->format;
	return 0;
}

aclnnStatus do_aclGetViewOffset(const aclTensor *tensor, int64_t *offset)
{
	*offset = ((const struct nnop_tensor *)tensor)->offset;
	return 0;
}

aclnnStatus do_aclGetRawTensorAddr(const aclTensor *tensor, void **addr)
{
	*addr = ((const struct nnop_tensor *)tensor)->data;
	return 0;
}

aclnnStatus do_aclSetRawTensorAddr(aclTensor *tensor, void *addr)
{
	((struct nnop_tensor *)tensor)->data = addr;
	return 0;
}

/* ---- scalars ---- */

static double value_of(const void *value, aclDataType type)
{
	union {
		uint32_t bits;
		float number;
	} half = { 0 };

	switch (type) {
	case SIM_FLOAT: return *(const float *)value;
	case 2: return *(const int8_t *)value;
	case 3: return *(const int32_t *)value;
	case 4: return *(const uint8_t *)value;
	case 9: return (double)*(const int64_t *)value;
	case 11: return *(const double *)value;
	case 12: return *(const bool *)value;
	case SIM_BF16: half.bits = (uint32_t) * (const uint16_t *)value << 16; return half.number;
	default: return 0;
	}
}

aclScalar *do_aclCreateScalar(void *value, aclDataType dataType)
{
	struct nnop_scalar *s = malloc(sizeof(*s));

	*s = (struct nnop_scalar){ SIM_SCALAR, dataType, value ? value_of(value, dataType) : 0 };
	return s;
}

aclnnStatus do_aclDestroyScalar(const aclScalar *scalar)
{
	return destroy(scalar, SIM_SCALAR);
}

/* ---- arrays and lists ---- */

static void *new_array(const void *values, uint64_t n, size_t width)
{
	struct nnop_array *a = calloc(1, sizeof(*a));

	a->magic = SIM_ARRAY;
	a->n = n < 64 ? (int64_t)n : 64;
	memcpy(a->integers, values ? values : a, values ? (size_t)a->n * width : 0);
	return a;
}

static int size_of(const void *array, uint64_t *size)
{
	if (!sim_is(array, SIM_ARRAY))
		return SIM_ERROR_INVALID_PARAM;
	*size = (uint64_t)((const struct nnop_array *)array)->n;
	return 0;
}

#define ARRAY(type, create, values)                            \
	type *do_##create(values, uint64_t size)               \
	{                                                      \
		return new_array(value, size, sizeof(*value)); \
	}
ARRAY(aclIntArray, aclCreateIntArray, const int64_t *value)
ARRAY(aclFloatArray, aclCreateFloatArray, const float *value)
ARRAY(aclBoolArray, aclCreateBoolArray, const bool *value)
ARRAY(aclTensorList, aclCreateTensorList, const aclTensor *const *value)
ARRAY(aclScalarList, aclCreateScalarList, const aclScalar *const *value)

aclnnStatus do_aclDestroyIntArray(const aclIntArray *array)
{
	return destroy(array, SIM_ARRAY);
}

aclnnStatus do_aclDestroyFloatArray(const aclFloatArray *array)
{
	return destroy(array, SIM_ARRAY);
}

aclnnStatus do_aclDestroyBoolArray(const aclBoolArray *array)
{
	return destroy(array, SIM_ARRAY);
}

/* A list owns what is in it. */
aclnnStatus do_aclDestroyTensorList(const aclTensorList *array)
{
	const struct nnop_array *a = array;

	for (int64_t i = 0; sim_is(a, SIM_ARRAY) && i < a->n; i++)
		destroy(a->objects[i], SIM_TENSOR);
	return destroy(array, SIM_ARRAY);
}

aclnnStatus do_aclDestroyScalarList(const aclScalarList *array)
{
	const struct nnop_array *a = array;

	for (int64_t i = 0; sim_is(a, SIM_ARRAY) && i < a->n; i++)
		destroy(a->objects[i], SIM_SCALAR);
	return destroy(array, SIM_ARRAY);
}

aclnnStatus do_aclGetIntArraySize(const aclIntArray *array, uint64_t *size)
{
	return size_of(array, size);
}

aclnnStatus do_aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size)
{
	return size_of(tensorList, size);
}

aclnnStatus do_aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size)
{
	return size_of(scalarList, size);
}
