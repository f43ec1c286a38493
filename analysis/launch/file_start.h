/* file_start.h - what a file of the program's begins with. */
#pragma once
#include <stddef.h>

/* As text; empty where it is no plain file, as a pipe, whose words are the program's. Returns its length, below size. */
size_t file_start(const char *path, char *text, size_t size);
