/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * metadata: the types of a chunk, from a tree of elements: name, attributes, children.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "chunk.h"

/* An annotation of a field, with this type. */
struct jfr_note {
	uint64_t	type;
	uint32_t	field;		/* row */
	struct jfr_word	value;
};

/* Attributes of a metadata element that are used. */
struct attributes {
	struct jfr_word	name, value;
	uint64_t	id, type;
	bool		pool, array;
};

/* ---- texts ------------------------------------------------------------------------------------ */

/* Type names of version 1.0, which begin with com.oracle, correspond to later names. */
static void
rename_old(struct jfr_chunk *c, struct jfr_word *w)
{
	char *s = c->text.s + w->at;
	struct str text = jfr_word(c, *w);
	bool types = str_has_prefix(text, STR("com.oracle.jfr.types."));
	uint32_t skip = sizeof "com.oracle." - 1;

	assert(w->at + w->n <= c->text.n);
	if (!types && !str_has_prefix(text, STR("com.oracle.jdk.")))
		return;
	if (types)
		memcpy(s + skip, "jdk", 3);
	w->at += skip;
	w->n -= skip;
}

static void
metadata_read_words(struct jfr_chunk *c, struct jfr_in *in)
{
	uint64_t n = jfr_count(in), key;
	struct jfr_word w;

	c->nwords = 0;
	for (; n > 0 && !in->bad && !c->to->bad; n--) {
		w.at = (uint32_t)c->text.n;
		jfr_text_read(in, &c->text, &key);
		w.n = (uint32_t)(c->text.n - w.at);
		into_made(c->to, &c->text);
		if (c->text.n > UINT32_MAX / 2) {
			in->bad = true;
			break;
		}
		rename_old(c, &w);
		INTO_ROW(c->to, c->words, c->nwords, w, "texts");
	}
}

static struct jfr_word
metadata_word_at(const struct jfr_chunk *c, struct jfr_in *in, uint64_t *i)
{
	*i = jfr_u64(in);
	if (*i >= c->nwords) {
		in->bad = true;
		return (struct jfr_word){ 0, 0 };
	}
	return SCRATCH(c->words, struct jfr_word)[*i];
}

/* ---- elements ---------------------------------------------------------------------------------- */

static bool
metadata_is(const struct jfr_chunk *c, struct jfr_word w, struct str text)
{
	return str_eq(jfr_word(c, w), text);
}

static uint64_t
metadata_number(const struct jfr_chunk *c, struct jfr_word w)
{
	uint64_t v;

	return num_u64(jfr_word(c, w), 10, &v) ? v : UINT64_MAX;
}

static void
read_attributes(const struct jfr_chunk *c, struct jfr_in *in, struct attributes *a)
{
	struct jfr_word key, value;
	uint64_t i;

	*a = (struct attributes){ .id = UINT64_MAX, .type = UINT64_MAX };
	for (uint64_t n = jfr_count(in); n > 0 && !in->bad; n--) {
		key = metadata_word_at(c, in, &i);
		value = metadata_word_at(c, in, &i);
		if (in->bad)
			return;
		if (metadata_is(c, key, STR("name")))
			a->name = value;
		else if (metadata_is(c, key, STR("id")))
			a->id = metadata_number(c, value);
		else if (metadata_is(c, key, STR("class")))
			a->type = metadata_number(c, value);
		else if (metadata_is(c, key, STR("value")))
			a->value = value;
		else if (metadata_is(c, key, STR("constantPool")))
			a->pool = metadata_is(c, value, STR("true"));
		else if (metadata_is(c, key, STR("dimension")))
			a->array = !metadata_is(c, value, STR("0"));
	}
}

static uint8_t
prim_of(struct str name)
{
	static const char *const names[] = {
		[JFR_INT] = "int", [JFR_LONG] = "long", [JFR_SHORT] = "short", [JFR_CHAR] = "char",
		[JFR_BYTE] = "byte",
		[JFR_FLOAT] = "float", [JFR_DOUBLE] = "double", [JFR_STRING] = "java.lang.String",
	};

	for (uint8_t i = JFR_INT; i < NELEM(names); i++)
		if (str_eq(name, str_of(names[i])))
			return i;
	return str_eq(name, STR("boolean")) ? JFR_BYTE : JFR_STRUCT;
}

static void
metadata_add_type(struct jfr_chunk *c, const struct attributes *a)
{
	struct jfr_type t = { .id = a->id, .name = a->name, .field = (uint32_t)c->nfields,
	    .prim = prim_of(jfr_word(c, a->name)) };

	INTO_ROW(c->to, c->types, c->ntypes, t, "types");
}

static void
metadata_add_field(struct jfr_chunk *c, const struct attributes *a)
{
	struct jfr_field f = { .name = a->name, .type = a->type, .pool = a->pool, .array = a->array };

	INTO_ROW(c->to, c->fields, c->nfields, f, "fields");
	jfr_type(c, (uint32_t)c->ntypes - 1)->nfields += !c->to->bad;
}

static void
metadata_add_note(struct jfr_chunk *c, const struct attributes *a)
{
	struct jfr_note n = { .type = a->type, .field = (uint32_t)c->nfields - 1, .value = a->value };

	assert(c->nfields > 0);
	INTO_ROW(c->to, c->notes, c->nnotes, n, "annotations");
}

