/* nvtx.h - NVTX's messages, domains and levels: hooks/capture/markers tells of markers. */
#pragma once
#include "hooks/capture/markers/mark_clock.h"
#include "hooks/capture/markers/markers.h"
#include "hooks/cuda/nvtx/abi.h"

extern struct markers nvtx_markers OURS;

/* As UTF-8, as much of it as there is room for; NULL: there is none. */
const char *nvtx_narrow(const wchar_t *message, struct marker_text *room);

/* The message in attributes; NULL: they have none. */
const char *nvtx_said(const nvtxEventAttributes_t *attributes, struct marker_text *room);

/* What this domain is called is told to those who write it down, and to those who listen, before anything in it is. */
void nvtx_know_domain(nvtxDomainHandle_t domain);

/* The level of the range that begins, or ends, in this domain of this thread; below 0: none is open. */
int nvtx_push(nvtxDomainHandle_t domain);
int nvtx_pop(nvtxDomainHandle_t domain);

/* For a range that is started. */
uint64_t nvtx_next_number(void);

/* A thread ends, maybe with ranges open. */
void nvtx_thread_ends(void);
