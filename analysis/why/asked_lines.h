/* asked_lines.h - of calls that a finding tells of: which lines of the job's own code made them. */
#pragma once
#include "analysis/why/findings.h"

/* Reads the ranks' files once more, of findings whose calls have stacks; fills in cause->asked. */
void asked_lines_find(struct findings_of_run *all, struct trace *t);

/* Is it told with a line where its calls have stacks? */
bool asked_lines_may(const struct cause *c);
