/* undef_forms.h - forgets what the rows meant, so that the .def files can be read again. No include guard: that is its use. */
#undef HOOK
#undef HOOK_PTR
#undef HOOK_PTR0
#undef HOOK_VOID
#undef HOOK_VALUE
#undef HOOK_CUSTOM
#undef HOOK_CUSTOM_PTR
#undef HOOK_AS
#undef HOOK_ANY
