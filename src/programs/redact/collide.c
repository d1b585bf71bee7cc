/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collide: resolve collisions. Short parts of names sometimes get equal letters. If two classes would get
 * the same name, the later one in sorted order gets other letters. So the same classes get the same names
 * under a key, whatever their order in the file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "redact.h"

#define TRIES_LEAST (1u << 20)

struct own_row {
	struct str	name;
};

struct colliding {
	struct learned	*l;
	const struct redaction *r;
	struct idmap	 taken;		/* hash of a replaced class name, to 1 */
	uint64_t	 tries;
	uint8_t		 to[NAME_MOST];
};

static int
collide_by_name(const void *x, const void *y)
{
	struct str a = ((const struct own_row *)x)->name, b = ((const struct own_row *)y)->name;
	size_t n = a.n < b.n ? a.n : b.n;
	int c, d;

	for (size_t i = 0; i < n; i++) {
		c = name_dot(a.s[i]);
		d = name_dot(b.s[i]);
		if (c != d)
			return c - d;
	}
	return num_order(a.n, b.n, 0);
}

/* *taken: another class has these letters. */
static bool
try_name(struct colliding *c, struct str name, uint32_t again, bool *taken)
{
	uint64_t hash;

	if (again > 0 && !idmap_put(&c->l->again, name_hash(name), again + 1, c->r->err))
		return false;
	name_mask(c->r->key, c->l, c->r->o->names, USE_CLASS, name, c->to);
	hash = name_hash((struct str){ (const char *)c->to, name.n });
	*taken = idmap_get(&c->taken, hash) != 0;
	return *taken || idmap_put(&c->taken, hash, 1, c->r->err);
}

/* If all letters are taken, a short name in a large package keeps its first letters. */
static bool
collide_place(struct colliding *c, struct str name)
{
	bool taken;

	for (uint32_t again = 0; again <= NAME_AGAIN; again++) {
		if (!try_name(c, name, again, &taken))
			return false;
		if (!taken)
			return true;
		if (c->tries == 0)
			break;
		c->tries--;
	}
	c->r->result->collided++;
	return idmap_put(&c->l->again, name_hash(name), 1, c->r->err);
}

static bool
place_all(struct colliding *c, struct own_row *row, uint64_t n)
{
	const struct own_name *own = SCRATCH(c->l->own, struct own_name);

	for (uint64_t i = 0; i < n; i++) {
		row[i].name = (struct str){ (const char *)c->r->in->data + own[i].at, own[i].n };
		while (str_has_suffix(row[i].name, STR("[]")))
			row[i].name.n -= 2;
	}
	qsort(row, n, sizeof *row, collide_by_name);
	work_start(c->r->work, "names", n);
	for (uint64_t i = 0; i < n; i++)
		if (!work_go(c->r->work, i, c->r->err) ||
		    ((i == 0 || collide_by_name(&row[i - 1], &row[i]) != 0) &&
		    !collide_place(c, row[i].name)))
			return false;
	return true;
}

bool
names_break(struct learned *l, const struct redaction *r)
{
	struct colliding *c;
	struct own_row *row;
	bool ok;

	if (l->nown == 0)
		return true;
	c = mem_array(1, sizeof *c);
	row = mem_array(l->nown, sizeof *row);
	ok = (c != NULL && row != NULL) || fail(r->err, E_SYSTEM, "out of memory (names)");
	if (ok) {
		*c = (struct colliding){ .l = l, .r = r, .taken = IDMAP_INIT, .tries = 4 * l->nown + TRIES_LEAST };
		ok = place_all(c, row, l->nown);
		idmap_free(&c->taken);
	}
	free(row);
	free(c);
	return ok;
}
