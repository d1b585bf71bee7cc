/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * annotations: args of the track events of Perfetto.
 *
 * An event refers to names and texts by numbers; args.names says whose numbers they are.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/protobuf.h"
#include "annotations.h"

/* LOOK: args of an end that are compared with those of the begin */
enum { ITEMS_MOST = 10000, LOOK = 256, DETAIL_MOST = 200 };
#define BYTES_MOST ((size_t)1 << 20)

enum { EVENT_ANNOTATION = 4, KIND_NAME = 3, KIND_VALUE = 29 };

/* Fields of an annotation, and of a value in its old form. */
enum { NAME_NUMBER = 1, BOOL = 2, UNSIGNED = 3, SIGNED = 4, REAL = 5, TEXT = 6, POINTER = 7, NESTED = 8,
    JSON = 9, NAME = 10, DICT = 11, ARRAY = 12,
    TEXT_NUMBER = 17, FIELDS };
enum { NESTED_KEY = 2, NESTED_MEMBER = 3, NESTED_ITEM = 4, NESTED_SIGNED = 5, NESTED_REAL = 6,
    NESTED_BOOL = 7, NESTED_TEXT = 8 };

struct args_walk {
	const struct store *st;
	uint64_t	 names;
	void		(*tell)(void *, const struct event_arg *);
	void		*to;
	size_t		 items, bytes;
	bool		 full;
};

/* ---- places ------------------------------------------------------------------------------------------------ */

/* The bytes at a place; empty: there are none. */
static struct str
annotations_placed(const struct store *st, uint64_t place)
{
	const struct map *m = store_source(st);
	const struct column *own = store_column(st, COL_ARGS_OWN);
	struct str s = STR("");
	uint64_t n, at;

	if (place == 0)
		return s;
	if (place - 1 < m->size)
		s = (struct str){ (const char *)m->data + place - 1, (size_t)(m->size - (place - 1)) };
	else if (place - 1 - m->size < column_rows(own)) {
		at = place - 1 - m->size;
		s.n = (size_t)(own->rows - at);
		s.s = column_span(own, at, own->rows - at);
	}
	return proto_varint(&s, &n) ? str_head(s, n) : STR("");
}

static struct str
annotations_text(const struct args_walk *w, unsigned kind, uint64_t number)
{
	const struct column *of = store_column(w->st, COL_ARG_TEXT_OF);
	uint64_t key = w->names << 8 | kind, low, high, at;

	if (of == NULL)
		return STR("");
	low = column_place(of, key);
	high = column_place(of, key + 1);
	at = column_place_in(store_column(w->st, COL_ARG_TEXT_NUMBER), low, high, number);
	return at < high && store_cell(w->st, COL_ARG_TEXT_NUMBER, at + 1) == number ?
	    annotations_placed(w->st, store_cell(w->st, COL_ARG_TEXT_PLACE, at + 1)) : STR("");
}

/* ---- values ------------------------------------------------------------------------------------------------ */

static void
annotations_put(struct args_walk *w, unsigned depth, struct str name, struct str value)
{
	struct event_arg arg = { depth, name, value };

	assert(depth < ARGS_DEPTH && w->bytes <= BYTES_MOST);
	if (w->items == ITEMS_MOST || name.n + value.n > BYTES_MOST - w->bytes) {
		w->full = true;
		return;
	}
	w->items++;
	w->bytes += name.n + value.n;
	w->tell(w->to, &arg);
}

static void
annotations_put_real(struct args_walk *w, unsigned depth, struct str name, struct str bytes)
{
	char text[40];
	double v = 0;

	if (bytes.n == sizeof v)
		memcpy(&v, bytes.s, sizeof v);
	snprintf(text, sizeof text, "%.15g", v);
	annotations_put(w, depth, name, str_of(text));
}

/* Add a number: u is decimal, d decimal with a sign, x hexadecimal. */
static void
annotations_put_number(struct args_walk *w, unsigned depth, struct str name, char form, uint64_t v)
{
	char text[40];

	if (form == 'x')
		snprintf(text, sizeof text, "0x%" PRIx64, v);
	else if (form == 'd')
		snprintf(text, sizeof text, "%" PRId64, (int64_t)v);
	else
		snprintf(text, sizeof text, "%" PRIu64, v);
	annotations_put(w, depth, name, str_of(text));
}

