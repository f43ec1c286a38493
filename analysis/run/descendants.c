#include "analysis/run/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

struct process_list {
	size_t count, room;
	struct listed {
		struct descendant process;
		bool ours;
	} * list;
};

static bool read_stat(const char *pid, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* `PID (NAME) STATE PPID ...`; the start time is field 22, the start of the stack field 28. The name may hold anything. */
static bool parse_stat(char *text, struct descendant *d)
{
	char *name = strchr(text, '('), *at = strrchr(text, ')'), state;
	int parent;

	if (!name || !at || sscanf(at, ") %c %d", &state, &parent) != 2 || state == 'Z' || state == 'X')
		return false;
	*d = (struct descendant){ .pid = (pid_t)strtol(text, NULL, 10), .parent = parent };
	snprintf(d->name, sizeof(d->name), "%.*s", (int)(at - name - 1), name + 1);
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	d->start = at ? strtoull(at, NULL, 10) : 0;
	for (int field = 22; at && field < 28; field++)
		at = strchr(at + 1, ' ');
	d->stack = at ? strtoull(at, NULL, 10) : 0;
	return true;
}

static void list_processes(struct process_list *all)
{
	DIR *proc = opendir("/proc");
	struct descendant found;
	char text[1024];
	struct dirent *d;

	while (proc && (d = readdir(proc))) {
		if (*d->d_name < '1' || *d->d_name > '9' || !read_stat(d->d_name, text, sizeof(text)) || !parse_stat(text, &found))
			continue;
		if (all->count == all->room) {
			all->room = 2 * all->room + 256;
			all->list = alloc_grow(all->list, all->room, sizeof(*all->list));
		}
		all->list[all->count++] = (struct listed){ .process = found };
	}
	if (proc)
		closedir(proc);
}

static int by_pid(const void *a, const void *b)
{
	const struct listed *p = a, *q = b;

	return (p->process.pid > q->process.pid) - (p->process.pid < q->process.pid);
}

static bool is_ours(const struct process_list *all, pid_t pid)
{
	const struct listed wanted = { .process.pid = pid }, *found;

	if (pid == getpid())
		return true;
	found = bsearch(&wanted, all->list, all->count, sizeof(wanted), by_pid);
	return found && found->ours;
}

/* Once more for each level of the tree: a child's number may be lower than its parent's. */
static void mark_ours(struct process_list *all)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < all->count; i++) {
			struct listed *p = &all->list[i];

			if (p->ours || !is_ours(all, p->process.parent))
				continue;
			p->ours = more = true;
		}
	}
}

void descendants_visit(void (*visit)(void *context, const struct descendant *d), void *context)
{
	struct process_list all = { 0 };

	list_processes(&all);
	if (all.count)
		qsort(all.list, all.count, sizeof(*all.list), by_pid);
	mark_ours(&all);
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i].ours)
			visit(context, &all.list[i].process);
	free(all.list);
}
