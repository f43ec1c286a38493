"""coverage_cuda.py - for scripts/dev/coverage: what is known of the names of CUDA's libraries."""
import re

CALLER = "torch"
LEAST = 250  # names in the document, or it is not whole
PATTERNS = ()  # rows that have to be there

HEAD = """\
# CUDA: what PyTorch calls, and what of it is recorded

Made by `scripts/dev/coverage cuda build/ranktrace torch-*.whl >docs/coverage-cuda.md` from wheels
as they are on PyPI (`pip download --no-deps torch==VERSION`, cp311, x86-64).
`tests/contract/check_coverage.sh` holds it against the rows.

Every name that a library of the wheel imports (I), or has as a text of its own, to look it up by
(L), and that begins as functions of libcuda, libcudart, cuBLAS, cublasLt, cuDNN or NCCL do. *hooked*
says as what calls are recorded; *not* says why there is no row. A name is *not* if it stands in
`scripts/dev/coverage_cuda.py`, and else **missing**; only descriptors of cuDNN and BLAS of vectors
stand there as patterns.

Not seen on any road: what goes past libcuda and libamdhip64, to the device's files itself, as
tinygrad does with `DEV=NV` (/dev/nvidiactl) and `DEV=AMD` (/dev/kfd), and of itself where DEV is not
set; `DEV=CUDA` and `DEV=HIP` are seen, and `ranktrace check -- COMMAND` says which it would be. Nor
cuFFT, cuSPARSE, cuSOLVER, cuRAND and cuFile as operators (their kernels and copies are seen as the
driver's, by the runtime that is in them), and of AMD's libraries hipBLAS, hipBLASLt, rocBLAS and
MIOpen as operators. NCCL has each function a second time, as `pnccl...`, for tools that stand before
it: who calls that one means to pass such tools by, and passes us by, too.
"""
COUNTED_ARE = ("versions", "Functions that are there once for each stream of a thread (`_ptsz`, `_ptds`) are counted with the others.")

# Names as those of a library of CUDA that has rows: of a function, not of an operator of torch (cudnn_*), of cuFFT or of cuFile.
NAMES = re.compile(r"(__cuda[A-Z]|cuda[A-Z]|cu(?!FFT|File)[A-Z]|cu(blas|dnn)[A-Z]|p?nccl[A-Z])\w*")
COUNTED = re.compile(r"\w+_pt[sd][sz]$")

