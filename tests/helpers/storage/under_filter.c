/*
 * under_filter deny NAMES COMMAND...        the command's system calls NAMES fail with EPERM
 * under_filter stall NAMES GATE COMMAND...  they do not return until something was written to the FIFO GATE
 * The second says in GATE.stalled when the first of them came.
 */
#include "filter.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void give(int socket, int fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	char byte = 0;
	struct iovec v = { &byte, 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };

	CMSG_FIRSTHDR(&m)->cmsg_level = SOL_SOCKET;
	CMSG_FIRSTHDR(&m)->cmsg_type = SCM_RIGHTS;
	CMSG_FIRSTHDR(&m)->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof(fd));
	if (sendmsg(socket, &m, 0) != 1)
		exit(98);
}

static int take(int socket)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec v = { &byte, 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	int fd;

	if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&m))
		exit(98);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

static void let_go(int listener, unsigned long long id)
{
	struct seccomp_notif_resp answer = { .id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };

	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

static void say_stalled(const char *gate)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.stalled", gate);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/* Holds everything back until the gate opens. */
static void stand_by(int listener, const char *gate)
{
	struct pollfd fds[2] = { { listener, POLLIN, 0 }, { open(gate, O_RDWR | O_CLOEXEC), POLLIN, 0 } };
	unsigned long long held[64];
	unsigned int count = 0;
	bool open_now = false;

	while (poll(fds, 2, -1) > 0 || errno == EINTR) {
		struct seccomp_notif call = { 0 };

		if (fds[1].revents && !open_now) {
			open_now = true;
			fds[1].fd = -1;
			while (count)
				let_go(listener, held[--count]);
		}
		if (fds[0].revents & POLLHUP)
			return;
		if (!(fds[0].revents & POLLIN) || ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
			continue;
		say_stalled(gate);
		if (open_now || count == 64)
			let_go(listener, call.id);
		else
			held[count++] = call.id;
	}
}

static int stall(const char *names, const char *gate, char **command)
{
	int pair[2], status, listener;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return 98;
	child = fork();
	if (!child) {
		listener = filter_stall(names);
		if (listener < 0)
			_exit(77);
		give(pair[1], listener);
		close(listener);
		execvp(command[0], command);
		_exit(127);
	}
	close(pair[1]);
	stand_by(take(pair[0]), gate);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	if (argc > 4 && !strcmp(argv[1], "stall"))
		return stall(argv[2], argv[3], argv + 4);
	if (argc < 4 || strcmp(argv[1], "deny"))
		return 98;
	if (filter_deny(argv[2]))
		return 77;
	execvp(argv[3], argv + 3);
	return 127;
}
