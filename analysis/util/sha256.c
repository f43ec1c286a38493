#include "analysis/util/sha256.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ROUNDS 64
#define BLOCK  64

/* The first 32 bits behind the point of a root of the n-th prime: 2 its square root, 3 its cubic one. */
static void fill_from_roots(uint32_t *list, size_t count, int root)
{
	unsigned int n = 2;

	for (size_t i = 0; i < count; n++) {
		unsigned int k = 2;
		long double r;

		while (k * k <= n && n % k)
			k++;
		if (k * k <= n)
			continue;
		r = root == 2 ? sqrtl(n) : cbrtl(n);
		list[i++] = (uint32_t)((r - floorl(r)) * 4294967296.0L);
	}
}

static uint32_t turn(uint32_t x, int by)
{
	return x >> by | x << (32 - by);
}

static void add_block(uint32_t *state, const unsigned char *block, const uint32_t *constants)
{
	uint32_t w[ROUNDS], s[8];

	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (size_t i = 16; i < ROUNDS; i++)
		w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] + (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < ROUNDS; i++) {
		uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
		uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += one;
		s[0] = one + two;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += s[i];
}

void sha256(const void *data, size_t size, unsigned char hash[SHA256_SIZE])
{
	uint32_t constants[ROUNDS], state[8];
	unsigned char end[2 * BLOCK] = { 0 };
	size_t whole = size / BLOCK * BLOCK, rest = size - whole, ends = rest < BLOCK - 8 ? BLOCK : sizeof(end);

	fill_from_roots(constants, ROUNDS, 3);
	fill_from_roots(state, 8, 2);
	for (size_t i = 0; i < whole; i += BLOCK)
		add_block(state, (const unsigned char *)data + i, constants);
	memcpy(end, (const unsigned char *)data + whole, rest);
	end[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		end[ends - 1 - i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
	for (size_t i = 0; i < ends; i += BLOCK)
		add_block(state, end + i, constants);
	for (size_t i = 0; i < SHA256_SIZE; i++)
		hash[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
