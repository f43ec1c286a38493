/* front.h - what is done around each function of libamdhip64 (../cuda/front.c). */
#pragma once

#define SIM_READY(symbol) hip_ready()
#define SIM_TOLD(status)  hip_told((int)(status))

#pragma GCC visibility push(hidden)
int hip_ready(void);	  /* the calling thread has a device */
int hip_told(int status); /* what hipGetLastError answers from now on; the status */
#pragma GCC visibility pop
