/* view.c - `ranktrace view`: the page of `html`, and the trace for the Perfetto UI, shown to a browser on this machine or behind ssh. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/commands/arguments.h"
#include "analysis/commands/commands.h"
#include "analysis/commands/page_of.h"
#include "analysis/export/export.h"
#include "analysis/util/memory_out.h"
#include "analysis/view/server.h"

#define UI	"https://ui.perfetto.dev"
#define UI_PORT 9001 /* the only one on a reader's own machine that the policy of that page lets it read from */
#define TRACE	"trace.perfetto-trace"

static void usage(FILE *to)
{
	fputs("Usage: ranktrace view [OPTION]... PATH...\n"
	      "Shows a run in a browser: the page of `ranktrace html`, and the trace for the Perfetto UI.\n"
	      "It listens on 127.0.0.1 alone, and writes no file; Ctrl-C ends it.\n"
	      "  -p, --port N           where (default: 9001, or any if that is taken)\n"
	      "  -u, --perfetto-ui DIR  a folder with the files of the Perfetto UI, where " UI "\n"
	      "                         cannot be reached: it is shown from there\n"
	      "  -s, --steps LIST       these steps only, as 2,4 or 5-9\n"
	      "  -r, --ranks LIST       these ranks only\n"
	      "  -h, --help             this text\n",
	      to);
}

struct asked {
	unsigned int port; /* 0: not said */
	const char *ui;	   /* NULL: not said */
};

static int take_port(void *context, const char *value)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*end || end == value || !n || n > 65535)
		return arguments_refuse("--port", value, "a number from 1 to 65535");
	((struct asked *)context)->port = (unsigned int)n;
	return 0;
}

static int take_ui(void *context, const char *value)
{
	char index[4096];

	((struct asked *)context)->ui = value;
	if (snprintf(index, sizeof(index), "%s/index.html", value) < (int)sizeof(index) && !access(index, R_OK))
		return 0;
	fprintf(stderr, "ranktrace: --perfetto-ui %s: there is no index.html: name the folder that has it\n", value);
	return EXIT_USAGE;
}

static bool export_perfetto(struct out *o, const struct arguments *a)
{
	struct export wanted = { .out = o, .choice = &a->choice, .kinds = EXPORT_ALL_KINDS, .jobs = 1 };
	struct trace trace;
	bool whole;

	trace_open(&trace, a->paths, a->count);
	wanted.trace = &trace;
	whole = trace.count && export_trace(&perfetto_exporter, &wanted, &trace).whole;
	trace_close(&trace);
	return whole;
}

/* Returns 0, or the status with the reason on stderr. */
static int listen_at(struct server *s, const struct asked *asked)
{
	if (!server_open(s, (uint16_t)(asked->port ? asked->port : UI_PORT)))
		return 0;
	if (!asked->port && errno == EADDRINUSE && !server_open(s, 0))
		return 0;
	fprintf(stderr, "ranktrace: port %u of 127.0.0.1: %s: name another with --port\n", asked->port ? asked->port : UI_PORT, strerror(errno));
	return EXIT_LOST;
}

static void tell(const struct server *s)
{
	char host[256] = "HOST", at[128];

	gethostname(host, sizeof(host) - 1);
	snprintf(at, sizeof(at), "http://127.0.0.1:%u/%s/", s->port, s->token);
	printf("the page:           %s\n", at);
	if (s->folder)
		printf("in the Perfetto UI: %sui/#!/?url=%s%s\n", at, at, TRACE);
	else if (s->port == UI_PORT)
		printf("in the Perfetto UI: %s/#!/?url=%s%s\n", UI, at, TRACE);
	else
		printf("in the Perfetto UI: open %s%s by hand; " UI " reads from port %u alone\n", at, TRACE, UI_PORT);
	printf("from another machine, first: ssh -N -L %u:127.0.0.1:%u %s\n"
	       "Ctrl-C ends this\n",
	       s->port, s->port, host);
	fflush(stdout);
}

/* Both texts and the server stay until the process ends: a thread may still serve them. */
static int serve(const struct memory_out *page, const struct memory_out *trace, const struct asked *asked)
{
	static struct served list[2];
	static struct server s;
	int rc;

	list[0] = (struct served){ "", "text/html; charset=utf-8", page->text, page->size, NULL };
	list[1] = (struct served){ TRACE, "application/octet-stream", trace->text, trace->size, UI };
	s = (struct server){ .list = list, .count = 2, .patience = 10000, .folder = asked->ui };
	rc = listen_at(&s, asked);
	if (rc)
		return rc;
	tell(&s);
	server_run(&s);
	return 0;
}

static int view(const struct arguments *a, const struct asked *asked)
{
	static struct memory_out *page, *trace;
	enum page_of done;
	bool whole;
	int rc;

	page = memory_out_open();
	trace = memory_out_open();
	if (!page || !trace)
		return EXIT_LOST;
	done = page_of(&page->out, a);
	if (done == PAGE_OF_NONE)
		return EXIT_LOST;
	whole = export_perfetto(&trace->out, a) && done == PAGE_WHOLE;
	if (!memory_out_read(page) || !memory_out_read(trace))
		return EXIT_LOST;
	rc = serve(page, trace, asked);
	return rc || whole ? rc : EXIT_LOST;
}

int cmd_view(int argc, char **argv)
{
	static const struct argument own[] = { { "port", 'p', take_port, false, NULL }, { "perfetto-ui", 'u', take_ui, false, NULL }, { 0 } };
	struct asked asked = { 0 };
	struct arguments a = { .usage = usage, .own = own, .context = &asked };
	int rc = arguments_read_with_paths(&a, argc, argv);

	if (rc != ARGUMENTS_GO_ON)
		return rc;
	return page_of_refuses(&a) ? EXIT_USAGE : view(&a, &asked);
}
