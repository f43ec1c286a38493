#include "analysis/commands/export_formats.h"

#define WORD 32

static struct export_format formats[EXPORT_FORMATS] = {
#define EXPORTER(name, folder, help) { #name, help, folder, &name##_exporter },
#include "analysis/export/exporters.def"
#undef EXPORTER
};

/* A name of C has underscores. */
static void spell(struct export_format *format, char word[WORD])
{
	snprintf(word, WORD, "%s", format->word);
	for (char *p = word; *p; p++)
		*p = *p == '_' ? '-' : *p;
	format->word = word;
}

const struct export_format *export_format(enum export_format_number number)
{
	static char words[EXPORT_FORMATS][WORD];

	if (!*words[number])
		spell(&formats[number], words[number]);
	return &formats[number];
}

void export_formats_words(FILE *to)
{
	for (enum export_format_number i = 0; i < EXPORT_FORMATS; i++)
		fprintf(to, "%s%s", i ? "|" : "", export_format(i)->word);
}
