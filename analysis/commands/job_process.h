/*
 * job_process.h - the command that `supervise` stands by, as a process: it begins as if nobody stood between, gets the signals that are sent to us
 * alone, and we end as it did.
 */
#pragma once
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "analysis/run/run_json.h"

struct job_process {
	pid_t child;
	int status;		       /* as waitpid() gave it */
	bool told_to_end;	       /* by a scheduler, say, which will not wait for long */
	int signals;		       /* fd: what job_process_read() is for */
	sigset_t before;	       /* the mask that the command gets */
	mode_t umask;		       /* which it gets, too: files of ours are their owner's whatever it is */
	struct sigaction child_action; /* what the command gets for SIGCHLD */
};

/* From here on signals come to job->signals. False: they cannot be had. */
bool job_process_take_signals(struct job_process *job);

/* 0, or the errno of exec. */
int job_process_start(struct job_process *job, char **command);

/* Reads what there is of signals, and notes in the run who ended, and how: the command and orphans that we inherit. True: the command is over. */
bool job_process_read(struct job_process *job, struct run *r);

/* Ends as the command ended, without a core file of our own over the command's; returns the status to end with. */
int job_process_end_alike(const struct job_process *job);
