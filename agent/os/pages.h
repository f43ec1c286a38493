/* pages.h - tables that are as large as they may become: pages that nobody touches cost nothing. */
#pragma once
#include <stddef.h>

/* The memory that the pointer at `place` (atomic, NULL at first) leads to, made if there is none. NULL: none is to be had. */
void *pages_once(void *place, size_t size);
