/* graph.c - tracks command buffers: which queue each was made for. */
#include "hooks/opencl/tracking.h"

static struct handles graphs; /* a = queue, b = references */

void opencl_new_graph(cl_command_buffer_khr graph, cl_command_queue queue)
{
	if (gate_may_record())
		handles_put(&graphs, (uintptr_t)graph, (uintptr_t)queue, 1);
}

void opencl_retain_graph(cl_command_buffer_khr graph)
{
	handles_retain(&graphs, (uintptr_t)graph);
}

void opencl_release_graph(cl_command_buffer_khr graph)
{
	handles_forget(handles_release(&graphs, (uintptr_t)graph));
}

cl_command_queue opencl_graph_queue(cl_command_buffer_khr graph)
{
	struct handle_slot *s = handles_get(&graphs, (uintptr_t)graph);

	return s ? (cl_command_queue)(uintptr_t)atomic_load(&s->a) : NULL;
}
