/* filter.h - a seccomp filter over a few system calls named in a list, as containers and sandboxes set them. */
#pragma once

/* names: "memfd_create,fallocate". They fail with EPERM from now on. 0, or -1 and errno. */
int filter_deny(const char *names);

/* The process is killed that makes one of them; or, of filter_kill_but(), any other than what a dormant program of these tests needs. */
int filter_kill(const char *names);
int filter_kill_but(void);

/* They wait until whoever reads the descriptor says so. Returns the descriptor, or -1 and errno. */
int filter_stall(const char *names);
