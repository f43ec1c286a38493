/* whole_steps.h - which steps may be compared with others: those that were recorded from their begin to their end, and lost nothing. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/report/step_rows.h"

/* What is to be said of its end, as ", to the exit"; "": it ended, as all of it was recorded. */
const char *whole_steps_end(const struct report *r, const struct step_row *s);

/* It ended, and no call was dropped in it, as far as the trace tells. */
bool whole_steps_have(const struct report *r, const struct step_row *s);

/* Why it may not be compared, in words that follow "it": "ended with the program"; NULL: it may. */
const char *whole_steps_lack(const struct report *r, const struct step_row *s);
