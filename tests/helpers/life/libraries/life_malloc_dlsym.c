/* A malloc that looks names up on each call; a look-up may itself take memory. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
static _Atomic int ready; /* the dynamic linker asks for memory before it can be asked anything */
static __thread volatile int inside __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void loaded(void)
{
	ready = 1;
}

void *malloc(size_t size)
{
	if (ready && !inside) {
		inside = 1;
		dlsym(RTLD_NEXT, "malloc");
		dlsym(RTLD_DEFAULT, "clFlush");
		dlsym(RTLD_DEFAULT, "no_such_name_anywhere");
		inside = 0;
	}
	return __libc_malloc(size);
}
