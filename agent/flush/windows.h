/*
 * windows.h - windows between those who open and close them, under the steps' lock, and the flush thread, which writes one after the other.
 */
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
	_Atomic uint64_t merged;	 /* windows behind it that found no room, and go into its file, if it gets one */
	_Atomic(const char *) reason;	 /* what ended it: window or exit; set before last_epoch, */
	_Atomic uint64_t end;		 /* as are the ticks when it did */
	_Atomic uint32_t last_epoch;	 /* 0: still open */
	_Atomic int verdict;		 /* enum verdict: is it to be written? */
};

/* ---- under the steps' lock ---- */

/*
 * Events from now on go to a new file, and its epochs will be defined from now on. asked: by hand, so that what has kept an earlier one from
 * its file is tried again.
 */
void windows_open(const char *name, const char *path, const struct detail *detail, bool asked, enum verdict verdict);

/* The newest one's last epoch is over, by its steps (window) or by exit, at these ticks: write what is left, then close its file. */
void windows_close(uint32_t epoch, uint64_t end, const char *reason);

/* The rank may be known by now: asks of each window that is not written yet whether it is to be. */
void windows_decide(enum verdict (*of)(const struct detail *detail));

/* Is there one, open or closed, of which that is not known yet? Until then its calls stay in the rings. */
bool windows_wait(void);

/* ---- by the flush thread ---- */

/* The first one that is not written; NULL: all are. Once it is, the next one is. */
struct window *windows_current(void);
void windows_current_done(void);

/* Of the current one: device times that are still to come. */
int32_t windows_current_pending(void);

/* The one behind it; NULL: there is none yet. */
const struct window *windows_next(void);

/* Is one behind the current one to be written already? */
bool windows_behind_are_wanted(void);

/* Half of the room for windows is taken. */
bool windows_crowd(void);

/* The one that was written last; NULL: none was. */
const struct window *windows_last_done(void);

void windows_forget(void); /* in a forked child */
