/* check_shell_words.c - a line of a shell's, taken apart as a shell would, as far as nothing has to be run for it. */
#include <string.h>
#include "analysis/launch/shell_words.h"
#include "tests/lib/unit.h"

static struct shell_words s;

/* Words between brackets, commands on lines. */
static const char *words_of(const char *line)
{
	static char text[1024];

	text[0] = '\0';
	ck_assert(shell_words(&s, line));
	for (size_t i = 0; i < s.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), s.words[i] ? "[%s]" : "\n", s.words[i]);
	return text;
}

static const struct {
	const char *line, *words;
} lines[] = {
	{ "a  b\tc", "[a][b][c]\n" },
	{ "cd x && a 'b c' \"d e\" | tee log; f", "[cd][x]\n[a][b c][d e]\n[tee][log]\n[f]\n" },
	{ "a=\"b\"'c'd\\ e", "[a=bcd e]\n" },
	{ "a \\\n  b # c d\ne", "[a][b]\n[e]\n" },
	{ "a '' \"\" b#c", "[a][][][b#c]\n" },
	{ "\"a \\\"b\\\" \\c\" 'd\\'", "[a \"b\" \\c][d\\]\n" },
	{ "a $B `c` \"$(d)\"", "[a][$B][`c`][$(d)]\n" },
	{ "a 'b c", "[a][b c]\n" },
	{ " ;; && ", "" },
	{ "a\\", "[a\\]\n" },
};

START_TEST(a_line_becomes_the_words_that_a_shell_would_run)
{
	ck_assert_str_eq(words_of(lines[_i].line), lines[_i].words);
}
END_TEST

START_TEST(a_line_that_is_too_long_is_refused)
{
	static char line[SHELL_BYTES + 2];

	memset(line, 'a', sizeof(line) - 1);
	ck_assert(!shell_words(&s, line));
	for (size_t i = 0; i < sizeof(line) - 1; i += 2)
		line[i] = ';';
	ck_assert(!shell_words(&s, line));
	for (size_t i = 0; i < sizeof(line) - 2; i += 2)
		memcpy(line + i, "''", 2);
	line[SHELL_BYTES / 2] = '\0';
	ck_assert_str_eq(words_of(line), "[]\n");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("shell_words");

	tcase_add_loop_test(t, a_line_becomes_the_words_that_a_shell_would_run, 0, (int)(sizeof(lines) / sizeof(lines[0])));
	tcase_add_test(t, a_line_that_is_too_long_is_refused);
	return unit_run("shell_words", t);
}
