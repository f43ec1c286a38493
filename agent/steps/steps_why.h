/* steps_why.h - why less was recorded than asked for. */
#pragma once

/* At exit, while a window might still have opened: the clock never ran, or stopped short. */
void steps_why_short(void);
