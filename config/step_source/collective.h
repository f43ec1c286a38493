/* collective.h - REGEX, *N, {ranks=N}, taken apart. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct collective_spec {
	char regex[256];    /* of the entry point's name; capital letters or small ones */
	unsigned int every; /* so many calls are a step */
	unsigned int ranks; /* on communicators of so many; 0: on the largest */
};

/* 0, or -EINVAL with the reason in why. */
int collective_read(struct collective_spec *c, const char *argument, char *why, size_t size);
