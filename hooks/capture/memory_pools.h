/* memory_pools.h - memory that frameworks hand out of their own stock: numbers for it, whoever tells. */
#pragma once
#include <stdint.h>
#include "agent/format/trace_file.h"

/* A new DEF_POOL id; 0: there is no room. */
uint16_t memory_pools_define(const struct def_pool *d);
