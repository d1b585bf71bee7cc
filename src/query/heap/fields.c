/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fields: rows of objects whose fields are columns as well, once they are named.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "fields.h"
#include "hrows.h"
#include "query/lang/lang.h"

#define FIELDS_MAX 1000		/* that one query can name */

/* A column that was made. */
struct made {
	char		*name;
	struct path	*path;		/* NULL: number named of those with a name of their own */
	size_t		 named;
};

struct fields {
	struct rows		 rows;
	struct heap_view	 view;
	size_t			 object;	/* column of in */
	const struct class_set	*classes;	/* classes of the objects; NULL, or has NULL: any */
	struct coldef		*cols;		/* columns of in, then one for each made */
	struct made		*made;
	size_t			 nmade, made_cap, cols_cap;
	struct text_pool	 names;		/* names of the fields of the classes */
	bool			 opened, listed;
};

static size_t
own_columns(const struct fields *f)
{
	return f->rows.in->ncols;
}

/* ---- cells -------------------------------------------------------------------- */

static void (*const named_cells[MADE_NAMED])(struct rows *, struct heap_view *, uint32_t, struct cell *) = {
	view_content_cell, view_site_cell, view_package_cell
};

static void
fields_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct fields *f = (struct fields *)r;
	size_t own = own_columns(f);
	const struct made *made;
	uint32_t object;

	if (col < own) {
		rows_cell(r->in, row, col, c);
		return;
	}
	rows_cell(r->in, row, f->object, c);
	object = cell_object(&f->view.heap, c);
	made = &f->made[col - own];
	c->type = CELL_NONE;
	if (object == 0 || r->err.kind != E_NONE)
		return;
	if (made->path == NULL)
		named_cells[made->named](r, &f->view, object, c);
	else if (!path_cell(made->path, &f->view.heap, object, c, &f->view.text, &r->err))
		c->type = CELL_NONE;
}

static bool
fields_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	return col < own_columns((struct fields *)r) && same_batch(r, first, n, col, b);
}

static void
fields_close(struct rows *r)
{
	struct fields *f = (struct fields *)r;

	for (size_t i = 0; i < f->nmade; i++) {
		free(f->made[i].name);
		path_free(f->made[i].path);
	}
	free(f->made);
	free(f->cols);
	texts_free(&f->names);
	heap_view_close(&f->view);
}

/* ---- classes and their fields ---------------------------------------------------- */

static bool
open_heap(struct fields *f)
{
	if (f->opened)
		return true;
	f->opened = true;
	return heap_view_open(&f->view, f->rows.session, &f->rows.err);
}

static bool
fields_has_class(const struct fields *f, uint32_t class)
{
	return f->classes == NULL || f->classes->has == NULL || f->classes->has[class];
}

/* Whether some class of the objects has the first step of a path. */
static bool
fields_is_known(struct fields *f, struct path *p)
{
	const struct heap *h = &f->view.heap;
	struct field_place place;
	struct heap_slot slot;

	if (p->step[0].name.n == 0 || path_name_is_common(p->step[0].name))
		return true;
	for (uint32_t class = 1; class <= h->classes; class++) {
		if (!fields_has_class(f, class))
			continue;
		if (!path_place(p, 0, h, class, &place, &f->rows.err))
			return false;
		if (place.type != 0)
			return true;
	}
	for (uint32_t class = 1; h->class_class != 0 && fields_has_class(f, h->class_class) &&
	    class <= h->classes; class++)
		if (heap_static(h, class, p->step[0].name, &slot))
			return true;
	return false;
}

/* The classes and all above them. */
static bool
add_supers(const struct fields *f, uint8_t **all)
{
	const struct heap *h = &f->view.heap;
	const struct column *super = store_column(h->st, COL_CLASS_SUPER);

	*all = mem_array(h->classes + 1ull, 1);
	if (*all == NULL)
		return false;
	for (uint32_t class = 1; class <= h->classes; class++)
		for (uint32_t up = fields_has_class(f, class) ? class : 0;
		    up != 0 && up <= h->classes && !(*all)[up];
		    up = (uint32_t)column_get(super, up - 1))
			(*all)[up] = 1;
	return true;
}

