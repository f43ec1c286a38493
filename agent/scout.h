/*
 * scout.h - finds out which Pythons are worth a start of the agent before any hooked call: those that import a module whose functions
 * the settings name. The others (pip, helpers of multiprocessing) have a finder more in sys.meta_path, and nothing else.
 */
#pragma once

/* By the constructor. listen: starts the agent. */
void scout_loaded(void (*listen)(void));

/* The program opens a library: Python may be up by now. */
void scout_library_opened(void);
