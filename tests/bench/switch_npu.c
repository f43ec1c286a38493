/*
 * switch_npu.c - preloaded in front of ranktrace: sends the calls of a program that uses torch_npu in turn through ranktrace and
 * past it. switch_names.s, which sections/torch_npu.py writes, has a way in for each name that both torch_npu and ranktrace
 * know, and spare ways, for what dlsym() hands out.
 *
 * Both ways lead through the same jump, so that the difference is what ranktrace takes.
 */
#include "switch.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Of switch_names.s: ways in of 16 bytes, where each leads to, the names and libraries of the first of them. */
extern const char switch_ways[] __attribute__((visibility("hidden")));
extern void *switch_to[] __attribute__((visibility("hidden")));
extern const char *const switch_names[][2] __attribute__((visibility("hidden")));
extern const unsigned int switch_named, switch_slots;

static void *(*ways)[WAYS];
static unsigned int used, way;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *(*libc_dlsym)(void *, const char *);
static void *(*next_dlsym)(void *, const char *);
__attribute__((visibility("hidden"))) void *switch_next_dlsym;

static unsigned int new_way(void *next, void *real)
{
	ways[used][NEXT] = next;
	ways[used][REAL] = real;
	switch_to[used] = ways[used][way];
	return used++;
}

__attribute__((constructor)) static void loaded(void)
{
	struct link_map *agent = dlopen(getenv("SWITCH_AGENT"), RTLD_LAZY | RTLD_NOLOAD);

	libc_dlsym = (void *(*)(void *, const char *))look_up(dlopen("libc.so.6", RTLD_LAZY), "dlsym");
	switch_next_dlsym = look_up(agent, "dlsym");
	if (!switch_next_dlsym) /* without ranktrace there is nothing to switch */
		switch_next_dlsym = (void *)libc_dlsym;
	next_dlsym = (void *(*)(void *, const char *))switch_next_dlsym;
	ways = calloc(switch_slots, sizeof(*ways));
	for (unsigned int i = 0; i < switch_named; i++)
		new_way(look_up(agent, switch_names[i][0]), NULL);
}

/* What dlsym() is asked for a library; other questions depend on who asks (switch_names.s). */
__attribute__((visibility("hidden"))) void *switch_dlsym(void *library, const char *name)
{
	void *next = next_dlsym(library, name), *real = libc_dlsym(library, name);
	unsigned int i;

	if (next == real || !real || !next)
		return next;
	pthread_mutex_lock(&lock);
	for (i = switch_named; i < used && ways[i][NEXT] != next; i++)
		;
	if (i == used && used < switch_slots)
		i = new_way(next, real);
	pthread_mutex_unlock(&lock);
	return i < switch_slots ? (void *)(switch_ways + 16 * i) : next;
}

/* The libraries are there by now. */
static void *real_of(unsigned int i)
{
	void *library = dlopen(switch_names[i][1], RTLD_LAZY | RTLD_NOLOAD);
	void *real = library ? libc_dlsym(library, switch_names[i][0]) : NULL;

	return real ? real : ways[i][NEXT];
}

/* 0: through ranktrace, 1: past it. How many ways there are. */
__attribute__((visibility("default"))) unsigned int switch_turn(unsigned int to)
{
	pthread_mutex_lock(&lock);
	way = to;
	for (unsigned int i = 0; i < used; i++) {
		if (!ways[i][REAL])
			ways[i][REAL] = real_of(i);
		switch_to[i] = ways[i][to];
	}
	pthread_mutex_unlock(&lock);
	return used;
}
