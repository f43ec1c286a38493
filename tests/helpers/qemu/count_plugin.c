/*
 * count_plugin.c - a plugin of qemu-user: counts each instruction of a thread between two marks. A mark is the system call
 * close(MARK) or close(MARK - 1) of that thread, which the kernel refuses: the first begins at nought, the second prints
 * what was counted, on a line of standard error.
 * The interface is declared here, as Debian's qemu comes without its header; it is that of qemu 4.2 to 9.
 */
#include <stdint.h>
#include <stdio.h>

#define EXPORT	     __attribute__((visibility("default")))
#define MARK	     (-7000) /* valgrind/callgrind.h beside this file says the same */
#define SYS_CLOSE    57	     /* of aarch64, and of all architectures that came later */
#define THREADS	     64
#define NO_REGISTERS 0

typedef uint64_t plugin_id;
struct qemu_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id id, struct qemu_plugin_tb *tb));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*run)(unsigned int thread, void *data), int registers,
					    void *data);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id id, void (*called)(plugin_id id, unsigned int thread, int64_t number, uint64_t a1,
								       uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
								       uint64_t a7, uint64_t a8));

EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv);

static uint64_t counts[THREADS];

static void run(unsigned int thread, void *data)
{
	(void)data;
	if (thread < THREADS)
		counts[thread]++;
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), run, NO_REGISTERS, NULL);
}

static void called(plugin_id id, unsigned int thread, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
		   uint64_t a6, uint64_t a7, uint64_t a8)
{
	(void)id, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (number != SYS_CLOSE || thread >= THREADS)
		return;
	if ((int32_t)a1 == MARK)
		counts[thread] = 0;
	else if ((int32_t)a1 == MARK - 1)
		fprintf(stderr, "counted %llu\n", (unsigned long long)counts[thread]);
}

int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info, (void)argc, (void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	return 0;
}
