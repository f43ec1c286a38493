/* made.c - writes the traces of tests/lib/made_trace.h and tests/lib/made_ascend.h to two files. */
#include "tests/lib/made_ascend.h"

static void keep(const char *name)
{
	static char bytes[65536];
	FILE *file = fopen(name, "w");
	ssize_t n = pread(fd, bytes, sizeof(bytes), 0);

	must(file && n > 0 && fwrite(bytes, 1, (size_t)n, file) == (size_t)n && !fclose(file));
	close_file();
}

int main(int argc, char **argv)
{
	must(argc == 3);
	make_trace();
	keep(argv[1]);
	make_ascend_trace();
	keep(argv[2]);
	return 0;
}
