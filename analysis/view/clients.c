#include "analysis/view/clients.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct client *all; /* that count, the oldest first */
static size_t count;

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void take_out(struct client **at)
{
	(*at)->counts = false;
	*at = (*at)->next;
	count--;
}

/* Its own thread closes it: until then nobody else has that number. */
static void shut_oldest_that_asks(void)
{
	struct client **at = &all;

	while (*at && !(*at)->asks)
		at = &(*at)->next;
	if (!*at)
		return;
	shutdown((*at)->fd, SHUT_RDWR);
	take_out(at);
}

bool client_join(struct client *c, int fd, unsigned int patience)
{
	struct client **end = &all;

	*c = (struct client){ .fd = fd, .until = now_ms() + patience, .asks = true };
	pthread_mutex_lock(&lock);
	if (count == CLIENTS_MOST)
		shut_oldest_that_asks();
	if (count < CLIENTS_MOST) {
		while (*end)
			end = &(*end)->next;
		*end = c;
		c->counts = true;
		count++;
	}
	pthread_mutex_unlock(&lock);
	return c->counts;
}

ssize_t client_read(const struct client *c, char *text, size_t size)
{
	struct pollfd wait = { .fd = c->fd, .events = POLLIN };
	uint64_t now = now_ms();

	if (poll(&wait, 1, now < c->until ? (int)(c->until - now) : 0) != 1)
		return -1;
	return recv(c->fd, text, size, MSG_DONTWAIT);
}

bool client_has_asked(struct client *c)
{
	bool counts;

	pthread_mutex_lock(&lock);
	c->asks = false;
	counts = c->counts;
	pthread_mutex_unlock(&lock);
	return counts;
}

void client_leave(struct client *c)
{
	struct client **at = &all;

	pthread_mutex_lock(&lock);
	if (c->counts) {
		while (*at != c)
			at = &(*at)->next;
		take_out(at);
	}
	close(c->fd);
	pthread_mutex_unlock(&lock);
}
