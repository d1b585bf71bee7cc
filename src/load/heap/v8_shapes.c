/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_shapes: plain objects of JavaScript are told apart by their properties, as DevTools does.
 *
 * Objects with equal lists of property names have one shape.  The names of a shape, up to what fits a title,
 * are an interface if enough objects have them.  An object is of the interface with the most properties of
 * which it has all.
 */
#include "config.h"

#include "v8_in.h"

#define TITLE_MOST 120u		/* characters of the title of an interface, without ", " */
#define RARE 1000u		/* an interface has more than one in so many plain objects, */
#define LEAST 2u		/* and so many */

/* Shapes with the same title. */
struct v8_interface {
	uint64_t	order;		/* sort key */
	uint64_t	objects, first;	/* first: of its properties in cut */
	uint32_t	n;
};

struct v8_naming {
	struct v8	*v;
	struct idmap	 length;	/* 1 + string: 1 + characters of its property in a title */
	struct idmap	 titles;	/* hash of properties to interface */
	ARRAY(uint32_t)	 cut;		/* properties of interfaces */
	ARRAY(struct v8_interface) row;
	ARRAY(uint32_t)	 met;		/* by string: the last shape, from 1, with that property */
	uint64_t	 ncut, n;
	struct buf	 text, prop;
};

/* ---- shapes ---------------------------------------------------------------------------------- */

bool
v8_shapes_add(struct v8 *v, uint32_t *shape)
{
	struct v8_shapes *s = &v->shapes;
	struct str key = { (const char *)s->own.raw.data, (size_t)s->nown * sizeof(uint32_t) };
	struct v8_shape row = { .first = s->nprops, .n = s->nown };

	s->objects++;
	*shape = (uint32_t)s->n + 1;
	if (!idmap_enter(&s->map, idmap_hash_text(key.n > 0 ? key : STR(""), 0), *shape, shape, v->err))
		return false;
	if (*shape <= s->n) {
		s->rows.at[*shape - 1].objects++;
		return true;
	}
	row.objects = 1;
	if (!array_grow(&s->props, s->nprops + s->nown, v->err) || !array_add(&s->rows, &s->n, &row, v->err))
		return false;
	if (key.n > 0)
		memcpy(s->props.at + s->nprops, key.s, key.n);
	s->nprops += s->nown;
	return true;
}

/* ---- titles ----------------------------------------------------------------------------------- */

static bool
v8_shapes_is_proto(const struct v8 *v, uint32_t string)
{
	return v8_mark(v, string) == V8_PROTO;
}

/* Appends a property; quoted, as in JSON, if it would be read as punctuation. */
static void
v8_shapes_add_prop(struct v8_naming *n, uint32_t string, struct buf *b)
{
	static const char escaped[] = "\"\\\n\r\t\f\b", as[] = "\"\\nrtfb";
	struct str s = v8_text(n->v, string, &n->prop);
	bool quoted = false;
	const char *hit;

	for (size_t i = 0; i < s.n; i++)
		quoted = quoted || is_one_of(s.s[i], ",'\"{}");
	if (!quoted) {
		buf_str(b, s);
		return;
	}
	buf_chr(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		hit = s.s[i] == '\0' ? NULL : strchr(escaped, s.s[i]);
		if (hit != NULL)
			buf_printf(b, "\\%c", as[hit - escaped]);
		else if ((unsigned char)s.s[i] < ' ')
			buf_printf(b, "\\u%04x", (unsigned)s.s[i]);
		else
			buf_chr(b, s.s[i]);
	}
	buf_chr(b, '"');
}

/* Characters of a property in a title, in UTF-16. */
static bool
v8_shapes_length(struct v8_naming *n, uint32_t string, uint64_t *units)
{
	uint32_t known = idmap_get(&n->length, string + 1ull);

	if (known == 0) {
		buf_clear(&n->text);
		v8_shapes_add_prop(n, string, &n->text);
		known = 1;
		for (size_t i = 0; i < n->text.n && known <= TITLE_MOST; i++)
			known += ((unsigned char)n->text.s[i] & 0xc0) != 0x80,
			    known += (unsigned char)n->text.s[i] >= 0xf0;
		if (!idmap_put(&n->length, string + 1ull, known, n->v->err))
			return false;
	}
	*units = known - 1;
	return true;
}

/* Puts the properties of a shape that fit its title behind n->cut. */
static bool
v8_shapes_cut(struct v8_naming *n, const struct v8_shape *s, uint32_t *props)
{
	uint64_t size = 1, units, end = n->ncut;

	*props = 0;
	/* Without any properties there is no array of them. */
	for (uint64_t i = s->first; i < s->first + s->n; i++) {
		uint32_t prop = n->v->shapes.props.at[i];

		if (v8_shapes_is_proto(n->v, prop))
			continue;
		if (!v8_shapes_length(n, prop, &units))
			return false;
		if (*props > 0 && size + units > TITLE_MOST)
			break;
		size += units + (*props > 0 ? 2 : 0);
		if (!array_add(&n->cut, &end, &prop, n->v->err))
			return false;
		++*props;
	}
	return true;
}