/* A value of the old form: {2 keys, 3 members, 4 items, 5 to 8 a plain value}. */
static void
annotations_put_nested(struct args_walk *w, unsigned depth, struct str name, struct str m)
{
	struct str keys = m, all = m;
	struct proto_field f, key;
	bool bad = false, begun = false;
	unsigned item = 0;
	char number[24];

	while (!w->full && proto_next_whole(&all, &f, &bad)) {
		switch (f.number) {
		case NESTED_SIGNED: annotations_put_number(w, depth, name, 'd', f.value); return;
		case NESTED_REAL: annotations_put_real(w, depth, name, f.in); return;
		case NESTED_BOOL: annotations_put(w, depth, name, f.value != 0 ? STR("true") : STR("false")); return;
		case NESTED_TEXT: annotations_put(w, depth, name, f.in); return;
		default: break;
		}
		if ((f.number != NESTED_MEMBER && f.number != NESTED_ITEM) || f.wire != PROTO_BYTES ||
		    depth + 1 >= ARGS_DEPTH)
			continue;
		if (!begun)
			annotations_put(w, depth, name, STR(""));
		begun = true;
		snprintf(number, sizeof number, "[%u]", item++);
		key.in = str_of(number);
		if (f.number == NESTED_MEMBER)
			do
				key.in = proto_next_whole(&keys, &key, &bad) ? key.in : STR("");
			while (key.in.n > 0 && key.number != NESTED_KEY);
		annotations_put_nested(w, depth + 1, key.in, f.in);
	}
}

struct annotation {
	struct str	in[FIELDS];
	uint64_t	v[FIELDS];
	uint32_t	has;		/* bits */
};

static bool
annotations_read(struct str m, struct annotation *a)
{
	struct proto_field f;
	bool bad = false;

	memset(a, 0, sizeof *a);
	while (proto_next_whole(&m, &f, &bad))
		if (f.number < FIELDS) {
			a->in[f.number] = f.in;
			a->v[f.number] = f.value;
			a->has |= (uint32_t)1 << f.number;
		}
	return !bad;
}

static struct str
annotations_name(const struct args_walk *w, const struct annotation *a)
{
	struct str name = a->has >> NAME & 1 ? a->in[NAME] : annotations_text(w, KIND_NAME, a->v[NAME_NUMBER]);

	return name.n > 0 ? name : STR("?");
}

/* An annotation with that name, and what is in it: {11 members, 12 items}. */
static void
put_annotation(struct args_walk *w, unsigned depth, struct str name, const struct annotation *a, struct str m)
{
	struct annotation inner;
	struct proto_field f;
	char number[24];
	unsigned item = 0;
	bool bad = false;

#define HAS(field) ((a->has >> (field) & 1) != 0)
	if (HAS(BOOL))
		annotations_put(w, depth, name, a->v[BOOL] != 0 ? STR("true") : STR("false"));
	else if (HAS(UNSIGNED))
		annotations_put_number(w, depth, name, 'u', a->v[UNSIGNED]);
	else if (HAS(SIGNED))
		annotations_put_number(w, depth, name, 'd', a->v[SIGNED]);
	else if (HAS(REAL))
		annotations_put_real(w, depth, name, a->in[REAL]);
	else if (HAS(POINTER))
		annotations_put_number(w, depth, name, 'x', a->v[POINTER]);
	else if (HAS(TEXT_NUMBER))
		annotations_put(w, depth, name, annotations_text(w, KIND_VALUE, a->v[TEXT_NUMBER]));
	else if (HAS(TEXT) || HAS(JSON))
		annotations_put(w, depth, name, HAS(TEXT) ? a->in[TEXT] : a->in[JSON]);
	else if (HAS(NESTED))
		annotations_put_nested(w, depth, name, a->in[NESTED]);
	else
		annotations_put(w, depth, name, STR(""));
#undef HAS
	while (!w->full && depth + 1 < ARGS_DEPTH && proto_next_whole(&m, &f, &bad)) {
		if ((f.number != DICT && f.number != ARRAY) || f.wire != PROTO_BYTES ||
		    !annotations_read(f.in, &inner))
			continue;
		snprintf(number, sizeof number, "[%u]", item++);
		put_annotation(w, depth + 1, f.number == DICT ? annotations_name(w, &inner) : str_of(number),
		    &inner, f.in);
	}
}

