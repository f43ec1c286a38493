/* abi.h - cuDNN: just enough to pass arguments through. Names and values as in cudnn.h of majors 8 and 9. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Status codes: 0 is success. This one is of major 9, and none of 8. */
typedef int32_t cudnnStatus_t;
#define CUDNN_NOT_SUPPORTED 3000

/* Handles. cudaStream_t and cudaGraph_t are hooks/cuda/abi/abi.h's, too. */
typedef void *cudaStream_t, *cudaGraph_t, *cudnnHandle_t, *cudnnTensorDescriptor_t, *cudnnFilterDescriptor_t, *cudnnConvolutionDescriptor_t,
	*cudnnActivationDescriptor_t, *cudnnPoolingDescriptor_t, *cudnnLRNDescriptor_t, *cudnnDropoutDescriptor_t,
	*cudnnOpTensorDescriptor_t, *cudnnReduceTensorDescriptor_t, *cudnnTensorTransformDescriptor_t,
	*cudnnSpatialTransformerDescriptor_t, *cudnnCTCLossDescriptor_t, *cudnnRNNDescriptor_t, *cudnnRNNDataDescriptor_t,
	*cudnnSeqDataDescriptor_t, *cudnnAttnDescriptor_t, *cudnnBackendDescriptor_t, *cudnnFusedOpsPlan_t,
	*cudnnFusedOpsVariantParamPack_t;

/* Enumerations. */
typedef int32_t cudnnDataType_t, cudnnTensorFormat_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, cudnnCTCLossAlgo_t,
	cudnnCausalConv1dActivation_t, cudnnConvolutionFwdAlgo_t, cudnnConvolutionBwdDataAlgo_t, cudnnConvolutionBwdFilterAlgo_t,
	cudnnDivNormMode_t, cudnnForwardMode_t, cudnnGnnAggOp_t, cudnnLRNMode_t, cudnnNormAlgo_t, cudnnNormMode_t, cudnnNormOps_t,
	cudnnReorderType_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t, cudnnWgradMode_t;

/* Nobody looks into these. */
typedef void cudnnConvolutionFwdAlgoPerf_t, cudnnConvolutionBwdDataAlgoPerf_t, cudnnConvolutionBwdFilterAlgoPerf_t,
	cudnnAlgorithmPerformance_t, cudnnGnnCscGraph_t, cudnnGnnMhaParams_t;
