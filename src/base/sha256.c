/*
 * sha256: the digest of FIPS 180-4, for names that other programs can compute, too.
 */
#include "config.h"

#include <string.h>

#include "icecore/base.h"

enum { BLOCK = 64, LENGTH = 8, ROUNDS = 64 };

static const uint32_t round_keys[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t
turn(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static void
add_block(uint32_t state[8], const unsigned char *p)
{
	uint32_t w[ROUNDS], v[8], x, y;

	for (unsigned i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	for (unsigned i = 16; i < ROUNDS; i++)
		w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
		    (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(v, state, sizeof v);
	for (unsigned i = 0; i < ROUNDS; i++) {
		x = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
		    round_keys[i] + w[i];
		y = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += x;
		v[0] = x + y;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

void
sha256(struct str s, unsigned char digest[SHA256_BYTES])
{
	uint32_t state[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
	};
	unsigned char end[2 * BLOCK] = { 0 };
	size_t at, rest, n;

	for (at = 0; s.n - at >= BLOCK; at += BLOCK)
		add_block(state, (const unsigned char *)s.s + at);
	rest = s.n - at;
	if (rest > 0)
		memcpy(end, s.s + at, rest);
	end[rest] = 0x80;
	n = rest + 1 + LENGTH <= BLOCK ? BLOCK : sizeof end;
	for (unsigned i = 0; i < LENGTH; i++)
		end[n - 1 - i] = (unsigned char)((uint64_t)s.n * 8 >> 8 * i);
	for (at = 0; at < n; at += BLOCK)
		add_block(state, end + at);
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

uint64_t
sha256_head(struct str s)
{
	unsigned char digest[SHA256_BYTES];
	uint64_t head = 0;

	sha256(s, digest);
	for (unsigned i = 0; i < 8; i++)
		head = head << 8 | digest[i];
	return head;
}

void
sha256_add(struct str s, struct buf *b)
{
	unsigned char digest[SHA256_BYTES];

	sha256(s, digest);
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		buf_printf(b, "%02x", digest[i]);
}
