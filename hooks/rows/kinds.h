/*
 * kinds.h - KIND_WORD: the kind of event that a row with this capture word tells of. Here are the words of no vendor, and what
 * stands for a kind where there is no event; the others are in hooks/<vendor>/kinds.h. Two vendors may use a word: the
 * preprocessor refuses it if they disagree about its kind. Macros and nothing else, as lists are included in the middle of
 * an enum.
 */
#pragma once

#define KIND_MODULE(...)    EV_MODULE
#define KIND_EVENT(...)	    EV_EVENT
#define KIND_GRAPH(...)	    EV_GRAPH
#define KIND_RESOLVE(...)   EV_RESOLVE

#define NO_EVENT	    EV_KINDS	   /* a question */
#define NO_EVENT_OF_ITS_OWN (EV_KINDS + 1) /* what it tells goes with an operator's */