# Why a function has no row. None of these gives work to a device, moves or allocates memory, communicates or marks.
REASONS = {
    "asks": "Only answers a question.",
    "describes": "Makes, fills or destroys a description on the host: of a tensor, a matrix, an operator, a capture's conditions.",
    "sets up": "Starts, ends or sets up a library, a device, a green context and its streams, a pool or a function; lets others use what is there.",
    "no function": "A word in a message or in a table: no library has such a function.",
    "vectors": "BLAS of vectors, or copies of vectors and matrices: no operator of ours; its kernel or copy is recorded, as the driver's.",
    "mapped": "Addresses and handles of memory that is recorded where it is made, mapped and given back.",
}
# By name, so that one that nobody looked at is missing; patterns are for descriptors of cuDNN, and types of vectors.
NOT_HOOKED = {
    "asks": """cublasGetMathMode cublasGetPointerMode_v2 cublasLtGetVersion cublasOpFromChar cuCtxGetCurrent cudaDeviceCanAccessPeer
        cudaDeviceGetAttribute cudaDeviceGetDefaultMemPool cudaDeviceGetGraphMemAttribute cudaDeviceGetPCIBusId
        cudaDeviceGetStreamPriorityRange cudaDriverGetVersion cudaFuncGetAttributes cudaGetDevice cudaGetDeviceCount cudaGetDeviceProperties
        cudaGetErrorName cudaGetErrorString cudaGetLastError cudaGetSymbolAddress cudaGraphGetNodes cudaGraphNodeGetDependencies
        cudaMemGetInfo cudaMemPoolGetAttribute cudaOccupancyMaxActiveBlocksPerMultiprocessor
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaPeekAtLastError cudaPointerGetAttributes cudaRuntimeGetVersion
        cudaStreamGetCaptureInfo cudaStreamGetPriority cudaStreamIsCapturing cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount
        cuDeviceGetUuid cuDevicePrimaryCtxGetState cudnnGetBatchNormalizationBackwardExWorkspaceSize
        cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize cudnnGetBatchNormalizationTrainingExReserveSpaceSize
        cudnnGetConvolutionBackwardDataAlgorithm_v7 cudnnGetConvolutionBackwardDataWorkspaceSize
        cudnnGetConvolutionBackwardFilterAlgorithm_v7 cudnnGetConvolutionBackwardFilterWorkspaceSize cudnnGetConvolutionForwardAlgorithm_v7
        cudnnGetConvolutionForwardWorkspaceSize cudnnGetCTCLossWorkspaceSize cudnnGetCTCLossWorkspaceSize_v8 cudnnGetCudartVersion
        cudnnGetErrorString cudnnGetFilterNdDescriptor cudnnGetLastErrorString cudnnGetProperty cudnnGetRNNTempSpaceSizes
        cudnnGetRNNWeightParams cudnnGetRNNWeightSpaceSize cudnnGetStream cudnnGetTensorNdDescriptor cudnnGetVersion cuFuncGetAttribute
        cuGetErrorName cuGetErrorString cuMemGetAddressRange cuMemGetAddressRange_v2 cuMemGetAllocationGranularity
        cuMemGetAllocationPropertiesFromHandle cuOccupancyMaxActiveBlocksPerMultiprocessor cuPointerGetAttribute ncclCommCount
        ncclCommGetAsyncError ncclCommGetUniqueId ncclCommMemStats ncclCommUserRank ncclGetErrorString ncclGetLastError
        ncclGetLsaMultimemDevicePointer ncclGetPeerDevicePointer ncclGetUniqueId ncclGetVersion ncclGroupSimulateEnd ncclWinGetUserPtr""",
    "describes": """cublasLtMatmulAlgoCheck cublasLtMatmulAlgoConfigGetAttribute cublasLtMatmulAlgoConfigSetAttribute
        cublasLtMatmulAlgoGetHeuristic cublasLtMatmulDescCreate cublasLtMatmulDescDestroy cublasLtMatmulDescSetAttribute
        cublasLtMatmulPreferenceCreate cublasLtMatmulPreferenceDestroy cublasLtMatmulPreferenceSetAttribute cudaGraphConditionalHandleCreate
        cudaGraphRetainUserObject cudaKernelSetAttributeForDevice cudaUserObjectCreate cudaUserObjectRelease cudnnBackendCreateDescriptor
        cudnnBackendDestroyDescriptor cudnnBackendGetAttribute cudnnBackendSetAttribute cudnnCreate*Descriptor cudnnDestroy*Descriptor
        cudnnDropoutGetStatesSize cudnnSet*Descriptor* cudnnSetConvolutionGroupCount cudnnSetConvolutionMathType cuTensorMapEncodeTiled
        ncclRedOpCreatePreMulSum ncclRedOpDestroy""",
    "sets up": """__cudaInitModule __cudaPopCallConfiguration __cudaPushCallConfiguration __cudaRegisterFatBinary __cudaRegisterFatBinaryEnd
        __cudaRegisterVar cublasLtMatmulAlgoInit cublasSetMathMode cublasSetPointerMode_v2 cublasSetSmCountTarget cublasSetWorkspace_v2
        cuCtxFromGreenCtx cudaDeviceEnablePeerAccess cudaDeviceSetGraphMemAttribute cudaFuncSetAttribute cudaIpcGetEventHandle
        cudaIpcOpenEventHandle cudaMemPoolSetAccess cudaMemPoolSetAttribute cudaThreadExchangeStreamCaptureMode cuDeviceGetDevResource
        cuDevResourceGenerateDesc cuDevSmResourceSplitByCount cuFuncSetAttribute cuFuncSetCacheConfig cuGreenCtxCreate cuGreenCtxDestroy
        cuGreenCtxStreamCreate cuInit cuLinkAddData_v2 cuLinkComplete cuLinkCreate_v2 cuLogsRegisterCallback
        cuLogsUnregisterCallback ncclDevCommCreate ncclDevCommDestroy""",
    "vectors": """cublas[CDSZ]axpy_v2 cublas[CDSZ]copy_v2 cublas[CDSZ]rot_v2 cublas[CDSZ]rotg_v2 cublas[CDSZ]scal_v2 cublas[CDSZ]swap_v2
        cublas[CZ]dot[cu]_v2 cublas[DS]asum_v2 cublas[DS]dot_v2 cublas[DS]nrm2_v2 cublas[DS]rotm_v2 cublas[DS]rotmg_v2
        cublas[GS]etMatrixAsync cublas[GS]etVectorAsync cublasCsrot_v2 cublasCsscal_v2 cublasDotEx cublasDzasum_v2 cublasDznrm2_v2
        cublasI[cdsz]am[ai][nx]_v2 cublasScasum_v2 cublasScnrm2_v2 cublasZdrot_v2 cublasZdscal_v2""",
    "mapped": """cudaIpcGetMemHandle cuMemExportToShareableHandle cuMemImportFromShareableHandle cuMemRetainAllocationHandle cuMemSetAccess
        cuMulticastAddDevice cuMulticastBindMem cuMulticastCreate cuMulticastUnbind""",
    "no function": """cublasLtMatmulScaleMode cudaCheck cudaCopy cudaDeviceForPointer cudaElapsedUs cudaError cudaErrorMemoryAllocation
        cudaErrorUnknown cudaStreamCaptureStatusActive cudaStreamCaptureStatusInvalidated""",
}
