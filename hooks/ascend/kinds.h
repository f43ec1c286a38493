/* kinds.h - CANN's sonames, and which kind of event its capture words tell of (words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

/* How sonames begin. */
#define ASCEND_FAMILY \
	"libascendcl libacl_ libruntime libnnopbase libopapi libhccl libhcomm libge_ liblcal libshmem libascendsk libatb libasdsip libaclnn_ libcust_opapi"
#define MSPTI_FAMILY	       "libmspti"
#define PROFILER_FAMILY	       "libmsprofiler libprofapi libascendcl"
#define MSTX_FAMILY	       "libms_tools_ext libmsprofiler libprofapi"

#define KIND_LAUNCH(...)       EV_LAUNCH
#define KIND_TASK(...)	       EV_LAUNCH
#define KIND_COPY(...)	       EV_COPY
#define KIND_FILL(...)	       EV_FILL
#define KIND_ALLOC(...)	       EV_ALLOC
#define KIND_ALLOC_HOST(...)   (EV_ALLOC | OF_HOST)
#define KIND_STREAM(...)       EV_STREAM
#define KIND_SYNC(...)	       EV_SYNC
#define KIND_GRAPH_BEGIN(...)  EV_GRAPH
#define KIND_GRAPH_END(...)    EV_GRAPH
#define KIND_GRAPH_LAUNCH(...) EV_LAUNCH
#define KIND_LAUNCH3(...)      EV_LAUNCH
#define KIND_NAMED_LAUNCH(...) EV_LAUNCH
#define KIND_NAMED(...)	       EV_OPERATOR
#define KIND_SECOND(...)       EV_OPERATOR
#define KIND_COPIES(...)       EV_COPY
#define KIND_MIGRATE(...)      EV_COPY
#define KIND_MIGRATIONS(...)   EV_COPY
#define KIND_RELEASE(...)      EV_FREE
#define KIND_RELEASE_HOST(...) (EV_FREE | OF_HOST)
#define KIND_SEGMENT(...)      EV_REFERENCE
#define KIND_MEMORY(...)       EV_REFERENCE
#define KIND_STREAM_NEW(...)   EV_STREAM
#define KIND_STREAM_END(...)   EV_STREAM
#define KIND_FUNCTION(...)     EV_MODULE
#define KIND_CONTEXT(...)      EV_MODULE
#define KIND_CONTEXT_TO(...)   EV_MODULE
#define KIND_CONTEXT_END(...)  EV_MODULE
#define KIND_DEVICE_END(...)   EV_MODULE
#define KIND_OTHER_BEGINS(...) EV_MODULE
#define KIND_OTHER_ENDS(...)   EV_MODULE
#define KIND_COLLECTIVE(...)   EV_COLLECTIVE
#define KIND_BATCH(...)	       EV_COLLECTIVE
#define KIND_LCCL(...)	       EV_COLLECTIVE
#define KIND_ONE_SIDED(...)    EV_COLLECTIVE
#define KIND_LCCL_NEW(...)     EV_COMMUNICATOR
#define KIND_LCCL_ALL(...)     EV_COMMUNICATOR
#define KIND_COMM_NEW(...)     EV_COMMUNICATOR
#define KIND_COMM_ALL(...)     EV_COMMUNICATOR
#define KIND_COMM_END(...)     EV_COMMUNICATOR
#define KIND_COMMUNICATOR(...) EV_COMMUNICATOR
#define KIND_TENSOR(...)       NO_EVENT_OF_ITS_OWN
#define KIND_TENSOR_END(...)   NO_EVENT_OF_ITS_OWN
#define KIND_TENSORS(...)      NO_EVENT_OF_ITS_OWN
#define KIND_TENSORS_END(...)  NO_EVENT_OF_ITS_OWN
#define KIND_REPEATABLE(...)   NO_EVENT_OF_ITS_OWN
#define KIND_PLAN_KEY(...)     NO_EVENT_OF_ITS_OWN
#define KIND_PLAN_FOUND(...)   NO_EVENT_OF_ITS_OWN
