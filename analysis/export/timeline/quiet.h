/* quiet.h - a format that keeps its books and writes nothing: while the slices that come are another part's of a process (export/shares.h). */
#pragma once
#include "analysis/export/timeline/line_writer.h"

/* Processes, tracks and counters are named to it as ever, and should go nowhere; slices, marks and numbers are left out. */
struct line_format line_quiet(const struct line_format *format);