static bool
v8_shapes_candidate(struct v8_naming *n, struct v8_shape *s)
{
	struct v8_interface row = { .first = n->ncut, .objects = s->objects };
	struct str key;
	uint32_t found = (uint32_t)n->n + 1;

	if (!v8_shapes_cut(n, s, &row.n))
		return false;
	if (row.n == 0)
		return true;
	key = (struct str){ (const char *)(n->cut.at + n->ncut), row.n * sizeof(uint32_t) };
	if (!idmap_enter(&n->titles, idmap_hash_text(key, 0), found, &found, n->v->err))
		return false;
	if (found <= n->n) {
		n->row.at[found - 1].objects += s->objects;
		return true;
	}
	n->ncut += row.n;
	return array_add(&n->row, &n->n, &row, n->v->err);
}

/* ---- interfaces --------------------------------------------------------------------------------- */

/*
 * Keeps the interfaces that enough objects have: those with the most properties first, and of these those that the
 * most objects have; equal ones stay in the order of the file.
 */
static bool
v8_shapes_rank(struct v8_naming *n)
{
	uint64_t all = n->v->shapes.objects, rows = 0;

	for (uint64_t i = 0; i < n->n; i++)
		if (n->row.at[i].objects >= LEAST && n->row.at[i].objects * RARE >= all)
			n->row.at[rows++] = n->row.at[i];
	n->n = rows;
	for (uint64_t i = 0; i < rows; i++)
		n->row.at[i].order = UINT64_MAX - n->row.at[i].objects;
	if (!make_sort(&n->row.raw, rows, sizeof *n->row.at, n->v->work, n->v->err))
		return false;
	for (uint64_t i = 0; i < rows; i++)
		n->row.at[i].order = UINT32_MAX - n->row.at[i].n;
	return make_sort(&n->row.raw, rows, sizeof *n->row.at, n->v->work, n->v->err);
}

/* The first interface whose properties a shape has. */
static void
v8_shapes_fit(struct v8_naming *n, uint32_t shape)
{
	struct v8_shape *s = &n->v->shapes.rows.at[shape - 1];
	uint32_t k;

	assert(shape != 0 && s->first + s->n <= n->v->shapes.nprops);
	for (uint64_t i = s->first; i < s->first + s->n; i++)
		n->met.at[n->v->shapes.props.at[i]] = shape;
	for (uint64_t i = 0; i < n->n && s->interface == 0; i++) {
		const struct v8_interface *in = &n->row.at[i];

		for (k = 0; k < in->n && n->met.at[n->cut.at[in->first + k]] == shape; k++)
			continue;
		s->interface = k == in->n ? (uint32_t)i + 1 : 0;
	}
}

static void
v8_shapes_title(struct v8_naming *n, const struct v8_interface *in, struct buf *b)
{
	assert(in->n > 0 && in->first + in->n <= n->ncut);
	for (uint32_t i = 0; i < in->n; i++) {
		buf_text(b, i == 0 ? "{" : ", ");
		v8_shapes_add_prop(n, n->cut.at[in->first + i], b);
	}
	buf_add(b, "}", 2);
}

bool
v8_shapes_name(struct v8 *v, struct buf *names)
{
	struct v8_naming n = { .v = v, .text = BUF_INIT, .prop = BUF_INIT };
	struct v8_shapes *s = &v->shapes;
	bool ok = array_grow(&n.met, v->strings.n + 1, v->err);

	work_start(v->work, "interfaces of plain objects", 2 * s->n);
	for (uint64_t i = 0; ok && i < s->n; i++)
		ok = v8_shapes_candidate(&n, &s->rows.at[i]) && work_go(v->work, i, v->err);
	ok = ok && v8_shapes_rank(&n);
	for (uint64_t i = 0; ok && i < n.n; i++)
		v8_shapes_title(&n, &n.row.at[i], names);
	for (uint32_t i = 1; ok && i <= s->n; i++) {
		v8_shapes_fit(&n, i);
		ok = work_go(v->work, s->n + i, v->err);
	}
	ok = ok && ((!n.text.bad && !n.prop.bad) || fail_memory(v->err, "names of classes"));
	SCRATCH_FREE(&n.cut, &n.row, &n.met);
	idmap_free(&n.length);
	idmap_free(&n.titles);
	buf_free(&n.text);
	buf_free(&n.prop);
	return ok;
}
