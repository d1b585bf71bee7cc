/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_view: a heap that rows are read from, and what columns say of an object.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/collection.h"
#include "icecore/columns_allocations.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "icecore/content.h"
#include "icecore/heap_facts.h"
#include "hrows.h"

#define STRING_MAX (1u << 20)	/* characters of a string that a cell shows */

bool
heap_view_open(struct heap_view *v, const struct session *session, struct err *err)
{
	const struct store *st = session_store(session);

	if (!heap_open(&v->heap, st, session->refs, session->sizes, err))
		return false;
	v->whole = heap_whole(st, session->refs, session->sizes);
	v->class_shallow = heap_class_shallow(st, session->sizes);
	return true;
}

void
heap_view_close(struct heap_view *v)
{
	buf_free(&v->text);
	buf_free(&v->class_name);
	buf_free(&v->package);
	if (v->copies != NULL)
		copies_free(v->copies);
	free(v->copies);
	contents_close(v->contents);
	collections_close(v->collections);
	sites_close(v->sites);
	link_index_free(&v->links);
	array_free(&v->near);
}

const struct column *
view_column(const struct heap_view *v, column_id col)
{
	return heap_column(&v->heap, col);
}

/* ---- texts --------------------------------------------------------------------- */

/* Cache the last class name, because objects of one class often follow each other. */
static void
heap_view_class_cell(struct rows *r, struct heap_view *v, uint32_t class, struct cell *c)
{
	if (class != v->class) {
		buf_clear(&v->class_name);
		heap_class_name(&v->heap, class, &v->class_name);
		v->class = class;
	}
	cell_text(r, c, &v->class_name);
}

static void
package_cell(struct rows *r, struct heap_view *v, uint32_t class, struct cell *c)
{
	if (class != v->package_of) {
		buf_clear(&v->package);
		heap_class_package(&v->heap, class, &v->package);
		v->package_of = class;
	}
	cell_text(r, c, &v->package);
}

void
view_package_cell(struct rows *r, struct heap_view *v, uint32_t object, struct cell *c)
{
	uint32_t class = heap_class_of_object(&v->heap, object);

	package_cell(r, v, class != 0 ? class : heap_class(&v->heap, object), c);
}

/* Make a cell of the text that a naming function appends. */
static void
heap_view_named_cell(struct rows *r, struct heap_view *v,
    void (*name)(const struct heap *, uint32_t, struct buf *),
    uint32_t number, struct cell *c)
{
	buf_clear(&v->text);
	name(&v->heap, number, &v->text);
	cell_text(r, c, &v->text);
}

static void
label_cell(struct rows *r, struct heap_view *v, uint32_t object, struct cell *c)
{
	if (heap_class_of_object(&v->heap, object) == 0 && (v->heap.form == NULL || v->heap.form->tell == NULL))
		heap_view_class_cell(r, v, heap_class(&v->heap, object), c);
	else
		heap_view_named_cell(r, v, heap_label, object, c);
}

/* ---- objects ------------------------------------------------------------------- */

static const char *const kind_names[] = {
	[HEAP_INSTANCE] = "instance", [HEAP_OBJECT_ARRAY] = "object array",
	    [HEAP_PRIM_ARRAY] = "primitive array",
	[HEAP_CLASS] = "class"
};

/* Android keeps a text in bytes only where all of it is ASCII. */
static struct str
coder_name(const struct heap *h, unsigned coder)
{
	if (coder == 0 && fact_value(h->st, FACT_HEAP_ANDROID) != 0)
		return STR("ascii");
	return coder == 0 ? STR("latin1") : coder == 1 ? STR("utf16") : STR("char");
}

static void
heap_view_length_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	c->type = heap_is_array(h, object) ? CELL_COUNT : CELL_NONE;
	c->u = heap_length(h, object);
}

/* Empty for what no object dominates and for what is unreachable. */
static void
dominator_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	uint32_t by = heap_dominator(h, object);

	cell_number(c, CELL_ID, by == HEAP_ROOT ? 0 : by);
}

const struct copies *
view_copies(struct rows *r, struct heap_view *v)
{
	if (v->copies == NULL && r->err.kind == E_NONE &&
	    (v->copies = mem_array(1, sizeof *v->copies)) == NULL)
		fail_memory(&r->err, "duplicates");
	return v->copies != NULL && copies_make(v->copies, &v->heap, r->work, &r->err) ? v->copies : NULL;
}

/* Only reachable strings were compared; the cells of other strings are empty. */
static void
heap_view_copies_cell(struct rows *r, struct heap_view *v, uint32_t object, enum heap_show show,
    struct cell *c)
{
	const struct copies *copies;
	uint64_t row;
	struct heap_text t;

	c->type = CELL_NONE;
	if (heap_dominator(&v->heap, object) == 0 || !heap_text(&v->heap, object, &t) ||
	    (copies = view_copies(r, v)) == NULL)
		return;
	c->type = show == OBJECT_WASTE ? CELL_BYTES : CELL_COUNT;
	if (show == OBJECT_WASTE) {
		c->u = copies_waste(copies, &v->heap, object);
	} else if (show == OBJECT_SHARED) {
		c->u = t.array == 0 ? 0 : copies_sharers(copies, t.array);
	} else {
		row = copies_row(copies, object);
		c->u = row == 0 ? 1 : column_get(copies->copies, copies_group(copies, row) - 1);
	}
}

