/*
 * kinds.h - KIND_WORD: the kind of event that a row with this capture word tells of. Here are the words of no vendor, and what
 * stands for a kind where there is no event; the others are in hooks/<vendor>/kinds.h. Two vendors may use a word: the
 * preprocessor refuses it if they disagree about its kind. Macros and nothing else, as lists are included in the middle of
 * an enum.
 */
#pragma once

#define KIND_BITS	    8
#define KIND_OF(word)	    ((word) & ((1 << KIND_BITS) - 1))
#define FLAGS_OF(word)	    ((word) >> KIND_BITS)

/* Beside the kind: what offline commands want to know of its rows (DEF_HOOK_ in agent/format/trace_file.h). */
#define OF_HOST		    (DEF_HOOK_HOST << KIND_BITS)
#define BEGINS_RANGE	    (DEF_HOOK_BEGINS << KIND_BITS)
#define ENDS_RANGE	    (DEF_HOOK_ENDS << KIND_BITS)
#define NESTS		    (DEF_HOOK_NESTS << KIND_BITS)

#define KIND_MODULE(...)    EV_MODULE
#define KIND_EVENT(...)	    EV_EVENT
#define KIND_GRAPH(...)	    EV_GRAPH
#define KIND_RESOLVE(...)   EV_RESOLVE
#define KIND_ANSWER(...)    NO_EVENT
#define KIND_QUIET(...)	    NO_EVENT

#define NO_EVENT	    EV_KINDS	   /* a question */
#define NO_EVENT_OF_ITS_OWN (EV_KINDS + 1) /* what it tells goes with an operator's */
