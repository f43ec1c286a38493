/* check_roles.c - what may be said of roles, and which role a stage belongs to. */
#include <string.h>
#include "config/role_choice.h"
#include "tests/lib/config_helpers.h"

static struct role_choices choices;
static char why[512];

static const struct {
	const char *said, *printed;
} good[] = {
	{ "", "" },
	{ "actor", "actor" },
	{ " actor ; ref{} ", "actor;ref" },
	{ "actor,ref{ranks=0,level=level1},critic", "actor;ref{ranks=0,level=level1};critic" },
	{ "actor{ranks=0 8,level=level1,contents=npu cpu,discrete=true,schedule=counter=micro active=30};ref{enable=false}",
	  "actor{ranks=0 8,level=level1,contents=cpu device,discrete=true,schedule=counter=micro active=30};ref{enable=false}" },
	{ "rollout{ranks=,replica_ranks=0-3}", "rollout{ranks=,replica_ranks=0-3}" },
	{ "a{all_ranks=yes, level=level_none}", "a{all_ranks=true,level=level_none}" },
};

START_TEST(what_is_said_is_printed_again)
{
	char text[1024];

	ck_assert_msg(!role_choices_read(&choices, good[_i].said, why, sizeof(why)), "%s", why);
	role_choices_text(&choices, text, sizeof(text));
	ck_assert_str_eq(text, good[_i].printed);
	ck_assert_int_eq(role_choices_read(&choices, text, why, sizeof(why)), 0);
}
END_TEST

static const struct {
	const char *said, *complaint;
} bad[] = {
	{ "actor{rank=1}", "actor: 'rank' is nothing that is said of a role: write ranks" },
	{ "actor{shape}", "actor: 'shape' says nothing: write it like actor{ranks=0 8,level=level1}" },
	{ "actor{ranks=1", "'actor{ranks=1' is no role: write it like actor{ranks=0 8,level=level1}" },
	{ "a b", "'a b' is no role: write it like actor{ranks=0 8,level=level1}" },
	{ "{ranks=1}", "'{ranks=1}' is no role: write it like actor{ranks=0 8,level=level1}" },
	{ "actor;actor", "actor is given twice: keep one" },
	{ "actor{level=level1,level=level2}", "actor: level is given twice: keep one" },
	{ "actor{schedule=wait=1 wait=2}", "actor: schedule: wait is given twice: keep one" },
	{ "actor{level=high}", "actor: level: 'high' is not a level: write level_none, level0, level1 or level2" },
	{ "a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q", "more than 16 roles: write fewer" },
};

START_TEST(what_means_nothing_is_refused_with_a_remedy)
{
	ck_assert_int_eq(role_choices_read(&choices, bad[_i].said, why, sizeof(why)), -EINVAL);
	ck_assert_str_eq(why, bad[_i].complaint);
}
END_TEST

static const char *role_of(const char *stage)
{
	const struct role_choice *c = role_choice_of(&choices, stage);

	return c ? c->role : "none";
}

START_TEST(a_stage_belongs_to_one_role)
{
	ck_assert_int_eq(role_choices_read(&choices, "actor;actor_update;critic;rollout;rollout_validate;reward", why, sizeof(why)), 0);
	ck_assert_str_eq(role_of("actor"), "actor");
	ck_assert_str_eq(role_of("actor_compute_log_prob"), "actor");
	ck_assert_str_eq(role_of("actor_update"), "actor_update");
	ck_assert_str_eq(role_of("actor_update_twice"), "actor_update");
	ck_assert_str_eq(role_of("actors"), "none");
	ck_assert_str_eq(role_of("compute_values"), "critic");
	ck_assert_str_eq(role_of("compute_rm_score"), "reward");
	ck_assert_str_eq(role_of("rollout_generate"), "rollout");
	ck_assert_str_eq(role_of("rollout_validate"), "rollout_validate");
	ck_assert_str_eq(role_of("ref_compute_log_prob"), "none");
}
END_TEST

static const struct {
	const char *yaml, *printed;
} files[] = {
	{ "roles: {}\n", "" },
	{ "roles: [actor, ref]\n", "actor;ref" },
	{ "roles: actor;ref\n", "actor;ref" },
	{ "roles:\n  actor:\n    ranks: [0, 8]\n    contents: npu,cpu\n    level:\n  ref: {enable: false}\n  critic:\n",
	  "actor{ranks=0 8,contents=cpu device};ref{enable=false};critic" },
	{ "roles: {rollout: {replica_ranks: [], schedule: {counter: micro, skip_first: 30, active: 30, repeat: 1}, discrete: yes}}\n",
	  "rollout{replica_ranks=,discrete=true,schedule=counter=micro skip_first=30 active=30 repeat=1}" },
};

START_TEST(yaml_says_the_same)
{
	char text[1024];

	ck_assert_msg(!load_text(files[_i].yaml), "%s", error);
	role_choices_text(&config.roles, text, sizeof(text));
	ck_assert_str_eq(text, files[_i].printed);
}
END_TEST

static const struct {
	const char *yaml, *complaint;
} bad_files[] = {
	{ "steps: [1]\nroles:\n  actor: [1]\n", ":3: a mapping stands here, like actor: {ranks: [0]}" },
	{ "roles: {actor: {ranks: [[0]]}}\n", ":1: a list holds plain values here, like [2, 4]" },
	{ "roles: {actor: {level: {a: [1]}}}\n", ":1: a mapping holds plain values here, like {wait: 1, active: 3}" },
	{ "roles: {actor: {levels: level1}}\n", ":1: roles: actor: 'levels' is nothing that is said of a role: write level" },
};

START_TEST(of_yaml_the_line_is_named)
{
	ck_assert_int_eq(load_text(bad_files[_i].yaml), -EINVAL);
	ck_assert_str_eq(error + strlen(FILE_NAME), bad_files[_i].complaint);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("roles");

	tcase_add_loop_test(t, what_is_said_is_printed_again, 0, COUNT(good));
	tcase_add_loop_test(t, what_means_nothing_is_refused_with_a_remedy, 0, COUNT(bad));
	tcase_add_test(t, a_stage_belongs_to_one_role);
	tcase_add_loop_test(t, yaml_says_the_same, 0, COUNT(files));
	tcase_add_loop_test(t, of_yaml_the_line_is_named, 0, COUNT(bad_files));
	return run_cases("roles", t);
}
