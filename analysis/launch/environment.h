/* environment.h - what in the environment of a program stands in the way on Ascend: a word of causes.def, "" if nothing. */
#pragma once

const char *environment_of_ascend(void);

/* The same of LD_PRELOAD as somebody wrote it by hand. */
const char *environment_of_preload(void);
