/*
 * abi.h - OpenCL: just enough to pass arguments through; no SDK is needed to build. Names, values and layouts as in CL/cl.h
 * 3.0.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool;
typedef uint64_t cl_ulong, cl_bitfield;
typedef cl_bitfield cl_mem_flags, cl_svm_mem_flags, cl_map_flags, cl_mem_migration_flags;
typedef cl_bitfield cl_command_queue_properties, cl_queue_properties, cl_command_buffer_properties_khr, cl_mem_properties, cl_device_type;
typedef intptr_t cl_context_properties, cl_pipe_properties;
typedef cl_uint cl_buffer_create_type, cl_event_info, cl_command_queue_info, cl_profiling_info;
typedef void *cl_context, *cl_device_id, *cl_platform_id, *cl_mem, *cl_event, *cl_kernel, *cl_program, *cl_command_queue,
	*cl_command_buffer_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_bitfield cl_ndrange_kernel_command_properties_khr;
typedef void *cl_mutable_command_khr;

typedef struct {
	cl_uint order, type;
} cl_image_format;
typedef struct {
	cl_uint type;
	size_t width, height, depth, array_size, row_pitch, slice_pitch;
	cl_uint levels, samples;
	cl_mem buffer;
} cl_image_desc;

#define CL_LAYER_API_VERSION	   0x4240
#define CL_LAYER_NAME		   0x4241
#define CL_LAYER_VERSION	   100
#define CL_DEVICE_NAME		   0x102B
#define CL_QUEUE_PROPERTIES	   0x1093
#define CL_QUEUE_PROPERTIES_ARRAY  0x1098
#define CL_QUEUE_OUT_OF_ORDER	   1u
#define CL_QUEUE_PROFILING	   2u
#define CL_PROGRAM_NUM_KERNELS	   0x1167
#define CL_KERNEL_FUNCTION_NAME	   0x1190
#define CL_EVENT_COMMAND_QUEUE	   0x11D0
#define CL_EVENT_STATUS		   0x11D3
#define CL_PROFILING_QUEUED	   0x1280
#define CL_PROFILING_START	   0x1282
#define CL_PROFILING_END	   0x1283
#define CL_MEM_SIZE		   0x1102
#define CL_IMAGE2D		   0x10F1
#define CL_IMAGE3D		   0x10F2
#define CL_IMAGE2D_ARRAY	   0x10F3
#define CL_IMAGE1D_ARRAY	   0x10F5
#define CL_MAP_READ		   1u
#define CL_MAP_WRITE		   2u
#define CL_MAP_INVALIDATE	   4u
#define CL_MIGRATE_TO_HOST	   1u
#define CL_PROFILING_NOT_AVAILABLE (-7)
#define CL_INVALID_VALUE	   (-30)
#define CL_INVALID_DEVICE	   (-33)
#define CL_INVALID_CONTEXT	   (-34)
#define CL_INVALID_OPERATION	   (-59)
