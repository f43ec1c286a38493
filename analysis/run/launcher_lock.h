/* launcher_lock.h - what a launcher leaves beside the sessions of its ranks: a lock, and notes of what it said. */
#pragma once
#include <stdbool.h>

/* A launcher holds a lock as long as it lives, so that no other one takes its sessions away. */
int launch_lock(const char *launch); /* fd or -errno */
bool launch_is_alive(const char *launch);
/* Removes what launchers left behind that were killed themselves. */
void launch_sweep(void);

/* Its ranks say nothing of this topic (agent/session/log.h) any more: the launcher did. */
void launch_said(const char *launch, const char *topic);

void launch_delete(const char *launch); /* the lock and the said.* files of its ranks */
