/* symbol_library.c - libtrainer.so: what somebody may name as a step source. */
#include "tests/programs/symbol_functions.h"
#include <errno.h>
#include <stdarg.h>

#define DECLARE(ret, name, params, args) ret name params;
SYMBOL_FUNCTIONS(DECLARE)

void train_iteration(int n)
{
	(void)n;
	errno += 7; /* what the caller sees of errno afterwards must be ours */
}

long six_integers(long a, long b, long c, long d, long e, long f)
{
	return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

double eight_doubles(double a, double b, double c, double d, double e, double f, double g, double h)
{
	return a - 2 * b + 3 * c - 4 * d + 5 * e - 6 * f + 7 * g - 8 * h;
}

double mixed_on_the_stack(int a, double b, long c, double d, long e, double f, long g, double h, long i, double j,
			  long k, double l, long m, double o, long p, double q, long r, double s, double t, double u)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l +
	       13 * m + 14 * o + 15 * p + 16 * q + 17 * r + 18 * s + 19 * t + 20 * u;
}

long struct_by_value(struct large l, long tail, struct pair p)
{
	long sum = tail + p.b + (long)(p.a * 2);

	for (int i = 0; i < 8; i++)
		sum = sum * 3 + l.words[i];
	return sum;
}

struct pair gives_pair(int n)
{
	return (struct pair){ n * 1.5, n * 3 };
}

struct two_longs gives_two_longs(int n)
{
	return (struct two_longs){ n, -n };
}

struct two_doubles gives_two_doubles(int n)
{
	return (struct two_doubles){ n / 2., n / 4. };
}

struct large gives_large(int n, double x)
{
	struct large l;

	for (int i = 0; i < 8; i++)
		l.words[i] = n + i + (long)(x * 4);
	return l;
}

long double gives_long_double(long double x)
{
	return x * 3;
}

float _Complex gives_complex(float _Complex z)
{
	return z * z;
}

double varargs(int count, ...)
{
	double sum = 0;
	va_list list;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += (i + 1) * va_arg(list, double);
	va_end(list);
	return sum;
}
