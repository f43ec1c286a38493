/*
 * wrap.c - NVTX's calls, by injection: each copy of NVTX, of which a process may have many, asks once for a tool, by
 * InitializeInjectionNvtx2 of the library that NVTX_INJECTION64_PATH names. No function is behind ours: what a call answers is
 * our word, also where nothing is recorded.
 */
#include "hooks/cuda/nvtx/words.h"
#include "hooks/cuda/nvtx/texts.h"

/* ---- what NVTX's contract says that a tool answers ---- */

#define ANSWER_nvtxRangeStartEx	      nvtx_next_number()
#define ANSWER_nvtxRangeStartA	      nvtx_next_number()
#define ANSWER_nvtxRangeStartW	      nvtx_next_number()
#define ANSWER_nvtxDomainRangeStartEx nvtx_next_number()
#define ANSWER_nvtxRangePushEx	      nvtx_push(NULL)
#define ANSWER_nvtxRangePushA	      nvtx_push(NULL)
#define ANSWER_nvtxRangePushW	      nvtx_push(NULL)
#define ANSWER_nvtxRangePop	      nvtx_pop(NULL)
#define ANSWER_nvtxDomainRangePushEx  nvtx_push(domain)
#define ANSWER_nvtxDomainRangePop     nvtx_pop(domain)
#define ANSWER_nvtxDomainCreateA      nvtx_handle_of(name)
#define ANSWER_nvtxDomainCreateW      handle_of_wide(name)

static void *handle_of_wide(const wchar_t *name)
{
	struct marker_text room;

	return nvtx_handle_of(nvtx_narrow(name, &room));
}

static nvtxStringHandle_t register_string(nvtxDomainHandle_t domain, const char *string)
{
	return nvtx_handle_of(string);
}

static nvtxStringHandle_t register_wide(nvtxDomainHandle_t domain, const wchar_t *string)
{
	return handle_of_wide(string);
}

/* ---- the rows ---- */

#define INJECTED(ret, sym, params, args, capture)                                                        \
	OURS ret injected_##sym params;                                                                  \
	OURS ret injected_##sym params                                                                   \
	{                                                                                                \
		const void *caller = __builtin_return_address(0);                                        \
                                                                                                         \
		UNWINDS;                                                                                 \
		if (LIKELY(gate_shut(OPENS_##capture)) || UNLIKELY(!gate_load() && !(STARTS_##capture))) \
			return answer_##sym args;                                                        \
		if (UNLIKELY(!hook_defined(HOOK_##sym) || !gate_load()))                                 \
			hook_begin(HOOK_##sym, caller);                                                  \
		return body_##sym(answer_##sym, caller LIST args);                                       \
	}

#define HOOK_INJECTED(ret, sym, params, args, capture)                              \
	static ret answer_##sym params                                              \
	{                                                                           \
		return ANSWER_##sym;                                                \
	}                                                                           \
	BODY(ret, sym, params, capture, ret rc, rc = real args, true, 0, return rc) \
	INJECTED(ret, sym, params, args, capture)
#define HOOK_INJECTED_VOID(sym, params, args, capture)                  \
	static void answer_##sym params                                 \
	{                                                               \
	}                                                               \
	BODY(void, sym, params, capture, , real args, true, 0, return ) \
	INJECTED(void, sym, params, args, capture)
#include "hooks/cuda/nvtx/nvtx.def"

/* ---- what a copy of NVTX is told to call: numbers as in the header, the same in every version ---- */

#define SLOT(module, number, function)                                           \
	{                                                                        \
		NVTX_CB_MODULE_##module, number, (NvtxFunctionPointer)(function) \
	}
static const struct {
	int module;
	unsigned int number;
	NvtxFunctionPointer ours;
} slots[] = {
	SLOT(CORE, 1, injected_nvtxMarkEx),
	SLOT(CORE, 2, injected_nvtxMarkA),
	SLOT(CORE, 3, injected_nvtxMarkW),
	SLOT(CORE, 4, injected_nvtxRangeStartEx),
	SLOT(CORE, 5, injected_nvtxRangeStartA),
	SLOT(CORE, 6, injected_nvtxRangeStartW),
	SLOT(CORE, 7, injected_nvtxRangeEnd),
	SLOT(CORE, 8, injected_nvtxRangePushEx),
	SLOT(CORE, 9, injected_nvtxRangePushA),
	SLOT(CORE, 10, injected_nvtxRangePushW),
	SLOT(CORE, 11, injected_nvtxRangePop),
	SLOT(CORE2, 1, injected_nvtxDomainMarkEx),
	SLOT(CORE2, 2, injected_nvtxDomainRangeStartEx),
	SLOT(CORE2, 3, injected_nvtxDomainRangeEnd),
	SLOT(CORE2, 4, injected_nvtxDomainRangePushEx),
	SLOT(CORE2, 5, injected_nvtxDomainRangePop),
	SLOT(CORE2, 10, register_string),
	SLOT(CORE2, 11, register_wide),
	SLOT(CORE2, 12, injected_nvtxDomainCreateA),
	SLOT(CORE2, 13, injected_nvtxDomainCreateW),
	SLOT(CORE2, 14, injected_nvtxDomainDestroy),
};

#define OUR_VERSION 3

/* Other threads of the program wait meanwhile: nothing is started here. 0: no tool, then NVTX does as without us. */
EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
{
	const NvtxExportTableCallbacks *callbacks = get ? get(NVTX_ETID_CALLBACKS) : NULL;
	const NvtxExportTableVersionInfo *version = get ? get(NVTX_ETID_VERSIONINFO) : NULL;
	NvtxFunctionPointer **table;
	unsigned int size;

	if (!callbacks || callbacks->struct_size < sizeof(*callbacks) || !callbacks->GetModuleFunctionTable)
		return 0;
	if (version && version->struct_size >= sizeof(*version) && version->SetInjectionNvtxVersion)
		version->SetInjectionNvtxVersion(OUR_VERSION);
	for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++) {
		table = NULL;
		size = 0;
		if (callbacks->GetModuleFunctionTable(slots[i].module, &table, &size) && table && slots[i].number < size && table[slots[i].number])
			*table[slots[i].number] = slots[i].ours;
	}
	return 1;
}
