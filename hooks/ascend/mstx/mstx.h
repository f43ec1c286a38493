/* mstx.h - markers and their domains: hooks/capture/markers tells of them. */
#pragma once
#include "hooks/ascend/abi/abi.h"
#include "hooks/capture/markers/mark_clock.h"
#include "hooks/capture/markers/markers.h"

extern struct markers mstx_markers OURS;

/* Stamps: DEF_MARKER id of the message that one was given last. */
uint64_t mstx_stamp(const void *stamp);
void mstx_set_stamp(const void *stamp, const char *message);
void mstx_end_stamp(const void *stamp);

/* A handle for a domain where nobody else makes them: the same for the same name, as torch_npu makes one at each allocation. */
mstxDomainHandle_t mstx_own_domain(const char *name);

/* What this handle is to others: NULL, if it is ours. */
mstxDomainHandle_t mstx_their_domain(mstxDomainHandle_t domain);

void mstx_new_domain(mstxDomainHandle_t domain, const char *name);
void mstx_end_domain(mstxDomainHandle_t domain);
