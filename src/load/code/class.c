/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * class: class files: names of methods, and positions of their code.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "bytes.h"

/* A part of a class file, read from its start. */
struct reader {
	const uint8_t	*p, *end;
};

static bool
skip(struct reader *r, uint64_t n)
{
	assert(r->p <= r->end);
	if (n > (uint64_t)(r->end - r->p))
		return false;
	r->p += n;
	return true;
}

static bool
take16(struct reader *r, uint32_t *v)
{
	const uint8_t *p = r->p;

	if (!skip(r, 2))
		return false;
	*v = be16(p);
	return true;
}

/* Attributes of the class file format of Java 25, common ones first. */
static const struct str attributes[] = {
#define ATTRIBUTE(name) { (name), sizeof(name) - 1 }
	ATTRIBUTE("Code"), ATTRIBUTE("LineNumberTable"), ATTRIBUTE("LocalVariableTable"),
	    ATTRIBUTE("StackMapTable"), ATTRIBUTE("SourceFile"),
	ATTRIBUTE("Signature"), ATTRIBUTE("LocalVariableTypeTable"), ATTRIBUTE("Exceptions"),
	    ATTRIBUTE("ConstantValue"), ATTRIBUTE("InnerClasses"),
	ATTRIBUTE("RuntimeVisibleAnnotations"), ATTRIBUTE("RuntimeInvisibleAnnotations"),
	    ATTRIBUTE("RuntimeVisibleParameterAnnotations"),
	ATTRIBUTE("RuntimeInvisibleParameterAnnotations"), ATTRIBUTE("RuntimeVisibleTypeAnnotations"),
	    ATTRIBUTE("RuntimeInvisibleTypeAnnotations"),
	ATTRIBUTE("AnnotationDefault"), ATTRIBUTE("MethodParameters"), ATTRIBUTE("BootstrapMethods"),
	    ATTRIBUTE("EnclosingMethod"),
	ATTRIBUTE("NestHost"), ATTRIBUTE("NestMembers"), ATTRIBUTE("PermittedSubclasses"),
	    ATTRIBUTE("Record"), ATTRIBUTE("Synthetic"),
	ATTRIBUTE("Deprecated"), ATTRIBUTE("SourceDebugExtension"), ATTRIBUTE("Module"),
	    ATTRIBUTE("ModulePackages"), ATTRIBUTE("ModuleMainClass")
#undef ATTRIBUTE
};

static bool
is_known(struct str name)
{
	size_t i = 0;

	while (i < NELEM(attributes) && !str_eq(attributes[i], name))
		i++;
	return i < NELEM(attributes);
}

/*
 * Read the next attribute: its name, which may be empty, and its bytes. Names of no known attribute are
 * counted in u, unless it is NULL.
 */
static bool
take_attribute(struct reader *r, const struct code_pool *pool, struct unread *u, struct str *name,
    struct reader *in)
{
	const uint8_t *p = r->p;

	*name = STR("");
	if (!skip(r, 6) || !skip(r, be32(p + 2)))
		return false;
	code_pool_text(pool, be16(p), name);
	if (u != NULL && !is_known(*name))
		unread_add(u, UNREAD_ATTRIBUTE, *name, 1);
	*in = (struct reader){ p + 6, r->p };
	return true;
}

/* ---- code of a method ---------------------------------------------------------------------- */

static bool
class_read_tries(struct code_body *b, struct reader *r, struct err *err)
{
	struct code_try t;
	uint32_t n;

	if (!take16(r, &n))
		return false;
	for (; n > 0; n--) {
		const uint8_t *p = r->p;
		uint32_t type;

		if (!skip(r, 8))
			return false;
		type = be16(p + 6);
		t = (struct code_try){ .start = be16(p), .end = be16(p + 2), .handler = be16(p + 4),
		    .type = STR("") };
		if ((type != 0 && !code_pool_class(&b->pool, type, &t.type)) || t.handler >= b->size)
			return false;
		t.what = type == 0 ? CATCH_ALL : catch_of(t.type);
		if (!body_add_try(b, &t, err))
			return false;
	}
	return true;
}

