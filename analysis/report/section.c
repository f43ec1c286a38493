#include "analysis/report/section.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/util/alloc.h"

const struct section *const section_list[SECTIONS] = {
#define TEXT(name)
#define JSON(name)    [SECTION_##name] = &name##_section,
#define SECTION(name) [SECTION_##name] = &name##_section,
#include "analysis/report/sections.def"
#undef TEXT
#undef JSON
#undef SECTION
};

const char *const *section_json_names(void)
{
	static const char *const names[SECTIONS] = {
#define TEXT(name)
#define JSON(name)    [SECTION_##name] = #name,
#define SECTION(name) [SECTION_##name] = #name,
#include "analysis/report/sections.def"
#undef TEXT
#undef JSON
#undef SECTION
	};

	return names;
}

bool section_is_among(const char *words, const char *name)
{
	size_t length = strlen(name), n;

	if (!words)
		return true;
	for (;; words += n + 1) {
		n = strcspn(words, ",");
		if (n == length && !memcmp(words, name, n))
			return true;
		if (!words[n])
			return false;
	}
}

const char *const *section_words(void)
{
	static const char *const names[] = {
#define TEXT(name)    #name,
#define JSON(name)    #name,
#define SECTION(name) #name,
#include "analysis/report/sections.def"
#undef TEXT
#undef JSON
#undef SECTION
	};
	static const char *words[sizeof(names) / sizeof(names[0]) + 1];
	size_t used = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t k = 0;

		while (k < used && strcmp(words[k], names[i]))
			k++;
		words[k] = names[i];
		used += k == used;
	}
	return words;
}

bool section_has_json(const char *name)
{
	const char *const *names = section_json_names();

	for (size_t i = 0; i < SECTIONS; i++)
		if (names[i] && !strcmp(names[i], name))
			return section_list[i]->json;
	return false;
}

bool section_has_text(const char *name)
{
	static const char *const names[] = {
#define TEXT(name) #name,
#define JSON(name)
#define SECTION(name) #name,
#include "analysis/report/sections.def"
#undef TEXT
#undef JSON
#undef SECTION
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

void sections_make(struct report *r)
{
	for (size_t i = 0; i < SECTIONS; i++)
		if (section_list[i]->kept)
			r->sections[i] = alloc_zero(1, section_list[i]->kept);
}

/* What another version keeps is not read as if it were ours. */
void sections_parcel(struct parcel *p, struct report *r)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		parcel_expect(p, section_list[i]->kept);
		if (section_list[i]->kept)
			section_list[i]->parcel(p, r->sections[i]);
	}
}

void sections_free(struct report *r)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		if (section_list[i]->free && r->sections[i])
			section_list[i]->free(r->sections[i]);
		free(r->sections[i]);
	}
}
