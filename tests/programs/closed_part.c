/* closed_part.c - a library's function through which the program copies: NAME, with SIZE bytes on the stack. All such are alike, instruction by instruction. */
typedef int copy_fn(void *to, unsigned long most, const void *from, unsigned long count, int way);

int NAME(copy_fn *copy, unsigned long bytes);
int NAME(copy_fn *copy, unsigned long bytes)
{
	volatile char room[SIZE];
	char to[64], from[64] = "";

	room[0] = 1;
	return copy(to, sizeof(to), from, bytes, 2) + room[0];
}
