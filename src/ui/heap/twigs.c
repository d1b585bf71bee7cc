/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twigs: texts of the lines of the dominator tree, and its top level.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/collection.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_heap.h"
#include "icecore/heap_facts.h"
#include "branches.h"
#include "ui/core/core.h"
#include "ui/term/term.h"

enum { LINK_MAX = 20000, NAME_ROOM = 24, NAME_LEAST = 12, OBJECT_W = 40 };

enum { COL_RETAINED, COL_PERCENT, COL_SHALLOW, COL_OBJECT, COL_HELD };

static const struct coldef cols[] = {
	[COL_RETAINED] = { "retained", CELL_BYTES, "retained size" },
	[COL_PERCENT] = { "%", CELL_PERCENT, "share of the reachable heap and its native memory" },
	[COL_SHALLOW] = { "shallow", CELL_BYTES, "shallow size" },
	[COL_OBJECT] = { "object", CELL_TEXT, "object", .cut = CUT_END },
	[COL_HELD] = { "via", CELL_TEXT, "dominating reference", .cut = CUT_END }
};

/* ---- cells --------------------------------------------------------------------------- */

/* Why a top-level object is alive.  In a dump without roots, unreferenced objects count as roots. */
static const char *
held_at_top(const struct branches *t, uint32_t object)
{
	uint32_t	 kind = idmap_get(&t->roots, object);
	struct heap_walk in;

	if (kind != 0)
		return heap_root_name(kind - 1);
	if (!t->pseudo)
		return heap_reach(&t->heap, object) == HEAP_STRENGTHS ? "unreachable" : "multiple paths";
	if (heap_class_of_object(&t->heap, object) != 0)
		return heap_root_name(ROOT_PSEUDO);
	if (t->heap.in.data == NULL)
		return "";
	heap_in(&t->heap, object, &in);
	return heap_next(&in, NULL) == 0 ? heap_root_name(ROOT_PSEUDO) : "multiple paths";
}

static void
twigs_held_by(struct branches *t, const struct twig *w, struct buf *b)
{
	struct heap_slot	 slot;
	struct buf		 raw = BUF_INIT;

	if (w->object == 0)
		return;
	if (w->holder == HEAP_ROOT)
		buf_str(b, str_of(held_at_top(t, w->object)));
	else if (heap_length(&t->heap, w->holder) <= LINK_MAX &&
	    heap_link(&t->heap, w->holder, w->object, &slot)) {
		heap_slot_name(&t->heap, &slot, &raw);
		screen_fit(b, buf_view(&raw));
	}
	buf_free(&raw);
}

void
branches_class_name(const struct rows *r, uint32_t object, struct buf *b)
{
	const struct branches *t = (const struct branches *)r;
	uint32_t	class = heap_class_of_object(&t->heap, object);

	simple_names_add(t->names, class != 0 ? class : heap_class(&t->heap, object), b);
}

/* For example "ArrayList @96 size 9". */
static void
name_object(struct branches *t, uint32_t object, struct buf *name, struct buf *number)
{
	uint32_t	class = heap_class_of_object(&t->heap, object);
	struct collection size;

	if (class != 0)
		buf_str(name, STR("class "));
	branches_class_name(&t->rows, object, name);
	buf_printf(number, " @%u", object);
	if (class == 0 && collections_know(t->known, heap_class(&t->heap, object)) &&
	    collection_size(t->known, object, &size))
		screen_number(number, " size ", num_show_count, size.size);
}

/* Cut a long name at its beginning; keep a minimum width for names. */
static void
fit_name(struct branches *t, const struct twig *w, size_t indent, struct buf *b)
{
	const struct kin *k = t->branch[w->branch].kin;
	struct buf	name = BUF_INIT, number = BUF_INIT, fit = BUF_INIT;
	size_t		used;

	if (w->object != 0)
		name_object(t, w->object, &name, &number);
	else {
		if (k->kind == KIN_CLASS && k->group[w->group].class != 0)
			simple_names_add(t->names, k->group[w->group].class, &name);
		else
			kin_name(&t->heap, k, w->group, &name);
		buf_printf(&number, " %s", glyph(GLYPH_TIMES));
		screen_number(&number, " ", num_show_count, k->group[w->group].n);
	}
	screen_fit(&fit, buf_view(&name));
	used = indent + text_width(buf_view(&number));
	screen_tail(b, buf_view(&fit), used + NAME_LEAST < t->object_w ? t->object_w - used : NAME_LEAST);
	buf_str(b, buf_view(&number));
	buf_free(&name);
	buf_free(&number);
	buf_free(&fit);
}

/* Indent two columns a level; if that leaves no room for a name, show the level as a number. */
static void
indent_twig(const struct branches *t, const struct twig *w, struct buf *b)
{
	size_t		most = t->object_w > NAME_ROOM ? (t->object_w - NAME_ROOM) / 2 : 1;
	bool		deep = w->depth > most;

	for (size_t i = 0; i < w->depth && !deep; i++)
		buf_str(b, STR("  "));
	if (deep)
		buf_printf(b, "%*zu%s ", (int)(2 * most - 2), w->depth, screen_utf8() ? "\xc2\xb7" : ":");
}

