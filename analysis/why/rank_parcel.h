/* rank_parcel.h - a rank on its way from a fork of ours that has read it. Both are one program: what is constant is where it was. */
#pragma once
#include "analysis/why/kept.h"

/* subjects: those of this rank alone. */
void rank_pack(struct parcel *p, struct why_rank *rank, const struct keeping *kept, const struct subjects *subjects);

/* rank is zero, and what is kept of it comes onto the run's shelf, its subjects among the run's, in their order. False: these bytes are no such rank, and it is zero. */
bool rank_unpack(struct why_rank *rank, struct why_run *run, struct parcel *p);
