/* marker.h - REGEX, @entry or @return, {domain=NAME}, taken apart. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct marker_spec {
	char regex[256];
	char domain[64]; /* "": any but that of collectives, which have a range each */
	bool at_end;	 /* the boundary is the range's end; a mark is its own end */
	bool has_number; /* what the expression's first group matches is the step that begins */
};

/* 0, or -EINVAL with the reason in why. */
int marker_read(struct marker_spec *m, const char *argument, char *why, size_t size);
