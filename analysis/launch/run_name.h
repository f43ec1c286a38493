/* run_name.h - what a run is called, unless its user said so. */
#pragma once
#include "config/config.h"

/* Fills in job, by the batch system's number or else by the time. launched: launch, too, a number that no other one has. */
void run_name_choose(struct config *c, bool launched);
