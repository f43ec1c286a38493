#include "analysis/trace/words.h"

#include <string.h>

const char *const kind_words[EV_KINDS + 1] = {
#define KIND(symbol, word, group) word,
	EVENT_KINDS(KIND)
#undef KIND
		"unknown"
};

const int kind_levels[EV_KINDS + 1] = {
#define KIND(symbol, word, group) GROUP_##group##_LEVEL,
	EVENT_KINDS(KIND)
#undef KIND
};

const bool kind_wants_memory[EV_KINDS + 1] = {
#define KIND(symbol, word, group) GROUP_##group##_MEMORY,
	EVENT_KINDS(KIND)
#undef KIND
};

const char *const level_words[4] = { "level_none", "level0", "level1", "level2" };

const char *const direction_words[DIR_COUNT] = {
#define DIRECTION(symbol, word) word,
	COPY_DIRECTIONS(DIRECTION)
#undef DIRECTION
};

const char *const data_words[DATA_COUNT] = {
#define TYPE(symbol, word, bits) word,
	DATA_TYPES(TYPE)
#undef TYPE
};

const char *const format_words[FORMAT_COUNT] = {
#define FORMAT(symbol, word) word,
	TENSOR_FORMATS(FORMAT)
#undef FORMAT
};

const char *const reduction_words[REDUCE_COUNT] = {
#define REDUCTION(symbol, word) word,
	REDUCTIONS(REDUCTION)
#undef REDUCTION
};

const char *const stack_of_words[STACK_OF_COUNT + 1] = {
#define STACK_OF(symbol, word, text) word,
	STACKS_OF(STACK_OF)
#undef STACK_OF
		"unknown"
};

const char *const stack_of_texts[STACK_OF_COUNT + 1] = {
#define STACK_OF(symbol, word, text) text,
	STACKS_OF(STACK_OF)
#undef STACK_OF
		"for a reason that this version does not know"
};

int level_of_word(const char *word)
{
	for (int i = 0; i < 4; i++)
		if (!strcmp(word, level_words[i]))
			return i - 1;
	return 0;
}
