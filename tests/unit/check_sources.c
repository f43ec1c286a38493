/* check_sources.c - how functions, kernels and symbols are named that tell steps, stages and batches. */
#include "config/step_source/python.h"
#include "config/step_source/step_source.h"
#include "config/step_source/symbol.h"
#include "tests/lib/config_helpers.h"

/* ---- step sources ---- */

#define OPTIMIZER  "python:" PYTHON_OPTIMIZER
#define TIME	   "write a number with ms, s, m or h behind it, as in time:10s"
#define COLLECTIVE "write collective:NAME*N or collective:NAME*N{ranks=M}, with numbers from 1 to 1000000"
#define ALL	   "write api, python:" PYTHON_FUNCTION ", marker:REGEX@entry (or @return), kernel:REGEX, collective:NAME*N, symbol:LIB:NAME@entry (or @return) or time:10s"

static const struct {
	const char *text, *line;
} sources[] = {
	{ "api", NULL },
	{ "api;", NULL },
	{ " api ; kernel:a:b@c ", NULL },
	{ "symbol:libx.so:f@entry;symbol:libx.so.1:g@return", NULL },
	{ "kernel:", "the expression behind kernel: must have 1 to 255 characters" },
	{ "kernel:a(", "'kernel:a(' is not an extended regular expression (Unmatched ( or \\(): write one like kernel:adam.*" },
	{ "kernel:a+b+c{9}[+{(]\\+\\{(d|e)+{2,3}", NULL },
	{ "kernel:[[:alpha:]+]{300}[]+]{300}[^]+]{300}", NULL },
	{ "kernel:a{300}b{300}c{600}", "'kernel:a{300}b{300}c{600}' repeats too much: write fewer + and {}" },
	{ "kernel:a++++++++++++++++++++++++++++++",
	  "'kernel:a++++++++++++++++++++++++++++++' repeats too much: write fewer + and {}" },
	{ "kernel:(a)\\1", "'kernel:(a)\\1' refers back to a group: write it without \\1 to \\9" },
	{ "marker:^step$;marker:x{2}@entry;marker:a@return{domain=mine};marker:^s#([0-9]+)$@entry{domain=a b}", NULL },
	{ "marker:", "the expression behind marker: must have 1 to 255 characters" },
	{ "marker:^x$@enter", "'marker:^x$@enter' ends in neither @entry nor @return: write @entry (an @ of the range's name is [@])" },
	{ "marker:^user@host$;marker:x@return;marker:^mail[@]entry$;marker:step[@]retry", NULL },
	{ "marker:@entry", "the expression behind marker: must have 1 to 255 characters" },
	{ "marker:a(", "'marker:a(' is not an extended regular expression (Unmatched ( or \\(): write one like marker:^step$" },
	{ "marker:a([0-9])", "'marker:a([0-9])' has a group, which is the number of the step that begins: write @entry behind it, or no group" },
	{ "marker:a{domain=}", "'domain=}' is nothing that a marker can be asked here: write {domain=NAME}, of at most 63 letters, at the end" },
	{ "marker:a{domain=b}@entry", "'domain=b}@entry' is nothing that a marker can be asked here: write {domain=NAME}, of at most 63 letters, at the end" },
	{ "marker:a{domain=b,domain=c}", "domain is given twice: keep one" },
	{ "marker:a{role=b}", "'role=b}' is nothing that a marker can be asked here: write {domain=NAME}, of at most 63 letters, at the end" },
	{ "collective:allreduce;api", NULL },
	{ "collective:all(reduce|gather)*8{ranks=16}", NULL },
	{ "collective:a.*b", NULL },
	{ "collective:", "the expression behind collective: must have 1 to 255 characters" },
	{ "collective:*2", "the expression behind collective: must have 1 to 255 characters" },
	{ "collective:a(", "'collective:a(' is not an extended regular expression (Unmatched ( or \\(): write one like collective:allreduce" },
	{ "collective:a*0", "'*0' is no number of calls: " COLLECTIVE },
	{ "collective:a*", "'*' is no number of calls: " COLLECTIVE },
	{ "collective:a*2{ranks=x}", "'{ranks=x}' is no number of ranks: " COLLECTIVE },
	{ "collective:a{ranks=2}*2", "'{ranks=2}*2' is no number of ranks: " COLLECTIVE },
	{ "collective:a;collective:b", "collective is named 2 times: join the expressions, as in collective:A|B" },
	{ "symbol:libx.so:f",
	  "'symbol:libx.so:f' is not a symbol: write symbol:LIB:NAME@entry or symbol:LIB:NAME@return" },
	{ "symbol:f@entry",
	  "'symbol:f@entry' is not a symbol: write symbol:LIB:NAME@entry or symbol:LIB:NAME@return" },
	{ "symbol:l:f@exit",
	  "'symbol:l:f@exit' is not a symbol: write symbol:LIB:NAME@entry or symbol:LIB:NAME@return" },
	{ "apis", "'apis' is not a step source: " ALL },
	{ "api:1", "'api:1' is not a step source: " ALL },
	{ OPTIMIZER ";kernel:x", NULL },
	{ "python:a:b.c", NULL },
	{ "python:a.b_1:C+.d+.e@entry;python:__main__:f@return", NULL },
	{ "python:a:b{step=arg:n+1}", NULL },
	{ "python:a:b{step=global:c.d:N.n[x]+1,when=global:e:F==1}", NULL },
	{ "python:a:b{step=global:c.d}", "'step=global:c.d' is no number of a step: write step=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it, and +1 or -1; or step=published, or step=counted" },
	{ "python:a:b@return{step=arg:n.meta[global_steps]-1,when=attr:self.a.b==x y,skip=arg:n[a,b]==0}", NULL },
	{ "python:a:b{step=published};python:a:b@return{step=counted,when=arg:n==1}", NULL },
	{ "python", "'python:' is no function of Python: write python:" PYTHON_FUNCTION },
	{ "python:a", "'python:a' is no function of Python: write python:" PYTHON_FUNCTION },
	{ "python:a:", "'python:a:' is no function of Python: write python:" PYTHON_FUNCTION },
	{ "python:a:b.", "'.' stands behind python:a:b: write @entry or @return there, or {...}" },
	{ "python:a:b+", "'python:a:b+' is no function of Python: write python:" PYTHON_FUNCTION "" },
	{ "python:a:b@exit", "'@exit' stands behind python:a:b: write @entry or @return there, or {...}" },
	{ "python:a:b{", "'' is nothing that a call can be asked here: write step=, rank=, when= or skip=" },
	{ "python:a:b{rank=3}", "'rank=3' is no rank: write rank=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it" },
	{ "python:a:b{role=x}", "'role=x' is nothing that a call can be asked here: write step=, rank=, when= or skip=" },
	{ "python:a:b{step=n}", "'step=n' is no number of a step: write step=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it, and +1 or -1; or step=published, or step=counted" },
	{ "python:a:b{step=arg:n+}", "'step=arg:n+' is no number of a step: write step=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it, and +1 or -1; or step=published, or step=counted" },
	{ "python:a:b{step=arg:n.}", "'step=arg:n.' is no number of a step: write step=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it, and +1 or -1; or step=published, or step=counted" },
	{ "python:a:b{when=arg:n==1,skip=arg:n[a,b]==0,when=arg:n==2}", "when is given twice: keep one" },
	{ "python:a:b{when=arg:n}", "'when=arg:n' compares nothing: write when=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it, and ==TEXT" },
	{ "python:a:b{step=arg:n}x", "'}x' stands where the function ends: write } there, and nothing behind it" },
	{ "kernel", "the expression behind kernel: must have 1 to 255 characters" },
	{ "api;time:100ms", NULL },
	{ "time:9999999h", NULL },
	{ "time:10", "'time:10' is no time of 100ms or more: " TIME },
	{ "time:99ms", "'time:99ms' is no time of 100ms or more: " TIME },
	{ "time:1.5s", "'time:1.5s' is no time of 100ms or more: " TIME },
	{ "time:10000000s", "'time:10000000s' is no time of 100ms or more: " TIME },
	{ "time:1s;time:2s", "time is named 2 times: keep one" },
	{ "timer:5s", "'timer:5s' is not a step source: " ALL },
	{ "api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api;api", "more than 24 step sources: write fewer" },
};

