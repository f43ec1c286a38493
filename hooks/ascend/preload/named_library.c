/*
 * named_library.c - a library with nothing in it but its name. torch_npu tells of its markers only where LD_PRELOAD names a file
 * that ends in libmspti.so, and of its allocator only if one ends in libascend_kernel_hook.so: the file must be a real
 * one, as links are followed. It exports nothing, needs nothing and does nothing.
 */
static const char purpose[] __attribute__((used)) = "ranktrace: opens a gate of torch_npu by its name";
