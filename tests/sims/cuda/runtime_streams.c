/* runtime_streams.c - streams, events, captures and graphs: the driver has the same. */
#include "tests/sims/cuda/runtime.h"
#include <string.h>

/* ---- streams ---- */

cudaError_t do_cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
	return ANSWER(CU(cuStreamCreateWithPriority)(pStream, flags, priority));
}

cudaError_t do_cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
	return ANSWER(CU(cuStreamCreate)(pStream, flags));
}

cudaError_t do_cudaStreamCreate(cudaStream_t *pStream)
{
	return ANSWER(CU(cuStreamCreate)(pStream, 0));
}

cudaError_t do_cudaStreamDestroy(cudaStream_t stream)
{
	return ANSWER(CU(cuStreamDestroy_v2)(stream));
}

cudaError_t do_cudaStreamSynchronize(cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuStreamSynchronize)(stream));
}

cudaError_t do_cudaStreamQuery(cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuStreamQuery)(stream));
}

cudaError_t do_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	return ANSWER(CU_PTSZ(cuStreamWaitEvent)(stream, event, flags));
}

cudaError_t do_cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned int flags)
{
	return ANSWER(CU_PTSZ(cuStreamAddCallback)(stream, callback, userData, flags));
}

cudaError_t do_cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
	return ANSWER(CU_PTSZ(cuStreamGetFlags)(hStream, flags));
}

cudaError_t do_cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
	return ANSWER(CU_PTSZ(cuStreamGetPriority)(hStream, priority));
}

cudaError_t do_cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
	return ANSWER(CU_PTSZ(cuStreamGetId)(hStream, streamId));
}

cudaError_t do_cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
	return ANSWER(CU_PTSZ(cuStreamGetDevice)(hStream, device));
}

/* ---- events ---- */

cudaError_t do_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	return ANSWER(CU(cuEventCreate)(event, flags));
}

cudaError_t do_cudaEventCreate(cudaEvent_t *event)
{
	return ANSWER(CU(cuEventCreate)(event, 0));
}

cudaError_t do_cudaEventDestroy(cudaEvent_t event)
{
	return ANSWER(CU(cuEventDestroy_v2)(event));
}

cudaError_t do_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuEventRecord)(event, stream));
}

cudaError_t do_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	return ANSWER(CU_PTSZ(cuEventRecordWithFlags)(event, stream, flags));
}

cudaError_t do_cudaEventQuery(cudaEvent_t event)
{
	return ANSWER(CU(cuEventQuery)(event));
}

cudaError_t do_cudaEventSynchronize(cudaEvent_t event)
{
	return ANSWER(CU(cuEventSynchronize)(event));
}

cudaError_t do_cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	return ANSWER((CU(cuEventElapsedTime_v2) ?: CU(cuEventElapsedTime))(ms, start, end));
}

/* ---- captures ---- */

cudaError_t do_cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
	return ANSWER(CU_PTSZ(cuStreamBeginCapture_v2)(stream, mode));
}

cudaError_t do_cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
	return ANSWER(CU_PTSZ(cuStreamEndCapture)(stream, pGraph));
}

cudaError_t do_cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *pCaptureStatus)
{
	return ANSWER(CU_PTSZ(cuStreamIsCapturing)(stream, pCaptureStatus));
}

static int info(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
		const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges, size_t *number)
{
	cuuint64_t its = 0;
	int rc = ANSWER(CU_PTSZ(cuStreamGetCaptureInfo_v3)(stream, status, &its, graph, (const CUgraphNode **)dependencies,
							   (const CUgraphEdgeData **)edges, number));

	if (id)
		*id = its;
	return rc;
}

#if SIM_MAJOR == 12
cudaError_t do_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id)
{
	return info(stream, status, id, NULL, NULL, NULL, NULL);
}

cudaError_t do_cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
					   const cudaGraphNode_t **dependencies, size_t *number)
{
	return info(stream, status, id, graph, dependencies, NULL, number);
}

cudaError_t do_cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
					   const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges, size_t *number)
{
	return info(stream, status, id, graph, dependencies, edges, number);
}
#else
cudaError_t do_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
					const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges, size_t *number)
{
	return info(stream, status, id, graph, dependencies, edges, number);
}
#endif

cudaError_t do_cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode)
{
	return ANSWER(CU(cuThreadExchangeStreamCaptureMode)(mode));
}

/* ---- graphs ---- */

cudaError_t do_cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
	return ANSWER(CU(cuGraphCreate)(pGraph, flags));
}

cudaError_t do_cudaGraphDestroy(cudaGraph_t graph)
{
	return ANSWER(CU(cuGraphDestroy)(graph));
}

cudaError_t do_cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
	return ANSWER(CU(cuGraphClone)(pGraphClone, originalGraph));
}

cudaError_t do_cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes)
{
	return ANSWER(CU(cuGraphGetNodes)(graph, nodes, numNodes));
}

cudaError_t do_cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes)
{
	return ANSWER(CU(cuGraphGetRootNodes)(graph, pRootNodes, pNumRootNodes));
}

cudaError_t do_cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *pType)
{
	return ANSWER(CU(cuGraphNodeGetType)(node, pType));
}

