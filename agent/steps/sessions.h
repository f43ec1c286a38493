/*
 * sessions.h - what the run's other processes on this host say in their sessions. Reads files, by a thread apart: for step boundaries, or
 * as rarely.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/format/session_files.h"

/* Calls look() for the status of each session of this user, and the argument with it. */
void sessions_each(void (*look)(int fd, void *argument), void *argument);

/* Is this one of a process of our run, which lives? What a killed process left stays there until somebody recovers it. */
bool session_is_of_run(int fd);

/* False: it is not as long. */
bool session_read(int fd, size_t offset, void *to, size_t size);
#define SESSION_READ(fd, field, to) session_read(fd, offsetof(struct session_status, field), to, sizeof(((struct session_status *)0)->field))
