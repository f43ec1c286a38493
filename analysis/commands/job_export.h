/*
 * job_export.h - `analysis: true`: when the job has ended, the launcher exports what its processes have recorded, as export_type names it.
 * Whatever becomes of that, the job's status is the job's.
 */
#pragma once
#include <stdbool.h>

#include "analysis/run/run_json.h"

/*
 * Starts it, niced, in processes of its own, and stands by unless `wait` is false. signals: a signalfd; what ends us ends it; -1: we are about
 * to be ended, and nothing is started, which is said. Its words, and how
 * it ended, stand in analysis.log beside the traces. Where nothing was recorded or asked for: nothing.
 */
void job_export(const struct run *r, const char *folder, int signals);

/* `ranktrace check`: what is not well about it, on stdout. Returns whether all is. */
bool job_export_say(const struct run *r, const char *folder);
