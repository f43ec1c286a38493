/* other_forms.h - what a reader has not defined is nothing to it. Included by vendors.def; no include guard, that is its use. */
#ifndef HOOK
#define HOOK(...)
#endif
#ifndef HOOK_PTR
#define HOOK_PTR(...)
#endif
#ifndef HOOK_PTR0
#define HOOK_PTR0(...)
#endif
#ifndef HOOK_VOID
#define HOOK_VOID(...)
#endif
#ifndef HOOK_VALUE
#define HOOK_VALUE(...)
#endif
#ifndef HOOK_ANSWER
#define HOOK_ANSWER(...)
#endif
#ifndef HOOK_QUIET
#define HOOK_QUIET(...)
#endif
#ifndef HOOK_CUSTOM
#define HOOK_CUSTOM(...)
#endif
#ifndef HOOK_CUSTOM_PTR
#define HOOK_CUSTOM_PTR(...)
#endif
#ifndef HOOK_DOUBLE
#define HOOK_DOUBLE(...)
#endif
#ifndef HOOK_DOUBLE_VOID
#define HOOK_DOUBLE_VOID(...)
#endif
#ifndef HOOK_INJECTED
#define HOOK_INJECTED(...)
#endif
#ifndef HOOK_INJECTED_VOID
#define HOOK_INJECTED_VOID(...)
#endif
#ifndef HOOK_AS
#define HOOK_AS(...)
#endif
#ifndef HOOK_ANY
#define HOOK_ANY(...)
#endif
#ifndef VENDOR
#define VENDOR(...)
#endif
#ifndef RESULT
#define RESULT(...)
#endif
#ifndef PRODUCT
#define PRODUCT(...)
#endif
#ifndef TIME_SOURCE
#define TIME_SOURCE(...)
#endif
