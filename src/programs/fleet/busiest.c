/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * busiest: the methods with most of the self time.  Methods of the same name share a row before small rows
 * are left out: thousands of methods may differ only in a number, each with little time.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "icecore/name.h"
#include "icecore/os.h"

#define LEAST 0.1	/* percent of the self time: methods with less have no row */
#define MOST 100	/* rows */
#define QUERY "methods | where self_pct > 0 | select self_pct total_pct "

struct busy_name {
	size_t	at, n;		/* in the names */
	double	self, total;	/* percent; total may exceed 100 */
};

struct busiest {
	struct buf		 names;
	struct busy_name	*one;
	size_t			 n, cap;
	struct idmap		 by_name;	/* hash of the name: its index + 1 */
	bool			 stable;
};

/* Return the entry of the last name, and drop its text if another name is equal.  NULL: out of memory. */
static struct busy_name *
busy_of_name(struct busiest *all, size_t at, struct err *err)
{
	uint32_t is;

	if (all->names.bad || !MEM_ROOM(all->one, all->cap, all->n)) {
		(void)fail(err, E_SYSTEM, "out of memory (methods)");
		return NULL;
	}
	if (!idmap_enter(&all->by_name, idmap_hash_text(str_after(buf_view(&all->names), at), 0),
	    (uint32_t)all->n + 1, &is, err))
		return NULL;
	if (is <= all->n)
		all->names.n = at;
	else
		all->one[all->n++] = (struct busy_name){ .at = at, .n = all->names.n - at };
	return &all->one[is - 1];
}

static bool
take_method(void *to, struct rows *r, uint64_t row, struct err *err)
{
	struct busiest *all = to;
	struct busy_name *one;
	struct cell c, self, total;
	size_t at = all->names.n;

	if (cell_named(r, row, "name", &c) && c.type == CELL_TEXT)
		text_fit_buf(&all->names, c.text);
	if (all->stable && !all->names.bad)
		name_star(&all->names, at, true);
	if ((one = busy_of_name(all, at, err)) == NULL)
		return false;
	one->self += cell_named(r, row, "self_pct", &self) ? self.f : 0;
	one->total += cell_named(r, row, "total_pct", &total) ? total.f : 0;
	return true;
}

/* Sort by self time, the largest first; rows with equal times keep their order. */
static int
by_self(const void *a, const void *b)
{
	const struct busy_name *x = a, *y = b;

	return x->self != y->self ? (x->self < y->self ? 1 : -1) : x->at < y->at ? -1 : 1;
}

static bool
add_busiest(const struct busiest *all, struct triage_rows *to, struct err *err)
{
	for (size_t i = 0; i < all->n && i < MOST && all->one[i].self >= LEAST; i++) {
		const struct busy_name *one = &all->one[i];
		struct triage_row *row = triage_add(to);

		if (row == NULL)
			return fail(err, E_SYSTEM, "out of memory (rows)");
		begin_row(row, "method");
		triage_put_count(row, "rank", (int64_t)i + 1);
		triage_put_text(row, "method", (struct str){ all->names.s + one->at, one->n });
		triage_put_real(row, "self", one->self < 100 ? one->self : 100);
		triage_put_real(row, "total", one->total < 100 ? one->total : 100);
	}
	return true;
}

bool
busiest_find(struct session *session, const char *name, bool stable, struct triage_rows *to, struct work *w,
    struct err *err)
{
	struct busiest all = { .names = BUF_INIT, .by_name = IDMAP_INIT, .stable = stable };
	struct buf query = BUF_INIT;
	bool ok;

	buf_str(&query, STR(QUERY));
	buf_str(&query, str_of(name));
	ok = (!query.bad || fail(err, E_SYSTEM, "out of memory (methods)")) &&
	    rows_each(session, query.s, w, take_method, &all, err);
	if (ok && all.n > 0)
		qsort(all.one, all.n, sizeof *all.one, by_self);
	ok = ok && add_busiest(&all, to, err);
	buf_free(&query);
	buf_free(&all.names);
	free(all.one);
	idmap_free(&all.by_name);
	return ok;
}
