/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_classes: the class of each node of a snapshot of V8, by the rules of DevTools: the constructor's name and
 * where it begins, the interface of a plain object, or the type in brackets.
 */
#include "config.h"

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "v8_in.h"

#define TICK 65536u
#define DETACHED 2u
#define TYPES 256u

/* Kinds of some objects of a class. */
enum { ARRAYS = 1, TEXTS = 2 };

/* A class while its objects are counted; those of one name differ in place, a row of v->places from 1. */
struct v8_class {
	uint32_t	name, place;
	uint8_t		element;	/* ARRAYS, TEXTS */
};

/* A name, and how many classes have it. */
struct v8_class_name {
	uint32_t	at, n;		/* in text */
	uint32_t	classes;
};

struct v8_classing {
	struct v8	*v;
	struct idmap	 by_text;	/* hash of a text to its name, from 1 */
	struct idmap	 by_string;	/* 1 + string << 1 | detached, to its name */
	struct idmap	 by_place;	/* hash of name and place to a class, from 1 */
	ARRAY(struct v8_class_name) names;
	ARRAY(struct v8_class) rows;
	ARRAY(struct class_in) in;
	ARRAY(uint32_t)	 interfaces;	/* their names */
	uint32_t	 types[TYPES], array;	/* array: the name "Array" */
	uint64_t	 n, nnames, ninterfaces, place;
	struct buf	 text, one, titles;
};

/* ---- names ---------------------------------------------------------------------------------- */

static bool
v8_classes_name(struct v8_classing *c, struct str s, uint32_t *name)
{
	struct v8_class_name row;

	s = s.n > 0 ? s : STR("(no name)");
	row = (struct v8_class_name){ (uint32_t)c->text.n, (uint32_t)s.n, 0 };
	*name = (uint32_t)c->nnames + 1;
	if (!idmap_enter(&c->by_text, idmap_hash_text(s, 0), *name, name, c->v->err))
		return false;
	if (*name <= c->nnames)
		return true;
	buf_str(&c->text, s);
	if (c->text.n > UINT32_MAX)
		return fail(c->v->err, E_SYSTEM, "names of classes are too long");
	return array_add(&c->names, &c->nnames, &row, c->v->err);
}

/* "<div id="a">" is "<div>". */
static void
v8_classes_element(struct buf *b)
{
	struct str s = buf_view(b);
	const char *blank;

	str_take(&s, STR("Detached "));
	blank = s.n > 0 && s.s[0] == '<' ? memchr(s.s, ' ', s.n) : NULL;
	if (blank != NULL) {
		b->n = (size_t)(blank - b->s);
		buf_chr(b, '>');
	}
}

static bool
v8_classes_of_string(struct v8_classing *c, uint32_t string, bool detached, uint32_t *name)
{
	struct v8 *v = c->v;
	OWN_BUF b = BUF_INIT;

	if ((*name = idmap_get(&c->by_string, (string + 1ull) << 1 | detached)) != 0)
		return true;
	buf_clear(&c->one);
	buf_text(&c->one, detached ? "Detached " : "");
	buf_str(&c->one, v8_text(v, string, &b));
	if (str_begins(buf_view(&c->one), "Node / "))
		v->writer = "Node.js";
	v8_classes_element(&c->one);
	return v8_classes_name(c, buf_view(&c->one), name) &&
	    idmap_put(&c->by_string, (string + 1ull) << 1 | detached, *name, v->err);
}

static bool
v8_classes_of_type(struct v8_classing *c, uint8_t type, uint32_t *name)
{
	static const char *const fixed[] = {
		[V8_HIDDEN] = "(system)", [V8_CLOSURE] = "Function", [V8_REGEXP] = "RegExp",
		[V8_CODE] = "(compiled code)",
		[V8_SYMBOL] = NULL
	};
	enum v8_type is = type < V8_TYPES ? (enum v8_type)c->v->meta.types[type] : V8_OTHER;
	struct str word = v8_type_name(c->v->source, &c->v->meta, type);

	if ((*name = c->types[type]) != 0)
		return true;
	buf_clear(&c->one);
	if (word.n > 0)
		buf_printf(&c->one, "(%.*s)", (int)word.n, word.s);
	else
		buf_printf(&c->one, "(type %u)", type);
	if (!v8_classes_name(c, fixed[is] != NULL ? str_of(fixed[is]) : buf_view(&c->one), name))
		return false;
	c->types[type] = *name;
	return true;
}

