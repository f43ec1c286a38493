/* nvtx_copy.h - the calls of one copy of NVTX. */
#pragma once
#include <nvtx3/nvToolsExt.h>

struct nvtx_copy {
	nvtxDomainHandle_t (*domain)(const char *name);
	nvtxDomainHandle_t (*wide_domain)(const wchar_t *name);
	void (*destroy)(nvtxDomainHandle_t domain);
	nvtxStringHandle_t (*string)(nvtxDomainHandle_t domain, const char *text);
	nvtxStringHandle_t (*wide_string)(nvtxDomainHandle_t domain, const wchar_t *text);
	void (*mark)(const char *text);
	void (*wide_mark)(const wchar_t *text);
	void (*mark_ex)(const nvtxEventAttributes_t *a);
	void (*domain_mark)(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a);
	int (*push)(const char *text);
	int (*wide_push)(const wchar_t *text);
	int (*push_ex)(const nvtxEventAttributes_t *a);
	int (*pop)(void);
	int (*domain_push)(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a);
	int (*domain_pop)(nvtxDomainHandle_t domain);
	nvtxRangeId_t (*start)(const char *text);
	nvtxRangeId_t (*wide_start)(const wchar_t *text);
	nvtxRangeId_t (*start_ex)(const nvtxEventAttributes_t *a);
	void (*end)(nvtxRangeId_t id);
	nvtxRangeId_t (*domain_start)(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a);
	void (*domain_end)(nvtxDomainHandle_t domain, nvtxRangeId_t id);
};
extern const struct nvtx_copy one, two;
