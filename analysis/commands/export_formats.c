#include "analysis/commands/export_formats.h"

#include <string.h>

#define WORD 32

static struct export_format formats[EXPORT_FORMATS] = {
#define EXPORTER(name, folder, help) { #name, help, folder, &name##_exporter },
#include "analysis/export/exporters.def"
#undef EXPORTER
};

/* A name of C has underscores. */
static void spell(struct export_format *format, char *word)
{
	for (size_t n = 0; n < WORD - 1 && format->word[n]; n++)
		word[n] = format->word[n] == '_' ? '-' : format->word[n];
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

const struct export_format *export_format_meant(const char *word)
{
	for (enum export_format_number i = 0; strlen(word) > 1 && i < EXPORT_FORMATS; i++)
		if (strstr(export_format(i)->word, word))
			return export_format(i);
	for (enum export_format_number i = 0; strlen(word) > 2 && i < EXPORT_FORMATS; i++)
		if (strcasestr(export_format(i)->help, word))
			return export_format(i);
	return NULL;
}
