/* dim3.h - three sizes by value, as several vendors pass them. */
#pragma once
#include <stdint.h>

typedef struct {
	uint32_t x, y, z;
} dim3;