static bool
class_read_lines(struct code_body *b, struct reader r, struct err *err)
{
	uint32_t n;

	if (!take16(&r, &n))
		return true;
	for (; n > 0; n--) {
		const uint8_t *p = r.p;

		if (!skip(&r, 4))
			return true;
		if (!body_add_line(b, be16(p), be16(p + 2), err))
			return false;
	}
	return true;
}

static bool
read_variables(struct code_body *b, struct reader r, struct err *err)
{
	struct code_local v;
	uint32_t n;

	if (!take16(&r, &n))
		return true;
	for (; n > 0; n--) {
		const uint8_t *p = r.p;

		if (!skip(&r, 10))
			return true;
		v = (struct code_local){ .start = be16(p), .end = be16(p) + be16(p + 2), .slot = be16(p + 8),
		    .name = STR("") };
		if (!code_pool_text(&b->pool, be16(p + 6), &v.type))
			continue;
		b->has_cursor |= str_eq(v.type, STR("Landroid/database/Cursor;"));
		v.type = code_type_name(v.type);
		if (b->named && code_pool_text(&b->pool, be16(p + 4), &v.name) && !body_add_local(b, &v, err))
			return false;
	}
	return true;
}

/* Read the attributes of code that matter here. */
static bool
read_code_attribute(struct code_body *b, struct str name, struct reader in, struct err *err)
{
	if (str_eq(name, STR("LineNumberTable")))
		return class_read_lines(b, in, err);
	if (str_eq(name, STR("LocalVariableTable")))
		return read_variables(b, in, err);
	if (b->named && str_eq(name, STR("StackMapTable")))
		b->map = (struct str){ (const char *)in.p, (size_t)(in.end - in.p) };
	return true;
}

bool
class_body(struct code_body *b, const struct code_pool *pool, uint64_t at, struct err *err)
{
	struct reader r, in;
	struct str name;
	uint32_t n;

	if (at > pool->size || pool->size - at < 12 || pool->size - at - 4 < be32(pool->data + at))
		return false;
	r.p = pool->data + at + 4;
	r.end = r.p + be32(pool->data + at);
	in.p = r.p;
	if (!skip(&r, 8))
		return false;
	b->stack = be16(in.p);
	b->regs = be16(in.p + 2);
	b->size = be32(in.p + 4);
	b->insns = r.p;
	if (b->size == 0 || b->size > 65535 || !skip(&r, b->size) || !class_read_tries(b, &r, err) ||
	    !take16(&r, &n))
		return false;
	for (; n > 0 && take_attribute(&r, pool, b->unread, &name, &in); n--)
		if (!read_code_attribute(b, name, in, err))
			return false;
	return true;
}

/* ---- a complete class ----------------------------------------------------------------------- */

/* Read the fields or methods of a class; false: truncated, or out of memory. */
static bool
read_members(struct code_tables *rows, struct reader *r, bool methods, struct err *err)
{
	struct code_method_row row;
	struct reader in;
	struct str name, desc;
	uint32_t n, k;

	if (!take16(r, &n))
		return false;
	for (; n > 0; n--) {
		const uint8_t *p = r->p;

		if (!skip(r, 8))
			return false;
		row = (struct code_method_row){ .access = be16(p), .class = (uint32_t)rows->nclasses };
		name = desc = STR("");
		if (!code_pool_text(&rows->pool, be16(p + 2), &name) ||
		    !code_pool_text(&rows->pool, be16(p + 4), &desc))
			rows->bad_methods += row.bad = methods;
		row.name = rows_ref(rows, name);
		row.desc = rows_ref(rows, desc);
		for (k = be16(p + 6); k > 0; k--) {
			if (!take_attribute(r, &rows->pool, &rows->unread, &name, &in))
				return false;
			if (str_eq(name, STR("Code")))
				row.at = (uint64_t)(in.p - rows->data) - 4;
		}
		if (methods && !make_add(&rows->method, &rows->nmethods, &row, sizeof row, MAKE_MOST,
		    "methods", err))
			return false;
	}
	return true;
}

