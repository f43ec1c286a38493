/* step_source.c - section: what told steps apart, or what could. */
#include <inttypes.h>
#include <string.h>

#include "analysis/report/grouped_lines.h"
#include "analysis/report/kernel_rows.h"
#include "analysis/report/ranges.h"
#include "analysis/report/section.h"
#include "config/preset.h"

/* A file tells at its end, and the session before that. */
static bool knows_source(const struct report *r)
{
	return r->clean_end || r->recovered || r->has_session || *report_fact(r, "step_source");
}

static bool same_fact(const struct report *a, const struct report *b, const char *key)
{
	return !strcmp(report_fact(a, key), report_fact(b, key));
}

/* Whose functions they are, and in which releases somebody looked. */
static void preset_line(struct out *o, const struct report *r)
{
	const char *name = report_fact(r, "preset");
	const struct preset *p = *name ? preset_find(name) : NULL;
	const char *version = report_fact(r, "preset_version");

	if (!p)
		return;
	out_format(o, "(preset %s: its functions were looked up in %s %s to %s", p->name, p->package, p->from, p->to);
	if (*version) {
		out_text(o, "; installed is ");
		out_clean(o, version);
	}
	out_text(o, ")\n");
}

static bool same_source(const struct report *reports, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (!same_fact(&reports[0], &reports[i], "step_source") || !same_fact(&reports[0], &reports[i], "waited_for") || !same_fact(&reports[0], &reports[i], "optimizers") ||
		    !same_fact(&reports[0], &reports[i], "optimizer_round") || !same_fact(&reports[0], &reports[i], "preset") || knows_source(&reports[0]) != knows_source(&reports[i]) || reports[0].runs != reports[i].runs)
			return false;
	}
	return true;
}

#define SHOWN_OF_NAME 100

/*
 * ^NAME$ for inside of single quotes: what means something in a regular expression, a shell or a list of sources is any character. number: what
 * stands for the first number in it; NULL: itself.
 */
static void whole_name(struct out *o, const char *name, const char *number)
{
	size_t n = 0;

	out_char(o, '^');
	for (; *name && n < SHOWN_OF_NAME; name++, n++) {
		if (number && *name >= '0' && *name <= '9') {
			out_text(o, number);
			name += strspn(name, "0123456789") - 1;
			number = "[0-9]+";
		} else if ((unsigned char)*name >= 0x80) { /* how many characters these bytes are the locale says */
			out_text(o, ".+");
			while ((unsigned char)name[1] >= 0x80)
				name++;
		} else {
			out_char(o, strchr("[](){}*+?.^$|\\\"'`;! \177", *name) || *name < ' ' ? '.' : *name);
		}
	}
	out_text(o, *name ? "" : "$");
}

/* What the program itself marks tells more than a kernel's distances. */
static bool suggest_range(struct out *o, const struct report *r)
{
	uint64_t times;
	const char *name = ranges_repeated(r, &times);

	if (!name)
		return false;
	out_text(o, "'marker:");
	whole_name(o, name, "([0-9]+)");
	out_format(o, "@entry'\n(suggested: of the ranges that come several times the one that lasts longest in all; it came %" PRIu64 " times),\nor ", times);
	return true;
}

static void no_source(struct out *o, const struct report *r)
{
	const struct kernel_row *equal = periodic_kernels_equal(r), *k = equal ? equal : periodic_kernels_alike(r);

	out_text(o, "no step source fired, so there are no steps. Name one: --step-source ");
	if (suggest_range(o, r) && !k) {
		out_text(o, "call ranktrace_step(n) in the program.\n");
		return;
	}
	if (!k) {
		out_text(o, "kernel:REGEX,\nwhere REGEX matches the last kernels of a step (the optimizer's), or "
			    "call ranktrace_step(n).\nNo suggestion: no kernel is launched at "
			    "equal distances, or alike ones, up to the end.\n");
		return;
	}
	out_text(o, "'kernel:");
	whole_name(o, k->name, NULL);
	out_format(o, "'\n(suggested: launched %" PRIu64 " times, with %s%.0f other launches between%s), or call ranktrace_step(n) in the program.\n",
		   k->period.times, equal ? "" : "some ", equal ? (double)equal->period.gap : k->period.mean,
		   equal ? "" : ": are that the steps that were trained?");
}

/* Which of PyTorch's optimizers ends a step. */
static void optimizers_line(struct out *o, const struct report *r)
{
	uint64_t n = key_values_number(&r->facts, "optimizers", 0);
	bool known = !strcmp(report_fact(r, "optimizer_round"), "known");

	if (n == 1)
		out_text(o, "(1 optimizer: a step ends when it has stepped)\n");
	else if (n && known)
		out_format(o, "(%" PRIu64 " optimizers: a step ends when the last one of a round has stepped)\n", n);
	else if (n)
		out_format(o, "(%" PRIu64 " optimizers so far, whose round has not repeated: a step ends when one of them steps again)\n", n);
}

/* Of sources that were not told the number: where it is from. */
static void number_line(struct out *o, const char *source, uint64_t loaded)
{
	bool counted = strstr(source, "step=counted}");

	if (strstr(source, "step=published}"))
		out_text(o, "(another process of the run on this host told which step begins)\n");
	else if (counted || (loaded && !strstr(source, "step=")))
		out_format(o, "(counted from %" PRIu64 "%s%s)\n", loaded + 1, loaded ? ", behind the checkpoint that was loaded" : "",
			   counted ? ": no other process of the run on this host had told the step's number" : "");
}

/* What was to tell of steps, and was waited for. */
static void waited_line(struct out *o, const struct report *r)
{
	if (!*report_fact(r, "waited_for"))
		return;
	out_text(o, "(waited for: ");
	out_clean(o, report_fact(r, "waited_for"));
	out_format(o, "; no step was told in %" PRIu64 " s of launches)\n", key_values_number(&r->facts, "waited_seconds", 0));
}

static void source_line(struct out *o, const struct report *r)
{
	const char *source = report_fact(r, "step_source");

	if (*source) {
		out_clean(o, source);
		out_char(o, '\n');
	} else if (!knows_source(r)) {
		out_text(o, "unknown: the file was not closed\n");
	} else if (r->runs) {
		out_text(o, "none has fired yet\n");
	} else {
		no_source(o, r);
	}
	waited_line(o, r);
	optimizers_line(o, r);
	preset_line(o, r);
	number_line(o, source, key_values_number(&r->facts, "loaded", 0));
	if (!strncmp(source, "kernel:", strlen("kernel:")))
		out_text(o, "(a step starts at its first launch: loading, waiting and input "
			    "copies before it belong to the previous step)\n");
}

static void text(struct out *o, const struct report *reports, size_t count, size_t top)
{
	struct grouped_lines all = { 0 };

	(void)top;
	out_text(o, "\nStep source\n");
	if (same_source(reports, count)) {
		source_line(o, &reports[0]);
		return;
	}
	for (size_t i = 0; i < count; i++)
		grouped_lines_take(&all, source_line, &reports[i]);
	grouped_lines_print(&all, o);
}

const struct section step_source_section = { .text = text };