static enum jfr_tag
tag_of(const struct jfr_chunk *c, struct jfr_word w)
{
	return metadata_is(c, w, STR("class")) ? JFR_TAG_CLASS : metadata_is(c, w, STR("field")) ? JFR_TAG_FIELD :
	    metadata_is(c, w, STR("annotation")) ? JFR_TAG_ANNOTATION : JFR_TAG_OTHER;
}

static void
add_element(struct jfr_chunk *c, enum jfr_tag tag, enum jfr_tag parent, const struct attributes *a)
{
	if (tag == JFR_TAG_CLASS)
		metadata_add_type(c, a);
	if (tag == JFR_TAG_FIELD && parent == JFR_TAG_CLASS && c->ntypes > 0)
		metadata_add_field(c, a);
	if (tag == JFR_TAG_ANNOTATION && parent == JFR_TAG_FIELD && c->nfields > 0)
		metadata_add_note(c, a);
}

/* Read a tree; fields follow their class.  take NULL: add its elements. */
static void
read_elements(struct jfr_chunk *c, struct jfr_in *in, jfr_element_take take, void *arg)
{
	struct { uint64_t left; enum jfr_tag tag; } open[JFR_DEEPEST] = { { 1, JFR_TAG_OTHER } };
	struct attributes a;
	struct jfr_in begin;
	unsigned deep = 1;
	uint64_t children, word;
	enum jfr_tag tag;

	while (deep > 0 && !in->bad && !c->to->bad) {
		if (open[deep - 1].left == 0) {
			deep--;
			continue;
		}
		assert(deep <= JFR_DEEPEST);
		open[deep - 1].left--;
		tag = tag_of(c, metadata_word_at(c, in, &word));
		begin = *in;
		read_attributes(c, in, &a);
		children = jfr_count(in);
		if (!in->bad && take != NULL)
			take(arg, &(struct jfr_element){ tag, open[deep - 1].tag, word, a.name, a.id, a.type,
			    begin });
		else if (!in->bad)
			add_element(c, tag, open[deep - 1].tag, &a);
		if (deep == JFR_DEEPEST)
			in->bad = true;
		else
			open[deep++].left = children, open[deep - 1].tag = tag;
	}
}

/* ---- units --------------------------------------------------------------------------------------- */

static uint8_t
metadata_unit_of(struct str value)
{
	static const struct { const char *name; enum jfr_unit unit; } units[] = {
		{ "TICKS", JFR_TICKS }, { "NANOSECONDS", JFR_NS }, { "MICROSECONDS", JFR_US },
		{ "MILLISECONDS", JFR_MS }, { "SECONDS", JFR_S },
	};

	for (size_t i = 0; i < NELEM(units); i++)
		if (str_eq(value, str_of(units[i].name)))
			return units[i].unit;
	return JFR_NO_UNIT;
}

static void
set_units(struct jfr_chunk *c)
{
	const struct jfr_note *n = SCRATCH(c->notes, struct jfr_note);
	uint32_t row;

	for (uint64_t i = 0; i < c->nnotes; i++) {
		assert(n[i].field < c->nfields);
		row = jfr_type_row(c, n[i].type);
		if (row != UINT32_MAX && (metadata_is(c, jfr_type(c, row)->name, STR("jdk.jfr.Timespan")) ||
		    metadata_is(c, jfr_type(c, row)->name, STR("jdk.jfr.Timestamp"))))
			SCRATCH(c->fields, struct jfr_field)[n[i].field].unit = metadata_unit_of(jfr_word(c,
			    n[i].value));
	}
}

/* ---- events ---------------------------------------------------------------------------------------- */

/* Index the types from row first on by id. The last definition of an id is used. */
static void
enter_types(struct jfr_chunk *c, uint64_t first)
{
	for (uint64_t i = first; i < c->ntypes; i++) {
		const struct jfr_type *t = jfr_type(c, (uint32_t)i);

		assert((uint64_t)t->field + t->nfields <= c->nfields);
		into_map(c->to, &c->type_of, t->id, (uint32_t)i + 1);
		if (t->prim == JFR_STRING)
			c->string = (uint32_t)i + 1;
	}
}

bool
jfr_metadata_each(struct jfr_chunk *c, struct jfr_in *in, jfr_element_take take, void *arg)
{
	/* Skip start, duration and number. */
	jfr_skip(in, 3);
	metadata_read_words(c, in);
	read_elements(c, in, take, arg);
	return !in->bad;
}

/*
 * Read all types of a metadata event. If it is damaged, drop them all: an incomplete list would replace an earlier
 * complete one.
 */
static void
read_types(struct jfr_chunk *c, struct jfr_in *in)
{
	uint64_t types = c->ntypes, fields = c->nfields, notes = c->nnotes;
	size_t text = c->text.n;

	if (jfr_metadata_each(c, in, NULL, NULL)) {
		enter_types(c, types);
		return;
	}
	c->ntypes = types;
	c->nfields = fields;
	c->nnotes = notes;
	c->text.n = text;
}

bool
jfr_metadata_read(struct jfr_chunk *c, uint64_t *lost)
{
	const uint64_t *at = SCRATCH(c->metas, uint64_t);
	struct jfr_event e;
	uint64_t place;
	bool found = false;

	for (uint64_t i = 0; i < c->nmetas && !c->to->bad; i++) {
		place = at[i];
		if (!jfr_chunk_event(c, &place, &e))
			continue;
		read_types(c, &e.body);
		found |= !e.body.bad;
		*lost += e.body.bad;
	}
	set_units(c);
	return found;
}
