/* check_run_limits.c - long names, commands, paths and deep folders of a run: whole, or told. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/launch/program.h"
#include "analysis/run/collect.h"
#include "analysis/util/trace_paths.h"
#include "hooks/rows/table.h"
#include "tests/lib/unit.h"

static unsigned int longest_row(void)
{
	unsigned int longest = 0;

	for (unsigned int i = 0; i < hook_row_count; i++)
		if (strlen(hook_rows[i].name) > strlen(hook_rows[longest].name))
			longest = i;
	return longest;
}

START_TEST(a_long_name_of_an_entry_point_stands_whole_in_the_run)
{
	static struct session_status status;
	struct session_entry e = { .status = &status };
	struct run *run = calloc(1, sizeof(*run));
	unsigned int row = longest_row();

	ck_assert_uint_gt(strlen(hook_rows[row].name), 64);
	status.hooks = (uint16_t)hook_row_count;
	status.unrecorded[row] = 3;
	collect_status(run_add(run), &e);
	ck_assert_uint_eq(run->processes[0].unrecorded.count, 1);
	ck_assert_str_eq(run->processes[0].unrecorded.list[0].name, hook_rows[row].name);
	run_free(run);
	free(run);
}
END_TEST

START_TEST(a_command_of_a_thousand_words_is_read_back_whole)
{
	char name[] = "/tmp/check_reading_limits.XXXXXX";
	struct run *run = calloc(1, sizeof(*run));
	FILE *f = fdopen(mkstemp(name), "w");

	fputs("{\"version\":1,\"command\":[\"python3\"", f);
	for (int i = 0; i < 1000; i++)
		fprintf(f, ",\"w%d\"", i);
	fputs("]}", f);
	fclose(f);
	ck_assert_int_eq(run_read(run, name), 0);
	ck_assert_int_eq(strncmp(run->command_line, "python3 w0 w1 ", 14), 0);
	ck_assert_str_eq(run->command_line + strlen(run->command_line) - 10, " w998 w999");
	run_free(run);
	free(run);
	unlink(name);
}
END_TEST

START_TEST(a_folder_too_deep_to_be_looked_into_is_told)
{
	char top[] = "/tmp/check_reading_limits.XXXXXX", command[128];
	int quiet = open("/dev/null", O_WRONLY);
	struct trace_paths found = { 0 };

	ck_assert_ptr_nonnull(mkdtemp(top));
	snprintf(command, sizeof(command), "cd %s && d=.; for i in $(seq 40); do d=$d/d; done; mkdir -p $d && touch $d/a.rtrace", top);
	ck_assert_int_eq(system(command), 0);
	dup2(quiet, STDERR_FILENO);
	trace_paths_find(&found, top);
	ck_assert_uint_eq(found.count, 0);
	ck_assert(found.trouble);
	trace_paths_free(&found);
	snprintf(command, sizeof(command), "rm -rf %s", top);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(a_program_at_the_end_of_a_long_path_is_found)
{
	char top[] = "/tmp/check_reading_limits.XXXXXX", name[201] = "", command[4096], own[1024] = "";
	struct program p;

	ck_assert_ptr_nonnull(mkdtemp(top));
	ck_assert_int_gt(readlink("/proc/self/exe", own, sizeof(own) - 1), 0); /* /bin/true may be another processor's */
	memset(name, 'd', 200);
	snprintf(command, sizeof(command), "cd %s && for i in 1 2 3 4 5 6; do mkdir %s && cd %s; done && cp '%s' true", top, name, name, own);
	ck_assert_int_eq(system(command), 0);
	snprintf(command, sizeof(command), "%s/%s/%s/%s/%s/%s/%s/true", top, name, name, name, name, name, name);
	program_inspect(&p, command);
	ck_assert_str_eq(program_words[p.kind], "fine");
	ck_assert_str_eq(p.path, command);
	snprintf(command, sizeof(command), "rm -rf %s", top);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("run_limits");

	tcase_add_test(t, a_long_name_of_an_entry_point_stands_whole_in_the_run);
	tcase_add_test(t, a_command_of_a_thousand_words_is_read_back_whole);
	tcase_add_test(t, a_folder_too_deep_to_be_looked_into_is_told);
	tcase_add_test(t, a_program_at_the_end_of_a_long_path_is_found);
	return unit_run("run_limits", t);
}
