/*
 * check_home.c - a session says where its file belongs, and what is in it: recovery believes neither
 * beyond save_path, nor more than there is.
 */
#include "analysis/session/trace_location.h"

#include "tests/lib/unit.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/save_path.h"
#include "analysis/session/ring_images.h"

static char top[64];
static struct session_status status;
static struct trace_location home;

static void setup(void)
{
	strcpy(top, "/tmp/check_home.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(top));
	ck_assert_int_eq(chdir(top), 0);
	ck_assert(!mkdir("save", 0700) && !mkdir("save/job", 0700) && !mkdir("victim", 0700));
	memset(&status, 0, sizeof(status));
	snprintf(status.save_path, sizeof(status.save_path), "%s/save", top);
}

static void teardown(void)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	ck_assert(!chdir("/") && !system(command));
}

/* What comes of a session that names this file below the top folder. */
static int open_named(const char *final, bool make)
{
	int fd;

	snprintf(status.final, sizeof(status.final), "%s/%s", top, final);
	if (!trace_location_name(&status, &home))
		return -EINVAL;
	fd = trace_location_open(&home, status.save_path, make);
	if (fd >= 0)
		close(fd);
	if (home.folder >= 0)
		close(home.folder);
	return fd < 0 ? fd : 0;
}

/* "made up": the session's name cannot be used, so recovery makes one in save_path. */
static const struct {
	const char *final, *made;
	int err;
} names[] = {
	{ "save/job/rank3/step-4.rtrace", "save/job/rank3/step-4.rtrace.part", 0 },
	{ "save/step-4.rtrace", "save/step-4.rtrace.part", 0 },
	{ "victim/step-4.rtrace", "made up", 0 },
	{ "saved/step-4.rtrace", "made up", 0 },
	{ "save/../victim/step-4.rtrace", "made up", 0 },
	{ "save/job/../../victim/step-4.rtrace", "made up", 0 },
	{ "save/job/step-4.txt", "made up", 0 },
	{ "save/job/", "made up", 0 },
	{ "save/./step-4.rtrace", NULL, -EPERM },
	{ "save/job//step-4.rtrace", NULL, -EPERM },
	{ "save/.hidden/step-4.rtrace", NULL, -EPERM },
};

START_TEST(a_file_is_made_below_save_path_only)
{
	const char *made = names[_i].made;

	ck_assert_int_eq(open_named(names[_i].final, true), names[_i].err);
	ck_assert_int_eq(rmdir("victim"), 0); /* nothing is in it */
	if (made && !strcmp(made, "made up"))
		made = "save/recovered-0-00000000.rtrace.part";
	ck_assert(!made || !access(made, F_OK));
}
END_TEST

START_TEST(what_is_made_is_for_its_owner_only)
{
	struct stat st;

	umask(0);
	ck_assert_int_eq(open_named("save/job/rank3/step-4.rtrace", true), 0);
	ck_assert(!stat("save/job/rank3", &st) && (st.st_mode & 0777) == 0700);
	ck_assert(!stat("save/job/rank3/step-4.rtrace.part", &st) && (st.st_mode & 0777) == 0600);
}
END_TEST

START_TEST(a_folder_that_is_a_link_is_not_entered)
{
	ck_assert_int_eq(symlink("../victim", "save/link"), 0);
	ck_assert_int_eq(open_named("save/link/step-4.rtrace", true), -ENOTDIR);
	ck_assert_int_ne(access("victim/step-4.rtrace.part", F_OK), 0);
}
END_TEST

START_TEST(a_folder_that_others_may_write_is_not_entered)
{
	ck_assert_int_eq(chmod("save/job", 0777), 0);
	ck_assert_int_eq(open_named("save/job/step-4.rtrace", true), -EPERM);
	ck_assert_int_eq(chmod("save/job", 01777), 0);
	ck_assert_int_eq(open_named("save/job/step-4.rtrace", true), 0);
}
END_TEST

