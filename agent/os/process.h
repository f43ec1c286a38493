/* process.h - what tells a process from a later one of the same number. */
#pragma once
#include <stdint.h>

/* Field 22 of /proc/PID/stat; of this process for 0. 0: there is no such process. */
uint64_t process_start_time(uint32_t pid);
