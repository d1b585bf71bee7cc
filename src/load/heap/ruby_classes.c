/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_classes: the classes of objects, by name.  The class field of an object may be a singleton class, and a
 * class may have no name.
 */
#include "config.h"

#include <inttypes.h>

#include "ruby.h"

struct ruby_class *
ruby_class_at(const struct ruby *r, uint64_t addr)
{
	uint32_t row = idmap_get(&r->class_map, addr);
	struct ruby_class *c = row == 0 ? NULL : &r->classes.at[row - 1];

	/* A later line may say that the object is something else. */
	return c != NULL && (r->type.at[c->object - 1] & RUBY_TYPE_BITS) == c->type ? c : NULL;
}

/* ---- singleton classes of Ruby 3.0, which nothing marks -------------------------------------- */

/* The first class in its references, otherwise the first link to a module. */
static uint64_t
find_super(const struct ruby *r, const struct ruby_class *of)
{
	struct str list = ruby_list(r, of->object);
	const struct ruby_class *c;
	uint64_t addr, link = 0;

	while (ruby_line_next(&list, &addr)) {
		c = ruby_class_at(r, addr);
		if (c == NULL || c == of)
			continue;
		if (c->type == TYPE_CLASS)
			return addr;
		if (c->type == TYPE_ICLASS && link == 0)
			link = addr;
	}
	return link;
}

/* A singleton class refers to the one object whose class field it is. */
static bool
refers_to_own(const struct ruby *r, const struct ruby_class *of)
{
	struct str list = ruby_list(r, of->object);
	uint32_t object;
	uint64_t addr;

	while (ruby_line_next(&list, &addr))
		if ((object = heap_ids_find(&r->ids, addr)) != 0 &&
		    r->kinds.at[r->kind.at[object - 1] - 1].addr == of->addr)
			return true;
	return false;
}

static void
find_singletons(struct ruby *r)
{
	for (uint64_t i = 0; i < r->nclasses; i++) {
		struct ruby_class *c = &r->classes.at[i];
		bool may = c->type == TYPE_ICLASS || (c->type == TYPE_CLASS && c->name.n == 0 &&
		    r->kinds.at[r->kind.at[c->object - 1] - 1].addr != 0 && refers_to_own(r, c));

		c->superclass = may ? find_super(r, c) : 0;
		c->singleton = c->type == TYPE_CLASS && c->superclass != 0;
	}
}

/* ---- names ------------------------------------------------------------------------------------- */

/* x.class of an object with this class field; NULL: the chain breaks. */
static struct ruby_class *
real_class(const struct ruby *r, struct ruby_class *c)
{
	for (uint64_t hops = 0; c != NULL && hops <= r->nclasses; hops++) {
		if (c->type != TYPE_ICLASS && !c->singleton)
			return c;
		c = ruby_class_at(r, c->superclass);
	}
	return NULL;
}

static void
ruby_put_name(struct buf *b, const struct ruby_class *c, struct str name)
{
	OWN_BUF text = BUF_INIT;

	buf_str(b, ruby_line_text(name, c->escaped, &text));
}

/* The name of the class at an address. */
static void
class_at_name(const struct ruby *r, uint64_t addr, uint32_t object, struct buf *b)
{
	struct ruby_class *c = ruby_class_at(r, addr), *real = c == NULL ? NULL : real_class(r, c);

	if (object == 0)
		buf_printf(b, "class@0x%" PRIx64, addr);
	else if (c != NULL && c->singleton && real == NULL && c->real_name.n > 0)
		ruby_put_name(b, c, c->real_name);
	else if (c != NULL && c->singleton && real == NULL)
		buf_printf(b, "singleton@0x%" PRIx64, addr);
	else {
		if (c != NULL && c->singleton)
			c = real;
		if (c != NULL && c->name.n > 0)
			ruby_put_name(b, c, c->name);
		else
			buf_printf(b, "#<%s:0x%" PRIx64 ">", c != NULL && c->type == TYPE_MODULE ? "Module" : "Class",
			    c != NULL ? c->addr : addr);
	}
}

static void
put_hidden(struct buf *b, struct str type)
{
	buf_chr(b, '(');
	for (size_t i = 0; i < type.n; i++)
		buf_chr(b, type.s[i] >= 'A' && type.s[i] <= 'Z' ? (char)(type.s[i] | 32) : type.s[i]);
	buf_chr(b, ')');
}

static void
put_sub(struct buf *b, const char *what, struct str sub)
{
	OWN_BUF text = BUF_INIT;

	buf_printf(b, "(%s ", what);
	buf_str(b, sub.n > 0 ? ruby_line_text(sub, false, &text) : STR("?"));
	buf_chr(b, ')');
}

static void
kind_name(const struct ruby *r, const struct ruby_kind *k, struct buf *b)
{
	switch (k->type) {
	case TYPE_CLASS:
		buf_text(b, "Class");
		return;
	case TYPE_MODULE:
		buf_text(b, "Module");
		return;
	case TYPE_ICLASS:
		buf_text(b, "(iclass)");
		return;
	case TYPE_IMEMO:
		put_sub(b, "imemo", k->sub);
		return;
	case TYPE_NODE:
		put_sub(b, "node", k->sub);
		return;
	}
	if (k->addr != 0)
		class_at_name(r, k->addr, k->object, b);
	if (k->type == TYPE_DATA && (k->addr == 0 || str_is(buf_view(b), "Object"))) {
		buf_clear(b);
		put_sub(b, "data", k->sub);
	} else if (k->addr == 0)
		put_hidden(b, k->type == TYPE_OTHER ? k->sub : str_of(ruby_types[k->type]));
}

