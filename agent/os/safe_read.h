/* safe_read.h - may memory of the program's be read? For the few places that must look where the vendor may not have. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are these bytes there? False as well for more than a MiB of them. A system call a page; errno is kept. */
bool safe_read(const void *address, size_t bytes);