static bool
fields_add_names(struct fields *f, const uint8_t *all)
{
	const struct heap *h = &f->view.heap;
	const struct column *first = store_column(h->st, COL_CLASS_FIELD);
	const struct column *fields = store_column(h->st, COL_CLASS_FIELDS);
	const struct column *name = store_column(h->st, COL_FIELD_NAME);
	uint64_t row, left;
	uint32_t number;

	for (uint32_t class = 1; class <= h->classes; class++) {
		left = column_rows_of(first, fields, name, class, &row);
		for (; all[class] && left > 0; left--, row++)
			if (!texts_number(&f->names, store_text(h->st,
			    column_get(name, row - 1)), &number, &f->rows.err))
				return false;
	}
	return true;
}

/* The number of the column that contains it; MADE_NAMED: none. */
static size_t
named_of(struct str name)
{
	size_t i;

	for (i = 0; i < MADE_NAMED && !str_is(name, made_columns[i].name); i++)
		continue;
	return i;
}

/* Columns of in and named columns keep their names; a field of such a name gets a leading point. */
static void
put_name(const struct fields *f, struct str name, struct buf *b)
{
	size_t i;

	for (i = 0; i < own_columns(f); i++)
		if (str_is(name, f->rows.in->cols[i].name))
			break;
	if (i < own_columns(f) || named_of(name) < MADE_NAMED)
		buf_chr(b, '.');
	text_fit_buf(b, name);
}

static bool
fields_known(struct rows *r, uint64_t i, struct str *name)
{
	struct fields *f = (struct fields *)r;
	uint8_t *all = NULL;

	if (!f->listed && open_heap(f) && f->view.heap.offset != NULL) {
		if (add_supers(f, &all))
			fields_add_names(f, all);
		free(all);
	}
	f->listed = true;
	if (i < MADE_NAMED) {
		*name = str_of(made_columns[i].name);
		return true;
	}
	i -= MADE_NAMED;
	if (i >= f->names.n)
		return false;
	buf_clear(&f->view.text);
	put_name(f, texts_get(&f->names, (uint32_t)i + 1), &f->view.text);
	*name = buf_view(&f->view.text);
	return true;
}

/* ---- columns --------------------------------------------------------------------- */

static char *
column_name(const struct fields *f, struct str text)
{
	struct buf b = BUF_INIT;

	if (str_has_prefix(text, STR(".")))
		text.s++, text.n--;
	put_name(f, text, &b);
	if (b.bad)
		buf_free(&b);
	return b.s;
}

static int
fields_column_of(const struct fields *f, const char *name)
{
	for (size_t i = 0; i < f->nmade; i++)
		if (strcmp(f->made[i].name, name) == 0)
			return (int)(own_columns(f) + i);
	return -1;
}

static bool
room_for_column(struct fields *f)
{
	size_t own = own_columns(f);

	if (f->nmade == FIELDS_MAX)
		return fail(&f->rows.err, E_USAGE, "too many fields; at most %d per query", FIELDS_MAX);
	if (!mem_grow(&f->cols, &f->cols_cap, own + f->nmade + 1, sizeof *f->cols) ||
	    !mem_grow(&f->made, &f->made_cap, f->nmade + 1, sizeof *f->made))
		return fail_memory(&f->rows.err, "query");
	if (f->nmade == 0)
		memcpy(f->cols, f->rows.in->cols, own * sizeof *f->cols);
	f->rows.cols = f->cols;
	return true;
}

static int
fields_add_column(struct fields *f, char *name, struct path *p, const struct coldef *def)
{
	if (name == NULL || !room_for_column(f)) {
		free(name);
		path_free(p);
		return -1;
	}
	f->made[f->nmade++] = (struct made){ name, p, (size_t)(def - made_columns) };
	f->cols[f->rows.ncols] = *def;
	f->cols[f->rows.ncols].name = name;
	return (int)f->rows.ncols++;
}

