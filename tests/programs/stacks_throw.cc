/*
 * stacks_throw COUNT - throws so many exceptions: out of the vendor's library through the call that it was in, and on through functions whose
 * destructors call, too. Prints who caught how many, and what of.
 */
extern "C" {
#include "tests/fakes/opencl/fake_opencl.h"
int clFinish(void *queue);
int clFlush(void *queue);
}
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

static long destroyed, sum;
static bool armed;

struct Guard {
	~Guard()
	{
		destroyed++;
		clFlush(nullptr);
	}
};

static void throws()
{
	if (!armed)
		return;
	armed = false;
	throw std::runtime_error(std::to_string(destroyed % 10));
}

__attribute__((noinline)) static int thrower(int depth)
{
	Guard guard;

	return depth ? thrower(depth - 1) + 1 : clFinish(nullptr);
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? std::atol(argv[1]) : 1, caught = 0;

	fake_call_back(throws);
	clFlush(nullptr);
	for (long i = 0; i < count; i++) {
		try {
			armed = true;
			thrower(static_cast<int>(i % 3));
		} catch (const std::exception &e) {
			caught++;
			sum += std::atol(e.what());
		}
	}
	std::printf("caught %ld of %ld, destroyed %ld, sum %ld\n", caught, count, destroyed, sum);
	return 0;
}
