/* torch_npu_message.h - what torch_npu says of a collective in a marker's message: JSON, its quotes with backslashes before them. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct communication {
	char *buffer; /* that the texts stand in */
	size_t size;
	const char *op, *group, *type; /* NULL: not said */
	int64_t count, stream;	       /* -1: not said */
	int64_t source, destination;   /* ranks */
};

/* NULL: the message is something else. */
struct communication *communication_read(const char *message);
void communication_free(struct communication *c);
