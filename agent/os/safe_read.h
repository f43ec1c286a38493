/* safe_read.h - may memory of the program's be read? For the few places that must look where the vendor may not have. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are these bytes there? False as well for more than a MiB of them. A system call a page; errno is kept. */
bool safe_read(const void *address, size_t bytes);

/* How many of so many bytes above this place of the stack are there: it may be near the stack's end. At most a page. */
size_t safe_read_stack(const void *place, size_t bytes);
