/* place_source.h - what --stage-source, --mini-source, --micro-source and --number-source may say: functions of Python, in order. */
#pragma once
#include "config/step_source/python_function.h"

#define PLACE_SOURCES 30 /* at most so many are given at once */

extern const char *const place_source_usages[], *const stage_source_usages[];

/* `python:a:B.c;python:a:B.d{role=x}`, the functions of Python in it (those of marker.h are checked only): 0, or -EINVAL with the reason in why. */
int place_source_parse(const char *text, enum python_of of, struct python_function list[PLACE_SOURCES], unsigned int *count, char *why,
		       size_t size);
