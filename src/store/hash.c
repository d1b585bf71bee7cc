/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hash: XXH3 of libxxhash, whose values are the same everywhere and for ever.
 */
#include "config.h"

#include <stdlib.h>
#include <xxhash.h>

#include "inside.h"

#define PIECE (1u << 20)

/* XXH3 adds the seed to short texts: near seeds would make near texts alike. */
static uint64_t
spread(uint64_t seed)
{
	seed *= 0x9e3779b97f4a7c15u;
	return (seed ^ seed >> 32) * 0x9e3779b97f4a7c15u;
}

uint64_t
hash_bytes(const void *data, uint64_t size, uint64_t seed)
{
	return XXH3_64bits_withSeed(data, (size_t)size, spread(seed));
}

struct pieces {
	const struct map *map;
	uint64_t	*hash;		/* hash of each piece */
};

static bool
hash_piece(void *arg, uint64_t part, struct work *w, struct err *err)
{
	const struct pieces *p = arg;
	uint64_t at = part * PIECE, left = p->map->size - at, size = left < PIECE ? left : PIECE;

	p->hash[part] = hash_bytes(p->map->data + at, size, 0);
	map_forget(p->map, at, at + size);
	return work_go(w, at, err);
}

bool
hash_map(const struct map *m, const char *label, struct work *w, uint64_t *hash, struct err *err)
{
	uint64_t n = m->size / PIECE + (m->size % PIECE > 0);
	struct pieces p = { m, mem_array(n + 1, sizeof *p.hash) };
	bool ok;

	if (p.hash == NULL)
		return fail(err, E_SYSTEM, "out of memory (checksum)");
	work_start_bytes(w, label, m->size);
	ok = pool_run(w, n, hash_piece, &p, err);
	*hash = hash_bytes(p.hash, n * sizeof *p.hash, m->size);
	free(p.hash);
	return ok;
}
