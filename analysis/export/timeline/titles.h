/* titles.h - what a process is called in a time line. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/process.h"

void title_host(char *title, size_t size, const struct process *p);
void title_device(char *title, size_t size, const struct process *p, uint32_t device);
