/*
 * words.h - what the capture words of cuBLAS do around a call, beside CUDA's own (hooks/cuda/words.h). Without shapes
 * among the contents an operator has its name, and nobody looks at what it was given.
 */
#pragma once
#include "hooks/capture/operator_shapes.h"
#include "hooks/capture/row_names.h"
#include "hooks/cuda/blas/data_types.h"
#include "hooks/cuda/blas/handles.h"
#include "hooks/cuda/blas/kinds.h"
#include "hooks/cuda/blas/layouts.h"
#include "hooks/cuda/blas/matrices.h"

/* ---- handles ---- */

/* HANDLE_NEW(handle), HANDLE_END(handle), HANDLE_STREAM(handle, stream): its work goes there. OLD_STREAM(stream): that without a handle */
#define OPENS_HANDLE_NEW(...)	TRACK
#define DO_HANDLE_NEW(handle)	KEEP(handle_new(handle))
#define OPENS_HANDLE_END(...)	TRACK
#define DO_HANDLE_END(handle)	CLOCK(handle_end(handle))
#define OPENS_HANDLE_STREAM(...) GATE_TRACK
#define DO_HANDLE_STREAM(handle, stream) KEEP(handle_stream_is(handle, stream))
#define OPENS_OLD_STREAM(...)	GATE_TRACK
#define DO_OLD_STREAM(stream)	KEEP(atomic_store(&cublas_old_stream, stream))

/* ---- operators ---- */

/* The operator that the row is called after: with what it was given, if somebody wants that and the call has taken it. */
#define OPENS_OPERATOR		(GATE_WINDOW | GATE_TIME)
#define OPERATOR(stream_before, stream_of_it, with_shapes)			\
	CLOCK(source_time_launch())						\
	TIMED(stream_before, stream_of_it, TIME_OPERATOR,			\
		EV.key = ok && operator_shapes_wanted() ? with_shapes : row_launch(hook))

/* M(type, rows, columns), V(type, elements): a matrix, a vector. OF(type): as the call says */
#define M(its_type, its_rows, its_columns) { DATA_TYPE_OF_##its_type, its_rows, its_columns }
#define V(its_type, elements)	M(its_type, elements, NO_COLUMNS)
#define DATA_TYPE_OF_FP16	DATA_FP16
#define DATA_TYPE_OF_BF16	DATA_BF16
#define DATA_TYPE_OF_FP32	DATA_FP32
#define DATA_TYPE_OF_FP64	DATA_FP64
#define DATA_TYPE_OF_UINT8	DATA_UINT8
#define DATA_TYPE_OF_COMPLEX64	DATA_COMPLEX64
#define DATA_TYPE_OF_COMPLEX128 DATA_COMPLEX128
#define DATA_TYPE_OF_OF(type)	cuda_data_type(type)

/* As a matrix of rows and columns is turned; which of both has the matrix beside it, by the side that it stands on */
#define TURNED(how, straight, turned) ((how) == CUBLAS_OP_N ? (straight) : (turned))
#define SIDE(where, left, right) ((where) == CUBLAS_SIDE_LEFT ? (left) : (right))
#define OLD_TURNED(how, straight, turned) ((how) == 'N' || (how) == 'n' ? (straight) : (turned))
#define OLD_SIDE(where, left, right) ((where) == 'L' || (where) == 'l' ? (left) : (right))

/* BLAS(handle, batch, matrices); OLD_BLAS(matrices): without a handle */
#define MATRICES(...)		(struct matrix[]){ __VA_ARGS__ }, sizeof((struct matrix[]){ __VA_ARGS__ }) / sizeof(struct matrix)
#define OPENS_BLAS(...)		OPENS_OPERATOR
#define DO_BLAS(handle, batch, ...)						\
	OPERATOR(handle_stream_before(handle), cublas_stream(handle), matrices_launch(hook, batch, MATRICES(__VA_ARGS__)))
#define OPENS_OLD_BLAS(...)	OPENS_OPERATOR
#define DO_OLD_BLAS(...)							\
	OPERATOR(atomic_load(&cublas_old_stream), atomic_load(&cublas_old_stream), matrices_launch(hook, 0, MATRICES(__VA_ARGS__)))

/* BLAS_GROUPS(handle, types of A, B and C, NARROW(m, n, k, sizes of groups) or WIDE(...), how many groups) */
#define NARROW(m, n, k, sizes)	false, m, n, k, sizes
#define WIDE(m, n, k, sizes)	true, m, n, k, sizes
#define OPENS_BLAS_GROUPS(...)	OPENS_OPERATOR
#define DO_BLAS_GROUPS(handle, of_a, of_b, of_c, ...)				\
	OPERATOR(handle_stream_before(handle), cublas_stream(handle), matrix_groups_launch(hook, \
		&(struct matrix_groups){ { DATA_TYPE_OF_##of_a, DATA_TYPE_OF_##of_b, DATA_TYPE_OF_##of_c }, __VA_ARGS__ }))

/* LT_MATMUL(stream, A, B, D), LT_TRANSFORM(stream, A, B, C): layouts */
#define OPENS_LT_MATMUL(...)	OPENS_OPERATOR
#define DO_LT_MATMUL(handle, a, b, d) OPERATOR(handle, handle, layouts_matmul(hook, a, b, d))
#define OPENS_LT_TRANSFORM(...) OPENS_OPERATOR
#define DO_LT_TRANSFORM(handle, a, b, made) OPERATOR(handle, handle, layouts_transform(hook, a, b, made))

/* LAYOUT(layout, type, rows, columns): is now. LAYOUT_ELSE(layout): is something else. LAYOUT_END(layout) */
#define OPENS_LAYOUT(...)	GATE_SHAPES
#define DO_LAYOUT(layout, type, rows, columns) KEEP(layout_is(layout, type, rows, columns))
#define OPENS_LAYOUT_ELSE(...)	GATE_SHAPES
#define DO_LAYOUT_ELSE(layout)	KEEP(layout_forget(layout))
#define OPENS_LAYOUT_END(...)	GATE_SHAPES
#define DO_LAYOUT_END(layout)	CLOCK(layout_forget(layout))
