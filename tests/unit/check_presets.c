/* check_presets.c - what a preset says is in force, all of it. */
#include <string.h>
#include "config/config.h"
#include "config/option_words.h"
#include "config/preset.h"
#include "tests/lib/unit.h"

static const struct row {
	const char *preset;
	enum option_id id;
	const char *value;
} rows[] = {
#define PRESET(name, ...) { .preset = name },
#define SET(option, text) { .id = OPTION_##option, .value = text },
#include "config/presets.def"
};
#define ROWS (sizeof(rows) / sizeof(*rows))

START_TEST(each_source_of_each_preset_is_in_force)
{
	static struct config config;
	static char text[8192];

	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].preset) {
			memset(&config, 0, sizeof(config));
			snprintf(config.preset, sizeof(config.preset), "%s", rows[i].preset);
			preset_expand(&config);
			continue;
		}
		option_text(&config, rows[i].id, text, sizeof(text));
		ck_assert_msg(strstr(text, rows[i].value) != NULL, "%s: %s is not in force", config.preset, rows[i].value);
	}
}
END_TEST

int main(void)
{
	TCase *c = tcase_create("presets");

	tcase_add_test(c, each_source_of_each_preset_is_in_force);
	return unit_run("presets", c);
}
