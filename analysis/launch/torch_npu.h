/* torch_npu.h - which generation the torch_npu of a command is, before it runs. */
#pragma once
#include "config/option_words.h"

/*
 * What torch_npu_markers stands for where it is auto. ask: this torch_npu asks at every marker whether it is wanted, so those
 * outside of windows cost nothing; markers: it is older, or cannot be found; auto: there is no CANN. Starts the command's
 * Python once, to be told where torch_npu lies, if all depends on it.
 */
enum option_word torch_npu_gate(const struct config *c, char *const *command);
