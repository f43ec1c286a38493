/* overlap.h - when there was computing, communication, communication alone, and neither: bars, of work that comes in order of its begin. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* BAR(symbol, name, what an enumeration of Ascend's calls it) */
#define OVERLAP_BARS(BAR)                                                             \
	BAR(COMPUTING, "Computing", "COMPUTE")                                        \
	BAR(COMMUNICATION, "Communication", "COMMUNICATION")                          \
	BAR(NOT_OVERLAPPED, "Communication(Not Overlapped)", "COMM_NOT_OVERLAP_COMP") \
	BAR(FREE, "Free", "FREE")

enum overlap_bar {
#define BAR(symbol, name, word) BAR_##symbol,
	OVERLAP_BARS(BAR)
#undef BAR
		BARS
};

struct overlap {
	void (*bar)(void *context, enum overlap_bar bar, uint64_t begin, uint64_t end);
	void *context;
	bool free;			    /* neither is free time: something was recorded */
	uint64_t at;			    /* told up to here */
	uint64_t until[BAR_NOT_OVERLAPPED]; /* when what was added of either ends */
	bool open[BARS];
	uint64_t since[BARS];
};

/* Computing or communication. What lies before work that was added earlier counts from there on. */
void overlap_add(struct overlap *o, enum overlap_bar what, uint64_t begin, uint64_t end);

/* Ends all bars here; what goes on begins anew. From here on there is free time, or none. */
void overlap_cut(struct overlap *o, uint64_t ns, bool free);
