/* devices.h - numbers for devices and streams, of whichever vendor. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* DEF_DEVICE id of the device that the vendor knows by this handle or number + 1, if it has one; else 0. */
uint32_t device_known(uint64_t handle);

/* The same; a new one is defined by this name. */
uint32_t device_id(uint64_t handle, const char *name);

/* How its times are had, as a word. */
void device_source(uint32_t device, const char *word);

/* A new DEF_STREAM id, defined. Streams beyond the last number share it, and are counted. */
uint16_t stream_id(uint64_t handle, uint32_t device, bool out_of_order);
uint32_t stream_device(uint16_t stream); /* DEF_DEVICE id */