/* ---- rows by name ------------------------------------------------------------------------------ */

/* The row of the class of that name, from 1. */
static bool
named_class(struct ruby *r, struct str name, uint32_t *row)
{
	struct class_in class = { .loader = 1 };

	if (!idmap_enter(&r->named_map, idmap_hash_text(name, 0), (uint32_t)r->nnamed + 1, row, r->err))
		return false;
	if (*row <= r->nnamed)
		return true;
	class.name = ruby_own(r, name);
	return (!r->own.bad || fail_memory(r->err, "names")) && array_add(&r->named, &r->nnamed, &class, r->err);
}

static bool
name_kinds(struct ruby *r)
{
	OWN_BUF name = BUF_INIT;
	uint32_t row;

	/* The first two, which are the last ones in the end: their objects are classes. */
	if (!named_class(r, STR("Module"), &row) || !named_class(r, STR("Class"), &row))
		return false;
	for (uint64_t i = 0; i < r->nkinds; i++) {
		struct ruby_kind *k = &r->kinds.at[i];

		if (!work_each(r->work, i, 4096, r->err))
			return false;
		k->object = k->addr == 0 ? 0 : heap_ids_find(&r->ids, k->addr);
		buf_clear(&name);
		kind_name(r, k, &name);
		if (name.bad || !named_class(r, buf_view(&name), &k->class))
			return name.bad ? fail_memory(r->err, "names") : false;
		if (k->class <= 2)
			continue;
		if (k->type == TYPE_STRING)
			r->named.at[k->class - 1].element = HEAP_CHAR;
		else if (k->type == TYPE_ARRAY && r->named.at[k->class - 1].element == 0)
			r->named.at[k->class - 1].element = HEAP_OBJECT;
	}
	return true;
}

/* Classes and modules with a name have a row, also those without objects. */
static bool
ruby_name_classes(struct ruby *r, uint32_t *rows)
{
	OWN_BUF name = BUF_INIT;

	for (uint64_t i = 0; i < r->nclasses; i++) {
		struct ruby_class *c = &r->classes.at[i];
		struct class_in *row;

		if (!work_each(r->work, i, 4096, r->err))
			return false;
		if (ruby_class_at(r, c->addr) != c)
			continue;
		r->count.singletons += c->singleton;
		if (c->singleton && c->type == TYPE_CLASS &&
		    !named_class(r, STR("(singleton class)"), &r->singleton_class))
			return false;
		r->count.anonymous += c->type != TYPE_ICLASS && !c->singleton && c->name.n == 0;
		if (c->type == TYPE_ICLASS || c->singleton)
			continue;
		buf_clear(&name);
		class_at_name(r, c->addr, c->object, &name);
		if (c->name.n == 0 && idmap_get(&r->named_map, idmap_hash_text(buf_view(&name), 0)) == 0)
			continue;
		if (!named_class(r, buf_view(&name), &rows[i]))
			return false;
		row = &r->named.at[rows[i] - 1];
		if (row->object == 0) {
			row->object = c->object;
			row->addr = c->addr;
			r->type.at[c->object - 1] |= RUBY_IS_CLASS;
		}
	}
	return true;
}

static void
turn_around(struct ruby *r)
{
	uint32_t n = (uint32_t)r->nnamed;
	struct class_in *first = r->named.at, *last = first + n - 1, one;

	for (uint32_t i = 0; i < n; i++)
		first[i].super = first[i].super != 0 ? n + 1 - first[i].super : 0;
	for (; first < last; *first++ = *last, *last-- = one)
		one = *first;
	for (uint64_t i = 0; i < r->nkinds; i++)
		r->kinds.at[i].class = n + 1 - r->kinds.at[i].class;
	r->singleton_class = n + 1 - r->singleton_class;
}

bool
ruby_classes(struct ruby *r)
{
	OWN_ARRAY(uint32_t) rows = ARRAY_INIT;
	struct ruby_class *above;

	if ((r->has >> RUBY_IS_superclass & 1) == 0 && (r->has >> RUBY_IS_singleton & 1) == 0)
		find_singletons(r);
	if (!array_grow(&rows, r->nclasses, r->err) || !name_kinds(r) || !ruby_name_classes(r, rows.at))
		return false;
	for (uint64_t i = 0; i < r->nclasses; i++) {
		if (rows.at[i] == 0 || r->named.at[rows.at[i] - 1].object != r->classes.at[i].object)
			continue;
		above = real_class(r, ruby_class_at(r, r->classes.at[i].superclass));
		if (above != NULL && rows.at[above - r->classes.at] != rows.at[i])
			r->named.at[rows.at[i] - 1].super = rows.at[above - r->classes.at];
	}
	turn_around(r);
	return true;
}
