/* flush.h - the one thread of ours: drains rings into trace files, and sleeps otherwise. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "agent/session/definitions.h"
#include "agent/session/identity.h"
#include "agent/session/settings.h"

#define WINDOW_NAME 64

/* A window: a run of consecutive selected steps, which becomes one file. */
struct window {
	char name[WINDOW_NAME];		 /* as wanted.h says */
	char path[1024];		 /* of the finished file */
	char roles[DETAIL_ROLES];	 /* that it is for */
	struct detail detail;		 /* as it was opened */
	struct definitions_place epochs; /* where those of it, and of later ones, are defined */
	bool asked;			 /* by hand, while the process ran */
	_Atomic(const char *) reason;	 /* what ended it: window or exit; set before last_epoch, */
	_Atomic uint64_t end;		 /* as are the ticks when it did */
	_Atomic uint32_t last_epoch;	 /* 0: still open */
	_Atomic int verdict;		 /* enum verdict: is it to be written? */
};

/* Starts the thread and a few rings, so that the first window finds them ready. */
void flush_prepare(void);

/* Is the thread there? */
bool flush_running(void);

/*
 * Events from now on go to a new file, and its epochs will be defined from now on. asked: by hand, so that what has kept an earlier one from
 * its file is tried again.
 */
void flush_open(const char *name, const char *path, const struct detail *detail, bool asked, enum verdict verdict);

/* An epoch has begun inside a window: the thread is woken if it has many to write. */
void flush_step(uint32_t epoch);

/* The window's last epoch is over, by its steps (window) or by exit, at these ticks: write what is left, then close its file. */
void flush_close(uint32_t epoch, uint64_t end, const char *reason);

/* No window will follow: the thread ends after the last one. */
void flush_no_more(void);

/* At exit: asks for everything to be written now, and waits at most this long. False: it was not done. */
bool flush_finish(unsigned int milliseconds);

/* The rank may be known by now: asks of each window that is not written yet whether it is to be. */
void flush_decide(enum verdict (*of)(const struct detail *detail));

/* Is there one, open or closed, of which that is not known yet? Until then its calls stay in the rings. */
bool flush_waits(void);

void flush_forget(void); /* in a forked child */
