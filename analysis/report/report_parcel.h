/* report_parcel.h - a report of one process as bytes: read by one program, shown by another, or once more. */
#pragma once
#include "analysis/report/report.h"
#include "analysis/util/parcel.h"

#define REPORT_PARCEL 5 /* another one where bytes mean something else: check_parcel tells */

/* Of what report_read_files() filled. The caller frees the parcel's bytes. */
void report_pack(struct parcel *p, struct report *r);

/* r is zero, and has all of it then; report_free() frees it. False: these bytes are none of this version's reports, and r is zero. */
bool report_unpack(struct report *r, const uint8_t *bytes, size_t size);
