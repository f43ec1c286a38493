/* ui_folder.h - files of a folder, for a browser. */
#pragma once
#include <stddef.h>

/* An open file below the folder, its size and type; "" or name/: index.html. -1: there is none, or it lies elsewhere. */
int ui_folder_open(const char *folder, const char *path, size_t *size, const char **type);
