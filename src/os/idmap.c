/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idmap: map from 64-bit ids to small numbers.
 */
#include "config.h"

#include <assert.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "icecore/os.h"

struct slot {
	uint64_t	key;
	uint32_t	value;		/* 0: the slot is free */
};

#define IDMAP_FIRST 1024

static uint64_t seed, secret[2];	/* secret: of the hash of texts */

static uint64_t
idmap_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t
idmap_hash(uint64_t key)
{
	return idmap_mix(key ^ seed, 0x9e3779b97f4a7c15u);
}

/* Keys come from files: a random seed prevents crafted files from causing collisions. */
__attribute__((constructor)) static void
choose_seed(void)
{
	if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
		seed = os_now() ^ (uint64_t)getpid() << 32;
	secret[0] = idmap_hash(1);
	secret[1] = idmap_hash(2);
}

static uint64_t
eight(const char *s)
{
	uint64_t word;

	memcpy(&word, s, sizeof word);
	return word;
}

static uint64_t
four(const char *s)
{
	uint32_t word;

	memcpy(&word, s, sizeof word);
	return word;
}

/* The product of two words is unpredictable without the secret. */
uint64_t
idmap_hash_text(struct str text, uint64_t salt)
{
	uint64_t h = secret[0] + salt, a = 0, b = 0;
	size_t n = text.n;
	const char *p = text.s;

	for (; n > 16; n -= 16, p += 16)
		h = idmap_mix(eight(p) ^ secret[1], eight(p + 8) ^ h);
	if (n >= 8) {
		a = eight(p);
		b = eight(p + n - 8);
	} else if (n >= 4) {
		a = four(p);
		b = four(p + n - 4);
	} else if (n > 0) {
		a = (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 |
		    (unsigned char)p[n - 1];
	}
	return idmap_mix(idmap_mix(a ^ secret[1], b ^ h) ^ secret[0], text.n ^ secret[1]);
}

uint64_t
idmap_hash_as(struct str text, char (*as)(char), uint64_t salt)
{
	char piece[64];
	size_t n;

	do {
		n = text.n < sizeof piece ? text.n : sizeof piece;
		for (size_t i = 0; i < n; i++)
			piece[i] = as(text.s[i]);
		salt = idmap_hash_text((struct str){ piece, n }, salt);
		text = str_after(text, n);
	} while (text.n > 0);
	return salt;
}

/* Return the slot of the key, or the free slot where it belongs. */
static struct slot *
idmap_find(const struct scratch *slots, uint64_t cap, uint64_t key)
{
	struct slot *s = SCRATCH(*slots, struct slot);
	uint64_t i = idmap_hash(key) & (cap - 1);

	while (s[i].value != 0 && s[i].key != key)
		i = (i + 1) & (cap - 1);
	return &s[i];
}

static bool
idmap_grow(struct idmap *m, struct err *err)
{
	struct scratch bigger = SCRATCH_INIT;
	uint64_t cap = m->cap ? m->cap * 2 : IDMAP_FIRST, i;
	const struct slot *old = SCRATCH(m->slots, struct slot);

	if (!scratch_array(&bigger, cap, sizeof *old, err))
		return false;
	for (i = 0; i < m->cap; i++)
		if (old[i].value != 0)
			*idmap_find(&bigger, cap, old[i].key) = old[i];
	scratch_free(&m->slots);
	m->slots = bigger;
	m->cap = cap;
	return true;
}

uint32_t
idmap_get(const struct idmap *m, uint64_t key)
{
	return m->cap == 0 ? 0 : idmap_find(&m->slots, m->cap, key)->value;
}

void
idmap_ahead(const struct idmap *m, uint64_t key)
{
	if (m->cap > 0)
		__builtin_prefetch(&SCRATCH(m->slots, struct slot)[idmap_hash(key) & (m->cap - 1)]);
}

static bool
idmap_reserve(struct idmap *m, struct err *err)
{
	return (m->n + 1) * 2 <= m->cap || idmap_grow(m, err);
}

bool
idmap_put(struct idmap *m, uint64_t key, uint32_t value, struct err *err)
{
	struct slot *s;

	assert(value != 0);
	if (!idmap_reserve(m, err))
		return false;
	s = idmap_find(&m->slots, m->cap, key);
	if (s->value == 0)
		m->n++;
	s->key = key;
	s->value = value;
	return true;
}

bool
idmap_enter(struct idmap *m, uint64_t key, uint32_t value, uint32_t *found, struct err *err)
{
	struct slot *s;

	if (!idmap_reserve(m, err))
		return false;
	s = idmap_find(&m->slots, m->cap, key);
	if (s->value == 0) {
		*s = (struct slot){ key, value };
		m->n++;
	}
	*found = s->value;
	return true;
}

void
idmap_clear(struct idmap *m)
{
	if (m->n < m->cap / 16) {
		idmap_free(m);
		return;
	}
	if (m->cap > 0)
		memset(m->slots.data, 0, m->cap * sizeof(struct slot));
	m->n = 0;
}

void
idmap_free(struct idmap *m)
{
	scratch_free(&m->slots);
	*m = IDMAP_INIT;
}
