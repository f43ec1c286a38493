/* symbol_throw_library.cc - a step function that does not always return. */
#include <stdexcept>
#include <string>

extern "C" int throwing_iteration(int n, double x)
{
	if (n % 2)
		throw std::runtime_error("iteration " + std::to_string(n + (int)x));
	return n * 10 + (int)x;
}
