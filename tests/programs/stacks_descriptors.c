/*
 * stacks_descriptors.c - copies from a function that nothing is said of how to leave, as just-in-time compilers make them, before and after the program has
 * closed every descriptor that it does not know, as daemons do. Prints which one it gets next, and what its own files hold in the end.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int aclrtMemcpy(void *to, size_t most, const void *from, size_t count, int way);

#define FILES 4
#define HELD  "0123456789"

typedef void (*made)(void (*)(void));

static void copy(void)
{
	static char to[8], from[8];

	aclrtMemcpy(to, sizeof(to), from, sizeof(from), 2);
	__asm__ volatile("");
}

static made make(void)
{
#if defined(__x86_64__)
	static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 }; /* push rbp; mov rbp, rsp; call rdi; pop rbp; ret */
#else
	static const unsigned int code[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0 }; /* stp x29, x30; mov x29, sp; blr x0; ldp; ret */
#endif
	char *place = mmap(NULL, sizeof(code), PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(place, code, sizeof(code));
	__builtin___clear_cache(place, place + sizeof(code));
	return (made)(void *)place;
}

/* Each from pages that no stack was read of yet. */
static void deep(made by, int more)
{
	volatile char wide[6000];

	wide[0] = wide[5999] = 0;
	if (more)
		deep(by, more - 1);
	else
		by(copy);
	wide[0] = 1;
}

int main(void)
{
	made by = make();
	int files[FILES];

	deep(by, 0);
	printf("%d", dup(0));
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	for (int i = 0; i < FILES; i++) {
		files[i] = fileno(tmpfile());
		if (pwrite(files[i], HELD, sizeof(HELD) - 1, 0) < 0)
			return 1;
	}
	for (int i = 0; i < 20; i++)
		deep(by, i);
	for (int i = 0; i < FILES; i++) {
		char held[32] = "";

		printf(" %s", pread(files[i], held, sizeof(held) - 1, 0) < 0 ? "closed" : held);
	}
	puts("");
	return 0;
}
