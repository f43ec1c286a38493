/*
 * queue.h - SIM_ASYNC=1: streams that go on by themselves. What is given to one waits in a queue until it is known when it
 * begins, and whoever waits for a stream waits until it is done by the host's clock.
 */
#pragma once
#include "tests/sims/lib/clock.h"

void sim_queue_block(uint64_t ns); /* work of no stream: the caller waits for it */
bool sim_async(void);		   /* is it so? Not where clocks stand still (SIM_CLOCK=0) */

void sim_queue_task(struct stream *s, const struct sim_task *task);
void sim_queue_record(struct stream *s, struct event *e); /* under the lock, as what follows */
void sim_queue_wait(struct stream *s, struct event *e);
void sim_queue_forget(const struct event *e);
bool sim_queue_passed(const struct event *e); /* has it come, and is all done? Under the lock or not */
bool sim_queue_done(const struct stream *s);
void sim_queue_wait_for_event(const struct event *e); /* these not under it */
void sim_queue_wait_for(struct stream *s);
