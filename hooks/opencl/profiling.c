/* profiling.c - the profiling of queues that we switch on, and hide from the program. */
#include <stdlib.h>
#include <string.h>
#include "agent/os/safe_read.h"
#include "agent/record/handles.h"
#include "agent/session/session.h"
#include "agent/session/settings.h"
#include "hooks/capture/unwritten.h"
#include "hooks/link/resolve.h"
#include "hooks/opencl/tracking.h"

static _Atomic bool any_forced;

/* We switched profiling on, and the program does not know. */
static bool is_forced(cl_command_queue queue)
{
	return (opencl_queue_flags(queue) & (QUEUE_FORCED | QUEUE_ASKED)) == QUEUE_FORCED;
}

static bool want_profiling(void)
{
	return gate_may_record() && settings.contents & CONTENT_DEVICE;
}

typedef cl_command_queue (*create_fn)(cl_context, cl_device_id, cl_command_queue_properties, cl_int *);
typedef cl_command_queue (*create_list_fn)(cl_context, cl_device_id, const cl_queue_properties *, cl_int *);

#define HOOK(...)
#define HOOK_PTR(...)
#define HOOK_PTR0(...)
#define HOOK_VOID(...)
#define HOOK_AS(...)
#define PARAMETERS(...)			   __VA_ARGS__
#define HOOK_CUSTOM(ret, sym, params, ...) ret custom_##sym(ret(*real) params, PARAMETERS params);
#define HOOK_CUSTOM_PTR			   HOOK_CUSTOM
#include "hooks/opencl/opencl.def"

/*
 * The list that the program gave, by queue, for CL_QUEUE_PROPERTIES_ARRAY. A few words each; a
 * program with a longer list keeps it unforced, and counted.
 */
#define LIST_WORDS 64
struct list {
	cl_queue_properties words[LIST_WORDS];
	size_t count;
};
static struct handles lists; /* a = address of a struct list, never freed: queues are few */

static const struct list *list_of(cl_command_queue queue)
{
	struct handle_slot *s = handles_get(&lists, (uintptr_t)queue);

	return s ? (const struct list *)(uintptr_t)s->a : NULL;
}

static void remember_list(cl_command_queue queue, const cl_queue_properties *list, size_t count)
{
	struct list *l = (struct list *)list_of(queue);

	if (!l && !count)
		return;
	if (!l)
		l = calloc(1, sizeof(*l));
	if (!l)
		return;
	if (count)
		memcpy(l->words, list, count * sizeof(*list));
	l->count = count;
	handles_put(&lists, (uintptr_t)queue, (uintptr_t)l, 0);
}

/* A queue refused for its context or device is so with any properties: no second try. */
static bool try_again(cl_command_queue queue, cl_int why)
{
	return !queue && why != CL_INVALID_CONTEXT && why != CL_INVALID_DEVICE;
}

/* What the runtime said to our forced try is said to the program. */
static void tell(cl_int *err, cl_int why)
{
	if (err && why != UNWRITTEN)
		*err = why;
}

/* What the queue was made with; also no list: an earlier queue of this handle may have had one. */
static cl_command_queue note_queue(cl_command_queue queue, cl_device_id device, uint64_t bits, bool asked,
				   bool forced, const cl_queue_properties *list, size_t words)
{
	if (queue)
		opencl_new_queue(queue, device, bits, (forced ? QUEUE_FORCED : 0) | (asked ? QUEUE_ASKED : 0));
	if (queue && forced) {
		atomic_store(&any_forced, true);
		remember_list(queue, list, words);
	}
	return queue;
}

cl_command_queue custom_clCreateCommandQueue(create_fn real, cl_context context, cl_device_id device,
					     cl_command_queue_properties properties, cl_int *err)
{
	bool asked = properties & CL_QUEUE_PROFILING, forced = !asked && want_profiling();
	cl_command_queue queue = NULL;
	cl_int why = UNWRITTEN;

	if (forced)
		queue = real(context, device, properties | CL_QUEUE_PROFILING, &why);
	if (!forced || try_again(queue, why)) {
		forced = false;
		queue = real(context, device, properties, err);
	} else {
		tell(err, why);
	}
	return note_queue(queue, device, properties, asked, forced, NULL, 0);
}

/*
 * Copies the program's list, which the runtime may not have looked at yet. Its words with the 0 at the
 * end; 0 words: there is no list. LIST_WORDS + 1: it is too long, or cannot be read.
 */
static size_t copy_list(const cl_queue_properties *list, cl_queue_properties *out)
{
	for (size_t n = 0; list && n < LIST_WORDS; n++) {
		if (!safe_read(&list[n], sizeof(list[n])))
			break;
		out[n] = list[n];
		if (n % 2 == 0 && !out[n])
			return n + 1;
	}
	return list ? LIST_WORDS + 1 : 0;
}

/* The word that holds the queue's bits in a list of this many words; NULL: it has none. */
static cl_queue_properties *bits_of(cl_queue_properties *list, size_t words)
{
	for (size_t n = 0; words <= LIST_WORDS && n + 2 < words; n += 2)
		if (list[n] == CL_QUEUE_PROPERTIES)
			return &list[n + 1];
	return NULL;
}

