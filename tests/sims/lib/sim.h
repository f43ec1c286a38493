/*
 * sim.h - libsimdevice.so: what all simulated libraries share: counts, faults, the clock, streams, events, memory.
 *
 * It is built for each vendor, whose header SIM_ABI says with which of its codes functions answer: SIM_INVALID,
 * SIM_NO_DEVICE, SIM_NO_MEMORY, SIM_NOT_RECORDED, SIM_NOT_COMPLETE, SIM_REVERSED, SIM_CAPTURED, SIM_NOT_CAPTURED,
 * SIM_EVENT_CAPTURED; and events of which flags may not be recorded in a capture, SIM_EVENT_OUTSIDE.
 */
#pragma once
#include SIM_ABI
#include <pthread.h>
#include <stdio.h>

/* ---- counts.c: every call, exactly ---- */

struct sim_row {
	const char *library, *symbol;
	_Atomic uint64_t calls;	   /* of this process */
	_Atomic uint64_t known[4]; /* places in the file of counts: caller << 32 | place */
};

/* A call of this function begins: it is counted. What it must fail with by SIM_FAIL, or 0. */
int sim_entered(struct sim_row *row, const void *caller);
#define sim_enter(row) sim_entered(row, __builtin_return_address(0))
void sim_leave(void);

extern uint64_t (*sim_on_call)(const struct sim_row *row); /* for a listener: what it says as a call begins is the call's, and that of all inside; 0: of none */
uint64_t sim_call_told(void);				   /* of the call that this thread is in */

void sim_print_calls(FILE *to); /* those that this thread is in, outermost first, and a line's end */

/* Around a function of the program that is called back: what it calls has no caller here. */
uint32_t sim_outside(void);
void sim_inside(uint32_t was);

long sim_setting(const char *name, long otherwise); /* a number of the environment */
FILE *sim_log(const char *setting);		    /* the file that it names, for whole lines; or NULL */

/* ---- knobs.c: what the program says of how long something takes ---- */

void sim_work_takes(uint64_t ns);		      /* the next work that this thread gives to a stream */
void sim_calls_take(const char *symbol, uint64_t ns); /* so much longer each call of this function, from now on; 0: no longer */
uint64_t sim_work_ns(uint64_t otherwise);
void sim_call_spends(const char *symbol);

/* ---- clock.c: streams ---- */

enum sim_magic { SIM_STREAM = 0x51e10001,
		 SIM_EVENT,
		 SIM_GRAPH,
		 SIM_FUNCTION,
		 SIM_BINARY,
		 SIM_CONTEXT,
		 SIM_TENSOR,
		 SIM_SCALAR,
		 SIM_ARRAY,
		 SIM_EXECUTOR,
		 SIM_KERNEL_HANDLE,
		 SIM_POOL };

bool sim_is(const void *object, enum sim_magic magic); /* NULL is nothing */

enum sim_kind { SIM_KERNEL,
		SIM_COPY,
		SIM_FILL,
		SIM_HOST,
		SIM_CHILD, /* a graph in a graph */
		SIM_NOTHING };

/* Device work: run(args) with a copy of args, as long as ns on the stream's own clock. */
struct sim_task {
	enum sim_kind kind;
	const char *name;
	void (*run)(const void *args);
	const void *args;
	size_t size;
	uint64_t ns;
	struct ranks *(*meets)(const void *args); /* a collective's: those that it waits for (SIM_ASYNC); or NULL */
};

int sim_stream_new(void **stream);
int sim_stream_end(void *stream);
int sim_submit(void *stream, const struct sim_task *task); /* runs now, or joins the graph that is captured */
int sim_stream_wait(void *stream);			   /* SIM_CAPTURED while it is captured */
bool sim_stream_idle(void *stream);			   /* is all done that it was given? */
void sim_sleep_until(uint64_t ns);			   /* since the Unix epoch */
void sim_device_wait(void);
int sim_stream_number(void *stream);
uint64_t sim_boot(int device); /* ns since the Unix epoch when its clock stood at 0; 0: it tells of work alone */

extern void (*sim_on_task)(const struct sim_task *task, int device, int stream, uint64_t begin, uint64_t end); /* for listeners */
extern void (*sim_on_collective)(void);									       /* and when one has been given to a stream, by this thread */

/* Devices belong to threads. */
int sim_device(void);
int sim_set_device(int device);
int sim_devices(void);

/* ---- records.c: a tool of the vendor's that tells when work ran ---- */

#define SIM_RECORD_KINDS 64
struct sim_records {
	int kinds; /* numbers of kinds are below this */
	size_t (*size_of)(const void *record);
	uint64_t (*end_of)(const void *record);			       /* ns since the Unix epoch; 0: it is about no work */
	pthread_mutex_t *lock;					       /* held by who adds */
	void (*request)(uint8_t **buffer, size_t *size, size_t *most); /* the listener's */
	void (*complete)(uint8_t *buffer, size_t size, size_t valid);
	bool enabled[SIM_RECORD_KINDS];
	uint8_t *bytes;
	size_t used, room;
};
uint64_t sim_host_ns(void);
bool sim_records_enable(struct sim_records *r, int kind, bool on); /* false: there is no such kind */
void sim_records_add(struct sim_records *r, const void *record, size_t size);
void sim_records_flush(struct sim_records *r);
bool sim_records_next(const struct sim_records *r, uint8_t *buffer, size_t valid, void **record); /* false: that was the last one */

/* ---- events.c ---- */

int sim_event_new(void **event, unsigned int flag);
int sim_event_end(void *event);
int sim_event_record(void *event, void *stream);
int sim_event_wait(void *stream, void *event); /* the stream's later work comes after the event */
int sim_event_synchronize(void *event);
int sim_event_query(void *event, bool *complete); /* by SIM_EVENT_QUERIES not before so many questions */
int sim_event_time(void *event, uint64_t *ns);
int sim_elapsed(float *ms, void *from, void *to);

/* ---- graphs.c ---- */

int sim_capture_begin(void *stream);
int sim_capture_end(void *stream, void **graph);
int sim_capture_info(void *stream, int *active, void **graph);
int sim_graph_launch(void *graph, void *stream);
int sim_graph_end(void *graph);

/* ---- memory.c ---- */

int sim_malloc(void **address, size_t size, bool on_device);
int sim_free(void *address);
size_t sim_size(const void *address);			    /* of the allocation that begins here */
size_t sim_around(const void *address, const void **begin); /* of the one that holds this */
void sim_memory_left(size_t *left, size_t *all);
int sim_reserve(void **address, size_t size);
int sim_release(void *address);
int sim_physical(void **handle, size_t size);
int sim_physical_free(void *handle);
int sim_map(void *address, size_t size, void *handle);
int sim_unmap(void *address);

/* ---- kernels.c ---- */

/* What a kernel's handle points to. Kernels of the program have no run: nothing happens but time. */
struct sim_function {
	uint32_t magic;
	char name[124];
	void (*run)(const void *args);
	struct ranks *(*meets)(const void *args);
	void *binary;
};

int sim_binary_new(void **binary);
int sim_function_of(void *binary, const char *name, void **function); /* one of a name in a binary */
void *sim_binary_kernel(void *binary);				      /* the one that a tiling key picks */
int sim_launch(const struct sim_function *function, void *stream, const void *args, size_t size);
