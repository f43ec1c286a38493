/* marker.h - REGEX, @entry or @return, {domain=NAME,role=NAME}, taken apart. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum marker_of {
	MARKER_STEP,
	MARKER_STAGE
};

#define MARKER_STEPS  12 /* at most so many are given at once */
#define MARKER_STAGES 12

struct marker_spec {
	char regex[256];
	char domain[64]; /* "": any but that of collectives, which have a range each */
	bool at_end;	 /* of a step: the boundary is the range's end; a mark is its own end */
	bool has_group;	 /* what the expression's first group matches is the step that begins, or the role */
	char role[64];	 /* of a stage; "": the group's text, or all of the message */
};

/* 0, or -EINVAL with the reason in why. */
int marker_read(struct marker_spec *m, enum marker_of of, const char *argument, char *why, size_t size);

/* Those among the specs of --stage-source. */
int marker_stages(const char *text, struct marker_spec list[MARKER_STAGES], unsigned int *count, char *why, size_t size);
