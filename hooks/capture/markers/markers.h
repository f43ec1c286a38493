/* markers.h - a vendor's markers: what ranges and marks are called, and their domains. */
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include "agent/record/handles.h"

/* One for each vendor. Domains are handles; NULL is the default one. */
struct markers {
	struct handles domains; /* a = DEF_STRING id of the name, b = generation of the session */
	/* mark_clock.c: */
	struct handles heard_in; /* domain: a = who hears it, if not the same as hear the default one */
	struct handles ranges;	 /* number: a = who hears its end, with IN_ORDER; b = the stage that it is */
	_Atomic unsigned int open_ranges;
};

#define MARKER_TEXT 512 /* bytes of a message that are kept */

struct marker_text {
	char text[MARKER_TEXT];
};

/* A text that has a length instead of an end. */
const char *markers_text(const char *message, size_t size, struct marker_text *copy);

/* DEF_MARKER id of a message in a domain. */
uint64_t markers_id(struct markers *of, const void *domain, const char *message);

/* DEF_STRING id of a domain's name; 0: the default one. */
uint64_t markers_domain_name(struct markers *of, const void *domain);

void markers_new_domain(struct markers *of, const void *domain, const char *name);
void markers_end_domain(struct markers *of, const void *domain);
