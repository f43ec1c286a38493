/* each.h - EACH(m, a, b, ...): m(a) m(b) ... for up to 34 arguments: as many as any row has, and one. */
#pragma once

#define EACH_1(m, a)	   m(a)
#define EACH_2(m, a, ...)  m(a) EACH_1(m, __VA_ARGS__)
#define EACH_3(m, a, ...)  m(a) EACH_2(m, __VA_ARGS__)
#define EACH_4(m, a, ...)  m(a) EACH_3(m, __VA_ARGS__)
#define EACH_5(m, a, ...)  m(a) EACH_4(m, __VA_ARGS__)
#define EACH_6(m, a, ...)  m(a) EACH_5(m, __VA_ARGS__)
#define EACH_7(m, a, ...)  m(a) EACH_6(m, __VA_ARGS__)
#define EACH_8(m, a, ...)  m(a) EACH_7(m, __VA_ARGS__)
#define EACH_9(m, a, ...)  m(a) EACH_8(m, __VA_ARGS__)
#define EACH_10(m, a, ...) m(a) EACH_9(m, __VA_ARGS__)
#define EACH_11(m, a, ...) m(a) EACH_10(m, __VA_ARGS__)
#define EACH_12(m, a, ...) m(a) EACH_11(m, __VA_ARGS__)
#define EACH_13(m, a, ...) m(a) EACH_12(m, __VA_ARGS__)
#define EACH_14(m, a, ...) m(a) EACH_13(m, __VA_ARGS__)
#define EACH_15(m, a, ...) m(a) EACH_14(m, __VA_ARGS__)
#define EACH_16(m, a, ...) m(a) EACH_15(m, __VA_ARGS__)
#define EACH_17(m, a, ...) m(a) EACH_16(m, __VA_ARGS__)
#define EACH_18(m, a, ...) m(a) EACH_17(m, __VA_ARGS__)
#define EACH_19(m, a, ...) m(a) EACH_18(m, __VA_ARGS__)
#define EACH_20(m, a, ...) m(a) EACH_19(m, __VA_ARGS__)
#define EACH_21(m, a, ...) m(a) EACH_20(m, __VA_ARGS__)
#define EACH_22(m, a, ...) m(a) EACH_21(m, __VA_ARGS__)
#define EACH_23(m, a, ...) m(a) EACH_22(m, __VA_ARGS__)
#define EACH_24(m, a, ...) m(a) EACH_23(m, __VA_ARGS__)
#define EACH_25(m, a, ...) m(a) EACH_24(m, __VA_ARGS__)
#define EACH_26(m, a, ...) m(a) EACH_25(m, __VA_ARGS__)
#define EACH_27(m, a, ...) m(a) EACH_26(m, __VA_ARGS__)
#define EACH_28(m, a, ...) m(a) EACH_27(m, __VA_ARGS__)
#define EACH_29(m, a, ...) m(a) EACH_28(m, __VA_ARGS__)
#define EACH_30(m, a, ...) m(a) EACH_29(m, __VA_ARGS__)
#define EACH_31(m, a, ...) m(a) EACH_30(m, __VA_ARGS__)
#define EACH_32(m, a, ...) m(a) EACH_31(m, __VA_ARGS__)
#define EACH_33(m, a, ...) m(a) EACH_32(m, __VA_ARGS__)
#define EACH_34(m, a, ...) m(a) EACH_33(m, __VA_ARGS__)

/* clang-format off: one macro, and numbers */
#define EACH_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, \
		  _17, _18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30,  \
		  _31, _32, _33, _34, it, ...) it
#define EACH(m, ...)                                                                      \
	EACH_PICK(__VA_ARGS__, EACH_34, EACH_33, EACH_32, EACH_31, EACH_30, EACH_29,      \
		  EACH_28, EACH_27, EACH_26, EACH_25, EACH_24, EACH_23, EACH_22, EACH_21, \
		  EACH_20, EACH_19, EACH_18, EACH_17, EACH_16, EACH_15, EACH_14, EACH_13, \
		  EACH_12, EACH_11, EACH_10, EACH_9, EACH_8, EACH_7, EACH_6, EACH_5,      \
		  EACH_4, EACH_3, EACH_2, EACH_1)                                         \
	(m, __VA_ARGS__)
/* clang-format on */
