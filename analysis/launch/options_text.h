/* options_text.h - options.def for readers: --help, docs/options.md, the man page's list. */
#pragma once
#include <stdio.h>

void options_help(FILE *out);

/* For a shell that completes: the words that may stand behind --option, one a line. */
void options_choice(FILE *out, const char *flag);
void options_markdown(FILE *out);
void options_man(FILE *out);
void options_version(FILE *out);
