/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branches: the dominator tree as lines: expanded lines lie below their parent. Only expanded branches use
 * memory.
 */
#include "config.h"

#include <stdlib.h>

#include "branches.h"

enum { CHAIN_MAX = 200 };

static const struct branches *
of(const struct rows *r)
{
	return (const struct branches *)r;
}

/* ---- lines to branches ------------------------------------------------------- */

static uint64_t
entries(const struct branch *b)
{
	return b->kin != NULL ? b->kin->n : b->n;
}

uint64_t
branches_lines(const struct rows *r)
{
	const struct branch *b = &of(r)->branch[0];

	return entries(b) + b->under;
}

/* Find the branch that contains a line, and the line's index in it. */
static size_t
find_branch(const struct branches *t, uint64_t line, uint64_t *at, size_t *open)
{
	size_t	 b = 0, c = t->branch[0].below;
	uint64_t shift = 0, head, lines;

	while (c != 0) {
		head = t->branch[c].at + shift;
		lines = entries(&t->branch[c]) + t->branch[c].under;
		if (line <= head)
			break;
		if (line > head + lines) {
			shift += lines;
			c = t->branch[c].next;
			continue;
		}
		line -= head + 1;
		shift = 0;
		b = c;
		c = t->branch[b].below;
	}
	*at = line - shift;
	*open = c != 0 && t->branch[c].at == *at ? c : 0;
	return b;
}

static uint32_t
branches_object_at(struct branches *t, struct branch *b, uint64_t at)
{
	if (b->group) {
		at = t->branch[b->up].kin->row[b->first + at];
		b = &t->branch[b->up];
	}
	return siblings_sort(&b->children, &t->heap, at, t->rows.work, &t->rows.err) ?
	    b->children.object[at] :
	    b->children.object[0];
}

struct twig
branches_at(const struct rows *r, uint64_t line)
{
	struct branches	*t = (struct branches *)(uintptr_t)r;
	struct twig	 w = { .object = 0 };
	struct branch	*b;
	uint64_t	 at;

	w.branch = find_branch(t, line, &at, &w.open);
	b = &t->branch[w.branch];
	w.depth = b->depth;
	w.holder = b->object;
	if (b->kin != NULL) {
		w.group = at;
		return w;
	}
	w.object = branches_object_at(t, b, at);
	w.leaf = !heap_has_children(&t->heap, w.object);
	return w;
}

uint64_t
branches_line(const struct rows *r, size_t branch, uint64_t at)
{
	const struct branches *t = of(r);
	uint64_t line = at;

	for (;; branch = t->branch[branch].up) {
		for (size_t c = t->branch[branch].below; c != 0 &&
		    t->branch[c].at < at; c = t->branch[c].next)
			line += entries(&t->branch[c]) + t->branch[c].under;
		if (branch == 0)
			return line;
		at = t->branch[branch].at;
		line += at + 1;
	}
}

uint64_t
branches_head(const struct rows *r, size_t branch)
{
	const struct branch *b = &of(r)->branch[branch];

	return branch == 0 ? ROWS_ALL : branches_line(r, b->up, b->at);
}

/* ---- folding -------------------------------------------------------------------- */

static void
branches_add_lines(struct branches *t, size_t branch, uint64_t more, bool add)
{
	while (branch != 0) {
		branch = t->branch[branch].up;
		t->branch[branch].under += add ? more : -more;
	}
}

static void
link_branch(struct branches *t, size_t branch)
{
	struct branch	*b = &t->branch[branch];
	size_t		*p;

	for (p = &t->branch[b->up].below; *p != 0 && t->branch[*p].at < b->at;
	    p = &t->branch[*p].next)
		;
	b->next = *p;
	*p = branch;
	branches_add_lines(t, branch, entries(b), true);
}

/* Make the objects that an object dominates the lines of a branch; 0: none. */
static bool
branches_open_children(struct branches *t, struct branch *b, uint32_t object)
{
	struct err err;
	bool ok = object == 0 || siblings_open(&b->children, &t->heap, object, t->rows.work, &err);

	if (!ok)
		siblings_close(&b->children);
	b->object = object;
	b->n = b->children.n;
	t->rows.slow |= b->n >= SIBLINGS_MANY;
	return ok;
}