static void
string_cell(struct rows *r, struct heap_view *v, uint32_t object, enum heap_show show,
    struct cell *c)
{
	struct heap_text t;

	c->type = CELL_NONE;
	if (show == OBJECT_VALUE) {
		buf_clear(&v->text);
		if (heap_string(&v->heap, object, STRING_MAX, &v->text)) {
			mask_text(&v->text, 0);
			cell_text(r, c, &v->text);
		}
		return;
	}
	if (!heap_text(&v->heap, object, &t))
		return;
	if (show == OBJECT_ARRAY)
		cell_number(c, CELL_ID, t.array);
	else if (show == OBJECT_CHARS) {
		c->type = CELL_COUNT;
		c->u = t.length;
	} else if (t.array != 0) {
		c->type = CELL_TEXT;
		c->text = coder_name(&v->heap, t.coder);
	}
}

struct contents *
view_contents(struct rows *r, struct heap_view *v)
{
	if (v->contents == NULL && r->err.kind == E_NONE)
		contents_open(&v->contents, &v->heap, &r->err);
	return v->contents;
}

void
view_content_cell(struct rows *r, struct heap_view *v, uint32_t object, struct cell *c)
{
	struct contents *contents = view_contents(r, v);

	c->type = CELL_NONE;
	if (contents == NULL)
		return;
	buf_clear(&v->text);
	content_add(contents, object, &v->text);
	if (v->text.n > 0)
		cell_text(r, c, &v->text);
}

/*
 * Return the owner as collection_holder does: the nearest object above this one that is neither a part of a
 * collection nor an array; 0: none.
 */
static uint32_t
view_owner(struct rows *r, struct heap_view *v, uint32_t object, uint32_t *below)
{
	struct collections *known = view_collections(r, v);

	return known == NULL ? 0 : collection_holder(known, object, below);
}

static void
held_by_cell(struct rows *r, struct heap_view *v, uint32_t object, struct cell *c)
{
	c->type = CELL_NONE;
	buf_clear(&v->text);
	if (held_by_add(r, v, object, &v->text))
		cell_text(r, c, &v->text);
}

static double
view_percent(const struct heap_view *v, uint64_t bytes)
{
	return v->whole == 0 ? 0 : 100.0 * (double)bytes / (double)v->whole;
}

static void
heap_view_amount_cell(const struct heap_view *v, uint32_t object, enum heap_show show, struct cell *c)
{
	uint64_t retained;

	c->type = CELL_BYTES;
	if (show == OBJECT_SHALLOW || show == OBJECT_NATIVE) {
		c->u = show == OBJECT_SHALLOW ? heap_shallow(&v->heap, object) :
		    heap_native(&v->heap, object);
		return;
	}
	retained = heap_retained(&v->heap, object);
	c->u = retained;
	if (show == OBJECT_RETAINED)
		return;
	c->type = CELL_PERCENT;
	c->f = view_percent(v, retained);
}

/* The word of the file, or the kind of the object. */
static void
kind_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	if (h->form == NULL || h->form->kind == NULL) {
		cell_word(c, kind_names[heap_kind(h, object)]);
		return;
	}
	c->type = CELL_TEXT;
	c->text = h->form->kind(h->st, object);
}

static void
heap_view_object_cell(struct rows *r, struct heap_view *v, uint32_t object, enum heap_show show,
    struct cell *c)
{
	const struct heap *h = &v->heap;

	switch (show) {
	case OBJECT_ADDR:
		c->type = CELL_ADDR;
		c->u = heap_addr(h, object);
		break;
	case OBJECT_CLASS:
		heap_view_class_cell(r, v, heap_class(h, object), c);
		break;
	case OBJECT_LABEL:
		label_cell(r, v, object, c);
		break;
	case OBJECT_KIND:
		kind_cell(h, object, c);
		break;
	case OBJECT_LENGTH:
		heap_view_length_cell(h, object, c);
		break;
	case OBJECT_SHALLOW:
	case OBJECT_RETAINED:
	case OBJECT_PERCENT:
	case OBJECT_NATIVE:
		heap_view_amount_cell(v, object, show, c);
		break;
	case OBJECT_REACHABLE:
		cell_word(c, heap_strength_name(heap_reach(h, object)));
		break;
	case OBJECT_DOMINATOR:
		dominator_cell(h, object, c);
		break;
	case OBJECT_HEAP:
		c->type = CELL_TEXT;
		c->text = heap_part(h, object);
		break;
	case OBJECT_OFFSET:
		c->type = CELL_ID;
		c->u = heap_offset(h, object);
		break;
	case OBJECT_VALUE:
	case OBJECT_CHARS:
	case OBJECT_CODER:
	case OBJECT_ARRAY:
		string_cell(r, v, object, show, c);
		break;
	case OBJECT_OWNER:
		cell_number(c, CELL_ID, view_owner(r, v, object, NULL));
		break;
	case OBJECT_HELD_BY:
		held_by_cell(r, v, object, c);
		break;
	default:
		heap_view_copies_cell(r, v, object, show, c);
		break;
	}
}

