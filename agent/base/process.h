/* process.h - what tells a process from a later one of the same number. */
#pragma once
#include <stdint.h>

/* Field 22 of /proc/PID/stat. 0: there is no such process, or it has ended and is waited for. */
uint64_t process_start_time(uint32_t pid);

/* Who started it, or has adopted it. 0: nobody, or there is no such process. */
uint32_t process_parent(uint32_t pid);

/* The same of this process, whichever /proc is mounted. */
uint64_t process_own_start_time(void);

/* How the process's first thread has ended, as wait() would tell of a process; 0: well, or it is not known. */
int process_first_threads_end(void);
