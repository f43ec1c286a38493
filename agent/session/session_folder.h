/* session_folder.h - our folder in tmpfs, which survives kill -9: <root>-<user>/<pid>-<start time>-<random>. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where all sessions of this user lie. False: that is no path. */
bool session_folder_root(char *path, size_t size);

/* Makes ours, and says of earlier images of this process that they are over. Returns how much of the tmpfs we may take. */
uint64_t session_folder_make(uint64_t start_time, uint64_t pid_namespace, uint32_t random);

/* Calls look() with the path of each folder beside ours and of ours, in which there may be a session. Opens files: see apart.h. */
void session_folder_each(void (*look)(const char *path, void *argument), void *argument);

/* The path of a file in it; false: there is no folder. */
bool session_folder_path(char *path, size_t size, const char *name, unsigned int number);

void session_folder_remove(void); /* if it is empty */
void session_folder_forget(void); /* in a forked child */
