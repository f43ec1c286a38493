/* rank_list.h - many numbers in few words: "0-199, 201". */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Sorts the numbers; three or more in a row are a range. The text is the caller's to free. */
char *rank_list(int64_t *numbers, size_t count);
