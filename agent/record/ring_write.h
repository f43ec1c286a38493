/* ring_write.h - slots of a ring, the long way: an event and what goes with it, or, in a full ring, its loss. */
#pragma once
#include <stdbool.h>
#include "agent/base/attributes.h"
#include "agent/format/event.h"

struct call;

/* Fills in key and arg of the CTRL_STACK slot of the call that is about to be written. False: it has none. Set before GATE_STACKS is for the first time. */
extern bool (*ring_write_stack)(const struct event *call, struct event *slot) OURS;

/* Writes the event with everything out of the ordinary: control slots, a full ring, signals. */
void ring_write_event(struct call *c);

/* A control slot on its own, now. False if the ring is full. */
bool ring_write_control(const struct event *slot, const struct event *follow);
