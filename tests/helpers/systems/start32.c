/* A 32-bit program without a 32-bit compiler's libraries: started by the dynamic linker, it says hello. */
int puts(const char *);
void exit(int) __attribute__((noreturn));
void _start(void) __attribute__((noreturn));

void _start(void)
{
	puts("hello");
	exit(3);
}
