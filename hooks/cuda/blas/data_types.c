#include "hooks/cuda/blas/data_types.h"
#include "agent/format/event.h"

/* In the order of cudaDataType. Pairs of numbers that have no name of their own are `other`. */
static const uint8_t types[] = {
	DATA_FP32,
	DATA_FP64,
	DATA_FP16,
	DATA_INT8,
	DATA_COMPLEX64,
	DATA_COMPLEX128,
	DATA_COMPLEX32,
	DATA_OTHER, /* C_8I */
	DATA_UINT8,
	DATA_OTHER, /* C_8U */
	DATA_INT32,
	DATA_OTHER, /* C_32I */
	DATA_UINT32,
	DATA_OTHER, /* C_32U */
	DATA_BF16,
	DATA_OTHER, /* C_16BF */
	DATA_INT4,
	DATA_OTHER, /* C_4I */
	DATA_OTHER, /* R_4U */
	DATA_OTHER, /* C_4U */
	DATA_INT16,
	DATA_OTHER, /* C_16I */
	DATA_UINT16,
	DATA_OTHER, /* C_16U */
	DATA_INT64,
	DATA_OTHER, /* C_64I */
	DATA_UINT64,
	DATA_OTHER, /* C_64U */
	DATA_FP8,   /* E4M3 */
	DATA_FP8,   /* E5M2 */
	DATA_FP8,   /* UE8M0 */
	DATA_FP6,   /* E2M3 */
	DATA_FP6,   /* E3M2 */
	DATA_FP4,   /* E2M1 */
	DATA_FP8,   /* UE5M3 */
};

uint8_t cuda_data_type(cudaDataType type)
{
	return (size_t)type < sizeof(types) ? types[type] : DATA_OTHER;
}