/* ---- events -------------------------------------------------------------------------------------------------- */

/* Whether an event has an arg of that name. */
static bool
overrides(const struct args_walk *w, struct str event, struct str name)
{
	struct annotation a;
	struct proto_field f;
	bool bad = false;

	for (unsigned n = 0; n < LOOK && proto_next_whole(&event, &f, &bad); n++)
		if (f.number == EVENT_ANNOTATION && f.wire == PROTO_BYTES && annotations_read(f.in, &a) &&
		    str_eq(annotations_name(w, &a), name))
			return true;
	return false;
}

/* The args of an event, without those that its end has as well. */
static void
annotations_event(struct args_walk *w, struct str event, const struct args_walk *end, struct str end_event)
{
	struct annotation a;
	struct proto_field f;
	struct str name;
	bool bad = false;

	while (!w->full && proto_next_whole(&event, &f, &bad)) {
		if (f.number != EVENT_ANNOTATION || f.wire != PROTO_BYTES || !annotations_read(f.in, &a))
			continue;
		name = annotations_name(w, &a);
		if (end_event.n == 0 || !overrides(end, end_event, name))
			put_annotation(w, 0, name, &a, f.in);
	}
}

bool
annotations_tell(const struct store *st, uint64_t begin, uint64_t end,
    void (*tell)(void *, const struct event_arg *), void *to)
{
	struct args_walk w = { .st = st, .names = store_cell(st, COL_ARGS_NAMES, begin), .tell = tell,
	    .to = to }, of_end = w;
	struct str first = annotations_placed(st, store_cell(st, COL_ARGS_PLACE, begin)),
	    last = annotations_placed(st, store_cell(st,
	    COL_ARGS_PLACE, end));

	of_end.names = store_cell(st, COL_ARGS_NAMES, end);
	annotations_event(&w, first, &of_end, last);
	of_end.items = w.items;
	of_end.bytes = w.bytes;
	of_end.full = w.full;
	annotations_event(&of_end, last, NULL, STR(""));
	return !of_end.full;
}

struct detail_text {
	struct buf	*to;
	struct buf	 path;
	size_t		 from, end[ARGS_DEPTH];	/* end: of the path at each depth */
};

static void
add_detail(void *arg, const struct event_arg *a)
{
	struct detail_text *d = arg;

	assert(a->depth < ARGS_DEPTH && d->to->n >= d->from);
	if (d->to->n - d->from > DETAIL_MOST)
		return;
	d->path.n = a->depth == 0 ? 0 : d->end[a->depth - 1];
	if (a->depth > 0 && !str_has_prefix(a->name, STR("[")))
		buf_chr(&d->path, '.');
	buf_str(&d->path, str_head(a->name, DETAIL_MOST));
	d->end[a->depth] = d->path.n;
	if (a->value.n == 0)
		return;
	if (d->to->n > d->from)
		buf_chr(d->to, ' ');
	buf_str(d->to, buf_view(&d->path));
	buf_chr(d->to, '=');
	buf_str(d->to, str_head(a->value, DETAIL_MOST));
}

void
annotations_detail(const struct store *st, uint64_t begin, uint64_t end, struct buf *to)
{
	struct detail_text d = { .to = to, .path = BUF_INIT, .from = to->n };

	annotations_tell(st, begin, end, add_detail, &d);
	to->bad |= d.path.bad;
	buf_free(&d.path);
	if (to->n - d.from <= DETAIL_MOST)
		return;
	to->n = d.from + DETAIL_MOST;
	while (to->n > d.from && ((unsigned char)to->s[to->n] & 0xc0) == 0x80)
		to->n--;
	buf_str(to, STR("\342\200\246"));
}
