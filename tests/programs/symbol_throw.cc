/* symbol_throw.cc - catches what a step function throws, and counts the destructors on the way. */
#include <cstdio>
#include <exception>

extern "C" int throwing_iteration(int n, double x);

static int destroyed;

struct Guard {
	~Guard() { destroyed++; }
};

static int guarded(int n)
{
	Guard guard;

	return throwing_iteration(n, 2.5);
}

int main()
{
	for (int n = 1; n <= 6; n++) {
		try {
			std::printf("%d\n", guarded(n));
		} catch (const std::exception &e) {
			std::printf("caught %s\n", e.what());
		}
	}
	std::printf("destroyed %d\n", destroyed);
}
