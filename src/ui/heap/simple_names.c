/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple_names: class names of a dump without packages. Classes with equal names keep as many packages as
 * distinguish them.
 */
#include "config.h"

#include <stdlib.h>

#include "branches.h"

enum { PARTS = 3 };		/* maximum number of parts; classes equal in all of them keep their full names */

#define SEVERAL UINT32_MAX

struct simple_names {
	struct heap	heap;
	struct idmap	of;		/* hash of the last parts of a name, to its class, or SEVERAL */
};

/* Return the last parts of a name; n is at most its number of dots. */
static struct str
last_parts(struct str name, unsigned n)
{
	size_t	i, end;

	/* The part after a / is the number of a hidden class and does not belong to the name. */
	for (end = 0; end < name.n && name.s[end] != '/'; end++)
		;
	for (i = end; i > 0; i--)
		if (name.s[i - 1] == '.' && --n == 0)
			break;
	return (struct str){ name.s + i, name.n - i };
}

static bool
simple_names_add_class(struct simple_names *s, uint32_t class, struct str name, struct err *err)
{
	struct str	part;
	uint32_t	known;

	for (unsigned n = 1; n <= PARTS; n++) {
		part = last_parts(name, n);
		known = idmap_get(&s->of, idmap_hash_text(part, 0));
		if (known != SEVERAL && known != class &&
		    !idmap_put(&s->of, idmap_hash_text(part, 0), known == 0 ? class : SEVERAL, err))
			return false;
		if (part.n == name.n)
			break;
	}
	return true;
}

bool
simple_names_open(struct simple_names **out, const struct heap *h, struct err *err)
{
	struct simple_names *s = mem_array(1, sizeof *s);
	struct buf	name = BUF_INIT;
	bool		ok = s != NULL || fail(err, E_SYSTEM, "out of memory (names of classes)");

	*out = s;
	if (ok)
		s->heap = *h;
	for (uint32_t class = 1; ok && class <= h->classes; class++) {
		buf_clear(&name);
		heap_class_name(h, class, &name);
		ok = simple_names_add_class(s, class, buf_view(&name), err);
	}
	buf_free(&name);
	return ok;
}

void
simple_names_close(struct simple_names *s)
{
	if (s != NULL)
		idmap_free(&s->of);
	free(s);
}

void
simple_names_add(const struct simple_names *s, uint32_t class, struct buf *b)
{
	struct buf	name = BUF_INIT;
	struct str	part = STR("");

	heap_class_name(&s->heap, class, &name);
	for (unsigned n = 1; n <= PARTS && part.n < name.n; n++) {
		part = last_parts(buf_view(&name), n);
		if (idmap_get(&s->of, idmap_hash_text(part, 0)) == class)
			break;
		if (n == PARTS)
			part = buf_view(&name);
	}
	buf_str(b, part);
	buf_free(&name);
}
