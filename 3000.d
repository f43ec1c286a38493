3000: tests/fuzz/support.c tests/fuzz/fuzz.h
tests/fuzz/fuzz.h:
