/*
 * device_ranks.h - one process that drives several devices is several ranks: each device is the one that its communicator says,
 * of the largest group that may be the world and of which several ranks are here, on a device each.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * A communicator of this group has been made: rank of so many, on this DEF_DEVICE (0: not known, then nothing follows from it).
 * True: which ranks the devices are has changed; if one of them is selected and no variable tells the process's, it is the process's.
 */
bool device_ranks_told(uint64_t group, int64_t rank, uint32_t size, uint32_t device);
