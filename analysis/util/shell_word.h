/* shell_word.h - a word as a shell takes it: most need no quotes. */
#pragma once

/* The caller frees it. */
char *shell_word(const char *word);
