/* outlook.h - may anything of this process still be recorded? Under the steps' lock, but for outlook_is_none(). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* No window will be opened any more. */
bool outlook_is_none(void);
void outlook_end(void);

/* The rank may be known by now, or which roles there are: is it nobody to be recorded, whatever comes? */
void outlook_look(void);

/* At its start, in this step, or none: may there be windows? Says why not. */
void outlook_start(int64_t step);

/* This step has begun, or goes on in another place: it may have been the last one. */
void outlook_meet_step(int64_t step);
void outlook_step_goes_on(int64_t step);

/* Asked in this step, the last one: could more have come? */
bool outlook_could_be(int64_t step);

void outlook_forget(void); /* in a forked child */