static bool
v8_classes_of_interfaces(struct v8_classing *c)
{
	struct str rest, title;
	uint32_t name;

	if (!v8_shapes_name(c->v, &c->titles))
		return false;
	for (rest = buf_view(&c->titles); str_split(&rest, '\0', &title); )
		if (!v8_classes_name(c, title, &name) || !array_add(&c->interfaces, &c->ninterfaces, &name, c->v->err))
			return false;
	return true;
}

/* ---- classes ----------------------------------------------------------------------------------- */

/* The place of the constructor of a node, row of v->places from 1; nodes come in order.  The last one counts. */
static uint32_t
v8_classes_place(struct v8_classing *c, uint32_t node)
{
	const struct v8_place *p = c->v->places.at;
	uint64_t n = c->v->nplaces;

	while (c->place < n && p[c->place].node <= node)
		c->place++;
	return c->place > 0 && p[c->place - 1].node == node ? (uint32_t)c->place : 0;
}

static bool
v8_classes_add(struct v8_classing *c, uint32_t name, uint32_t place, enum v8_type type, uint32_t *class)
{
	struct v8_class row = { name, place, type == V8_STRING || type == V8_ROPE || type == V8_SLICE ? TEXTS :
	    type == V8_ARRAY || (type == V8_OBJECT && name == c->array) ? ARRAYS : 0 };
	const struct v8_place *p = place == 0 ? NULL : &c->v->places.at[place - 1];
	uint32_t key[] = { name, p != NULL, p == NULL ? 0 : p->script, p == NULL ? 0 : p->line,
	    p == NULL ? 0 : p->column };

	assert(name != 0 && name <= c->nnames);
	*class = (uint32_t)c->n + 1;
	if (!idmap_enter(&c->by_place, idmap_hash_text((struct str){ (const char *)key, sizeof key }, 0), *class, class,
	    c->v->err))
		return false;
	if (*class <= c->n) {
		c->rows.at[*class - 1].element |= row.element;
		return true;
	}
	c->names.at[name - 1].classes++;
	return array_add(&c->rows, &c->n, &row, c->v->err);
}

static bool
v8_classes_of_node(struct v8_classing *c, uint32_t i)
{
	struct v8 *v = c->v;
	enum v8_type type = v8_type(v, i);
	uint32_t name, shape = v->class.at[i], interface = shape == 0 ? 0 : v->shapes.rows.at[shape - 1].interface;
	uint32_t place = type == V8_OBJECT ? v8_classes_place(c, i) : 0;
	bool detached = type == V8_NATIVE && v->state[i] == DETACHED && v->meta.node[V8_NODE_STATE] != V8_ABSENT;

	assert(shape <= v->shapes.n && interface <= c->ninterfaces);
	if (interface != 0)
		name = c->interfaces.at[interface - 1];
	else if (!(type == V8_OBJECT || type == V8_NATIVE ? v8_classes_of_string(c, v->name.at[i], detached, &name) :
	    v8_classes_of_type(c, v->type.at[i], &name)))
		return false;
	v->bad.names += v->name.at[i] >= v->strings.n;
	return v8_classes_add(c, name, place, type, &v->class.at[i]);
}

/* ---- columns ------------------------------------------------------------------------------------ */

/* Classes with the same name get the place as well. */
static bool
v8_classes_text(struct v8_classing *c, struct buf *all)
{
	const struct v8_class_name *name;
	const struct v8_place *p;
	size_t from;

	if (!array_grow(&c->in, c->n, c->v->err))
		return false;
	for (uint64_t i = 0; i < c->n; i++) {
		name = &c->names.at[c->rows.at[i].name - 1];
		p = name->classes < 2 || c->rows.at[i].place == 0 ? NULL : &c->v->places.at[c->rows.at[i].place - 1];
		from = all->n;
		buf_str(all, (struct str){ c->text.s + name->at, name->n });
		if (p != NULL)
			buf_printf(all, " %u:%u:%u", p->script, p->line, p->column);
		c->in.at[i].name = ref_make(store_own_at(c->v->st) + from, all->n - from);
		c->in.at[i].element = c->rows.at[i].element >= TEXTS ? HEAP_CHAR : c->rows.at[i].element > 0 ?
		    HEAP_OBJECT : 0;
	}
	return !all->bad || fail_memory(c->v->err, "names of classes");
}

