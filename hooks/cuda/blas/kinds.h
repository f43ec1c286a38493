/* kinds.h - sonames of cuBLAS and cuDNN, and which kind of event the capture words of cuBLAS tell of (words.h: what they do). */
#pragma once
#include "hooks/rows/kinds.h"

/* How sonames begin. What one of them asks of another is part of the program's call. */
#define LIBRARIES_FAMILY	"libcublas libcudnn"

#define KIND_HANDLE_NEW(...)	EV_MODULE
#define KIND_HANDLE_END(...)	EV_MODULE
#define KIND_HANDLE_STREAM(...) NO_EVENT
#define KIND_OLD_STREAM(...)	NO_EVENT
#define KIND_BLAS(...)		EV_OPERATOR
#define KIND_BLAS_GROUPS(...)	EV_OPERATOR
#define KIND_OLD_BLAS(...)	EV_OPERATOR
#define KIND_LT_MATMUL(...)	EV_OPERATOR
#define KIND_LT_TRANSFORM(...)	EV_OPERATOR
#define KIND_LAYOUT(...)	NO_EVENT_OF_ITS_OWN
#define KIND_LAYOUT_END(...)	NO_EVENT_OF_ITS_OWN
#define KIND_LAYOUT_ELSE(...)	NO_EVENT_OF_ITS_OWN
