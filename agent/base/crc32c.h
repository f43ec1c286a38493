/* crc32c.h - CRC-32C (Castagnoli), the check sum of trace chunks. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Start with crc 0; give the result back in to go on with more data. */
uint32_t crc32c(uint32_t crc, const void *data, size_t size);