START_TEST(a_part_file_that_is_a_link_or_a_pipe_is_not_opened)
{
	ck_assert_int_eq(symlink("../victim/x", "save/step-1.rtrace.part"), 0);
	ck_assert_int_eq(mkfifo("save/step-2.rtrace.part", 0600), 0);
	ck_assert_int_eq(open_named("save/step-1.rtrace", false), -ELOOP);
	ck_assert_int_eq(open_named("save/step-1.rtrace", true), -EEXIST);
	ck_assert_int_eq(open_named("save/step-2.rtrace", false), -EPERM);
	ck_assert_int_eq(open_named("save/step-2.rtrace", true), -EEXIST);
	ck_assert_int_ne(access("victim/x", F_OK), 0);
}
END_TEST

START_TEST(looking_for_a_file_makes_no_folder)
{
	ck_assert_int_eq(open_named("save/new/step-4.rtrace", false), -ENOENT);
	ck_assert_int_ne(access("save/new", F_OK), 0);
}
END_TEST

START_TEST(a_whole_file_takes_no_name_that_is_taken)
{
	char name[1100];

	ck_assert_int_eq(symlink("nowhere", "save/step-4.rtrace"), 0);
	snprintf(status.final, sizeof(status.final), "%s/save/step-4.rtrace", top);
	ck_assert(trace_location_name(&status, &home));
	close(trace_location_open(&home, status.save_path, true));
	ck_assert_int_eq(trace_location_keep(&home, name, sizeof(name)), 0);
	ck_assert_str_eq(name + strlen(top), "/save/step-4.2.rtrace");
	ck_assert(!access("save/step-4.2.rtrace", F_OK));
}
END_TEST

/* ---- rings ---- */

static void put_ring(const char *name, uint32_t slots, size_t filled)
{
	static const char zeros[4096];
	struct ring_header h = { .magic = RING_MAGIC, .id = 1, .slots = slots, .head = 1 };
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_eq(pwrite(fd, &h, sizeof(h), 0), sizeof(h));
	for (size_t at = SESSION_PAGE; at < SESSION_PAGE + filled; at += sizeof(zeros))
		ck_assert_int_eq(pwrite(fd, zeros, sizeof(zeros), (off_t)at), sizeof(zeros));
	ck_assert_int_eq(ftruncate(fd, (off_t)(SESSION_PAGE + slots * sizeof(struct event))), 0);
	close(fd);
}

START_TEST(a_ring_full_of_holes_is_not_taken_into_memory)
{
	struct ring_images image;

	put_ring("victim/ring.0", 1u << 24, 0);
	put_ring("victim/ring.1", 1024, 1024 * sizeof(struct event));
	ck_assert_int_eq(ring_images_read(&image, "victim"), 0);
	ck_assert_uint_eq(image.ring_count, 1);
	ck_assert_uint_eq(image.bad, 1);
	ring_images_free(&image);
}
END_TEST

START_TEST(a_ring_of_two_names_is_read_once)
{
	struct ring_images image;

	put_ring("victim/ring.1", 1024, 1024 * sizeof(struct event));
	ck_assert(!link("victim/ring.1", "victim/ring.01") && !link("victim/ring.1", "victim/ring.1x"));
	ck_assert_int_eq(ring_images_read(&image, "victim"), 0);
	ck_assert_uint_eq(image.ring_count, 1);
	ring_images_free(&image);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("home");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_file_is_made_below_save_path_only, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_test(t, what_is_made_is_for_its_owner_only);
	tcase_add_test(t, a_folder_that_is_a_link_is_not_entered);
	tcase_add_test(t, a_folder_that_others_may_write_is_not_entered);
	tcase_add_test(t, a_part_file_that_is_a_link_or_a_pipe_is_not_opened);
	tcase_add_test(t, looking_for_a_file_makes_no_folder);
	tcase_add_test(t, a_whole_file_takes_no_name_that_is_taken);
	tcase_add_test(t, a_ring_full_of_holes_is_not_taken_into_memory);
	tcase_add_test(t, a_ring_of_two_names_is_read_once);
	return unit_run("home", t);
}
