/* threads.h - the cases of `store` in which a thread overflows, hangs, jumps or ends late. Each returns an exit status. */
#pragma once

int overflow(void);
int hang_in_finish(void);
int hang_in_launch(void);
int unfinished(void);
int jumped(void);
int late_destructors(void);
