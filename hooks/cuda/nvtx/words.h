/* words.h - what the capture words of nvtx.def do around a call; hooks/capture/words.h tells of their parts. */
#pragma once
#include "hooks/cuda/nvtx/kinds.h"
#include "hooks/cuda/nvtx/nvtx.h"
#include "hooks/capture/markers/words.h"

/* text: of a message that is not there as one. */
#define LOCALS	MARKER_LOCALS struct marker_text text __attribute__((unused));

#define SHORT_WAY(ready, slow, go) ""
#define THE_MARKERS	nvtx_markers
#define KNOW		nvtx_know_domain

/* NVTX_MARK(domain or NULL, message) */
#define OPENS_NVTX_MARK(...) CLOCKED
#define DO_NVTX_MARK(within, said) MARK_OF(within, said)

/* NVTX_START(domain or NULL, message), NVTX_END(number); NVTX_PUSH and NVTX_POP: number is the level's */
#define OPENS_NVTX_START(...) CLOCKED
#define DO_NVTX_START(within, said) RANGE_OF(within, said, rc)
#define OPENS_NVTX_END(...)   CLOCKED
#define DO_NVTX_END(number)   END_OF(number)
#define OPENS_NVTX_PUSH(...)  CLOCKED
#define DO_NVTX_PUSH(within, said) RANGE_OF(within, said, level_number(within, rc))
#define OPENS_NVTX_POP(...)   CLOCKED
#define DO_NVTX_POP(within)   END_OF(level_number(within, rc))

/* NVTX_DOMAIN(domain), NVTX_DOMAIN_END(domain): others may have it, too, so it stays */
#define OPENS_NVTX_DOMAIN(...) GATE_WINDOW
#define DO_NVTX_DOMAIN(within) CAPTURE(EV.key = MARKER(within, NULL))
#define OPENS_NVTX_DOMAIN_END(...) GATE_WINDOW
#define DO_NVTX_DOMAIN_END(within) DO_NVTX_DOMAIN(within)

/* Does such a call start the agent? Domains are made where programs begin, and are known all the same. */
#define STARTS_NVTX_MARK(...)	    true
#define STARTS_NVTX_START(...)	    true
#define STARTS_NVTX_END(...)	    true
#define STARTS_NVTX_PUSH(...)	    true
#define STARTS_NVTX_POP(...)	    true
#define STARTS_NVTX_DOMAIN(...)	    false
#define STARTS_NVTX_DOMAIN_END(...) false
