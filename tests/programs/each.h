/* each.h - EACH(m, a, b, ...): m(a) m(b) ... for up to 14 arguments: as many as any row has. */
#pragma once

#define EACH_1(m, a)									m(a)
#define EACH_2(m, a, ...)								m(a) EACH_1(m, __VA_ARGS__)
#define EACH_3(m, a, ...)								m(a) EACH_2(m, __VA_ARGS__)
#define EACH_4(m, a, ...)								m(a) EACH_3(m, __VA_ARGS__)
#define EACH_5(m, a, ...)								m(a) EACH_4(m, __VA_ARGS__)
#define EACH_6(m, a, ...)								m(a) EACH_5(m, __VA_ARGS__)
#define EACH_7(m, a, ...)								m(a) EACH_6(m, __VA_ARGS__)
#define EACH_8(m, a, ...)								m(a) EACH_7(m, __VA_ARGS__)
#define EACH_9(m, a, ...)								m(a) EACH_8(m, __VA_ARGS__)
#define EACH_10(m, a, ...)								m(a) EACH_9(m, __VA_ARGS__)
#define EACH_11(m, a, ...)								m(a) EACH_10(m, __VA_ARGS__)
#define EACH_12(m, a, ...)								m(a) EACH_11(m, __VA_ARGS__)
#define EACH_13(m, a, ...)								m(a) EACH_12(m, __VA_ARGS__)
#define EACH_14(m, a, ...)								m(a) EACH_13(m, __VA_ARGS__)

#define EACH_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, it, ...) it
#define EACH(m, ...)                                                                                                        \
	EACH_PICK(__VA_ARGS__, EACH_14, EACH_13, EACH_12, EACH_11, EACH_10, EACH_9, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, \
		  EACH_3, EACH_2, EACH_1)                                                                                   \
	(m, __VA_ARGS__)
