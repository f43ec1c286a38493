/* demangle.h - names of C++ as their source has them. */
#pragma once

/*
 * Of a name as compilers mangle it (_Z...), for free(). NULL: it is none, or it is too long to be read by anybody; or no demangler was
 * there when the command was built.
 */
char *demangle(const char *name);
