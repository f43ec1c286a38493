/* pages.h - tables that are as large as they may become: pages that nobody touches cost nothing. */
#pragma once
#include <stddef.h>

/* The largest page of any kernel of this architecture: what the kernel treats in whole pages is aligned to this, and as long. */
#if defined(__aarch64__)
#define LARGEST_PAGE 65536
#else
#define LARGEST_PAGE 4096
#endif

/* The memory that the pointer at `place` (atomic, NULL at first) leads to, made if there is none. NULL: none is to be had. */
void *pages_once(void *place, size_t size);

/* Memory of the kernel's, for a moment; NULL: none is to be had. */
void *pages_take(size_t size);
void pages_give(void *pages, size_t size);
