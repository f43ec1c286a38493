/* memory.c - buffers, images, shared virtual memory: all that moves, fills and maps them. */
#include "forms.h"
#include <string.h>

/* ---- buffers ---- */

unsigned char host[SIZE], back[SIZE];

void buffers(cl_command_queue q, int s)
{
	static const size_t at[3] = { 8, 2, 1 }, here[3] = { 0, 0, 0 }, region[3] = { 16, 4, 2 };
	cl_buffer_region half = { SIZE / 4, SIZE / 4 };
	cl_event user, write;
	cl_mem a, b, c, sub;
	cl_int rc;
	int pattern = 0x01020304;
	void *map;

	for (int i = 0; i < SIZE; i++)
		host[i] = (unsigned char)(i * 7);
	a = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &rc);
	allocated("clCreateBuffer", rc, a, SIZE);
	b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, SIZE, host, NULL);
	allocated("clCreateBuffer", 0, b, SIZE);
	c = clCreateBufferWithProperties(context, NULL, CL_MEM_READ_WRITE, SIZE / 2, NULL, &rc);
	allocated("clCreateBufferWithProperties", rc, c, SIZE / 2);
	clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &rc);
	allocated("clCreateBuffer", rc, NULL, 0);
	sub = clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, &rc);
	allocated("clCreateSubBuffer", rc, sub, 0);
	show_memory_object("sub-buffer", sub);

	rc = clEnqueueWriteBuffer(q, a, CL_TRUE, 0, SIZE, host, 0, NULL, NULL);
	moved("clEnqueueWriteBuffer", rc, "copy", s, SIZE, "h2d", a);
	user = clCreateUserEvent(context, &rc);
	plain("clCreateUserEvent", rc, "event");
	rc = clEnqueueWriteBuffer(q, c, CL_FALSE, 16, 1000, host, 1, &user, &write);
	moved("clEnqueueWriteBuffer", rc, "copy", s, 1000, "h2d", c);
	plain("clSetUserEventStatus", clSetUserEventStatus(user, CL_COMPLETE), "event");
	plain("clWaitForEvents", clWaitForEvents(1, &write), "sync");
	show_event("a write that waited", write, 2);
	show_event("user event", user, 1);
	show_times("a write that waited", write);
	show_times("user event", user);
	plain("clRetainEvent", clRetainEvent(write), "event");
	release_event(write);
	release_event(write);
	release_event(user);
	rc = clEnqueueReadBuffer(q, c, CL_TRUE, 16, 1000, back, 0, NULL, NULL);
	moved("clEnqueueReadBuffer", rc, "copy", s, 1000, "d2h", c);
	show_bytes("read", back, 1000);
	rc = clEnqueueReadBuffer(q, c, CL_TRUE, 0, SIZE * 2, back, 0, NULL, NULL);
	did("clEnqueueReadBuffer", rc, "\"kind\":\"copy\",\"stream\":%d", s);
	rc = clEnqueueCopyBuffer(q, b, a, 0, 512, 2048, 0, NULL, NULL);
	moved("clEnqueueCopyBuffer", rc, "copy", s, 2048, "d2d", a);
	rc = clEnqueueFillBuffer(q, sub, &pattern, sizeof(pattern), 0, 256, 0, NULL, NULL);
	moved("clEnqueueFillBuffer", rc, "fill", s, 256, "", sub);
	rc = clEnqueueWriteBufferRect(q, a, CL_TRUE, at, here, region, 64, 64 * 8, 16, 16 * 4, host, 0, NULL, NULL);
	moved("clEnqueueWriteBufferRect", rc, "copy", s, 16 * 4 * 2, "h2d", a);
	rc = clEnqueueCopyBufferRect(q, a, b, at, here, region, 64, 64 * 8, 32, 32 * 8, 0, NULL, NULL);
	moved("clEnqueueCopyBufferRect", rc, "copy", s, 16 * 4 * 2, "d2d", b);
	rc = clEnqueueReadBufferRect(q, b, CL_TRUE, here, here, region, 32, 32 * 8, 16, 16 * 4, back, 0, NULL, NULL);
	moved("clEnqueueReadBufferRect", rc, "copy", s, 16 * 4 * 2, "d2h", b);
	show_bytes("rectangle", back, 16 * 4 * 2);

	map = clEnqueueMapBuffer(q, a, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, &rc);
	moved("clEnqueueMapBuffer", rc, "map", s, SIZE, "d2h", a);
	show_bytes("mapped", map, SIZE);
	rc = clEnqueueUnmapMemObject(q, a, map, 0, NULL, NULL);
	did("clEnqueueUnmapMemObject", rc, "\"kind\":\"map\",\"stream\":%d,\"address\":\"%p\",\"timed\":1", s, (void *)a);
	map = clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 64, 128, 0, NULL, NULL, NULL);
	moved("clEnqueueMapBuffer", 0, "map", s, 128, "h2d", b);
	memset(map, 7, 128);
	rc = clEnqueueUnmapMemObject(q, b, map, 0, NULL, &write);
	did("clEnqueueUnmapMemObject", rc, "\"kind\":\"map\",\"stream\":%d,\"address\":\"%p\",\"timed\":1", s, (void *)b);
	rc = clEnqueueMigrateMemObjects(q, 2, (cl_mem[]){ a, b }, 0, 0, NULL, NULL);
	moved("clEnqueueMigrateMemObjects", rc, "copy", s, 2 * SIZE, "h2d", a);
	rc = clEnqueueMigrateMemObjects(q, 1, &b, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL);
	moved("clEnqueueMigrateMemObjects", rc, "copy", s, SIZE, "d2h", b);
	finish(q, s);
	show_event("unmap", write, 1);
	release_event(write);

	did("clRetainMemObject", clRetainMemObject(a), "\"kind\":\"reference\",\"address\":\"%p\"", (void *)a);
	show_memory_object("kept twice", a);
	did("clReleaseMemObject", clReleaseMemObject(a), "\"kind\":\"reference\",\"address\":\"%p\"", (void *)a);
	show_memory_object("kept once", a);
	freed(sub, 0);
	freed(b, SIZE);
	freed(a, SIZE);
	/* c is a leak of SIZE / 2 bytes: the report must say so. */
}

