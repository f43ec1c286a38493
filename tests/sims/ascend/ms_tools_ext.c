/* ms_tools_ext.c - the exported copies of mstx: they use the injection like any other module. */
#include "tests/sims/ascend/declare.h"
#include "tests/sims/ascend/mstx.h"

#define SLOT(module, slot, ret, ...) ((ret(*)(__VA_ARGS__))mstx_slot(module, slot))

void do_mstxMarkA(const char *message, aclrtStream stream)
{
	void (*mark)(const char *, aclrtStream) = SLOT(MSTX_CORE, MSTX_MARK, void, const char *, aclrtStream);

	if (mark)
		mark(message, stream);
}

mstxRangeId do_mstxRangeStartA(const char *message, aclrtStream stream)
{
	mstxRangeId (*start)(const char *, aclrtStream) = SLOT(MSTX_CORE, MSTX_RANGE_START, mstxRangeId, const char *, aclrtStream);

	return start ? start(message, stream) : 0;
}

void do_mstxRangeEnd(mstxRangeId id)
{
	void (*end)(mstxRangeId) = SLOT(MSTX_CORE, MSTX_RANGE_END, void, mstxRangeId);

	if (end)
		end(id);
}

mstxDomainHandle_t do_mstxDomainCreateA(const char *name)
{
	mstxDomainHandle_t (*create)(const char *) = SLOT(MSTX_DOMAIN, MSTX_DOMAIN_CREATE, mstxDomainHandle_t, const char *);

	return create ? create(name) : NULL;
}

void do_mstxDomainDestroy(mstxDomainHandle_t domain)
{
	void (*destroy)(mstxDomainHandle_t) = SLOT(MSTX_DOMAIN, MSTX_DOMAIN_DESTROY, void, mstxDomainHandle_t);

	if (destroy)
		destroy(domain);
}

void do_mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	void (*mark)(mstxDomainHandle_t, const char *, aclrtStream) =
		SLOT(MSTX_DOMAIN, MSTX_DOMAIN_MARK, void, mstxDomainHandle_t, const char *, aclrtStream);

	if (mark)
		mark(domain, message, stream);
}

mstxRangeId do_mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	mstxRangeId (*start)(mstxDomainHandle_t, const char *, aclrtStream) =
		SLOT(MSTX_DOMAIN, MSTX_DOMAIN_RANGE_START, mstxRangeId, mstxDomainHandle_t, const char *, aclrtStream);

	return start ? start(domain, message, stream) : 0;
}

void do_mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id)
{
	void (*end)(mstxDomainHandle_t, mstxRangeId) = SLOT(MSTX_DOMAIN, MSTX_DOMAIN_RANGE_END, void, mstxDomainHandle_t, mstxRangeId);

	if (end)
		end(domain, id);
}

mstxMemHeapHandle_t do_mstxMemHeapRegister(mstxDomainHandle_t domain, mstxMemHeapDesc_t const *desc)
{
	mstxMemHeapHandle_t (*enter)(mstxDomainHandle_t, mstxMemHeapDesc_t const *) =
		SLOT(MSTX_MEMORY, MSTX_HEAP_REGISTER, mstxMemHeapHandle_t, mstxDomainHandle_t, mstxMemHeapDesc_t const *);

	return enter ? enter(domain, desc) : NULL;
}

void do_mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap)
{
	void (*leave)(mstxDomainHandle_t, mstxMemHeapHandle_t) =
		SLOT(MSTX_MEMORY, MSTX_HEAP_UNREGISTER, void, mstxDomainHandle_t, mstxMemHeapHandle_t);

	if (leave)
		leave(domain, heap);
}

void do_mstxMemRegionsRegister(mstxDomainHandle_t domain, mstxMemRegionsRegisterBatch_t const *desc)
{
	void (*enter)(mstxDomainHandle_t, mstxMemRegionsRegisterBatch_t const *) =
		SLOT(MSTX_MEMORY, MSTX_REGIONS_REGISTER, void, mstxDomainHandle_t, mstxMemRegionsRegisterBatch_t const *);

	if (enter)
		enter(domain, desc);
}

void do_mstxMemRegionsUnregister(mstxDomainHandle_t domain, mstxMemRegionsUnregisterBatch_t const *desc)
{
	void (*leave)(mstxDomainHandle_t, mstxMemRegionsUnregisterBatch_t const *) =
		SLOT(MSTX_MEMORY, MSTX_REGIONS_UNREGISTER, void, mstxDomainHandle_t, mstxMemRegionsUnregisterBatch_t const *);

	if (leave)
		leave(domain, desc);
}