const column_id needs_objects[] = { COL_OBJECT_OFFSET, COL_NONE };
const column_id needs_stacks[] = { COL_FRAME_METHOD, COL_NONE };
const column_id needs_dominators[] = { COL_EACH_PARENT, COL_NONE };
const column_id needs_allocations[] = { COL_MADE_BYTES, COL_NONE };

const column_id show_needs[SHOWS][3] = {
	[SHOW_PERCENT] = { COL_EACH_DIRECT_OBJECT }, [SHOW_FRAME] = { COL_FRAME_METHOD },
	[OBJECT_CLASS] = { COL_OBJECT_OFFSET }, [OBJECT_LABEL] = { COL_OBJECT_OFFSET },
	[OBJECT_KIND] = { COL_OBJECT_OFFSET }, [OBJECT_LENGTH] = { COL_OBJECT_OFFSET },
	[OBJECT_SHALLOW] = { COL_OBJECT_OFFSET }, [OBJECT_RETAINED] = { COL_EACH_PARENT },
	[OBJECT_PERCENT] = { COL_EACH_PARENT, COL_EACH_DIRECT_OBJECT },
	[OBJECT_REACHABLE] = { COL_EACH_PARENT, COL_REACH_OBJECT },
	[OBJECT_DOMINATOR] = { COL_EACH_PARENT }, [OBJECT_HEAP] = { COL_OBJECT_OFFSET },
	[OBJECT_OFFSET] = { COL_OBJECT_OFFSET }, [OBJECT_NATIVE] = { COL_NATIVE_OBJECT },
	[OBJECT_COPIES] = { COL_EACH_PARENT, COL_EACH_DUP_MEMBER },
	[OBJECT_SHARED] = { COL_EACH_PARENT, COL_EACH_DUP_MEMBER },
	[OBJECT_WASTE] = { COL_EACH_PARENT, COL_EACH_DUP_MEMBER },
	[OBJECT_OWNER] = { COL_EACH_PARENT }, [OBJECT_HELD_BY] = { COL_EACH_PARENT }
};

void
view_cell(struct rows *r, struct heap_view *v, uint64_t number, enum heap_show show, struct cell *c)
{
	if (show >= SHOW_CLASS && number == 0) {
		c->type = CELL_NONE;
		return;
	}
	switch (show) {
	case SHOW_PERCENT:
		c->f = view_percent(v, number);
		break;
	case SHOW_CLASS:
		heap_view_class_cell(r, v, (uint32_t)number, c);
		break;
	case SHOW_PACKAGE:
		package_cell(r, v, (uint32_t)number, c);
		break;
	case SHOW_THREAD:
		heap_view_named_cell(r, v, heap_thread_name, (uint32_t)number, c);
		break;
	case SHOW_FRAME:
		heap_view_named_cell(r, v, heap_frame_name, (uint32_t)number, c);
		break;
	case CLASS_SHALLOW:
		c->u = column_get(v->class_shallow, number - 1);
		break;
	default:
		heap_view_object_cell(r, v, (uint32_t)number, show, c);
		break;
	}
}

/* The values that view_batch numbers. */
void
view_value(struct rows *r, struct heap_view *v, uint64_t value, enum heap_show show, struct cell *c)
{
	uint32_t class = (uint32_t)(value % (v->heap.classes + 1ull));

	switch (show) {
	case OBJECT_KIND:
		cell_word(c, kind_names[value]);
		break;
	case OBJECT_REACHABLE:
		cell_word(c, heap_strength_name((enum heap_strength)value));
		break;
	case SHOW_PACKAGE:
		package_cell(r, v, class, c);
		break;
	case OBJECT_LABEL:
		if (value > v->heap.classes) {
			buf_clear(&v->text);
			buf_text(&v->text, "class ");
			heap_class_name(&v->heap, class, &v->text);
			cell_text(r, c, &v->text);
			break;
		}
		/* fallthrough */
	default:
		heap_view_class_cell(r, v, class, c);
		break;
	}
}

/* ---- who owns an object: the nearest one above it that is there for more than to hold it ---- */

struct collections *
view_collections(struct rows *r, struct heap_view *v)
{
	if (v->collections == NULL && r->err.kind == E_NONE)
		collections_open(&v->collections, &v->heap, &r->err);
	return v->collections;
}

bool
held_by_add(struct rows *r, struct heap_view *v, uint32_t object, struct buf *b)
{
	const struct heap *h = &v->heap;
	uint32_t below, owner = view_owner(r, v, object, &below);
	struct heap_slot slot;

	if (owner == 0)
		return false;
	if (link_index_link(&v->links, h, owner, below, &slot, &r->err) &&
	    (slot.kind == SLOT_FIELD || slot.kind == SLOT_STATIC)) {
		heap_class_name(h, slot.class, b);
		buf_chr(b, '.');
		heap_slot_text(h, slot.name, b);
	} else
		heap_label(h, owner, b);
	return true;
}
