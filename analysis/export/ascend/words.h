/* words.h - what Ascend's own profilers call things. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/trace/trace.h"

/* The layer that an entry point is of: AscendCL, Runtime, Communication ... */
enum words_layer { LAYER_ACL,
		   LAYER_MODEL,
		   LAYER_NODE,
		   LAYER_COMMUNICATION,
		   LAYER_RUNTIME,
		   LAYERS };
extern const char *const layer_words[LAYERS];
enum words_layer words_layer(const char *entry_point);

/* hcom_allReduce_, of HcclAllReduce. */
void words_collective(char *text, size_t size, const char *entry_point);
bool words_receives(const char *entry_point);
bool words_between_two(const char *entry_point); /* not a whole group */

/* The name of a group, and the number that stands for it behind '@'. */
const char *words_group(const struct collective *c);
uint64_t words_group_number(const char *group);

/* What kind of operator a kernel is of: Add, of aclnnAdd; without an operator, the kernel's own name. */
const char *words_operator_type(const struct launch *operator_, const char *kernel);
const char *words_level(int level); /* Level0, of 0; -1: Level_none */

/* The name and number of what copies: "host to device", 1. */
const char *words_direction(enum copy_direction direction);
int words_direction_number(enum copy_direction direction);

/* FLOAT16, of fp16. */
const char *words_data(unsigned int type);
