/*
 * clients.h - who is being served: so many at once at most. One that has not sent its request yet makes way for a new one, the oldest
 * first, and has so long for it: without the token nobody can take all places and keep them.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CLIENTS_MOST 64

struct client {
	int fd;
	uint64_t until;	     /* ms: when it must have said all */
	bool counts;	     /* among CLIENTS_MOST */
	bool asks;	     /* has not sent a whole request */
	struct client *next; /* newer */
};

/* It has so many ms to ask. False: all places are taken by those that are being answered. */
bool client_join(struct client *c, int fd, unsigned int patience);

/* As recv(); -1, too, when its time is over. */
ssize_t client_read(const struct client *c, char *text, size_t size);

/* Its request is whole: it keeps its place. False: it had to make way. */
bool client_has_asked(struct client *c);

/* Closes its connection. */
void client_leave(struct client *c);
