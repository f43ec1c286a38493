/* made.c - writes the trace of tests/made_trace.h to a file. */
#include "tests/made_trace.h"

int main(int argc, char **argv)
{
	static char bytes[65536];
	FILE *file = argc == 2 ? fopen(argv[1], "w") : NULL;
	ssize_t n;

	must(file);
	make_trace();
	n = pread(fd, bytes, sizeof(bytes), 0);
	must(n > 0 && fwrite(bytes, 1, (size_t)n, file) == (size_t)n && !fclose(file));
	close_file();
	return 0;
}
