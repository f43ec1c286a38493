/*
 * unwind.cc - leaves every row's function by an exception that a callback of the vendor library throws, or by
 * the end of the thread, and calls it again. Prints what a program can see: who caught what, destructors.
 */
extern "C" {
#include "tests/programs/call_rows.h"
#include "tests/fakes/opencl/fake_opencl.h"
}
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <stdexcept>

static int destroyed;

struct Guard {
	~Guard() { destroyed++; }
};

static void throws()
{
	throw std::runtime_error("thrown");
}

static void ends_the_thread()
{
	pthread_exit(nullptr);
}

static void guarded(const row &r)
{
	Guard guard;

	call_with_zeros(r.function);
}

static void *in_thread(void *r)
{
	guarded(*static_cast<const row *>(r));
	return r;
}

static void leave_by_exception(const row &r)
{
	fake_call_back(throws);
	try {
		guarded(r);
		std::printf("%s returned\n", r.name);
	} catch (const std::exception &e) {
		std::printf("%s: caught %s\n", r.name, e.what());
	}
	fake_call_back(nullptr);
}

static void leave_by_thread_end(const row &r)
{
	pthread_t thread;
	void *result;

	fake_call_back(ends_the_thread);
	pthread_create(&thread, nullptr, in_thread, const_cast<row *>(&r));
	pthread_join(thread, &result);
	fake_call_back(nullptr);
	std::printf("%s: the thread %s\n", r.name, result ? "returned" : "ended");
}

int main(int argc, char **argv)
{
	for (const row &r : rows) {
		if (argc > 1 && !std::strcmp(argv[1], "thread"))
			leave_by_thread_end(r);
		else
			leave_by_exception(r);
		guarded(r);
	}
	std::printf("destroyed %d\n", destroyed);
	for (const row &r : rows)
		if (fake_calls(r.name))
			std::printf("called %s %lu\n", r.name, fake_calls(r.name));
}