/* Switches profiling on in a list that has room for it. */
static void force_list(cl_queue_properties *list, size_t words)
{
	cl_queue_properties *bits = bits_of(list, words);

	if (bits) {
		*bits |= CL_QUEUE_PROFILING;
		return;
	}
	words -= !!words;
	list[words] = CL_QUEUE_PROPERTIES;
	list[words + 1] = CL_QUEUE_PROFILING;
	list[words + 2] = 0;
}

cl_command_queue custom_clCreateCommandQueueWithProperties(create_list_fn real, cl_context context,
							   cl_device_id device,
							   const cl_queue_properties *properties, cl_int *err)
{
	cl_queue_properties list[LIST_WORDS] = { 0 }, with[LIST_WORDS + 3];
	size_t words = copy_list(properties, list);
	uint64_t bits = bits_of(list, words) ? *bits_of(list, words) : 0;
	bool asked = bits & CL_QUEUE_PROFILING, forced = words <= LIST_WORDS && !asked && want_profiling();
	cl_command_queue queue = NULL;
	cl_int why = UNWRITTEN;

	if (words > LIST_WORDS && want_profiling())
		session_beyond(LIMIT_unprofiled_queues, 1);
	if (forced) {
		memcpy(with, list, sizeof(list));
		force_list(with, words);
		queue = real(context, device, with, &why);
	}
	if (!forced || try_again(queue, why)) {
		forced = false;
		queue = real(context, device, properties, err);
	} else {
		tell(err, why);
	}
	return note_queue(queue, device, bits, asked, forced, list, words);
}

typedef cl_int (*info_fn)(cl_command_queue, cl_command_queue_info, size_t, void *, size_t *);

/* What the program would have been told without us. */
static cl_int own_list(cl_command_queue queue, size_t size, void *value, size_t *size_ret)
{
	const struct list *l = list_of(queue);
	size_t bytes = l ? l->count * sizeof(*l->words) : 0;

	if (value && size < bytes)
		return CL_INVALID_VALUE;
	if (value && l)
		memcpy(value, l->words, bytes);
	if (size_ret)
		*size_ret = bytes;
	return 0;
}

cl_int custom_clGetCommandQueueInfo(info_fn real, cl_command_queue command_queue,
				    cl_command_queue_info param_name, size_t param_value_size,
				    void *param_value, size_t *param_value_size_ret)
{
	cl_command_queue_properties bits = 0;
	cl_int rc;

	if (is_forced(command_queue) && param_name == CL_QUEUE_PROPERTIES_ARRAY)
		return own_list(command_queue, param_value_size, param_value, param_value_size_ret);
	if (!is_forced(command_queue) || param_name != CL_QUEUE_PROPERTIES || !param_value)
		return real(command_queue, param_name, param_value_size, param_value, param_value_size_ret);
	rc = real(command_queue, param_name, param_value_size < sizeof(bits) ? param_value_size : sizeof(bits), &bits,
		  param_value_size_ret);
	if (!rc)
		*(cl_command_queue_properties *)param_value = bits & ~(cl_command_queue_properties)CL_QUEUE_PROFILING;
	return rc;
}

cl_int custom_clSetCommandQueueProperty(cl_int (*real)(cl_command_queue, cl_command_queue_properties, cl_bool,
						       cl_command_queue_properties *),
					cl_command_queue command_queue, cl_command_queue_properties properties,
					cl_bool enable, cl_command_queue_properties *old_properties)
{
	struct handle_slot *s = handles_get(&opencl_queues, (uintptr_t)command_queue);
	bool forced = is_forced(command_queue);
	cl_int rc = real(command_queue, properties, enable, old_properties);

	if (rc || !s)
		return rc;
	if (forced && old_properties)
		*old_properties &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING;
	if (!(properties & CL_QUEUE_PROFILING))
		return rc;
	if (enable)
		atomic_fetch_or(&s->a, (uint64_t)QUEUE_ASKED << 32);
	else
		atomic_fetch_and(&s->a, ~((uint64_t)(QUEUE_ASKED | QUEUE_FORCED) << 32));
	return rc;
}

/* An event of a queue that never asked for profiling has no times for the program. */
cl_int custom_clGetEventProfilingInfo(cl_int (*real)(cl_event, cl_profiling_info, size_t, void *, size_t *),
				      cl_event event, cl_profiling_info param_name, size_t param_value_size,
				      void *param_value, size_t *param_value_size_ret)
{
	typedef cl_int (*event_fn)(cl_event, cl_event_info, size_t, void *, size_t *);
	static _Atomic(void *) cache;
	bool forced = atomic_load_explicit(&any_forced, memory_order_relaxed);
	event_fn info = forced ? hook_vendor(&cache, "clGetEventInfo") : NULL;
	cl_command_queue queue = NULL;

	if (info && !info(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, NULL) &&
	    is_forced(queue))
		return CL_PROFILING_NOT_AVAILABLE;
	return real(event, param_name, param_value_size, param_value, param_value_size_ret);
}
