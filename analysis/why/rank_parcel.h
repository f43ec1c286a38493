/* rank_parcel.h - a rank on its way from a fork of ours that has read it. Both are one program: what is constant is where it was. */
#pragma once
#include "analysis/util/parcel.h"
#include "analysis/why/ranks.h"

/* subjects: those of this rank alone. */
void rank_pack(struct parcel *p, struct why_rank *rank, const struct subjects *subjects);

/* rank is zero, and its subjects come to be among these, in their order. False: these bytes are no such rank, and it is zero. */
bool rank_unpack(struct why_rank *rank, struct subjects *subjects, const uint8_t *bytes, size_t size);
