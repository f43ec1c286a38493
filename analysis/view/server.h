/*
 * server.h - shows texts to a browser on this machine, and to nobody else: on the loopback interface, below a path that only who
 * started it knows. Files of a web server need no more than GET, so there is no library for it.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERVER_TOKEN 32 /* letters */

struct served {
	const char *path; /* below the token, as "" or "a.js" */
	const char *type;
	const char *text;
	size_t size;
	const char *origin; /* whose pages may read it, too; NULL: nobody's */
};

struct server {
	int fd;
	uint16_t port;
	char token[SERVER_TOKEN + 1];
	const struct served *list;
	size_t count;
	unsigned int patience; /* ms: until a request must be whole */
	const char *folder;    /* what it has is below ui/; NULL: nothing is */
};

/* On this port, or on any (0). -1 and errno: it cannot be. */
int server_open(struct server *s, uint16_t port);

/* Until SIGINT or SIGTERM; whoever is served then may be cut off. */
void server_run(struct server *s);
