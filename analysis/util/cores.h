/* cores.h - how much may go on at a time. */
#pragma once

/* The processors that this process may run on; at least 1. */
unsigned int cores_count(void);
