/* forms.h - what the parts of the program share: see forms.c. */
#pragma once
#include "tests/contract/all_of_opencl.h"
#include <CL/cl.h>
#include <stdio.h>

#define SIZE	 4096
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

extern cl_context context;
extern cl_device_id device;
extern FILE *expected;
extern long held, peak, unfreed; /* bytes, bytes, objects */
extern unsigned char host[SIZE], back[SIZE];

/* ---- what a record must say (say.c) ---- */

/* did("clFinish", rc, "\"kind\":\"sync\",\"stream\":%d", n): the call was made and gave rc. */
void did(const char *name, int rc, const char *format, ...) __attribute__((format(printf, 3, 4)));
void take(long bytes);
void give(long bytes);
void allocated(const char *name, int rc, const void *object, long bytes);
void freed(cl_mem object, long bytes);
void moved(const char *name, int rc, const char *kind, int stream, long bytes, const char *direction,
	   const void *address);
void plain(const char *name, int rc, const char *kind);
void synced(const char *name, int rc, int stream);
void finish(cl_command_queue queue, int stream);
void release_event(cl_event event);

/* ---- what a program can observe ---- */

void show_bytes(const char *what, const void *bytes, size_t n);
void show_queue(const char *what, cl_command_queue queue);
void show_times(const char *what, cl_event event);
void show_event(const char *what, cl_event event, cl_uint finally);
void show_memory_object(const char *what, cl_mem object);

/* ---- queues (queues.c) ---- */

cl_command_queue queue_with(const char *what, const cl_queue_properties *list, int *stream);
void release_queue(cl_command_queue q, int stream);
cl_kernel kernel_of(cl_program program, const char *name, cl_mem buffer);
void release_kernel(cl_kernel k);
void all_queues(cl_kernel k);

/* ---- memory (memory.c) ---- */

void buffers(cl_command_queue q, int s);
void images(cl_command_queue q, int s);
void shared_memory(cl_command_queue q, int s);
