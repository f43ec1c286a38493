/* sha256.h - the hash of FIPS 180-4. */
#pragma once
#include <stddef.h>

#define SHA256_SIZE 32

void sha256(const void *data, size_t size, unsigned char hash[SHA256_SIZE]);
