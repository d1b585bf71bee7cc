/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keyed: bytes derived from a value and the key: k = HMAC-SHA-256(key, what value), then SHA-256(k counter)
 * for counters from 0.
 */
#include "config.h"

#include <nettle/hmac.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "redact.h"

#define CACHE 4096u		/* cache of numbers: many occur repeatedly */

struct keyed {
	struct hmac_sha256_ctx	 key, sum;	/* sum: hash of the current value */
	struct {
		uint64_t	 value;
		uint8_t		 type, n;	/* type 0: unused */
		uint8_t		 to[8];
	}			 cache[CACHE];
};

bool
keyed_open(struct keyed **out, const uint8_t *key, size_t n, struct err *err)
{
	uint8_t random[SHA256_BYTES];
	struct keyed *k = *out = mem_array(1, sizeof *k);

	if (k == NULL)
		return fail(err, E_SYSTEM, "out of memory (key)");
	if (key == NULL && getrandom(random, sizeof random, 0) != sizeof random)
		return fail_errno(err, "no random key");
	hmac_sha256_set_key(&k->key, key != NULL ? n : sizeof random, key != NULL ? key : random);
	explicit_bzero(random, sizeof random);
	return true;
}

void
keyed_free(struct keyed *k)
{
	if (k != NULL)
		explicit_bzero(k, sizeof *k);
	free(k);
}

void
keyed_sum(struct keyed *k, struct str what)
{
	k->sum = k->key;
	hmac_sha256_update(&k->sum, what.n, (const uint8_t *)what.s);
}

void
keyed_add(struct keyed *k, const void *value, size_t n)
{
	hmac_sha256_update(&k->sum, n, value);
}

void
keyed_end(struct keyed *k, struct keyed_bytes *b)
{
	hmac_sha256_digest(&k->sum, sizeof b->key, b->key);
	b->counter = 0;
	b->used = sizeof b->block;
}

void
keyed_begin(struct keyed *k, struct str what, const void *value, size_t n, struct keyed_bytes *b)
{
	keyed_sum(k, what);
	keyed_add(k, value, n);
	keyed_end(k, b);
}

static void
next_block(struct keyed_bytes *b)
{
	struct sha256_ctx context;
	uint8_t counter[8];

	for (unsigned i = 0; i < 8; i++)
		counter[i] = (uint8_t)(b->counter >> (56 - 8 * i));
	b->counter++;
	sha256_init(&context);
	sha256_update(&context, sizeof b->key, b->key);
	sha256_update(&context, sizeof counter, counter);
	sha256_digest(&context, sizeof b->block, b->block);
	b->used = 0;
}

void
keyed_take(struct keyed_bytes *b, uint8_t *to, size_t n)
{
	size_t some;

	for (; n > 0; n -= some, to += some) {
		if (b->used == sizeof b->block)
			next_block(b);
		some = sizeof b->block - b->used;
		some = some < n ? some : n;
		memcpy(to, b->block + b->used, some);
		b->used += (unsigned)some;
	}
}

void
keyed_letters(struct keyed_bytes *b, uint8_t *to, size_t n)
{
	keyed_take(b, to, n);
	for (size_t i = 0; i < n; i++)
		to[i] = (uint8_t)('a' + to[i] % 26);
}

void
letters_apart(const char *text, char *letters, size_t n)
{
	size_t same = 0;

	for (size_t i = 0; i < n; i++)
		same += text[i] == letters[i];
	for (size_t i = 0; i < n && 2 * same > n; i++)
		letters[i] = letters[i] == 'z' ? 'a' : (char)(letters[i] + 1);
}

void
keyed_value(struct keyed *k, unsigned type, const uint8_t *from, unsigned n, uint8_t *to)
{
	char what[] = { 'v', (char)('0' + type % 10), '\0' }, whats[] = { 'v', '1', (char)('0' + type % 10) };
	uint64_t value = 0;
	unsigned at;
	struct keyed_bytes b;

	for (unsigned i = 0; i < n; i++)
		value = value << 8 | from[i];
	at = (unsigned)((value ^ value >> 17 ^ value >> 40 ^ type * 77) % CACHE);
	if (k->cache[at].type != type || k->cache[at].n != n || k->cache[at].value != value) {
		keyed_begin(k, type < 10 ? (struct str){ what, 2 } : (struct str){ whats, 3 }, from, n, &b);
		k->cache[at].type = (uint8_t)type;
		k->cache[at].n = (uint8_t)n;
		k->cache[at].value = value;
		keyed_take(&b, k->cache[at].to, n);
		/* No value becomes itself, except for flags. */
		if (memcmp(k->cache[at].to, from, n) == 0)
			k->cache[at].to[0] ^= 0x55;
	}
	memcpy(to, k->cache[at].to, n);
	if (type == HEAP_BOOLEAN)
		to[0] &= 1;
}
