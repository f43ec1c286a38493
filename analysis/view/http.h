/* http.h - what a browser asks for, in HTTP: as little of that as a page needs. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define HTTP_MOST 8192 /* bytes, with all of its lines */

struct http_request {
	bool head; /* it wants no body */
	char path[1024];
};

/* Does the text, with a NUL behind, hold the whole request? */
bool http_is_whole(const char *text);

/*
 * 0, or the status that refuses it: who asks by another name than this machine's own was sent here by a page that wants to read what is
 * served (DNS rebinding), and a path with anything but plain names in it leads elsewhere.
 */
int http_read(struct http_request *r, const char *text);
