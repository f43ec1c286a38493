/* gate_bits.h - the numbers of bits of the gate's word that assembly looks at, too. Macros and nothing else. */
#pragma once

#define GATE_BIT_STARTED 31
#define GATE_BIT_WINDOW	 26
#define GATE_BIT_CLOCK	 25
#define GATE_BIT_SHAPES	 23
#define GATE_BIT_TIME	 17
