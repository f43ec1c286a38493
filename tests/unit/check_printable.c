/* check_printable.c - what texts of others may do to a terminal: nothing. */
#include "config/base/printable.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "analysis/util/out.h"
#include "tests/lib/unit.h"

static const struct {
	const char *text, *shown, *json;
} rows[] = {
	{ "plain", "plain", "plain" },
	{ "\303\251t\303\251 \342\202\254 \360\237\230\200", "\303\251t\303\251 \342\202\254 \360\237\230\200",
	  "\303\251t\303\251 \342\202\254 \360\237\230\200" },
	{ "\033[2J\r\a\177", "?[2J???", "\\u001b[2J\\u000d\\u0007\\u007f" },
	{ "\302\233"
	  "2J",
	  "?2J", "\\u009b2J" }, /* C1 as UTF-8: U+009B is ESC [ */
	{ "\233"
	  "2J\200\237",
	  "?2J??", "?2J??" },						    /* and as it stands */
	{ "caf\351", "caf\351", "caf?" },				    /* Latin-1 is no UTF-8, but harms nobody */
	{ "\342\200\256gnp.\342\200\254", "?gnp.?", "\\u202egnp.\\u202c" }, /* right-to-left override */
	{ "\342\201\246\342\201\251\342\200\217\330\234", "????", "\\u2066\\u2069\\u200f\\u061c" },
	{ "\342\200\250\342\200\251", "??", "\\u2028\\u2029" },
	{ "\302\240\342\200\247\342\200\257\342\201\245", "\302\240\342\200\247\342\200\257\342\201\245",
	  "\302\240\342\200\247\342\200\257\342\201\245" }, /* their neighbours */
	{ "\302", "\302", "?" },			    /* cut off */
	{ "\355\240\200", "\355\240?", "???" },		    /* half of a surrogate pair */
};

#define written(bytes, put, text)                            \
	do {                                                 \
		static struct out out;                       \
		int ends[2];                                 \
		ssize_t n;                                   \
                                                             \
		ck_assert_int_eq(pipe(ends), 0);             \
		out = (struct out){ .fd = ends[1] };         \
		put(&out, text);                             \
		out_flush(&out);                             \
		close(ends[1]);                              \
		n = read(ends[0], bytes, sizeof(bytes) - 1); \
		close(ends[0]);                              \
		(bytes)[n > 0 ? n : 0] = '\0';               \
	} while (0)

START_TEST(what_moves_a_cursor_or_turns_a_line_is_shown_as_a_question_mark)
{
	char text[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strcpy(text, rows[i].text);
		make_printable(text);
		ck_assert_str_eq(text, rows[i].shown);
		written(text, out_clean, rows[i].text);
		ck_assert_str_eq(text, rows[i].shown);
	}
}
END_TEST

START_TEST(json_escapes_it_and_is_utf8)
{
	char text[256], quoted[300];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		written(text, out_json, rows[i].text);
		snprintf(quoted, sizeof(quoted), "\"%s\"", rows[i].json);
		ck_assert_str_eq(text, quoted);
	}
}
END_TEST

START_TEST(what_decoders_are_given_is_utf8)
{
	char text[256];

	written(text, out_utf8, "caf\xe9 h\xc3\xa9\xe4\xb8\xad\xe4\xb8 \x1b[31m \xff");
	ck_assert_str_eq(text, "caf? h\xc3\xa9\xe4\xb8\xad?? ?[31m ?");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("printable");

	tcase_add_test(t, what_moves_a_cursor_or_turns_a_line_is_shown_as_a_question_mark);
	tcase_add_test(t, json_escapes_it_and_is_utf8);
	tcase_add_test(t, what_decoders_are_given_is_utf8);
	return unit_run("printable", t);
}
