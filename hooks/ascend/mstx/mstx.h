/* mstx.h - markers and their domains. */
#pragma once
#include "hooks/ascend/tracking/tracking.h"

#define MARKER_TEXT 512 /* bytes of a message that are kept */

struct marker_text {
	char text[MARKER_TEXT];
};

/* A text that has a length instead of an end. */
const char *mstx_text(const char *message, size_t size, struct marker_text *copy);

/* DEF_MARKER id of a message in a domain (NULL: the default one). */
uint64_t mstx_marker(mstxDomainHandle_t domain, const char *message);

/* Stamps: DEF_MARKER id of the message that one was given last. */
uint64_t mstx_stamp(const void *stamp);
void mstx_set_stamp(const void *stamp, const char *message);
void mstx_end_stamp(const void *stamp);

/* DEF_STRING id of a domain's name; 0: the default one. */
uint64_t mstx_domain_name(mstxDomainHandle_t domain);

/* A handle for a domain where nobody else makes them: the same for the same name, as torch_npu makes one at each allocation. */
mstxDomainHandle_t mstx_own_domain(const char *name);

/* What this handle is to others: NULL, if it is ours. */
mstxDomainHandle_t mstx_their_domain(mstxDomainHandle_t domain);

void mstx_new_domain(mstxDomainHandle_t domain, const char *name);
void mstx_end_domain(mstxDomainHandle_t domain);
