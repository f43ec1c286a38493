#include "analysis/export/ascend/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/export/ascend/ascend.h"
#include "analysis/export/limits.h"
#include "analysis/util/alloc.h"

void folder_next(struct ascend *a)
{
	const struct trace_file *files = a->process->files;
	uint64_t stamp = files[0].first_realtime / 1000000u;

	for (size_t i = 1; i <= a->export->window; i++) {
		uint64_t ms = files[i].first_realtime / 1000000u;

		stamp = ms <= stamp ? stamp + 1 : ms;
	}
	a->folder.stamp = stamp;
}

/* YYYYmmddHHMMSSmmm in local time. */
static void put_stamp(const struct ascend *a, char *text, size_t size)
{
	time_t seconds = (time_t)(a->folder.stamp / 1000u);
	struct tm tm;
	char day[32];

	localtime_r(&seconds, &tm);
	strftime(day, sizeof(day), "%Y%m%d%H%M%S", &tm);
	snprintf(text, size, "%s%03u", day, (unsigned int)(a->folder.stamp % 1000u) % 1000u);
}

/* A host is called as readers take it: they split the name at '_', and warn of other letters. */
static void put_host(char *host, size_t size, const char *name)
{
	snprintf(host, size, "%.128s", *name ? name : "localhost");
	for (char *p = host; *p; p++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-", *p))
			*p = '-';
}

void folder_open(struct ascend *a)
{
	char host[160], stamp[40];

	put_host(host, sizeof(host), process_fact(a->process, "host"));
	put_stamp(a, stamp, sizeof(stamp));
	snprintf(a->folder.name, sizeof(a->folder.name), "%s_%llu_%s_ascend_pt", host, (unsigned long long)a->process->pid, stamp);
}

struct out *folder_file(struct ascend *a, const char *name)
{
	struct ascend_folder *f = &a->folder;
	char *path = alloc_format("%s/%s", f->name, name);
	const char *suffix = strrchr(name, '.');
	struct out *o;

	destination_limit(a->export->to, suffix && !strcmp(suffix, ".csv") ? LIMIT_CSV : LIMIT_JSON);
	o = destination_file(a->export->to, path);
	free(path);
	if (f->count < FOLDER_FILES)
		f->files[f->count++] = o;
	return o;
}

void folder_close(struct ascend *a)
{
	while (a->folder.count)
		destination_file_done(a->export->to, a->folder.files[--a->folder.count]);
}
