/* check_hydra.c - values as Hydra's words and OmegaConf's interpolations have them. */
#include "config/load/hydra.h"
#include "config/load/interpolation.h"
#include "tests/lib/verl_words.h"

/* ---- interpolations ---- */

static const struct {
	const char *value, *text; /* NULL: none */
} meant[] = {
	{ "plain", "plain" },
	{ "${top.a}", "1" },
	{ "${.b}", "2" },
	{ "${..a}", "1" },
	{ "${oc.select:top.a,9}", "1" },
	{ "${oc.select:top.none,9}", "9" },
	{ "${oc.select:top.none}", "" },
	{ "${oc.select:top.none,${oc.select:top.nor_this,null}}", "" },
	{ "${oc.select:top.none,${oc.select:top.a,null}}", "1" },
	{ "${oc.select:top.none,${.b}}", "2" },
	{ "${oc.select:top.none,'a,b'}", "a,b" },
	{ "${top.inner.b}", "2" },
	{ "${top.to_inner.b}", "2" },
	{ "${top.none}", NULL },
	{ "${oc.env:RANKTRACE_CHECK}", "said" },
	{ "${oc.env:RANKTRACE_CHECK_NOT}", NULL },
	{ "${oc.env:RANKTRACE_CHECK_NOT,9}", "9" },
	{ "${oc.env:RANKTRACE_CHECK_NOT,${.b}}", "2" },
	{ "${oc.env:RANKTRACE_CHECK_NOT,null}", "" },
	{ "${now:%Y}", NULL },
	{ "${top.a}/x", "1/x" },
	{ "of ${top.a} and ${..a}${.b}", "of 1 and 12" },
	{ "${oc.env:RANKTRACE_CHECK}-${oc.select:top.none,9}", "said-9" },
	{ "${top.inner}/x", NULL },
	{ "${top.a}/${top.none}", NULL },
	{ "${top.a}/${top.b", NULL },
	{ "\\${top.a}", NULL },
	{ "x${top.inner.x}", NULL }, /* itself */
	{ "${top.inner.x}", NULL },  /* itself */
	{ "???", NULL },
};

START_TEST(interpolations_are_followed)
{
	static const char yaml[] = "top:\n  a: 1\n  to_inner: ${top.inner}\n  inner:\n    b: 2\n    x: placeholder\n";
	const struct node *n;
	struct node *x;
	struct loader l;
	struct tree t;

	ck_assert(tree_begin(&t));
	loader_begin(&l, &config, error, sizeof(error));
	ck_assert(!tree_read(&t, t.root, &l, "f", yaml, strlen(yaml)));
	x = tree_find(&t, "top.inner.x", strlen("top.inner.x"));
	x->text = meant[_i].value;
	setenv("RANKTRACE_CHECK", "said", 1);
	n = interpolate_path(&t, "top.inner.x");
	ck_assert_int_eq(n != NULL, meant[_i].text != NULL);
	if (n)
		ck_assert_str_eq(n->shape == SHAPE_NULL ? "" : n->text, meant[_i].text);
	tree_end(&t);
}
END_TEST

/* ---- values as Hydra's grammar has them ---- */

static const struct {
	const char *text;
	enum shape shape;
	int items;
} values[] = {
	{ "", SHAPE_SCALAR, 0 },
	{ "null", SHAPE_NULL, 0 },
	{ "Null", SHAPE_NULL, 0 },
	{ "'null'", SHAPE_SCALAR, 0 },
	{ "[]", SHAPE_LIST, 0 },
	{ "[1]", SHAPE_LIST, 1 },
	{ " [ 1 , 2 ] ", SHAPE_LIST, 2 },
	{ "[[1,2],[3]]", SHAPE_LIST, 2 },
	{ "['a,b',\"c]\"]", SHAPE_LIST, 2 },
	{ "[${a.b},${oc.select:x,y}]", SHAPE_LIST, 2 },
	{ "{}", SHAPE_MAP, 0 },
	{ "{a:1,b:[2,3]}", SHAPE_MAP, 2 },
	{ "{a: {b: null}}", SHAPE_MAP, 1 },
};

START_TEST(values_have_the_shape_that_they_have_to_hydra)
{
	struct node *n;
	struct tree t;
	int items = 0;

	ck_assert(tree_begin(&t));
	n = tree_add(&t, NULL, NULL, 0);
	ck_assert_ptr_eq(hydra_value(&t, n, values[_i].text), NULL);
	ck_assert_int_eq(n->shape, values[_i].shape);
	for (const struct node *item = n->first; item; item = item->next)
		items++;
	ck_assert_int_eq(items, values[_i].items);
	tree_end(&t);
}
END_TEST

START_TEST(nesting_has_an_end)
{
	char text[128] = "global_profiler.steps=";
	const char *words[] = { text, NULL };

	memset(text + strlen(text), '[', 60);
	ck_assert_int_eq(load_words("0.9.1", words, NULL), -EINVAL);
	ck_assert_str_eq(error + strlen(text), ": nested deeper than 16 levels: use fewer");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("hydra");

	tcase_add_loop_test(t, interpolations_are_followed, 0, COUNT(meant));
	tcase_add_loop_test(t, values_have_the_shape_that_they_have_to_hydra, 0, COUNT(values));
	tcase_add_test(t, nesting_has_an_end);
	return run_cases("hydra", t);
}