bool
branches_unfold(struct rows *r, uint64_t line, struct kin *kin)
{
	struct branches	*t = (struct branches *)r;
	struct twig	 w = branches_at(r, line);
	struct branch	 b = { .up = w.branch, .depth = w.depth + 1, .kin = kin };
	size_t		 open;

	if (w.open != 0 || w.leaf ||
	    !MEM_ROOM(t->branch, t->cap, t->n) ||
	    !branches_open_children(t, &b, w.object)) {
		kin_free(kin);
		return w.open != 0 || w.leaf;
	}
	find_branch(t, line, &b.at, &open);
	if (w.object == 0) {
		b.object = w.holder;
		b.group = true;
		b.first = t->branch[w.branch].kin->group[w.group].first;
		b.n = t->branch[w.branch].kin->group[w.group].n;
	}
	t->branch[t->n] = b;
	link_branch(t, t->n++);
	return true;
}

void
branch_free(struct branch *b)
{
	siblings_close(&b->children);
	kin_free(b->kin);
}

/* Close the gaps that removed branches left. */
static void
sweep(struct branches *t)
{
	size_t	n = 0, *now = mem_array(t->n, sizeof *now);

	/* Without memory they stay unlinked until the next attempt. */
	if (now == NULL)
		return;
	for (size_t i = 0; i < t->n; i++) {
		now[i] = n;
		if (t->branch[i].gone)
			branch_free(&t->branch[i]);
		else
			t->branch[n++] = t->branch[i];
	}
	for (size_t i = 0; i < n; i++) {
		t->branch[i].up = now[t->branch[i].up];
		t->branch[i].below = t->branch[i].below != 0 ? now[t->branch[i].below] : 0;
		t->branch[i].next = t->branch[i].next != 0 ? now[t->branch[i].next] : 0;
	}
	t->n = n;
	free(now);
}

/* Remove all branches below a branch. */
static void
empty(struct branches *t, size_t branch)
{
	branches_add_lines(t, branch, t->branch[branch].under, false);
	t->branch[branch].under = 0;
	t->branch[branch].below = 0;
	for (size_t i = branch + 1; i < t->n; i++)
		if (t->branch[i].up == branch || t->branch[t->branch[i].up].gone)
			t->branch[i].gone = true;
}

void
branches_fold(struct rows *r, uint64_t line)
{
	struct branches	*t = (struct branches *)r;
	size_t		 open = branches_at(r, line).open, *p;

	if (open == 0)
		return;
	empty(t, open);
	branches_add_lines(t, open, entries(&t->branch[open]), false);
	for (p = &t->branch[t->branch[open].up].below; *p != open; p = &t->branch[*p].next)
		;
	*p = t->branch[open].next;
	t->branch[open].gone = true;
	sweep(t);
}

void
branches_group(struct rows *r, size_t branch, struct kin *kin)
{
	struct branches	*t = (struct branches *)r;
	struct branch	*b = &t->branch[branch];

	empty(t, branch);
	branches_add_lines(t, branch, entries(b), false);
	kin_free(b->kin);
	b->kin = kin;
	branches_add_lines(t, branch, entries(b), true);
	sweep(t);
}

size_t
branches_whole(const struct rows *r, size_t branch)
{
	return of(r)->branch[branch].group ? of(r)->branch[branch].up : branch;
}

const struct branch *
branches_get(const struct rows *r, size_t branch)
{
	return &of(r)->branch[branch];
}

/* ---- going to an object ------------------------------------------------------------ */

bool
branches_start(struct rows *r, uint32_t object)
{
	struct branches	*t = (struct branches *)r;

	branches_group(r, 0, NULL);
	return branches_open_children(t, &t->branch[0], object);
}

uint64_t
branches_goto(struct rows *r, uint32_t object)
{
	struct branches	*t = (struct branches *)r;
	uint32_t	 chain[CHAIN_MAX], up;
	uint64_t	 line = ROWS_ALL, row;
	size_t		 n = 0;

	if (object == HEAP_ROOT)
		return branches_start(r, HEAP_ROOT) ? 0 : ROWS_ALL;
	if (object == 0 || object > t->heap.objects || heap_dominator(&t->heap, object) == 0)
		return ROWS_ALL;
	for (up = object; up != HEAP_ROOT && n < CHAIN_MAX; up = heap_dominator(&t->heap, up))
		chain[n++] = up;
	if (!branches_start(r, up))
		return ROWS_ALL;
	while (n-- > 0) {
		row = siblings_place(&t->branch[t->n - 1].children, &t->heap, chain[n]);
		if (row >= t->branch[t->n - 1].n)
			return ROWS_ALL;
		line = line == ROWS_ALL ? row : line + 1 + row;
		if (!branches_unfold(r, line, NULL))
			return ROWS_ALL;
	}
	return line;
}
