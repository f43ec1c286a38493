/* asked_steps.h - the steps that a run was asked for, in words. */
#pragma once
#include "config/config.h"

/* "2,4", or "2- by the schedule wait=1,active=3": fits behind the word steps. */
void asked_steps_text(const struct config *c, char *text, size_t size);

/* Are there any behind this one? */
bool asked_steps_after(const struct config *c, int64_t step);
