/* remedies.h - what to do about calls that are lost: causes.def and the report say the same. */
#pragma once

#define REMEDY_SAVE_PATH     "give another --save-path"
#define REMEDY_DISK_FULL     "make room, or select fewer steps"
#define REMEDY_FILE_LIMIT    "raise it (ulimit -f), or select fewer steps"
#define REMEDY_MAX_SIZE	     "raise --max-size, or select fewer steps"
#define REMEDY_NO_DESCRIPTOR "raise the limit of open files (ulimit -n)"
#define REMEDY_NO_MEMORY     "make /dev/shm larger, or raise --shm-size or the limits of memory (ulimit -d, -v)"
#define REMEDY_NO_THREAD     "raise the limit of processes (ulimit -u)"
#define REMEDY_NO_RANK	     "set RANKTRACE_RANK in each process"
