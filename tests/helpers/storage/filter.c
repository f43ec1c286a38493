#include "filter.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	unsigned int number;
} calls[] = {
#define CALL(name)                \
	{                         \
#name, SYS_##name \
	}
	CALL(clone),
	{ "close_range", 436 },
	CALL(clone3),
	CALL(fallocate),
	CALL(fsync),
	CALL(ftruncate),
	CALL(madvise),
	CALL(memfd_create),
	CALL(mkdirat),
	CALL(openat),
	CALL(renameat2),
	CALL(statx),
	CALL(writev),
#ifdef SYS_mkdir
	CALL(mkdir),
	CALL(open),
	CALL(rename),
#endif
};

static unsigned int number_of(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strlen(calls[i].name) == length && !strncmp(calls[i].name, name, length))
			return calls[i].number;
	fprintf(stderr, "filter: no system call %s\n", name);
	exit(98);
}

/*
 * OWN_TABLE is a name, too: of threads that do not share their maker's descriptors (clone without CLONE_FILES) or that libc does
 * not know (without thread-local data of their own). fork() is none.
 */
#define OWN_TABLE      "own_table"
#define CLONE_A_THREAD 0x00010000
#define CLONE_SET_TLS  0x00080000

static unsigned short add_own_table(struct sock_filter *code, unsigned int answer)
{
	const struct sock_filter rule[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, CLONE_A_THREAD | CLONE_SET_TLS),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE_A_THREAD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};

	memcpy(code, rule, sizeof(rule));
	return sizeof(rule) / sizeof(*rule);
}

static int install(const char *names, unsigned int answer, unsigned int flags)
{
	struct sock_filter code[64];
	unsigned short n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	while (*names && n < 60) {
		size_t length = strcspn(names, ",");

		if (length == strlen(OWN_TABLE) && !strncmp(names, OWN_TABLE, length)) {
			n += add_own_table(code + n, answer);
			names += length + (names[length] == ',');
			continue;
		}
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number_of(names, length), 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
		names += length + (names[length] == ',');
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &(struct sock_fprog){ n, code });
}

int filter_deny(const char *names)
{
	return install(names, SECCOMP_RET_ERRNO | EPERM, SECCOMP_FILTER_FLAG_TSYNC);
}

int filter_kill(const char *names)
{
	return install(names, SECCOMP_RET_KILL_PROCESS, SECCOMP_FILTER_FLAG_TSYNC);
}

/* To write, to leave, to ask who it is, and how it is filtered; memory. */
int filter_kill_but(void)
{
	static const unsigned int allowed[] = { SYS_write, SYS_exit_group, SYS_getpid, SYS_prctl, SYS_brk, SYS_mmap, SYS_munmap, SYS_getrandom };
	struct sock_filter code[64];
	unsigned short n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &(struct sock_fprog){ n, code });
}

int filter_stall(const char *names)
{
	return install(names, SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}
