#include "analysis/view/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "analysis/util/alloc.h"
#include "analysis/view/clients.h"
#include "analysis/view/ui_folder.h"
#include "analysis/view/http.h"

#define WAIT 20 /* s: for a client that takes nothing */

struct visit {
	const struct server *server;
	struct client client;
};

/* ---- answers ---- */

/* Where nobody listens any more there is no SIGPIPE. */
static bool put(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = send(fd, text, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

static const char *reason_of(int status)
{
	switch (status) {
	case 200: return "OK";
	case 400: return "Bad Request";
	case 403: return "Forbidden";
	case 405: return "Method Not Allowed";
	default: return "Not Found";
	}
}

static bool put_head(int fd, int status, const char *type, size_t size, const char *origin)
{
	char head[640];
	int n = snprintf(head, sizeof(head),
			 "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\nCache-Control: no-store\r\n"
			 "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: %s\r\n%s%s%s%s\r\n",
			 status, reason_of(status), type, size, origin ? "cross-origin" : "same-origin", status == 405 ? "Allow: GET, HEAD\r\n" : "",
			 origin ? "Access-Control-Allow-Origin: " : "", origin ? origin : "", origin ? "\r\n" : "");

	return put(fd, head, (size_t)n);
}

static void refuse(int fd, int status)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%d %s\n", status, reason_of(status));

	if (put_head(fd, status, "text/plain", (size_t)n, NULL))
		put(fd, text, (size_t)n);
}

static void put_text(int fd, const struct served *text, bool head)
{
	if (put_head(fd, 200, text->type, text->size, text->origin) && !head)
		put(fd, text->text, text->size);
}

static void put_file(int fd, const struct server *s, const char *path, bool head)
{
	char buffer[65536];
	const char *type;
	size_t size = 0;
	ssize_t n;
	int file = s->folder ? ui_folder_open(s->folder, path, &size, &type) : -1;

	if (file < 0) {
		refuse(fd, 404);
		return;
	}
	if (put_head(fd, 200, type, size, NULL) && !head)
		while ((n = read(file, buffer, sizeof(buffer))) > 0 && put(fd, buffer, (size_t)n))
			;
	close(file);
}

/* What is left of the path behind the token; NULL: that is another one. As long for a near one as for any. */
static const char *behind_token(const struct server *s, const char *path)
{
	unsigned char other = 0;

	if (strlen(path) < 1 + SERVER_TOKEN + 1 || path[1 + SERVER_TOKEN] != '/')
		return NULL;
	for (size_t i = 0; i < SERVER_TOKEN; i++)
		other |= (unsigned char)(path[1 + i] ^ s->token[i]);
	return other ? NULL : path + 1 + SERVER_TOKEN + 1;
}

static void answer(const struct server *s, int fd, const char *text)
{
	struct http_request r;
	int status = http_read(&r, text);
	const char *path = status ? NULL : behind_token(s, r.path);

	if (!path) {
		refuse(fd, status ? status : 404);
		return;
	}
	for (size_t i = 0; i < s->count; i++) {
		if (!strcmp(path, s->list[i].path)) {
			put_text(fd, &s->list[i], r.head);
			return;
		}
	}
	if (!strncmp(path, "ui/", 3))
		put_file(fd, s, path + 3, r.head);
	else
		refuse(fd, 404);
}

/* ---- who asks ---- */

/* A request, with a NUL behind, or as much of it as came. Returns its size. */
static size_t read_request(const struct client *c, char *text)
{
	size_t used = 0;
	ssize_t n;

	*text = '\0';
	while (!http_is_whole(text) && used < HTTP_MOST && (n = client_read(c, text + used, HTTP_MOST - used)) > 0) {
		used += (size_t)n;
		text[used] = '\0';
	}
	return used;
}

static void *serve(void *context)
{
	struct visit *v = context;
	struct client *c = &v->client;
	char text[HTTP_MOST + 1];
	size_t used = read_request(c, text);
	bool whole = http_is_whole(text), long_one = !whole && used == HTTP_MOST;
	ssize_t n;

	if (whole && client_has_asked(c))
		answer(v->server, c->fd, text);
	else if (long_one)
		refuse(c->fd, 400);
	shutdown(c->fd, SHUT_WR);
	if (long_one) /* closed with something unread, the answer would be lost, too */
		while (used < 8 * HTTP_MOST && (n = client_read(c, text, HTTP_MOST)) > 0)
			used += (size_t)n;
	client_leave(c);
	free(v);
	return NULL;
}

/* A thread each: browsers open connections ahead of need, and say nothing on them. */
static void take_client(const struct server *s)
{
	const struct timeval wait = { .tv_sec = WAIT };
	int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC);
	struct visit *v;
	pthread_t thread;

	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	v = alloc_zero(1, sizeof(*v));
	v->server = s;
	if (client_join(&v->client, fd, s->patience) && !pthread_create(&thread, NULL, serve, v)) {
		pthread_detach(thread);
		return;
	}
	client_leave(&v->client);
	free(v);
}

static int make_token(char *token)
{
	unsigned char random[SERVER_TOKEN / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return -1;
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(token + 2 * i, 3, "%02x", random[i]);
	return 0;
}

int server_open(struct server *s, uint16_t port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(at);
	int yes = 1;

	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->fd < 0)
		return -1;
	setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (!bind(s->fd, (struct sockaddr *)&at, size) && !listen(s->fd, 64) && !getsockname(s->fd, (struct sockaddr *)&at, &size) && !make_token(s->token)) {
		s->port = ntohs(at.sin_port);
		return 0;
	}
	close(s->fd);
	return -1;
}

void server_run(struct server *s)
{
	struct pollfd wait[2] = { { .fd = s->fd, .events = POLLIN }, { .events = POLLIN } };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	wait[1].fd = signalfd(-1, &ends, SFD_CLOEXEC);
	while (poll(wait, 2, -1) >= 0 || errno == EINTR) {
		if (wait[1].revents)
			break;
		if (wait[0].revents)
			take_client(s);
	}
	close(wait[1].fd);
	close(s->fd);
}
