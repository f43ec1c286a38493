/*
 * last_error.h - what hipGetLastError answers the program. Up to major 6 each call sets it, success too, and the state of a stream counts
 * as an error; in 7 errors alone do. Before a call of the program's, and behind one that succeeded, our questions change
 * nothing that it could see, unless one fails: that is taken back.
 */
#pragma once

int last_error_now(void);
void last_error_was(int before);
