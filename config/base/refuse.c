#include "config/base/refuse.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include "config/base/printable.h"

int refuse(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	make_printable(why);
	return -EINVAL;
}
