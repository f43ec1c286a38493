/*
 * told.h - what is said at the end of an export, of all processes together: what Ascend's profilers have and calls do not tell, and of which
 * ranks there are more folders than cluster tools read. Forks of ours that export some of the processes write it, too.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct ascend;
struct ascend_told;

struct ascend_told *told_new(size_t processes);

/* This window gets a folder. */
void told_folder(struct ascend_told *t, const struct ascend *a);

/* A step of it has no device times of its launches. */
void told_untimed(struct ascend_told *t, const struct ascend *a);

/* text: files are missing, too. */
void told_say(const struct ascend_told *t, bool text);
void told_free(struct ascend_told *t);
