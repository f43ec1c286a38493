#include "analysis/util/memory_out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/util/alloc.h"

static void complain(int error)
{
	fprintf(stderr, "ranktrace: no memory for a text: %s\n", strerror(error));
}

struct memory_out *memory_out_open(void)
{
	struct memory_out *m = alloc_zero(1, sizeof(*m));

	m->out.fd = memfd_create("ranktrace", MFD_CLOEXEC);
	if (m->out.fd >= 0)
		return m;
	complain(errno);
	free(m);
	return NULL;
}

bool memory_out_read(struct memory_out *m)
{
	out_flush(&m->out);
	if (m->out.error) {
		complain(m->out.error);
		return false;
	}
	if (m->text)
		munmap(m->text, m->size);
	m->text = NULL;
	m->size = (size_t)lseek(m->out.fd, 0, SEEK_CUR);
	if (!m->size)
		return true;
	m->text = mmap(NULL, m->size, PROT_READ, MAP_SHARED, m->out.fd, 0);
	if (m->text != MAP_FAILED)
		return true;
	complain(errno);
	m->text = NULL;
	m->size = 0;
	return false;
}

void memory_out_close(struct memory_out *m)
{
	if (m->text)
		munmap(m->text, m->size);
	close(m->out.fd);
	free(m);
}
