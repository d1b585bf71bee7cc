/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * namemap: what of the bytecode has a name: methods or classes.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/bugs.h"

bool
namemap_open(struct namemap *m, uint32_t n, struct err *err)
{
	m->next = mem_array(n + 1ull, sizeof *m->next);
	return m->next != NULL || fail_memory(err, "names");
}

bool
namemap_add(struct namemap *m, struct str name, uint32_t number, struct err *err)
{
	uint64_t hash = idmap_hash_text(name, 0);

	m->next[number] = idmap_get(&m->first, hash);
	return idmap_put(&m->first, hash, number, err);
}

uint32_t
namemap_first(const struct namemap *m, struct str name)
{
	return idmap_get(&m->first, idmap_hash_text(name, 0));
}

uint32_t
namemap_next(const struct namemap *m, uint32_t number)
{
	return m->next[number];
}

void
namemap_free(struct namemap *m)
{
	idmap_free(&m->first);
	free(m->next);
}