/* Count the unknown attributes of the components of a record. */
static void
read_components(struct code_tables *rows, struct reader r)
{
	struct reader in;
	struct str name;
	uint32_t n, k = 0;

	if (!take16(&r, &n))
		return;
	for (; n > 0 && k == 0 && skip(&r, 4) && take16(&r, &k); n--)
		while (k > 0 && take_attribute(&r, &rows->pool, &rows->unread, &name, &in))
			k--;
}

/* Read the attributes of a class, of which one names the source file. */
static struct str
class_source_file(struct code_tables *rows, struct reader *r)
{
	struct str name, source = STR("");
	struct reader in;
	uint32_t n = 1;

	if (take16(r, &n))
		for (; n > 0 && take_attribute(r, &rows->pool, &rows->unread, &name, &in); n--) {
			if (str_eq(name, STR("SourceFile")) && in.end - in.p >= 2)
				code_pool_text(&rows->pool, be16(in.p), &source);
			if (str_eq(name, STR("Record")))
				read_components(rows, in);
		}
	rows->cut += n > 0;
	return source;
}

/* ---- one field -------------------------------------------------------------------------------- */

bool
class_field_access(const struct code_pool *pool, uint64_t at, struct str name, uint32_t *access)
{
	struct reader r = { pool->data, pool->data + pool->size }, in;
	struct str have, attribute;
	uint32_t n, k;

	if (pool->dex || !skip(&r, at) || !take16(&r, &n) || !skip(&r, 2 * (uint64_t)n) || !take16(&r, &n))
		return false;
	for (; n > 0; n--) {
		const uint8_t *p = r.p;

		if (!skip(&r, 8))
			return false;
		*access = be16(p);
		if (code_pool_text(pool, be16(p + 2), &have) && str_eq(have, name))
			return true;
		for (k = be16(p + 6); k > 0; k--)
			if (!take_attribute(&r, pool, NULL, &attribute, &in))
				return false;
	}
	return false;
}

/* Read the part before the members. *r ends after the interfaces. */
static bool
class_read_head(struct code_tables *rows, struct reader *r, struct code_class_row *row)
{
	const uint8_t *p = r->p;
	struct str name, super = STR("");

	if (!skip(r, 8) || !code_pool_class(&rows->pool, be16(p + 2), &name))
		return false;
	/* Object has no superclass; an invalid superclass is unknown. */
	code_pool_class(&rows->pool, be16(p + 4), &super);
	row->access = be16(p);
	row->name = rows_ref(rows, name);
	row->super = rows_ref(rows, super);
	row->at = (uint64_t)(p + 6 - rows->data);
	return skip(r, 2 * (uint64_t)be16(p + 6));
}

bool
read_class_file(struct code_tables *rows, struct str piece, struct err *err)
{
	struct code_class_row row = { .piece = (uint32_t)rows->npieces,
	    .first = (uint32_t)rows->nmethods + 1 };
	struct reader r;

	if (!code_pool_open(&rows->pool, (const uint8_t *)piece.s, piece.n)) {
		rows->bad_pieces++;
		return true;
	}
	r = (struct reader){ (const uint8_t *)piece.s + rows->pool.end, (const uint8_t *)piece.s + piece.n };
	if (!class_read_head(rows, &r, &row)) {
		rows->bad_pieces++;
		return true;
	}
	/* The number of a class is its row. */
	rows->nclasses++;
	err->kind = E_NONE;
	if (!read_members(rows, &r, false, err) || !read_members(rows, &r, true, err)) {
		if (err->kind != E_NONE)
			return false;
		rows->bad_classes++;
	} else
		row.source = rows_ref(rows, class_source_file(rows, &r));
	rows->nclasses--;
	assert(row.first <= rows->nmethods + 1);
	row.methods = (uint32_t)(rows->nmethods + 1 - row.first);
	return make_add(&rows->class, &rows->nclasses, &row, sizeof row, MAKE_MOST, "classes", err);
}