/* ---- images ---- */

void images(cl_command_queue q, int s)
{
	static const size_t here[3] = { 0, 0, 0 }, at[3] = { 2, 1, 0 }, part[3] = { 4, 3, 1 }, all[3] = { 16, 8, 1 };
	static const size_t cube[3] = { 4, 4, 4 };
	static const float colour[4] = { 1, 0.5f, 0.25f, 1 };
	cl_image_format rgba = { CL_RGBA, CL_UNORM_INT8 }, real = { CL_R, CL_FLOAT };
	cl_image_desc flat = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8 };
	cl_image_desc deep = { .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 4 };
	cl_image_desc line = { .image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 32 };
	cl_image_desc stack = { .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 8, .image_height = 4, .image_array_size = 3 };
	/* A program need not set what its type of image does not have. */
	cl_image_desc careless = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4, .image_depth = 77, .image_array_size = 55 };
	size_t row = 0, slice = 0;
	cl_mem im[8], buffer;
	cl_event event;
	cl_int rc;
	void *map;

	im[0] = clCreateImage(context, CL_MEM_READ_WRITE, &rgba, &flat, NULL, &rc);
	allocated("clCreateImage", rc, im[0], 16 * 8 * 4);
	im[1] = clCreateImage(context, CL_MEM_READ_WRITE, &real, &deep, NULL, &rc);
	allocated("clCreateImage", rc, im[1], 4 * 4 * 4 * 4);
	im[2] = clCreateImage(context, CL_MEM_READ_WRITE, &real, &line, NULL, &rc);
	allocated("clCreateImage", rc, im[2], 32 * 4);
	im[3] = clCreateImage(context, CL_MEM_READ_WRITE, &rgba, &stack, NULL, &rc);
	allocated("clCreateImage", rc, im[3], 8 * 4 * 3 * 4);
	im[4] = clCreateImage2D(context, CL_MEM_READ_WRITE, &rgba, 16, 8, 0, NULL, &rc);
	allocated("clCreateImage2D", rc, im[4], 16 * 8 * 4);
	im[5] = clCreateImage3D(context, CL_MEM_READ_WRITE, &real, 4, 4, 4, 0, 0, NULL, &rc);
	allocated("clCreateImage3D", rc, im[5], 4 * 4 * 4 * 4);
	im[6] = clCreateImageWithProperties(context, NULL, CL_MEM_READ_WRITE, &rgba, &flat, NULL, &rc);
	allocated("clCreateImageWithProperties", rc, im[6], 16 * 8 * 4);
	im[7] = clCreateImage(context, CL_MEM_READ_WRITE, &rgba, &careless, NULL, &rc);
	allocated("clCreateImage", rc, im[7], 4 * 4 * 4);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &rc);
	allocated("clCreateBuffer", rc, buffer, SIZE);

	rc = clEnqueueWriteImage(q, im[0], CL_TRUE, here, all, 0, 0, host, 0, NULL, NULL);
	moved("clEnqueueWriteImage", rc, "copy", s, 16 * 8 * 4, "h2d", im[0]);
	rc = clEnqueueCopyImage(q, im[0], im[4], at, here, part, 0, NULL, NULL);
	moved("clEnqueueCopyImage", rc, "copy", s, 4 * 3 * 4, "d2d", im[4]);
	rc = clEnqueueFillImage(q, im[4], colour, at, part, 0, NULL, &event);
	moved("clEnqueueFillImage", rc, "fill", s, 4 * 3 * 4, "", im[4]);
	rc = clEnqueueReadImage(q, im[4], CL_TRUE, here, part, 0, 0, back, 0, NULL, NULL);
	moved("clEnqueueReadImage", rc, "copy", s, 4 * 3 * 4, "d2h", im[4]);
	show_bytes("image", back, 4 * 3 * 4);
	rc = clEnqueueCopyImageToBuffer(q, im[0], buffer, here, all, 64, 0, NULL, NULL);
	moved("clEnqueueCopyImageToBuffer", rc, "copy", s, 16 * 8 * 4, "d2d", buffer);
	rc = clEnqueueCopyBufferToImage(q, buffer, im[1], 64, here, cube, 0, NULL, NULL);
	moved("clEnqueueCopyBufferToImage", rc, "copy", s, 4 * 4 * 4 * 4, "d2d", im[1]);
	rc = clEnqueueReadImage(q, im[1], CL_TRUE, here, cube, 0, 0, back, 0, NULL, NULL);
	moved("clEnqueueReadImage", rc, "copy", s, 4 * 4 * 4 * 4, "d2h", im[1]);
	show_bytes("cube", back, 4 * 4 * 4 * 4);
	map = clEnqueueMapImage(q, im[0], CL_TRUE, CL_MAP_READ, here, part, &row, &slice, 0, NULL, NULL, &rc);
	moved("clEnqueueMapImage", rc, "map", s, 4 * 3 * 4, "d2h", im[0]);
	show_bytes("mapped image", map, 16);
	rc = clEnqueueUnmapMemObject(q, im[0], map, 0, NULL, NULL);
	did("clEnqueueUnmapMemObject", rc, "\"kind\":\"map\",\"stream\":%d,\"timed\":1", s);
	finish(q, s);
	show_event("fill of an image", event, 1);
	release_event(event);
	freed(im[0], 16 * 8 * 4);
	freed(im[1], 4 * 4 * 4 * 4);
	freed(im[2], 32 * 4);
	freed(im[3], 8 * 4 * 3 * 4);
	freed(im[4], 16 * 8 * 4);
	freed(im[5], 4 * 4 * 4 * 4);
	freed(im[6], 16 * 8 * 4);
	freed(im[7], 4 * 4 * 4);
	freed(buffer, SIZE);
}

