"""coverage_ascend.py - for scripts/dev/coverage: what is known of the names of Ascend's libraries."""
import re

CALLER = "torch_npu"
LEAST = 300  # names in the document, or it is not whole
PATTERNS = ("aclnn*", "aclnn*GetWorkspaceSize", "acl[A-Z]*GetWorkspaceSize", "Atb[A-Z]*GetWorkspaceSize")  # rows that have to be there

HEAD = """\
# Ascend: what torch_npu calls, and what of it is recorded

Made by `scripts/dev/coverage ascend build/ranktrace torch_npu-*.whl >docs/coverage-ascend.md` from wheels as they are on PyPI
(`pip download --no-deps torch_npu==VERSION`, cp311, x86-64). `tests/contract/check_coverage.sh` holds it against the rows.

Every name that a library of the wheel imports (I), or has as a text of its own, to look it up by (L), and that a library of Ascend may
have. *hooked* says as what calls are recorded; *not* says why there is no row. A name that a compiler put together of pieces in its code is not
seen in that wheel. Beside the look-ups of a running torch_npu, that is 3 to 13 names in each of the four oldest wheels; each of them
is a text in a newer one.
"""
COUNTED_ARE = ("operators", "Operators are `aclnnXxx` and `aclnnXxxGetWorkspaceSize`, both phases counted: hooked by their prefix, whatever the "
               "rest. The other columns count the names below.")

# Names that a library of Ascend may have. Others are torch's, Python's, libc's.
NAMES = re.compile(
    r"(acl|Hcc[a-z]|Hcomm|Lccl|Lcal|mstx|mspti|rts?[A-Z]|Msprof|shmem|dcmi|hal[A-Z]|Aml|Aoe|Atb[A-Z]|asd[A-Z]|Ge[SG]|GES"
    r"|(CanUse|(Un)?Init|Set)?PTA|(Un)?InitHugeMem|ReleaseHugeMem|AddTensorAddr|_ZNK?2ge|_ZNK?3atb)\w*|\w+[a-z]_s")

# Both phases of an operator are counted, and not named.
COUNTED = re.compile("aclnn[A-Z]")

# Why a function has no row. None of these gives work to a device, moves or allocates memory, communicates or marks.
REASONS = {
    "asks": "Only answers a question.",
    "describes": "Makes, fills or destroys a description on the host: of a tensor, an operator, a graph, a set of data, a copy.",
    "sets up": "Starts, ends or sets up a library, a device, a channel or a tool; lets others use what is there.",
    "cache": "Books of the operators' cache and scratch memory, kept on the host.",
    "reports": "Serves the vendor's own profiler, log, dump or self-test.",
    "string": "A checked function of the C library.",
    "no function": "A word in a message or in a table, or pieces of names in a row: no library has such a function.",
}
NOT_HOOKED = {
    "asks": """aclGetCannAttribute* aclGetCompileopt* aclGetDeviceCapability aclGetRecentErrMsg aclGetTensorDesc* aclGetViewShape
        aclprofGetSupportedFeatures* aclrtDeviceCanAccessPeer aclrtDeviceGet* aclrtGetCurrentContext aclrtGetDevice
        aclrtGetDeviceCount aclrtGetDeviceInfo aclrtGetDeviceUtilizationRate aclrtGetErrorVerbose aclrtGetFunctionAddr
        aclrtGetHardwareSyncAddr aclrtGetLastError aclrtGetLogicDevIdByUserDevId aclrtGetMem* aclrtGetPrimaryCtxState
        aclrtGetSocName aclrtGetStreamOverflowSwitch aclrtGetSysParamOpt aclrtPeekAtLastError aclrtPointerGetAttributes
        aclrtStreamGetId aclrtStreamQuery aclsysGet* asdFftGetWorkspaceSize dcmi*_get_* halGetAPIVersion halGetDeviceInfo
        HcclGetCommAsyncError HcclGetCommConfigCapability HcclGetCommName rtGetC2cCtrlAddr
        aclshmem_ptr shmem_ptr aclshmemx_get_uniqueid shmem_get_uniqueid
        GEStreamAllocationSummaryGetStringInfos _ZN2ge13GEGetErrorMsgEv _ZN2ge13GetFormatName*
        _ZN2ge15OperatorFactory9IsExistOp* _ZN2ge17GEGetWarningMsgV2Ev _ZN2ge7Session23GetCompiledGraphSummaryEj
        _ZN3atb5Utils* _ZNK2ge[1-6]* _ZNK2ge8Operator*""",
    "describes": """aclCreate* aclDestroy* aclSetTensor* aclopCreateAttr aclopDestroyAttr aclopSetAttr* acltdtCreateDataset
        acltdtDestroyDataset acltdtGet* asdFftCreate asdFftDestroy asdFftMakePlan* asdFftSetStream asdFftSetWorkspace
        aclprofCreate* aclprofDestroyConfig aclprofDestroyStepInfo GeSessionGraphDebugJSONPrint _ZN2ge10TensorDesc* _ZN2ge12AscendString*
        _ZN2ge15OperatorFactory14* _ZN2ge23OperatorCreatorRegister* _ZN2ge5Graph* _ZN2ge5Shape* _ZN2ge6Tensor* _ZN2ge8Operator*
        _ZN2ge7Session8AddGraph* _ZN2ge7Session11RemoveGraph* _ZN3atb15CreateOperation* _ZN3atb16DestroyOperation*
        _ZN3atb13CreateContext* _ZN3atb14DestroyContext*""",
    "sets up": """aclInit aclFinalize aclSetCompileopt aclrtCtxSetSysParamOpt aclrtSetSysParamOpt aclrtSetDeviceSatMode
        aclrtSetOpExecuteTimeOut* aclrtSetOpWaitTimeout aclrtDeviceEnablePeerAccess aclrtIpcMemGetExportKey
        aclrtIpcMemSetImportPid aclrtMemExportToShareableHandle aclrtMemSetPidToShareableHandle acltdtCreateChannelWithCapacity
        acltdtDestroyChannel aclshmemx_set_* shmem_set_*
        dcmi_init dcmiv2_init HcclSetConfig _ZN2ge10GEFinalizeEv _ZN2ge12GEInitialize* _ZN2ge7Session[CD]1*
        _ZN2ge7Session*MemoryBase* _ZNK2ge7Session25RegisterExternalAllocator*""",
    "cache": "*PTA* *HugeMem* AddTensorAddrToCachedList",
    "reports": """aclAppLog aclmdlFinalizeDump aclmdlInitDump aclmdlSetDump aclopSt*DumpArgs aclprofRegisterDeviceCallback
        aclprofSetConfig aclprofWarmup Aml*DetectOnline Aoe[A-Z]* Msprof* msptiActivityDisable msptiActivityEnable
        msptiActivityFlushAll msptiActivityGetNextRecord msptiActivityRegisterCallbacks""",
    "string": "snprintf_s strcpy_s vsnprintf_s",
    "no function": """acl_* aclnn aclProfiling* aclQueryEventRecordedStatus aclQueryEventWaitStatus aclStressDetect
        aclnnSilentCheckaclnn* aclnnForeach*aclnnForeach* AmlAicoreDetectO*Onlilibopapi Aml*Face Hccl*Face HcclAllgather*
        HcclAllreduce Hccl*_SendRecv HcclReduceScatterBase HcclCommList LcalCommInitRankLccl* LcclAllgather LcclAllreduce
        LcclCommInit LcclCommInitRankLocal halGetDeviceInfohal* mspti_* mstx_* mstxDomainExclude mstxDomainInclude
        mstxMemRegionsRe""",
}
