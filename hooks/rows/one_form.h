/*
 * one_form.h - for readers to whom rows of every form are HOOK(return, symbol, parameters, arguments, capture): they define
 * that.
 */
#define HOOK_PTR				    HOOK
#define HOOK_VALUE				    HOOK
#define HOOK_PTR0				    HOOK
#define HOOK_CUSTOM				    HOOK
#define HOOK_CUSTOM_PTR				    HOOK
#define HOOK_DOUBLE				    HOOK
#define HOOK_DOUBLE_VOID(sym, ...)		    HOOK(void, sym, __VA_ARGS__)
#define HOOK_VOID(sym, ...)			    HOOK(void, sym, __VA_ARGS__)
#define HOOK_ANSWER(ret, sym, params, args, answer) HOOK(ret, sym, params, args, ANSWER())
#define HOOK_INJECTED				    HOOK
#define HOOK_INJECTED_VOID(sym, ...)		    HOOK(void, sym, __VA_ARGS__)
#define HOOK_QUIET(sym, params, args, ...)	    HOOK(void, sym, params, args, QUIET())
