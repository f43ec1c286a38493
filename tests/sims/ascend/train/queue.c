/* queue.c - a ring of 4096 requests and the thread that works them off. */
#include "tests/sims/ascend/train/queue.h"
#include <pthread.h>
#include <stdbool.h>

#define RING 4096

static struct request ring[RING];
static unsigned long pushed, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t consumer;
static int mode;
static bool stopping;

static void *consume(void *unused)
{
	pthread_setname_np(pthread_self(), "acl_thread");
	pthread_mutex_lock(&lock);
	while (!stopping || pushed != done) {
		struct request *r = &ring[done % RING];

		if (pushed == done) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		pthread_mutex_unlock(&lock);
		if (mode == 2 && r->first)
			r->first(r);
		r->second(r);
		pthread_mutex_lock(&lock);
		done++;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

void queue_start(int its_mode)
{
	mode = its_mode;
	if (mode)
		pthread_create(&consumer, NULL, consume, NULL);
}

void queue_push(const struct request *request)
{
	struct request r = *request;

	if (mode != 2 && r.first)
		r.first(&r);
	if (!mode) {
		r.second(&r);
		return;
	}
	pthread_mutex_lock(&lock);
	while (pushed - done == RING)
		pthread_cond_wait(&changed, &lock);
	ring[pushed++ % RING] = r;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void queue_drain(void)
{
	pthread_mutex_lock(&lock);
	while (pushed != done)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

void queue_stop(void)
{
	if (!mode)
		return;
	pthread_mutex_lock(&lock);
	stopping = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(consumer, NULL);
}
