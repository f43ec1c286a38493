/* nothing.c - a library that only needs others. */