/* A column with a name of its own. */
static int
fields_find_named(struct fields *f, const struct coldef *def)
{
	int col = fields_column_of(f, def->name);

	return col >= 0 ? col : fields_add_column(f, mem_copy(str_of(def->name)), NULL, def);
}

static int
fields_find(struct rows *r, struct str text, bool quoted)
{
	struct fields *f = (struct fields *)r;
	struct path *p;
	char *name;
	int col;

	if (r->err.kind != E_NONE || !open_heap(f))
		return -1;
	if (named_of(text) < MADE_NAMED)
		return fields_find_named(f, &made_columns[named_of(text)]);
	if (!path_read(&p, text, quoted, &r->err) || p == NULL)
		return -1;
	name = column_name(f, text);
	col = name == NULL ? -1 : fields_column_of(f, name);
	path_attach(p, &f->view.heap);
	/* In the store of no file anything can be a field; before the pass over the objects nothing. */
	if (name == NULL || col >= 0 || (!store_is_blank(f->view.heap.st) &&
	    (f->view.heap.offset == NULL || !fields_is_known(f, p)))) {
		free(name);
		path_free(p);
		return col;
	}
	return fields_add_column(f, name, p, &made_columns[MADE_NAMED]);
}

/* A field is that of the object of its row. */
static uint64_t
fields_touch(struct rows *r, uint64_t mine, UNUSED struct touching *touching)
{
	const struct fields *f = (const struct fields *)r;
	uint64_t own = COLUMN_BIT(own_columns(f)) - 1;

	return (mine & own) | ((mine & ~own) != 0 ? COLUMN_BIT(f->object) : 0);
}

static const struct rows_ops fields_ops = { .reach = same_reach, .cell = fields_cell, .close = fields_close,
	.find = fields_find, .known = fields_known, .touch = fields_touch, .batch = fields_batch };

const struct coldef made_columns[MADE_COLUMNS] = {
	{ "content", CELL_TEXT, "what the object holds: its text, value or elements", MORE, NEEDS(objects),
	    .rest = true, .cut = CUT_END },
	{ "alloc_site", CELL_TEXT, "method that allocated it, if the dump has stack traces", MORE,
	    NEEDS(objects) },
	{ "package", CELL_TEXT, "package of the class; for a Class object, of its class", MORE,
	    NEEDS(objects),
	    .cut = CUT_FRONT },
	{ "FIELD", CELL_NONE, "any field by name, e.g. age, friends.size, table[0].key", MORE,
	    NEEDS(objects) }
};

bool
command_has_fields(const struct command *c)
{
	for (size_t i = 0; (c->shapes & (SHAPE_GRAPH | SHAPE_VALUES | SHAPE_TEXTS)) != 0 && i < c->ncols; i++)
		if (c->cols[i].of == ID_OBJECT && (strcmp(c->cols[i].name, "object") == 0 ||
		    strcmp(c->cols[i].name, "id") == 0))
			return true;
	return false;
}

int
fields_object(struct rows *r)
{
	r = rows_origin(r);
	return r->ops == &fields_ops ? (int)((struct fields *)r)->object : -1;
}

/* ---- opening --------------------------------------------------------------------- */

bool
fields_over(struct session *session, const struct stage *stage, struct rows *in,
    const struct class_set *classes,
    struct rows **out, struct err *err)
{
	int col = object_column(stage, in, NULL);
	struct fields *f;

	if (col < 0 || in->cols[col].of != ID_OBJECT) {
		*out = in;
		return true;
	}
	f = rows_new(sizeof *f, &fields_ops, session, in, err);
	if (f == NULL)
		return false;
	f->classes = classes;
	f->object = (size_t)col;
	*out = &f->rows;
	return true;
}
