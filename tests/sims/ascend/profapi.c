/* profapi.c - libprofapi: the vendor's own tool takes markers too. What reaches it is counted as its own functions. */
#include "tests/sims/ascend/mstx.h"
#include "tests/sims/lib/sim.h"
#include <stdatomic.h>

#define COUNTED(name)                                                             \
	static struct sim_row row = { "libprofapi.so", "prof_" #name, 0, { 0 } }; \
                                                                                  \
	sim_enter(&row);                                                          \
	sim_leave()

/* SIM_PROFILER=0: nobody profiles, as nearly always: no range has a number then, and no domain a handle. */
static _Atomic uint64_t ids;

static uint64_t next_id(void)
{
	return sim_setting("SIM_PROFILER", 1) ? ++ids : 0;
}

/* What it has not given out itself is counted as unknown. */
static void expect_number(uint64_t id)
{
	if (id > ids) {
		COUNTED(unknown);
	}
}

#define DOMAINS 0x1000
static _Atomic(mstxDomainHandle_t) destroyed; /* comes again */

static void expect_domain(mstxDomainHandle_t domain)
{
	expect_number(domain ? (uintptr_t)domain - DOMAINS : 0);
}

static void mark(const char *message, aclrtStream stream)
{
	COUNTED(mark);
}

static mstxRangeId range_start(const char *message, aclrtStream stream)
{
	COUNTED(range_start);
	return next_id();
}

static void range_end(mstxRangeId id)
{
	COUNTED(range_end);
	expect_number(id);
}

static mstxDomainHandle_t domain_create(const char *name)
{
	mstxDomainHandle_t again = atomic_exchange(&destroyed, NULL);
	uint64_t id;

	COUNTED(domain_create);
	id = again ? 0 : next_id();
	return id ? (void *)(uintptr_t)(DOMAINS + id) : again;
}

static void domain_destroy(mstxDomainHandle_t domain)
{
	COUNTED(domain_destroy);
	expect_domain(domain);
	destroyed = domain;
}

static void domain_mark(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	COUNTED(domain_mark);
	expect_domain(domain);
}

static mstxRangeId domain_range_start(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	COUNTED(domain_range_start);
	expect_domain(domain);
	return next_id();
}

static void domain_range_end(mstxDomainHandle_t domain, mstxRangeId id)
{
	COUNTED(domain_range_end);
	expect_domain(domain);
	expect_number(id);
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
