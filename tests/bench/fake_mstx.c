/* fake_mstx.c - markers that nobody takes: what the calls themselves cost. */
#include <stdint.h>

void mstxMarkA(const char *message, void *stream);
uint64_t mstxRangeStartA(const char *message, void *stream);
void mstxRangeEnd(uint64_t id);

void mstxMarkA(const char *message, void *stream)
{
	(void)message, (void)stream;
}

uint64_t mstxRangeStartA(const char *message, void *stream)
{
	static uint64_t count;

	(void)message, (void)stream;
	return ++count;
}

void mstxRangeEnd(uint64_t id)
{
	(void)id;
}
