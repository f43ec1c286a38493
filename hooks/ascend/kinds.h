/* kinds.h - CANN's sonames, and which kind of event its capture words tell of (words.h: what they do). */
#pragma once
#include "hooks/capture/runtime/kinds.h"

/* How sonames begin. */
#define ASCEND_FAMILY \
	"libascendcl libacl_ libruntime libnnopbase libopapi libhccl libhcomm libge_ liblcal libshmem libascendsk libatb libasdsip libaclnn_ libcust_opapi"
#define MSPTI_FAMILY	       "libmspti"
#define PROFILER_FAMILY	       "libmsprofiler libprofapi libascendcl"
#define MSTX_FAMILY	       "libms_tools_ext libmsprofiler libprofapi"

#define KIND_LAUNCH3(...)      EV_LAUNCH
#define KIND_NAMED_LAUNCH(...) EV_LAUNCH
#define KIND_NAMED(...)	       EV_OPERATOR
#define KIND_SECOND(...)       EV_OPERATOR
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