START_TEST(step_sources_have_a_grammar)
{
	char want[512];
	int err = load_variable("RANKTRACE_STEP_SOURCE", sources[_i].text);

	snprintf(want, sizeof(want), "RANKTRACE_STEP_SOURCE: %s", sources[_i].line);
	ck_assert_int_eq(err, sources[_i].line ? -EINVAL : 0);
	ck_assert_str_eq(error, sources[_i].line ? want : "");
}
END_TEST

static const struct {
	const char *variable, *text, *line;
} places[] = {
	{ "STAGE", "python:a:B.c;python:a:B.d{role=ref,when=attr:self.x==1};python:e:f{role=attr:self.role}", NULL },
	{ "STAGE", "python:a:b@return", "'@return': a stage is the whole call: write nothing behind the function's name, or {role=NAME}" },
	{ "STAGE", "python:a:b{step=arg:n}", "'step=arg:n' is nothing that a call can be asked here: write role=, rank=, when= or skip=" },
	{ "STAGE", "python:a:b{role=a/b}", "'role=a/b' is no role: write a word, or role=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it" },
	{ "STAGE", "kernel:x", "'kernel:x' is no source here: write python:" PYTHON_FUNCTION " or marker:REGEX" },
	{ "STAGE", "marker:^(gen|update)$;python:a:b{role=x};marker:x{2}{role=y,domain=z}", NULL },
	{ "STAGE", "marker:a@entry", "'marker:a' is a stage, which lasts as long as its range: leave @entry or @return out" },
	{ "STAGE", "marker:a{role=}", "'role=}' is nothing that a marker can be asked here: write {domain=NAME} or {role=NAME}, of at most 63 letters, at the end" },
	{ "MICRO", "marker:a", "'marker:a' is no source here: write python:" PYTHON_FUNCTION },
	{ "MINI", "python:a:b@return{role=actor}", NULL },
	{ "NUMBER", "python:a:b{step=arg:n+1};python:a:b@return{step=attr:self.n,when=arg:x==1}", NULL },
	{ "NUMBER", "python:a:b.c{when=arg:x==1}", "python:a:b.c tells no number: write {step=arg:NAME} behind it, or replica=, loaded= or role= for step=" },
	{ "NUMBER", "python:a:b{step=published}", "'step=published' is no number of a step: write step=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it, and +1 or -1" },
	{ "NUMBER", "python:a:b{role=x}", NULL },
	{ "NUMBER", "python:a:b{role=arg:x}", "'role=arg:x' is no role: write a word" },
	{ "NUMBER", "python:a:b{stage=x}", "'stage=x' is nothing that a call can be asked here: write step=, replica=, loaded=, role=, rank=, when= or skip=" },
	{ "NUMBER", "python:a:b{replica=1}", "'replica=1' is no replica: write replica=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it" },
	{ "NUMBER", "python:a:b{loaded=path}", "'loaded=path' is no path: write loaded=arg:NAME or attr:self.NAME or global:MODULE:NAME, with .name and [key] behind it" },
	{ "STAGE", "python:a:b{replica=arg:x}", "'replica=arg:x' is nothing that a call can be asked here: write role=, rank=, when= or skip=" },
	{ "MICRO", "python:a:b{role=arg:x}", "'role=arg:x' is no role: write a word" },
};

