/* step_matrix.h - the steps of all ranks, of thousands of them: a list of numbers a step. */
#pragma once
#include "analysis/report/reports.h"

/*
 * So many of all ranks at most; beyond, each has its first ones.
 * {"columns":[..],"ranks":[{"rank":..,"pid":..,"host":..,"group":..,"steps":[[..],..]},..],"left_out":..}: the figures of `report --format json`;
 * begins less base, ns.
 */
void step_matrix_json(struct out *o, const struct reports *all, uint64_t base, size_t most);
