/* limits.h - the cases of `store` in which descriptors or memory run out. Each returns an exit status. */
#pragma once

int no_descriptors(void);
int no_descriptors_later(void);
int no_descriptors_at_all(void);
int close_range_all(void);
int close_everything(void);
int into_background(void);
int broken_stderr(void);
int files_cut(void);
int files_too_large(void);
int little_memory(void);
int no_data(void);
int little_memory_later(void);
int eight_threads(void);
int crowd(void);
int loaders(void);
