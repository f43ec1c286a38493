/* Texts of a trace in a table: what programs call their kernels must not shift a cell, and must be text. */
#include "analysis/export/csv/columns.h"
#include "tests/lib/unit.h"

static const char *cell(const char *text)
{
	static struct out o;

	o.used = 0;
	out_csv(&o, text);
	out_char(&o, '\0');
	return o.buffer;
}

START_TEST(texts_are_quoted_where_they_must_be)
{
	ck_assert_str_eq(cell("gemm_f16"), "gemm_f16");
	ck_assert_str_eq(cell(NULL), "");
	ck_assert_str_eq(cell("gemm<float, 4>"), "\"gemm<float, 4>\"");
	ck_assert_str_eq(cell("say \"so\""), "\"say \"\"so\"\"\"");
	ck_assert_str_eq(cell("\xc3\xa9tape"), "\"\xc3\xa9tape\"");
}
END_TEST

START_TEST(what_is_no_text_is_a_question_mark)
{
	ck_assert_str_eq(cell("a\nb\rc\x1b[2J"), "\"a?b?c?[2J\"");
	ck_assert_str_eq(cell("\xff,\xc3"), "\"?,?\"");
	ck_assert_str_eq(cell("\xe2\x80\xae"
			      "over"),
			 "\"?over\"");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("csv");

	tcase_add_test(t, texts_are_quoted_where_they_must_be);
	tcase_add_test(t, what_is_no_text_is_a_question_mark);
	return unit_run("csv", t);
}
