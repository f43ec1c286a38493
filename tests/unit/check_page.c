/* check_page.c - what a page is made of, and what the server that shows one refuses. */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "analysis/html/arrows.h"
#include "analysis/html/blocks.h"
#include "analysis/html/curves.h"
#include "analysis/html/rows.h"
#include "analysis/html/step_matrix.h"
#include "analysis/html/timeline_block.h"
#include "analysis/report/step_rows.h"
#include "analysis/util/alloc.h"
#include "analysis/util/memory_out.h"
#include "analysis/util/sha256.h"
#include "analysis/view/http.h"
#include "analysis/view/server.h"
#include "tests/lib/unit.h"

static const char *hash_of(const char *text, size_t size)
{
	static char hex[2 * SHA256_SIZE + 1];
	unsigned char hash[SHA256_SIZE];

	sha256(text, size, hash);
	for (size_t i = 0; i < SHA256_SIZE; i++)
		sprintf(hex + 2 * i, "%02x", hash[i]);
	return hex;
}

START_TEST(a_hash_is_that_of_the_standard)
{
	static char as[1000];

	memset(as, 'a', sizeof(as));
	ck_assert_str_eq(hash_of("", 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	ck_assert_str_eq(hash_of("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	ck_assert_str_eq(hash_of(as, 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	ck_assert_str_eq(hash_of(as, 56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
	ck_assert_str_eq(hash_of(as, 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
	ck_assert_str_eq(hash_of(as, 1000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}
END_TEST

static const char *block(void (*put)(struct out *o, const char *text, size_t size), const char *text, size_t size)
{
	static char kept[256];
	struct memory_out *m = memory_out_open();

	put(&m->out, text, size);
	ck_assert(memory_out_read(m));
	snprintf(kept, sizeof(kept), "%.*s", (int)m->size, m->text ? m->text : "");
	memory_out_close(m);
	return kept;
}

static void put_base64(struct out *o, const char *text, size_t size)
{
	block_put_base64(o, (const unsigned char *)text, size);
}

START_TEST(what_html_takes_for_its_own_is_escaped)
{
	static const char name[] = "[\"</script>&\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa<!--\xe2\x80\"]";

	ck_assert_str_eq(block(block_put_json, name, strlen(name)), "[\"\\u003c/script\\u003e\\u0026\\u2028\\u2029\xe2\x80\xaa\\u003c!--\xe2\x80\"]");
	ck_assert_str_eq(block(block_put_json, "", 0), "");
}
END_TEST

START_TEST(bytes_are_base64)
{
	ck_assert_str_eq(block(put_base64, "", 0), "");
	ck_assert_str_eq(block(put_base64, "f", 1), "Zg==");
	ck_assert_str_eq(block(put_base64, "fo", 2), "Zm8=");
	ck_assert_str_eq(block(put_base64, "foo\xff\xfe", 5), "Zm9v//4=");
}
END_TEST

/* Slices "begin-end", all of one kind, put into a row; what it holds, as "begin-end*count/busy". */
static const char *row_of(const char *slices, uint64_t resolution)
{
	static char told[1024];
	struct row row = { 0 };
	unsigned int begin, end;
	int length;

	for (; sscanf(slices, " %u-%u%n", &begin, &end, &length) == 2; slices += length) {
		struct slice s = { .begin = begin, .length = end - begin, .busy = end - begin, .longest = end - begin, .count = 1 };

		row_push(&row, &s, resolution);
	}
	row_sort(&row);
	told[0] = '\0';
	for (size_t i = 0; i < row.count; i++)
		sprintf(told + strlen(told), "%u-%u*%u/%u ", (unsigned int)row.list[i].begin, (unsigned int)(row.list[i].begin + row.list[i].length), row.list[i].count,
			(unsigned int)row.list[i].busy);
	free(row.list);
	return told;
}

START_TEST(short_slices_that_stand_next_to_each_other_become_one)
{
	ck_assert_str_eq(row_of("10-12 13-15 16-17", 0), "10-12*1/2 13-15*1/2 16-17*1/1 ");
	ck_assert_str_eq(row_of("10-12 13-15 16-17", 4), "10-17*3/5 ");
	ck_assert_str_eq(row_of("10-12 13-19 20-21", 4), "10-12*1/2 13-19*1/6 20-21*1/1 ");
	ck_assert_str_eq(row_of("10-12 16-17", 4), "10-12*1/2 16-17*1/1 ");
}
END_TEST

START_TEST(but_no_more_than_can_be_seen)
{
	ck_assert_str_eq(row_of("0-3 3-6 6-9 9-12 12-15 15-18", 4), "0-15*5/15 15-18*1/3 ");
}
END_TEST

START_TEST(slices_that_come_late_find_their_place)
{
	ck_assert_str_eq(row_of("10-12 4-6 20-21", 0), "4-6*1/2 10-12*1/2 20-21*1/1 ");
}
END_TEST

START_TEST(a_curve_keeps_its_highest_and_lowest_points)
{
	struct curve c = { 0 };
	uint64_t most = 0, least = UINT64_MAX;

	for (uint64_t i = 0; i < 10000; i++)
		curve_take(&c, i, i == 777 ? 5000 : i == 1234 ? 1
							      : 100 + i % 7,
			   64);
	ck_assert_uint_le(c.count, 129);
	for (size_t i = 0; i < c.count; i++) {
		ck_assert(!i || c.list[i].ns > c.list[i - 1].ns);
		most = c.list[i].value > most ? c.list[i].value : most;
		least = c.list[i].value < least ? c.list[i].value : least;
	}
	ck_assert_uint_eq(most, 5000);
	ck_assert_uint_eq(least, 1);
	free(c.list);
}
END_TEST

START_TEST(an_arrow_has_two_ends_or_is_none)
{
	struct memory_out *m = memory_out_open();
	struct bytes bytes = { 0 };
	struct arrows a = { 0 };

	arrows_take(&a, 7, true, 2, 130); /* its end came first */
	arrows_take(&a, 8, true, 2, 140);
	arrows_take(&a, 7, false, 0, 110);
	arrows_take(&a, 9, false, 0, 120);
	arrows_put(&a, 100, NULL, &bytes, 1000, &m->out);
	ck_assert(memory_out_read(m));
	ck_assert_str_eq(block(block_put_json, m->text, m->size), "[0,2,0,1]");
	ck_assert_uint_eq(bytes.count, 2);
	ck_assert_mem_eq(bytes.data, ((unsigned char[]){ 20, 40 }), 2);
	arrows_free(&a);
	free(bytes.data);
	memory_out_close(m);
}
END_TEST

START_TEST(names_take_no_more_of_a_page_than_they_may_and_others_are_counted)
{
	static const char *const arguments[] = { "", "a: 1", "a: 2", "a: 3" };
	struct memory_out *json = memory_out_open(), *page = memory_out_open();
	struct names n;
	char name[400];

	names_init(&n);
	for (int i = 0; i < 100000; i++) {
		snprintf(name, sizeof(name), "%d", i / 4);
		names_kind(&n, name, "", arguments[i % 4]);
	}
	ck_assert_uint_eq(n.arguments.over, 100000 - n.kinds.count + 1); /* one more kind is that of all these */
	for (int i = 0; i < 6000; i++) {
		snprintf(name, sizeof(name), "%0300d", i);
		memset(name, '<', 290);
		names_kind(&n, name, "", "");
	}
	ck_assert_uint_gt(n.titles.over, 0);
	names_json(&json->out, &n);
	ck_assert(memory_out_read(json));
	block_put_json(&page->out, json->text, json->size);
	ck_assert(memory_out_read(page));
	ck_assert_uint_gt(page->size, 2 << 20);
	ck_assert_uint_lt(page->size, 3 << 20);
	names_free(&n);
	memory_out_close(json);
	memory_out_close(page);
}
END_TEST

START_TEST(a_time_line_may_be_of_the_first_processes)
{
	struct events e = { .processes = TABLE(struct page_process), .lanes = TABLE(struct page_lane), .curves = TABLE(struct curve), .rows = TABLE(struct row), .first = 100, .last = 200 };
	static const char end[] = "],\"arrows\":[],\"arrows_left_out\":0,\"processes_left_out\":1}\n";
	struct memory_out *m = memory_out_open();
	struct bytes bytes = { 0 };

	names_init(&e.names);
	for (uint32_t i = 0; i < 2; i++) {
		struct page_lane *lane = table_put(&e.lanes, 7 + i);

		table_put(&e.processes, 3 + i);
		table_put(&e.rows, 1 + i);
		lane->process = 3 + i;
		lane->rows[0] = 1 + i;
		row_push(events_row(&e, i), &(struct slice){ .begin = 100, .length = 10, .kind = names_kind(&e.names, "a", "", "") }, 0);
		arrows_take(&e.arrows, 1, i, i, 100);
	}
	timeline_block_put(&e, 1, 1000, &m->out, &bytes);
	ck_assert(memory_out_read(m));
	ck_assert_uint_eq(bytes.count, 3);
	ck_assert_mem_eq(m->text + m->size - strlen(end), end, strlen(end));
	memory_out_close(m);
	free(bytes.data);
	free(events_row(&e, 0)->list);
	free(events_row(&e, 1)->list);
	table_free(&e.processes);
	table_free(&e.lanes);
	table_free(&e.rows);
	names_free(&e.names);
	arrows_free(&e.arrows);
}
END_TEST

START_TEST(steps_that_find_no_room_are_counted)
{
	const size_t most = 1000, count = most + 6;
	struct report r = { .step_count = count, .steps = alloc_zero(count, sizeof(*r.steps)) };
	struct memory_out *m = memory_out_open();
	static const char end[] = "]}],\"left_out\":5}\n";

	for (size_t i = 0; i < count; i++)
		r.steps[i].step = (int64_t)i;
	r.steps[count - 1].step = STEP_NULL; /* it is none */
	step_matrix_json(&m->out, &(struct reports){ 1, &r }, 0, most);
	ck_assert(memory_out_read(m));
	ck_assert_mem_eq(m->text + m->size - strlen(end), end, strlen(end));
	memory_out_close(m);
	free(r.steps);
}
END_TEST

/* The status that refuses a path that a host is asked for, or the path that is meant. */
static const char *asked(const char *path, const char *host)
{
	static char told[1100];
	struct http_request r;
	char text[2048];
	int status;

	snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nAccept: */*\r\nhost: %s\r\n\r\n", path, host);
	ck_assert(http_is_whole(text));
	status = http_read(&r, text);
	snprintf(told, sizeof(told), "%.3d%s", status, status ? "" : r.path);
	return told + (status ? 0 : 3);
}

START_TEST(this_machine_is_asked_by_its_own_name)
{
	ck_assert_str_eq(asked("/a/", "127.0.0.1:9001"), "/a/");
	ck_assert_str_eq(asked("/a/b.js?x=/../1", "LOCALHOST:1"), "/a/b.js");
	ck_assert_str_eq(asked("/", "[::1]:80"), "/");
	ck_assert_str_eq(asked("/a/", "example.com"), "403");
	ck_assert_str_eq(asked("/a/", "127.0.0.1.example.com"), "403");
	ck_assert_str_eq(asked("/a/", "127.0.0.1:80@example.com"), "403");
	ck_assert_str_eq(asked("/a/", ""), "403");
	ck_assert_str_eq(asked("/a/", "localhost evil.com"), "400");
	ck_assert_str_eq(asked("/a/", "localhost \t"), "/a/");
}
END_TEST

START_TEST(a_version_ends_its_line)
{
	struct http_request r;

	ck_assert_int_eq(http_read(&r, "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n"), 0);
	ck_assert_int_eq(http_read(&r, "GET / HTTP/1.19\r\nHost: localhost\r\n\r\n"), 400);
	ck_assert_int_eq(http_read(&r, "GET / HTTP/1.1 x\r\nHost: localhost\r\n\r\n"), 400);
}
END_TEST

START_TEST(paths_lead_nowhere_else)
{
	ck_assert_str_eq(asked("/a/../b", "localhost"), "404");
	ck_assert_str_eq(asked("/a/.b", "localhost"), "404");
	ck_assert_str_eq(asked("//etc/passwd", "localhost"), "404");
	ck_assert_str_eq(asked("/%2e%2e/b", "localhost"), "404");
	ck_assert_str_eq(asked("/a\\..\\b", "localhost"), "404");
	ck_assert_str_eq(asked("http://localhost/", "localhost"), "404");
}
END_TEST

static void *run_server(void *s)
{
	server_run(s);
	return NULL;
}

static int connect_to(const struct server *s)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(s->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

START_TEST(a_request_has_so_long_in_all_however_often_a_byte_comes)
{
	static struct server s = { .patience = 50 };
	struct pollfd client = { .events = POLLIN };
	pthread_t thread;
	size_t sent = 0;

	ck_assert_int_eq(server_open(&s, 0), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, run_server, &s), 0);
	client.fd = connect_to(&s);
	for (; sent < HTTP_MOST && !client.revents; sent++, poll(&client, 1, 5))
		send(client.fd, "a", 1, MSG_NOSIGNAL);
	ck_assert_uint_lt(sent, HTTP_MOST);
	close(client.fd);
	pthread_kill(thread, SIGTERM);
	pthread_join(thread, NULL);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("page");

	tcase_add_test(t, a_hash_is_that_of_the_standard);
	tcase_add_test(t, what_html_takes_for_its_own_is_escaped);
	tcase_add_test(t, bytes_are_base64);
	tcase_add_test(t, short_slices_that_stand_next_to_each_other_become_one);
	tcase_add_test(t, but_no_more_than_can_be_seen);
	tcase_add_test(t, slices_that_come_late_find_their_place);
	tcase_add_test(t, a_curve_keeps_its_highest_and_lowest_points);
	tcase_add_test(t, an_arrow_has_two_ends_or_is_none);
	tcase_add_test(t, names_take_no_more_of_a_page_than_they_may_and_others_are_counted);
	tcase_add_test(t, a_time_line_may_be_of_the_first_processes);
	tcase_add_test(t, steps_that_find_no_room_are_counted);
	tcase_add_test(t, this_machine_is_asked_by_its_own_name);
	tcase_add_test(t, a_version_ends_its_line);
	tcase_add_test(t, paths_lead_nowhere_else);
	tcase_add_test(t, a_request_has_so_long_in_all_however_often_a_byte_comes);
	return unit_run("page", t);
}
