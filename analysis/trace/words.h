/* words.h - the words for the numbers of agent/format/event.h. */
#pragma once
#include <stdbool.h>

#include "agent/format/event.h"

extern const char *const kind_words[EV_KINDS + 1];
extern const int kind_levels[EV_KINDS + 1];	   /* the lowest --level that records it; */
extern const bool kind_wants_memory[EV_KINDS + 1]; /* it wants `memory` in --contents, too */
extern const char *const level_words[4];	   /* from level_none, which is -1, on */
extern const char *const direction_words[DIR_COUNT];
extern const char *const data_words[DATA_COUNT];
extern const char *const format_words[FORMAT_COUNT];
extern const char *const reduction_words[REDUCE_COUNT];
extern const char *const stack_of_words[STACK_OF_COUNT + 1];
extern const char *const stack_of_texts[STACK_OF_COUNT + 1]; /* behind a number of calls that have no frames of Python */

/* -1: level_none. What is not told is taken for level0. */
int level_of_word(const char *word);
