/* export_formats.h - what `ranktrace export --to` knows: exporters.def. */
#pragma once
#include <stdio.h>

#include "analysis/export/exporter.h"

enum export_format_number {
#define EXPORTER(name, folder, help) FORMAT_##name,
#include "analysis/export/exporters.def"
#undef EXPORTER
	EXPORT_FORMATS
};

struct export_format {
	const char *word; /* as a person types it: ascend-text */
	const char *help;
	bool folder; /* it makes one */
	const struct exporter *exporter;
};

const struct export_format *export_format(enum export_format_number number);

/* Who writes this has one in mind: a part of its name, as text, or what its help speaks of, as json. NULL: nobody knows which. */
const struct export_format *export_format_meant(const char *word);

/* "chrome|csv" */
void export_formats_words(FILE *to);