/* ---- shared virtual memory ---- */

void shared_memory(cl_command_queue q, int s)
{
	unsigned char *p[4];
	int pattern = 0x55aa55aa, rc;
	const void *moving[2];
	cl_event event;
	size_t sizes[2] = { 100, 0 };

	for (int i = 0; i < 4; i++) {
		p[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, 1024 * (i + 1), 0);
		if (!p[i]) {
			allocated("clSVMAlloc", -1, NULL, 0);
			printf("no shared virtual memory\n");
			return;
		}
		allocated("clSVMAlloc", 0, p[i], 1024 * (i + 1));
	}
	rc = clEnqueueSVMMap(q, CL_TRUE, CL_MAP_WRITE, p[0], 1024, 0, NULL, NULL);
	moved("clEnqueueSVMMap", rc, "map", s, 1024, "h2d", p[0]);
	memcpy(p[0], host, 1024);
	rc = clEnqueueSVMUnmap(q, p[0], 0, NULL, NULL);
	did("clEnqueueSVMUnmap", rc, "\"kind\":\"map\",\"stream\":%d,\"address\":\"%p\",\"timed\":1", s, (void *)p[0]);
	rc = clEnqueueSVMMemcpy(q, CL_TRUE, p[1], p[0], 1000, 0, NULL, NULL);
	moved("clEnqueueSVMMemcpy", rc, "copy", s, 1000, "other", p[1]);
	rc = clEnqueueSVMMemFill(q, p[1], &pattern, sizeof(pattern), 64, 0, NULL, &event);
	moved("clEnqueueSVMMemFill", rc, "fill", s, 64, "", p[1]);
	moving[0] = p[0];
	moving[1] = p[1];
	rc = clEnqueueSVMMigrateMem(q, 2, moving, sizes, 0, 0, NULL, NULL);
	moved("clEnqueueSVMMigrateMem", rc, "copy", s, 100 + 2048, "h2d", p[0]);
	rc = clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, p[1], 1000, 0, NULL, NULL);
	moved("clEnqueueSVMMap", rc, "map", s, 1000, "d2h", p[1]);
	show_bytes("shared", p[1], 1000);
	rc = clEnqueueSVMUnmap(q, p[1], 0, NULL, NULL);
	did("clEnqueueSVMUnmap", rc, "\"kind\":\"map\",\"stream\":%d,\"timed\":1", s);
	finish(q, s);
	show_event("fill of shared memory", event, 1);
	release_event(event);
	clSVMFree(context, p[0]);
	give(1024);
	did("clSVMFree", 0, "\"kind\":\"free\",\"bytes\":1024,\"address\":\"%p\"", (void *)p[0]);
	clSVMFree(context, NULL);
	did("clSVMFree", 0, "\"kind\":\"free\"");
	rc = clEnqueueSVMFree(q, 2, (void *[]){ p[1], p[2] }, NULL, NULL, 0, NULL, NULL);
	give(2048);
	give(3072);
	did("clEnqueueSVMFree", rc, "\"kind\":\"free\",\"stream\":%d,\"bytes\":%d,\"address\":\"%p\",\"timed\":1", s,
	    2048 + 3072, (void *)p[1]);
	finish(q, s);
	/* p[3] is a leak of 4096 bytes. */
}
