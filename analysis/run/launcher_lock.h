/* launcher_lock.h - what a launcher has beside the sessions of its ranks: a lock, notes of what it said, a link to the library. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* A launcher holds a lock as long as it lives, so that no other one takes its sessions away. */
int launcher_lock(const char *launch); /* fd or -errno */
bool launcher_is_alive(const char *launch);
/* Removes what launchers left behind that were killed themselves. */
void launcher_sweep(void);

/* Its ranks say nothing of this topic (agent/session/log.h) any more: the launcher did. */
void launcher_said(const char *launch, const char *topic);

/* LD_PRELOAD names no path with a blank or a colon: a link to the library's folder, which goes with the last of its processes. */
void launcher_link_path(const char *launch, char *path, size_t size);
int launcher_link(const char *launch, const char *folder); /* 0 or -errno */

void launcher_delete(const char *launch); /* the lock, the link and the said.* files of its ranks */