static bool
v8_classes_places(struct v8_classing *c)
{
	static const struct make_column places[] = {
		MAKE(COL_PLACE_SCRIPT, v8_place, script), MAKE(COL_PLACE_LINE, v8_place, line),
		    MAKE(COL_PLACE_COLUMN, v8_place, column)
	}, class = MAKE(COL_CLASS_SCRIPT, v8_class, place);
	struct v8 *v = c->v;
	uint32_t *object = store_make(v->st, COL_PLACE_OBJECT, COL_U32, v->nplaces, v->err);

	for (uint64_t i = 0; object != NULL && i < v->nplaces; i++)
		object[i] = (uint32_t)v->places.at[i].node + 1;
	return object != NULL && make_columns(v->st, places, NELEM(places), MAKE_ROWS(v->places.at, v->nplaces),
	    v->err) &&
	    make_columns(v->st, &class, 1, MAKE_ROWS(c->rows.at, c->n), v->err);
}

static bool
v8_classes_count(struct v8_classing *c)
{
	struct v8 *v = c->v;
	enum column_type width = column_fit(c->n);
	void *to = store_make(v->st, COL_OBJECT_CLASS, width, v->n, v->err);
	struct class_in *class;
	enum v8_type type;
	uint64_t size;

	for (uint32_t i = 0; to != NULL && i < v->n; i++) {
		assert(v->class.at[i] != 0 && v->class.at[i] <= c->n);
		class = &c->in.at[v->class.at[i] - 1];
		class->objects++;
		size = v8_wide_get(&v->size, i);
		class->mat_bytes = num_add(class->mat_bytes, size);
		type = v8_type(v, i);
		v->bytes[type] = num_add(v->bytes[type], size);
		v->buffers = num_add(v->buffers, type == V8_NATIVE &&
		    v8_mark(v, v->name.at[i]) == V8_BUFFER ? size : 0);
		v->detached += v->state[i] == DETACHED;
		column_set(to, width, i, v->class.at[i]);
	}
	/* By --sizes vm, owners have the bytes. */
	if (to == NULL || !v8_wide_make(v, &v->size, COL_OBJECT_MAT_SHALLOW) || !v8_owners(v) ||
	    !v8_wide_make(v, &v->size, COL_OBJECT_SHALLOW))
		return false;
	for (uint32_t i = 0; i < v->n; i++) {
		class = &c->in.at[v->class.at[i] - 1];
		class->bytes = num_add(class->bytes, v8_wide_get(&v->size, i));
	}
	return true;
}

bool
v8_classes(struct v8 *v)
{
	struct v8_classing c = { .v = v, .text = BUF_INIT, .one = BUF_INIT, .titles = BUF_INIT };
	OWN_BUF all = BUF_INIT;
	bool ok = v8_classes_name(&c, STR("Array"), &c.array) && v8_classes_of_interfaces(&c);

	work_start(v->work, "classes", v->n);
	for (uint32_t i = 0; ok && i < v->n; i++)
		ok = v8_classes_of_node(&c, i) && work_each(v->work, i, TICK, v->err);
	ok = ok && v8_classes_text(&c, &all) && v8_classes_places(&c) && v8_classes_count(&c) &&
	    make_copy(v->st, COL_HEAP_TEXT, COL_BYTES, all.s, all.n, v->err) &&
	    heap_in_classes(v->st, c.in.at, (uint32_t)c.n, 0, v->err);
	SCRATCH_FREE(&c.names, &c.rows, &c.in, &c.interfaces);
	idmap_free(&c.by_text);
	idmap_free(&c.by_string);
	idmap_free(&c.by_place);
	buf_free(&c.text);
	buf_free(&c.one);
	buf_free(&c.titles);
	return ok;
}
