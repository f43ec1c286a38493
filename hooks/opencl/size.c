/* size.c - how many bytes a call moves or makes. Called after the real call succeeded: pointers are good. */
#include "agent/os/safe_read.h"
#include "hooks/opencl/tracking.h"

/* Channels by order, from CL_R (0x10B0) to CL_ABGR (0x10C3); bytes by type, from CL_SNORM_INT8 (0x10D0). */
uint64_t opencl_pixel_bytes(const cl_image_format *format)
{
	static const uint8_t channels[] = { 1, 1, 2, 2, 3, 4, 4, 4, 1, 1, 2, 3, 4, 1, 2, 3, 4, 4, 4, 4 };
	static const uint8_t bytes[] = { 1, 2, 1, 2, 0, 0, 0, 1, 2, 4, 1, 2, 4, 2, 4, 0, 0 };
	uint32_t order, type;

	if (!format)
		return 0;
	order = format->order - 0x10B0;
	type = format->type - 0x10D0;
	if (format->type == 0x10D4 || format->type == 0x10D5)
		return 2; /* 565 and 555: a packed pixel */
	if (format->type == 0x10D6 || format->type == 0x10E0)
		return 4; /* 101010, and 101010_2 */
	if (order >= sizeof(channels) || type >= sizeof(bytes))
		return 0;
	return (uint64_t)channels[order] * bytes[type];
}

uint64_t opencl_pitched(uint64_t pixel, size_t width, size_t height, size_t depth)
{
	return pixel * width * (height ? height : 1) * (depth ? depth : 1);
}

/*
 * 0 for an image that lies in a buffer: the buffer was counted. Only what the type has is looked at:
 * a program need not set the rest.
 */
uint64_t opencl_image_bytes(const cl_image_format *format, const cl_image_desc *d)
{
	uint64_t bytes;

	if (!format || !d || d->buffer)
		return 0;
	bytes = opencl_pixel_bytes(format) * d->width;
	if (d->type == CL_IMAGE2D || d->type == CL_IMAGE2D_ARRAY || d->type == CL_IMAGE3D)
		bytes *= d->height;
	if (d->type == CL_IMAGE3D)
		bytes *= d->depth;
	if (d->type == CL_IMAGE1D_ARRAY || d->type == CL_IMAGE2D_ARRAY)
		bytes *= d->array_size;
	return bytes;
}

uint64_t opencl_region(const size_t *region, uint64_t element)
{
	return region ? (uint64_t)region[0] * region[1] * region[2] * element : 0;
}

/* Entries of a list that can be read: a runtime may say yes to a hint without looking at it. */
static cl_uint count(cl_uint n, const void *list)
{
	return n && safe_read(list, n * sizeof(void *)) ? n : 0;
}

uint64_t opencl_bytes_of(cl_uint n, const cl_mem *objects)
{
	uint64_t bytes = 0;

	n = count(n, objects);
	for (cl_uint i = 0; i < n; i++)
		bytes += opencl_memory_bytes(objects[i]);
	return bytes;
}

/* A size of 0, or no sizes, means the whole allocation. */
uint64_t opencl_svm_bytes(cl_uint n, const void **addresses, const size_t *sizes)
{
	uint64_t bytes = 0;

	n = count(n, addresses);
	if (!count(n, sizes))
		sizes = NULL;
	for (cl_uint i = 0; i < n; i++)
		bytes += sizes && sizes[i] ? sizes[i] : opencl_memory_bytes(addresses[i]);
	return bytes;
}

uint64_t opencl_release_all(cl_uint n, void **addresses)
{
	uint64_t bytes = 0, one;

	n = count(n, addresses);
	for (cl_uint i = 0; i < n; i++)
		if (opencl_release_memory(addresses[i], &one))
			bytes += one;
	return bytes;
}

void opencl_freed(const struct call *c, cl_uint n, void **addresses)
{
	n = c->recording ? count(n, addresses) : 0;
	for (cl_uint i = 1; i < n; i++) {
		struct event e = { .hook = CTRL_FREED, .begin = c->event.begin, .key = (uintptr_t)addresses[i] };

		ring_write_control(&e, NULL);
	}
}

void *opencl_first(bool ok, cl_uint n, void *const *list)
{
	return ok && count(n, list) ? list[0] : NULL;
}

/* Mapping for reading brings bytes to the host; for writing, unmapping takes them back. */
unsigned int opencl_map_direction(cl_map_flags flags)
{
	return flags & CL_MAP_READ ? DIR_D2H : DIR_H2D;
}

unsigned int opencl_migrate_direction(cl_mem_migration_flags flags)
{
	return flags & CL_MIGRATE_TO_HOST ? DIR_D2H : DIR_H2D;
}
