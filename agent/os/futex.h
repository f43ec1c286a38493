/* futex.h - sleeping until a word changes, and waking those who do. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Sleeps while *word is `seen`, at most so long; 0: for ever. False: the time is over. May return early. */
bool futex_wait(_Atomic uint32_t *word, uint32_t seen, unsigned int milliseconds);

/* Wakes all who sleep on this word of this process. */
void futex_wake(_Atomic uint32_t *word);
