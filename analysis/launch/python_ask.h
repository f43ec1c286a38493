/* python_ask.h - what the Python of a command says, before the command runs. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* What a question writes to descriptor 1, as a line of its own, before what it has to say. */
#define PYTHON_ANSWER "ranktrace-answer="

/* The beginning of each: as a script would find things: the working directory is not looked into. */
#define PYTHON_QUESTION                              \
	"import sys\n"                               \
	"sys.path[:] = [p for p in sys.path if p]\n" \
	"import importlib.util, os\n"                \
	"def answer(text):\n"                        \
	"    os.write(1, b'\\n" PYTHON_ANSWER "' + os.fsencode(text) + b'\\n')\n"

/* Is a Python, or a script of one, among its words? */
bool python_is_in(char *const *command);

/*
 * Has the Python that the command would start run a few lines, all of them together for 5 s at most, and gives back what they answer.
 * False: there is no such Python, or it says nothing; that it takes too long is said.
 */
bool python_ask(char *const *command, const char *question, char *told, size_t size);
