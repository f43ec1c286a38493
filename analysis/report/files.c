/* files.c - section: how many files the process has. */
#include "analysis/report/section.h"

static void json(struct out *o, const struct report *r)
{
	out_json_number(o, "files", r->files);
	out_json_number(o, "trace_bytes", r->bytes);
}

const struct section files_section = { .json = json, .csv = "" };
