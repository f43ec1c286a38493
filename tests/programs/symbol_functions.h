/* symbol_functions.h - functions of all the shapes that a training step's entry may have. */
#pragma once
#include <complex.h>
#include <stdint.h>

struct pair {
	double a;
	long b;
}; /* comes back in two kinds of registers */
struct two_longs {
	long a, b;
};
struct two_doubles {
	double a, b;
};
struct large {
	long words[8];
}; /* comes back in memory */

/* F(return, name, parameters, arguments in iteration n) */
#define SYMBOL_FUNCTIONS(F)                    \
	F(void, train_iteration, (int n), (n)) \
	VALUE_FUNCTIONS(F)

#define VALUE_FUNCTIONS(F)                                                                                                                                                                                                   \
	F(long, six_integers, (long a, long b, long c, long d, long e, long f), (n, 2, 3, 4, 5, 6))                                                                                                                          \
	F(double, eight_doubles, (double a, double b, double c, double d, double e, double f, double g, double h),                                                                                                           \
	  (n, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5))                                                                                                                                                                            \
	F(double, mixed_on_the_stack, (int a, double b, long c, double d, long e, double f, long g, double h, long i, double j, long k, double l, long m, double o, long p, double q, long r, double s, double t, double u), \
	  (n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20))                                                                                                                                           \
	F(long, struct_by_value, (struct large l, long tail, struct pair p),                                                                                                                                                 \
	  ((struct large){ { n, 2, 3, 4, 5, 6, 7, 8 } }, 9, (struct pair){ 1.5, 2 }))                                                                                                                                        \
	F(struct pair, gives_pair, (int n), (n))                                                                                                                                                                             \
	F(struct two_longs, gives_two_longs, (int n), (n))                                                                                                                                                                   \
	F(struct two_doubles, gives_two_doubles, (int n), (n))                                                                                                                                                               \
	F(struct large, gives_large, (int n, double x), (n, 0.25))                                                                                                                                                           \
	F(long double, gives_long_double, (long double x), (n + 0.125L))                                                                                                                                                     \
	F(float _Complex, gives_complex, (float _Complex z), (n + 2.0f * I))                                                                                                                                                 \
	F(double, varargs, (int count, ...), (12, (double)n, 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.))
