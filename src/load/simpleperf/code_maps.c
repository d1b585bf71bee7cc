/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code_maps: maps of processes, by blocks of addresses.
 */
#include "config.h"

#include <assert.h>

#include "code_maps.h"

/* Blocks have 2^12, 2^16 ... 2^60 bytes. */
enum { LEVELS = 13, FIRST_SHIFT = 12, LEVEL_SHIFT = 4, BLOCKS_MOST = 16, LINKS_MOST = 512, FORKS_MOST = 64 };

struct code_link {
	uint32_t	map, next;	/* row of links + 1 */
};

/* A process that is known; parent: itself, if it was there before the recording. */
struct code_fork {
	uint32_t	parent;
	uint64_t	before;		/* number of maps at that time */
};

void
code_maps_free(struct code_maps *m)
{
	SCRATCH_FREE(&m->maps, &m->links, &m->forks);
	idmap_free(&m->by_block);
	idmap_free(&m->by_pid);
}

static unsigned
code_shift(unsigned level)
{
	return FIRST_SHIFT + level * LEVEL_SHIFT;
}

static uint64_t
code_block_key(uint32_t pid, unsigned level, uint64_t block)
{
	return idmap_hash((uint64_t)pid << 8 | level) ^ block;
}

/* The size of blocks of which a map needs few. */
static unsigned
code_level(const struct code_map *map)
{
	unsigned level = 0;

	while (level < LEVELS - 1 &&
	    ((map->end - 1) >> code_shift(level)) - (map->start >> code_shift(level)) >= BLOCKS_MOST)
		level++;
	return level;
}

/* A process that has maps is known already. */
bool
code_maps_fork(struct code_maps *m, uint32_t pid, uint32_t parent, struct err *err)
{
	const struct code_fork new = { parent, m->nmaps };

	return idmap_get(&m->by_pid, pid) != 0 ||
	    (make_add(&m->forks, &m->nforks, &new, sizeof new, UINT32_MAX, "processes", err) &&
	    idmap_put(&m->by_pid, pid, (uint32_t)m->nforks, err));
}

bool
code_maps_add(struct code_maps *m, const struct code_map *map, struct err *err)
{
	struct code_link link = { .map = (uint32_t)m->nmaps };
	unsigned level, shift;

	if (map->start >= map->end)
		return true;
	level = code_level(map);
	shift = code_shift(level);
	m->levels |= 1u << level;
	if (!code_maps_fork(m, map->pid, map->pid, err) ||
	    !make_add(&m->maps, &m->nmaps, map, sizeof *map, UINT32_MAX, "maps", err))
		return false;
	for (uint64_t b = map->start >> shift, last = (map->end - 1) >> shift; b <= last; b++) {
		uint64_t key = code_block_key(map->pid, level, b);

		assert(last - b < BLOCKS_MOST);
		link.next = idmap_get(&m->by_block, key);
		if (!make_add(&m->links, &m->nlinks, &link, sizeof link, UINT32_MAX, "maps", err) ||
		    !idmap_put(&m->by_block, key, (uint32_t)m->nlinks, err))
			return false;
	}
	return true;
}

/* The last of the first maps that has the address, as row + 1 of a list; 0: none. */
static uint32_t
code_find_in(struct code_maps *m, uint32_t link, uint32_t pid, uint64_t address, uint64_t before)
{
	unsigned n = 0;

	for (; link != 0 && n < LINKS_MOST; n++) {
		const struct code_link *l = &SCRATCH(m->links, struct code_link)[link - 1];
		const struct code_map *map = &SCRATCH(m->maps, struct code_map)[l->map];

		assert(link <= m->nlinks && l->map < m->nmaps && l->next < link);
		if (l->map < before && map->pid == pid && address >= map->start && address < map->end)
			return l->map + 1;
		link = l->next;
	}
	m->deep += link != 0;
	return 0;
}

static uint32_t
code_find_of(struct code_maps *m, uint32_t pid, uint64_t address, uint64_t before)
{
	uint32_t best = 0, at;
	uint64_t block;

	for (unsigned level = 0; level < LEVELS; level++) {
		if ((m->levels >> level & 1) == 0)
			continue;
		block = code_block_key(pid, level, address >> code_shift(level));
		at = code_find_in(m, idmap_get(&m->by_block, block), pid, address, before);
		best = at > best ? at : best;
	}
	return best;
}

/* The parent of a process began before it. */
const struct code_map *
code_maps_find(struct code_maps *m, uint32_t pid, uint64_t address)
{
	uint64_t before = m->nmaps;
	uint32_t at = code_find_of(m, pid, address, before), fork, last = UINT32_MAX;
	unsigned n = 0;

	for (; at == 0 && (fork = idmap_get(&m->by_pid, pid)) != 0 && fork < last && n < FORKS_MOST; n++) {
		const struct code_fork *f = &SCRATCH(m->forks, struct code_fork)[fork - 1];

		assert(fork <= m->nforks && f->before <= m->nmaps);
		last = fork;
		if (f->parent == pid)
			break;
		pid = f->parent;
		before = f->before < before ? f->before : before;
		at = code_find_of(m, pid, address, before);
	}
	m->deep += n == FORKS_MOST;
	return at == 0 ? NULL : &SCRATCH(m->maps, struct code_map)[at - 1];
}
