/* titles.h - what a process is called in a time line. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/process.h"

void title_host(char *title, size_t size, const struct process *p);

/* Of its device, counted from 0; not alone: of all that it has. */
void title_device(char *title, size_t size, const struct process *p, uint32_t device, bool device_is_alone);
