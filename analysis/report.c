/* report.c - `ranktrace report`: reads process by process, keeps the sums, prints at the end. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "analysis/commands.h"
#include "analysis/memory.h"
#include "analysis/progress.h"
#include "analysis/report.h"
#include "analysis/report_run.h"
#include "analysis/sessions.h"
#include "analysis/usage.h"

static const char usage[] =
	"Usage: ranktrace report [--format text|json] [--top N] PATH...\n"
	"Sums a run up: steps, kernels, copies, memory, and what was lost or not seen.\n"
	"  -f, --format text|json   tables (default) or one JSON object\n"
	"  -n, --top N              how many kernels the tables show (10)\n"
	"  -h, --help               this text\n"
	"Columns and keys: docs/output.md\n";

void memory_take(struct memory_sum *m, struct table *live, const struct memory_event *ev)
{
	uint64_t *known = table_put(live, ev->address);
	uint64_t was = *known;

	/* A live address that comes back was freed unseen: what is new is another allocation. */
	if (was) {
		m->unfreed_bytes -= was - 1;
		m->unfreed--;
	}
	*known = 0;
	if (ev->is_free) {
		m->frees++;
		return;
	}
	*known = ev->bytes + 1;
	m->allocations++;
	m->unfreed++;
	m->unfreed_bytes += ev->bytes;
	m->bytes += ev->bytes;
	if (m->unfreed_bytes > m->peak_bytes)
		m->peak_bytes = m->unfreed_bytes;
}

static void count_calls(struct report *r, const struct process *p)
{
	for (size_t i = 0; i < p->file_count; i++) {
		uint64_t called, dropped;

		file_calls(&p->files[i], &called, &dropped);
		r->called += called;
		r->dropped += dropped;
	}
	r->in_flight = (int64_t)(r->called - r->kept - r->dropped);
}

static void note_ends(struct report *r, const struct process *p)
{
	r->clean_end = true;
	for (size_t i = 0; i < p->file_count; i++) {
		if (!p->files[i].ended || p->files[i].recovered)
			r->clean_end = false;
		r->recovered |= p->files[i].recovered;
	}
}

static bool is_running(const struct process *p, const struct sessions *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].status->file_id == p->file_id && !session_is_over(&all->list[i]))
			return true;
	return false;
}

static void report_process(struct report *r, struct process *p, const struct sessions *all,
			   struct report_runs *runs)
{
	r->files = p->file_count;
	if (process_load(p))
		r->failed = true;
	else
		report_collect(r, p);
	r->has_rank = p->has_rank;
	r->rank = p->rank;
	r->pid = p->pid;
	count_calls(r, p);
	note_ends(r, p);
	r->runs = !r->clean_end && is_running(p, all);
	process_loss(p, &r->loss, &r->lost_slots);
	r->lost = process_lost(p);
	process_unload(p);
	r->facts = p->facts; /* outlives the process */
	p->facts = (struct facts){ 0 };
	report_run(runs, r, p);
}

void report_free(struct report *r)
{
	for (size_t i = 0; i < r->kernel_count; i++)
		free(r->kernels[i].name);
	for (size_t i = 0; i < r->entry_count; i++)
		free(r->entries[i].name);
	free(r->kernels);
	free(r->entries);
	free(r->steps);
	facts_free(&r->facts);
}

/* A kernel of one of these is likely the last thing of a training step. */
static const char *const optimizer_words[] = {
	"adam",
	"sgd",
	"optim",
	"momentum",
	"lamb",
	"adagrad",
	"rmsprop",
	"lion",
	"apply",
	"update",
};

const struct kernel_row *report_suggest(const struct report *r)
{
	const struct kernel_row *rarest = NULL;

	for (size_t w = 0; w < sizeof(optimizer_words) / sizeof(*optimizer_words); w++) {
		for (size_t i = 0; i < r->kernel_count; i++) {
			if (r->kernels[i].kind == EV_LAUNCH &&
			    strcasestr(r->kernels[i].name, optimizer_words[w]))
				return &r->kernels[i];
		}
	}
	for (size_t i = 0; i < r->kernel_count; i++) {
		const struct kernel_row *k = &r->kernels[i];

		if (k->kind == EV_LAUNCH && k->count > 1 && (!rarest || k->count < rarest->count))
			rarest = k;
	}
	return rarest;
}

static int by_rank(const void *a, const void *b)
{
	const struct report *x = a, *y = b;
	const char *host_x = facts_get(&x->facts, "host"), *host_y = facts_get(&y->facts, "host");
	int order;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	order = strcmp(host_x ? host_x : "", host_y ? host_y : "");
	return order ? order : (x->pid > y->pid) - (x->pid < y->pid);
}

static int print(const struct report *reports, size_t count, bool json, size_t top)
{
	static struct out out = { .fd = STDOUT_FILENO };

	if (json)
		report_json(&out, reports, count);
	else if (count)
		report_text(&out, reports, count, top);
	out_flush(&out);
	if (out.error)
		fprintf(stderr, "ranktrace: standard output: %s\n", strerror(out.error));
	return out.error ? EXIT_LOST : 0;
}

static int report_all(struct trace *t, bool json, size_t top)
{
	struct report *reports = memory_zero(t->count, sizeof(*reports));
	struct report_runs runs = { 0 };
	struct sessions sessions;
	bool lost = t->trouble;
	int rc;

	sessions_read(&sessions);
	for (size_t i = 0; i < t->count; i++) {
		progress("report", i, t->count);
		report_process(&reports[i], &t->processes[i], &sessions, &runs);
		lost |= reports[i].lost || reports[i].failed || reports[i].dropped;
	}
	progress_end();
	sessions_free(&sessions);
	qsort(reports, t->count, sizeof(*reports), by_rank);
	rc = print(reports, t->count, json, top);
	for (size_t i = 0; i < t->count; i++)
		report_free(&reports[i]);
	report_runs_free(&runs);
	free(reports);
	return lost ? EXIT_LOST : rc;
}

int cmd_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "top", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct trace trace;
	bool json = false;
	size_t top = 10;
	int option, rc;

	while ((option = getopt_long(argc, argv, "f:n:h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (option == '?') {
			fputs(usage, stderr);
			return EXIT_USAGE;
		}
		if (option == 'f' && strcmp(optarg, "text") && strcmp(optarg, "json"))
			return usage_word("--format", optarg, "text or json");
		if (option == 'n' && atol(optarg) <= 0)
			return usage_word("--top", optarg, "a number from 1 on");
		if (option == 'f')
			json = !strcmp(optarg, "json");
		else
			top = (size_t)atol(optarg);
	}
	if (optind == argc)
		return usage_no_path(usage);
	trace_open(&trace, argv + optind, argc - optind);
	rc = report_all(&trace, json, top);
	trace_close(&trace);
	return rc;
}
