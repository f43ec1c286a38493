/* file_text.h - the text chunks: key=value lines for people and readers (docs/format.md lists the keys). */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/session_files.h"
#include "agent/format/trace_file.h"
#include "agent/session/settings.h"

struct totals {
	struct file_base all;	   /* calls of the process */
	uint64_t entered, dropped; /* calls since the file before was told */
	uint64_t times_later;	   /* device times of calls of this file that the next ones have */
	uint64_t number;	   /* of the file: what session->ended becomes when they are told */
};

/* Who and what is recorded: the text of a CHUNK_FILE. */
void file_text_file(char *text, size_t size, const char *window, const struct detail *detail);

/* What of that is said of roles: it may change in a window. Empty: nothing is. */
#define DETAIL_TEXT (DETAIL_ROLES + 128)
void file_text_roles(char *text, size_t size, const struct detail *detail);

void file_text_totals(char *text, size_t size, const char *reason, struct totals totals);
