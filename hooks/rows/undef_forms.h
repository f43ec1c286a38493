/* undef_forms.h - forgets what a reader meant, for the next one. Included by vendors.def; no include guard, that is its use. */
#undef HOOK
#undef HOOK_PTR
#undef HOOK_PTR0
#undef HOOK_VOID
#undef HOOK_VALUE
#undef HOOK_ANSWER
#undef HOOK_CUSTOM
#undef HOOK_CUSTOM_PTR
#undef HOOK_AS
#undef HOOK_ANY
#undef VENDOR
#undef RESULT
#undef TIME_SOURCE
