/*
 * hash: XXH3 of libxxhash, whose values are the same everywhere and for ever.
 */
#include "config.h"

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

bool
hash_map(const struct map *m, struct work *w, uint64_t *hash, struct err *err)
{
	uint64_t size;

	*hash = m->size;
	work_start_bytes(w, "checksum of the file", m->size);
	for (uint64_t at = 0; at < m->size; at += size) {
		size = m->size - at < PIECE ? m->size - at : PIECE;
		*hash = hash_bytes(m->data + at, size, *hash);
		map_forget(m, at, at + size);
		if (!work_go(w, at, err))
			return false;
	}
	return true;
}
