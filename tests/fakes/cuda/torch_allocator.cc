/*
 * torch_allocator.cc - stands for PyTorch's libraries, one by one, as they tell of memory:
 *   C10       libc10.so: what it is told goes to a profiler, as in c10/core/Allocator.cpp (which asks a thread's debug info for one)
 *   ALLOCATOR libc10_cuda.so (DEVICE=1), libtorch_cpu.so (0), libtorch_npu.so (20): allocators that tell it
 *   (neither) a program that opens them as Python opens extensions, RTLD_LOCAL, and says what the profiler was told
 */
#include <cstddef>
#include <cstdint>

namespace c10 {
enum class DeviceType : int8_t { CPU, CUDA, PrivateUse1 = 20 };
struct Device {
	DeviceType type_;
	int8_t index_;
	Device(DeviceType type, int8_t index) : type_(type), index_(index) {}
};
void reportMemoryUsageToProfiler(void *ptr, int64_t alloc_size, size_t total_allocated, size_t total_reserved, Device device);
} // namespace c10

struct told {
	long calls, sum, totals, devices;
};

#if defined(C10)
extern "C" struct told told;
struct told told;

void c10::reportMemoryUsageToProfiler(void *ptr, int64_t alloc_size, size_t total_allocated, size_t total_reserved, Device device)
{
	told.calls++;
	told.sum += alloc_size * (1 + (long)((uintptr_t)ptr % 1000));
	told.totals += (long)(total_allocated * 3 + total_reserved);
	told.devices += (long)device.type_ * 100 + device.index_;
}
#elif defined(ALLOCATOR)
static size_t allocated, reserved;

/* As CUDACachingAllocator: in pieces of 512 bytes, from segments of 2 MiB. */
extern "C" void piece(uintptr_t address, long bytes, int device)
{
	long size = (bytes + (bytes < 0 ? -511 : 511)) / 512 * 512;

	allocated += (size_t)size;
	while (reserved < allocated)
		reserved += 2 << 20;
	c10::reportMemoryUsageToProfiler(reinterpret_cast<void *>(address), size, allocated, reserved, c10::Device(static_cast<c10::DeviceType>(DEVICE), (int8_t)device));
}
#else
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

extern "C" void ranktrace_step(int64_t step) __attribute__((weak));
typedef void (*piece)(uintptr_t, long, int);

static void *found(void *library, const char *name)
{
	void *f = library ? dlsym(library, name) : nullptr;

	if (!f) {
		fprintf(stderr, "%s: %s\n", name, dlerror());
		exit(1);
	}
	return f;
}

/* steps | quiet LIBRARY...: each library's allocator hands out and takes back ten pieces in each of five steps, and one more stays */
int main(int argc, char **argv)
{
	bool tells = !strcmp(argv[1], "steps") && ranktrace_step;
	const long per_step = 10;
	struct told *told;

	for (int step = 1; step <= 5; step++) {
		if (tells)
			ranktrace_step(step);
		for (int i = 2; i < argc; i++) {
			piece f = (piece)found(dlopen(argv[i], RTLD_NOW | RTLD_LOCAL), "piece");

			for (long n = 0; n < per_step; n++)
				f((uintptr_t)(step * 1000 + n + 1) << 12, 1000 * (n + 1), (int)n % 2);
			for (long n = 0; n < per_step; n++)
				f((uintptr_t)(step * 1000 + n + 1) << 12, -1000 * (n + 1), (int)n % 2);
			f((uintptr_t)step << 40, 700000, 0);
		}
	}
	if (tells)
		ranktrace_step(6);
	told = (struct told *)found(dlopen("libc10.so", RTLD_NOW | RTLD_NOLOAD), "told");
	printf("told %ld %ld %ld %ld\n", told->calls, told->sum, told->totals, told->devices);
	return 0;
}
#endif