START_TEST(sources_of_places_have_a_grammar)
{
	char variable[64], want[512];
	int err;

	snprintf(variable, sizeof(variable), "RANKTRACE_%s_SOURCE", places[_i].variable);
	err = load_variable(variable, places[_i].text);
	snprintf(want, sizeof(want), "%s: %s", variable, places[_i].line);
	ck_assert_int_eq(err, places[_i].line ? -EINVAL : 0);
	ck_assert_str_eq(error, places[_i].line ? want : "");
	unsetenv(variable);
}
END_TEST

START_TEST(step_sources_keep_their_order)
{
	struct step_source_spec specs[STEP_SOURCES];
	struct symbol_spec symbol;
	unsigned int count;

	ck_assert_int_eq(step_source_parse("symbol:libt.so:train@return; kernel:(a|b){2}:c ;api; " OPTIMIZER " ",
					   specs, &count, error, sizeof(error)),
			 0);
	ck_assert_uint_eq(count, 4);
	ck_assert_int_eq(specs[3].kind, STEP_SOURCE_python);
	ck_assert_int_eq(specs[0].kind, STEP_SOURCE_symbol);
	ck_assert(specs[0].ends && symbol_read(&symbol, specs[0].argument));
	ck_assert_str_eq(symbol.library, "libt.so");
	ck_assert_str_eq(symbol.name, "train");
	ck_assert(symbol.at_return);
	ck_assert_int_eq(specs[1].kind, STEP_SOURCE_kernel);
	ck_assert_str_eq(specs[1].argument, "(a|b){2}:c");
	ck_assert_int_eq(specs[2].kind, STEP_SOURCE_api);
	ck_assert(!specs[2].ends);
	ck_assert_int_eq(step_source_parse("", specs, &count, error, sizeof(error)), 0);
	ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(a_return_ends_a_step_unless_it_tells_which_one_begins)
{
	struct step_source_spec specs[STEP_SOURCES];
	unsigned int count;

	ck_assert_int_eq(step_source_parse("python:a:b@return;python:a:b@return{step=arg:n};python:a:b@return{step=published};"
					   "python:a:b@return{step=counted};python:a:b{step=counted}",
					   specs, &count, error, sizeof(error)),
			 0);
	ck_assert_uint_eq(count, 5);
	for (unsigned int i = 0; i < count; i++)
		ck_assert_int_eq(specs[i].ends, i == 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("sources");

	tcase_add_loop_test(t, step_sources_have_a_grammar, 0, COUNT(sources));
	tcase_add_loop_test(t, sources_of_places_have_a_grammar, 0, sizeof(places) / sizeof(*places));
	tcase_add_test(t, step_sources_keep_their_order);
	tcase_add_test(t, a_return_ends_a_step_unless_it_tells_which_one_begins);
	return run_cases("sources", t);
}
