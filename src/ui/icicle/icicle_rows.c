/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_rows: frames that share a row of the icicle: a chain of frames, each with nearly all of the weight
 * of the row and no sibling as wide as a cell, whose names fit. Names of frames of the runtime (glue) need
 * no room: the row omits them where they do not fit.
 */
#include "config.h"

#include "icecore/bugs.h"
#include "icecore/runtime.h"
#include "icicle.h"

#define NEARLY_ALL 0.98

/* Shade by change relative to the larger value: >= 50 % strong, >= 10 % medium, otherwise weak. */
static int8_t
shade_of(const struct tree_node *n)
{
	uint64_t	after = n->total[CLOCK_WALL], before = n->total[CLOCK_CPU];
	double		by, most = (double)(after > before ? after : before);
	int		shade;

	if (after == before)
		return 0;
	by = (double)(after > before ? after - before : before - after) / most;
	shade = by >= 0.5 ? 3 : by >= 0.1 ? 2 : 1;
	return (int8_t)(after > before ? shade : -shade);
}

void
icicle_describe(struct icicle *ic, struct box *fr, uint32_t id)
{
	struct tree_node n;

	tree_peek(ic->tree, id, &n);
	icicle_box(ic, id, &n, fr);
	fr->match = icicle_matches(ic, id, &n);
	fr->kind = n.method != 0 ? method_kind(ic->st, n.method) : '\0';
	fr->bug = n.method != 0 && method_has_bugs(ic->st, n.method);
	if (ic->w.differs)
		fr->shade = shade_of(&n);
}

bool
icicle_row_folds(const struct icicle *ic)
{
	return !ic->row.each && ic->kind <= TREE_PROCESSES;
}

static void
icicle_row_name(struct icicle *ic, uint32_t node, struct buf *full, struct buf *name)
{
	OWN_BUF	fit = BUF_INIT;

	buf_clear(full);
	buf_clear(name);
	icicle_name(ic, node, full);
	screen_fit(&fit, buf_view(full));
	buf_str(name, frame_short(buf_view(&fit)));
}

/* The root is glue.  A thread is not, nor is a function that waits. */
static bool
is_glue(const struct icicle *ic, const struct box *fr, struct str name)
{
	if (fr->method == 0)
		return fr->node == ic->root && fr->thread == 0;
	return runtime_is(name, RUNTIME_ENTRY | RUNTIME_LOOP | RUNTIME_GLUE) && !runtime_is(name, WAITING_ANY);
}

static size_t
room_of(const struct icicle *ic, const struct box *fr)
{
	size_t	marks = ic->w.differs ? 4 : 2;

	return fr->w > marks ? fr->w - marks : 0;
}

/* Colours and marks of the kernel and of wakers are of whole rows. */
static bool
kinds_differ(char a, char b)
{
	return a != b && (a == 'k' || b == 'k' || a == 'w' || b == 'w');
}

/* Add the last name to those in front, and the child as the last one, if it fits. */
static bool
row_fits(struct icicle *ic, const struct box *fr, uint32_t child)
{
	OWN_BUF	full = BUF_INIT;
	OWN_BUF	name = BUF_INIT;
	OWN_BUF	next = BUF_INIT;
	struct buf	*own = &ic->row.own;
	size_t	before = own->n, room = room_of(ic, fr);

	icicle_row_name(ic, child, &full, &next);
	icicle_row_name(ic, fr->node, &full, &name);
	buf_str(&name, str_of(glyph(GLYPH_INTO)));
	if (!is_glue(ic, fr, buf_view(&full)))
		buf_str(own, buf_view(&name));
	if (own->n > 0 && text_width(buf_view(own)) + text_width(buf_view(&next)) > room) {
		own->n = before;
		return false;
	}
	if (text_width(buf_view(&ic->row.all)) <= room)
		buf_str(&ic->row.all, buf_view(&name));
	return true;
}

bool
icicle_row_takes(struct icicle *ic, struct box *fr, const struct kid *k)
{
	struct box	next = *fr;

	if (fr->node == fr->first) {
		buf_clear(&ic->row.own);
		buf_clear(&ic->row.all);
	}
	if (!icicle_row_folds(ic) || (fr->node == TREE_ROOT && ic->folded.n > 0) ||
	    (double)k->weight < NEARLY_ALL * (double)fr->weight)
		return false;
	icicle_describe(ic, &next, k->id);
	if (kinds_differ(fr->kind, next.kind) || !row_fits(ic, fr, k->id))
		return false;
	next.match |= fr->match;
	next.bug |= fr->bug;
	*fr = next;
	ic->row.some = true;
	return true;
}

void
icicle_row_end(struct icicle *ic, struct box *fr)
{
	OWN_BUF	full = BUF_INIT;
	OWN_BUF	name = BUF_INIT;
	struct buf	*lead = &ic->row.all;

	if (fr->first == fr->node)
		return;
	icicle_row_name(ic, fr->node, &full, &name);
	if (text_width(buf_view(lead)) + text_width(buf_view(&name)) > room_of(ic, fr))
		lead = &ic->row.own;
	if (lead->n == 0)
		return;
	fr->lead = (uint32_t)ic->f.leads.n + 1;
	buf_str(&ic->f.leads, buf_view(lead));
	buf_chr(&ic->f.leads, '\0');
}

bool
icicle_row_has(struct icicle *ic, const struct box *fr, uint32_t node)
{
	uint32_t	id = fr->node;

	while (id != node && id != fr->first && id != 0)
		id = tree_parent(ic->tree, id);
	return id == node;
}