/* Of a kernel the program knows its own function. */
static int params_of(const cudaKernelNodeParams *given, struct sim_node_v2 *params)
{
	const struct sim_node_rt *from = (const void *)given;

	*params = (struct sim_node_v2){ .func = runtime_function(from->func), .shared = from->shared, .params = from->params };
	memcpy(params->grid, &from->grid, sizeof(params->grid));
	memcpy(params->block, &from->block, sizeof(params->block));
	return params->func ? 0 : SIM_ERROR_INVALID_FUNCTION;
}

cudaError_t do_cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *pNodeParams)
{
	struct sim_node_rt *to = (void *)pNodeParams;
	struct sim_node_v2 params;
	int rc = ANSWER(CU(cuGraphKernelNodeGetParams_v2)(node, (CUDA_KERNEL_NODE_PARAMS_v2 *)&params));

	if (rc)
		return rc;
	*to = (struct sim_node_rt){ .func = (void *)runtime_host(params.func), .shared = params.shared, .params = params.params };
	memcpy(&to->grid, params.grid, sizeof(params.grid));
	memcpy(&to->block, params.block, sizeof(params.block));
	return 0;
}

#define WITH_PARAMS(given, call)            \
	struct sim_node_v2 params;          \
	int rc = params_of(given, &params); \
                                            \
	return runtime_told(rc ? rc : ANSWER(call))
#define PARAMS ((const CUDA_KERNEL_NODE_PARAMS_v2 *)&params)

cudaError_t do_cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *pNodeParams)
{
	WITH_PARAMS(pNodeParams, CU(cuGraphKernelNodeSetParams_v2)(node, PARAMS));
}

cudaError_t do_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const cudaKernelNodeParams *pNodeParams)
{
	WITH_PARAMS(pNodeParams, CU(cuGraphExecKernelNodeSetParams_v2)(hGraphExec, node, PARAMS));
}

cudaError_t do_cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled)
{
	return ANSWER(CU(cuGraphNodeSetEnabled)(hGraphExec, hNode, isEnabled));
}

cudaError_t do_cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
				      size_t numDependencies, const cudaKernelNodeParams *pNodeParams)
{
	WITH_PARAMS(pNodeParams, CU(cuGraphAddKernelNode_v2)(pGraphNode, graph, pDependencies, numDependencies, PARAMS));
}

cudaError_t do_cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
					size_t numDependencies, void *dst, const void *src, size_t count, cudaMemcpyKind kind)
{
	CUDA_MEMCPY3D_v2 c = { .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
			       .srcDevice = (CUdeviceptr_v2)src,
			       .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
			       .dstDevice = (CUdeviceptr_v2)dst,
			       .WidthInBytes = count,
			       .Height = 1,
			       .Depth = 1 };

	return ANSWER(CU(cuGraphAddMemcpyNode)(pGraphNode, graph, pDependencies, numDependencies, &c, NULL));
}

cudaError_t do_cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
				      size_t numDependencies, const cudaMemsetParams *pMemsetParams)
{
	return ANSWER(CU(cuGraphAddMemsetNode)(pGraphNode, graph, pDependencies, numDependencies,
					       (const CUDA_MEMSET_NODE_PARAMS_v1 *)pMemsetParams, NULL));
}

cudaError_t do_cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
				    size_t numDependencies, const cudaHostNodeParams *pNodeParams)
{
	return ANSWER(CU(cuGraphAddHostNode)(pGraphNode, graph, pDependencies, numDependencies, pNodeParams));
}

cudaError_t do_cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
				     size_t numDependencies)
{
	return ANSWER(CU(cuGraphAddEmptyNode)(pGraphNode, graph, pDependencies, numDependencies));
}

cudaError_t do_cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
					  size_t numDependencies, cudaGraph_t childGraph)
{
	return ANSWER(CU(cuGraphAddChildGraphNode)(pGraphNode, graph, pDependencies, numDependencies, childGraph));
}

cudaError_t do_cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph)
{
	return ANSWER(CU(cuGraphChildGraphNodeGetGraph)(node, pGraph));
}

cudaError_t do_cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
	return ANSWER(CU(cuGraphInstantiateWithFlags)(pGraphExec, graph, flags));
}

cudaError_t do_cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags)
{
	return do_cudaGraphInstantiateWithFlags(pGraphExec, graph, flags);
}

cudaError_t do_cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, cudaGraphInstantiateParams *instantiateParams)
{
	return ANSWER(CU(cuGraphInstantiateWithParams)(pGraphExec, graph, (CUDA_GRAPH_INSTANTIATE_PARAMS *)instantiateParams));
}

cudaError_t do_cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphExecUpdateResultInfo *resultInfo)
{
	return ANSWER(CU(cuGraphExecUpdate_v2)(hGraphExec, hGraph, (CUgraphExecUpdateResultInfo *)resultInfo));
}

cudaError_t do_cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
	return ANSWER(CU(cuGraphExecDestroy)(graphExec));
}

cudaError_t do_cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuGraphLaunch)(graphExec, stream));
}

cudaError_t do_cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
	return ANSWER(CU_PTSZ(cuGraphUpload)(graphExec, stream));
}
