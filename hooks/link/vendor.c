#include "hooks/link/vendor.h"
#include <stddef.h>
#include <string.h>

void vendors_started(void)
{
	for (const struct vendor *const *v = vendors; *v; v++)
		if ((*v)->started)
			(*v)->started();
}

void vendors_libraries_changed(void)
{
	for (const struct vendor *const *v = vendors; *v; v++)
		if ((*v)->libraries_changed)
			(*v)->libraries_changed();
}

void vendors_thread_ends(void)
{
	for (const struct vendor *const *v = vendors; *v; v++)
		if ((*v)->thread_ends)
			(*v)->thread_ends();
}

bool vendors_launch_later(void)
{
	for (const struct vendor *const *v = vendors; *v; v++)
		if ((*v)->launches_later && (*v)->launches_later())
			return true;
	return false;
}

bool vendors_queue_thread(const char *name)
{
	for (const struct vendor *const *v = vendors; *v; v++)
		if ((*v)->queue_thread && !strcmp((*v)->queue_thread, name))
			return true;
	return false;
}

void *vendors_handout(const char *name, void *real)
{
	void *ours = NULL;

	for (const struct vendor *const *v = vendors; *v && !ours; v++)
		if ((*v)->handout)
			ours = (*v)->handout(name, real);
	return ours;
}
