/* arrays.h - copies and arrays of runtimes that number directions alike. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* enum copy_direction of: host to host, host to device, device to host, between devices; all else is told by the addresses. */
unsigned int copy_direction(uint32_t way);

/* Of an array, or of all levels of a mipmapped one. A dimension of 0 is not there. */
uint64_t array_bytes(uint64_t element, const size_t *dims, unsigned int levels);
