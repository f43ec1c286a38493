/* profapi.c - libprofapi: the vendor's own tool takes markers too. What reaches it is counted as its own functions. */
#include "tests/sims/ascend/mstx.h"
#include "tests/sims/ascend/sim.h"

#define COUNTED(name)                                                             \
	static struct sim_row row = { "libprofapi.so", "prof_" #name, 0, { 0 } }; \
                                                                                  \
	sim_enter(&row);                                                          \
	sim_leave()

static _Atomic uint64_t ids;

static void mark(const char *message, aclrtStream stream)
{
	COUNTED(mark);
}

static mstxRangeId range_start(const char *message, aclrtStream stream)
{
	COUNTED(range_start);
	return ++ids;
}

static void range_end(mstxRangeId id)
{
	COUNTED(range_end);
}

static mstxDomainHandle_t domain_create(const char *name)
{
	COUNTED(domain_create);
	return (void *)(uintptr_t)(0x1000 + 8 * ++ids);
}

static void domain_destroy(mstxDomainHandle_t domain)
{
	COUNTED(domain_destroy);
}

static void domain_mark(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	COUNTED(domain_mark);
}

static mstxRangeId domain_range_start(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	COUNTED(domain_range_start);
	return ++ids;
}

static void domain_range_end(mstxDomainHandle_t domain, mstxRangeId id)
{
	COUNTED(domain_range_end);
}

static const struct {
	int module;
	unsigned int slot;
	mstx_function function;
} own[] = {
	{ MSTX_CORE, MSTX_MARK, (mstx_function)mark },
	{ MSTX_CORE, MSTX_RANGE_START, (mstx_function)range_start },
	{ MSTX_CORE, MSTX_RANGE_END, (mstx_function)range_end },
	{ MSTX_DOMAIN, MSTX_DOMAIN_CREATE, (mstx_function)domain_create },
	{ MSTX_DOMAIN, MSTX_DOMAIN_DESTROY, (mstx_function)domain_destroy },
	{ MSTX_DOMAIN, MSTX_DOMAIN_MARK, (mstx_function)domain_mark },
	{ MSTX_DOMAIN, MSTX_DOMAIN_RANGE_START, (mstx_function)domain_range_start },
	{ MSTX_DOMAIN, MSTX_DOMAIN_RANGE_END, (mstx_function)domain_range_end },
};

__attribute__((visibility("default"))) int InitInjectionMstx(mstx_get_table get);

int InitInjectionMstx(mstx_get_table get)
{
	unsigned int size;
	mstx_table table;

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (get(own[i].module, &table, &size))
			return 1;
		if (own[i].slot < size)
			*table[own[i].slot] = own[i].function;
	}
	return 0;
}
