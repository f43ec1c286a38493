/* command_words.h - what the words of a command are, to all who look for a program, a script or a trainer in it. */
#pragma once
#include <stdbool.h>

bool word_ends(const char *word, const char *end);

/* train.py */
bool word_is_python_file(const char *word);

/* A Python, or a launcher that runs programs of Python's. */
bool word_starts_python(const char *word);

/* -m, or -um */
bool word_is_module_flag(const char *word);

/* A line for a shell, perhaps. */
bool word_is_line(const char *word);

/* Is the word at i the line of python -c? */
bool command_is_pythons_line(char *const *command, int i);

/* Where its program of Python's is, whose own words are those behind: a file, or (*module) a module that is no launcher; NULL: nowhere. */
char *const *command_program(char *const *command, bool *module);
