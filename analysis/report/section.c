#include "analysis/report/section.h"

#include <stdlib.h>

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

void sections_make(struct report *r)
{
	for (size_t i = 0; i < SECTIONS; i++)
		if (section_list[i]->kept)
			r->sections[i] = alloc_zero(1, section_list[i]->kept);
}

void sections_free(struct report *r)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		if (section_list[i]->free && r->sections[i])
			section_list[i]->free(r->sections[i]);
		free(r->sections[i]);
	}
}
