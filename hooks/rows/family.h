/* family.h - a vendor's own libraries, by how their sonames begin. */
#pragma once
#include <stdbool.h>

/* family: the beginnings, blanks between. libOpenCL also covers libOpenCL-1a2b.so.1 of a Python wheel. */
bool family_has(const char *family, const char *soname);
