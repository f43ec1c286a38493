/* launcher_lock.h - what a launcher leaves beside the sessions of its ranks: a lock, and notes of what it said. */
#pragma once
#include <stdbool.h>

/* A launcher holds a lock as long as it lives, so that no other one takes its sessions away. */
int launcher_lock(const char *launch); /* fd or -errno */
bool launcher_is_alive(const char *launch);
/* Removes what launchers left behind that were killed themselves. */
void launcher_sweep(void);

/* Its ranks say nothing of this topic (agent/session/log.h) any more: the launcher did. */
void launcher_said(const char *launch, const char *topic);

void launcher_delete(const char *launch); /* the lock and the said.* files of its ranks */