size_t
branches_mark(const struct rows *r, uint64_t line)
{
	struct twig	w = branches_at(r, line);
	struct buf	b = BUF_INIT;
	size_t		n;

	indent_twig((const struct branches *)r, &w, &b);
	n = text_width(buf_view(&b));
	buf_free(&b);
	return n;
}

static void
name_twig(struct branches *t, const struct twig *w, struct buf *b)
{
	size_t	from = b->n;

	indent_twig(t, w, b);
	buf_str(b, w->open != 0 ? STR("- ") : w->leaf ? STR("  ") : STR("+ "));
	fit_name(t, w, text_width(str_after(buf_view(b), from)), b);
}

static void
size_twig(struct branches *t, const struct twig *w, size_t col, struct cell *c)
{
	const struct kin *k = t->branch[w->branch].kin;
	uint64_t	retained, shallow;

	if (w->object != 0) {
		retained = heap_retained(&t->heap, w->object);
		shallow = col == COL_SHALLOW ? heap_shallow(&t->heap, w->object) : 0;
	} else {
		retained = k->group[w->group].retained;
		shallow = k->group[w->group].shallow;
	}
	c->type = cols[col].type;
	if (col == COL_PERCENT)
		c->f = t->whole > 0 ? 100.0 * (double)retained / (double)t->whole : 0;
	else
		c->u = col == COL_SHALLOW ? shallow : retained;
}

static void
twigs_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct branches	*t = (struct branches *)r;
	struct twig	 w = branches_at(r, row);

	if (col < COL_OBJECT) {
		size_twig(t, &w, col, c);
		return;
	}
	buf_clear(&t->text);
	if (col == COL_OBJECT)
		name_twig(t, &w, &t->text);
	else
		twigs_held_by(t, &w, &t->text);
	c->type = CELL_TEXT;
	c->text = buf_view(&t->text);
}

static uint64_t
twigs_reach(struct rows *r, uint64_t n)
{
	uint64_t lines = branches_lines(r);

	return n < lines ? n : lines;
}

static void
branches_close(struct rows *r)
{
	struct branches	*t = (struct branches *)r;

	for (size_t i = 0; i < t->n; i++)
		branch_free(&t->branch[i]);
	free(t->branch);
	idmap_free(&t->roots);
	buf_free(&t->text);
	simple_names_close(t->names);
	collections_close(t->known);
}

/* ---- opening --------------------------------------------------------------------------- */

static bool
take_roots(struct branches *t, struct err *err)
{
	const struct column *object = store_column(t->heap.st, COL_ROOT_OBJECT);
	const struct column *kind = store_column(t->heap.st, COL_ROOT_KIND);
	uint64_t	id;
	uint32_t	known, now;

	for (uint64_t i = 0; object != NULL && i < object->rows; i++) {
		id = column_get(object, i);
		known = idmap_get(&t->roots, id);
		now = (uint8_t)column_get(kind, i) + 1u;
		if ((known == 0 || now < known) && !idmap_put(&t->roots, id, now, err))
			return false;
	}
	return true;
}

void
branches_width(struct rows *r, size_t object_w)
{
	((struct branches *)r)->object_w = object_w;
}

const struct heap *
branches_heap(const struct rows *r)
{
	return &((const struct branches *)r)->heap;
}

static bool
twigs_begin(struct branches *t, const struct session *s, struct err *err)
{
	if (!heap_open(&t->heap, session_store(s), s->refs, s->sizes, err))
		return false;
	if (t->heap.children.data == NULL || t->heap.retained == NULL || t->heap.parent == NULL)
		return fail(err, E_USAGE, "no dominator tree in this file");
	t->whole = heap_whole(t->heap.st, s->refs, s->sizes);
	t->pseudo = fact_value(t->heap.st, FACT_HEAP_PSEUDO) != 0;
	t->object_w = OBJECT_W;
	if (!take_roots(t, err) || !simple_names_open(&t->names, &t->heap, err) ||
	    !collections_open(&t->known, &t->heap, err))
		return false;
	if (!mem_grow(&t->branch, &t->cap, 1, sizeof *t->branch))
		return fail(err, E_SYSTEM, "out of memory (dominator tree)");
	memset(&t->branch[0], 0, sizeof t->branch[0]);
	t->n = 1;
	return branches_start(&t->rows, HEAP_ROOT) || fail(err, E_SYSTEM, "out of memory (dominator tree)");
}

struct rows *
branches_new(struct rows *in, struct err *err)
{
	static const struct rows_ops ops = { .reach = twigs_reach, .cell = twigs_cell,
	    .close = branches_close };
	struct branches	*t = rows_new(sizeof *t, &ops, in->session, in, err);

	if (t == NULL)
		return NULL;
	t->rows.cols = cols;
	t->rows.ncols = NELEM(cols);
	if (twigs_begin(t, in->session, err))
		return &t->rows;
	rows_close(&t->rows);
	return NULL;
}
