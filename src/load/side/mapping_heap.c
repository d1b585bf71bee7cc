/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Original names for classes, fields, static fields and stack frames of a heap dump, from a mapping file.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "icecore/heap.h"
#include "mapping.h"

struct class_name {
	uint64_t	name, raw;		/* raw: name in the dump, 0: the same */
	const struct map_class *of;		/* NULL: not in the mapping file */
};

struct static_name {
	uint64_t	class, id, name;
};

struct heap_map {
	struct mapping	*m;
	const struct store *base;
	const uint8_t	*data;
	uint64_t	 size;
	unsigned	 id_size;
	uint64_t	 classes, fields, frames;
	struct scratch	 names;			/* struct class_name, by class */
	struct scratch	 shared;		/* u64: ref of each struct map_class, 0: not stored yet */
	struct scratch	 field;			/* u64, by field */
	struct scratch	 statics;		/* struct static_name */
	uint64_t	 nstatics;
	uint32_t	*frame_class, *order;
	struct buf	 text;
};

static uint64_t
heap_get(const struct heap_map *h, column_id column, uint64_t row)
{
	return column_get(store_column(h->base, column), row);
}

static uint64_t
rows(const struct heap_map *h, column_id column)
{
	const struct column *c = store_column(h->base, column);

	return c == NULL ? 0 : c->rows;
}

static struct class_name *
class_at(const struct heap_map *h, uint64_t i)
{
	assert(i < h->classes);
	return &SCRATCH(h->names, struct class_name)[i];
}

/* ---- classes ----------------------------------------------------------------------------- */

/* Classes with equal names share a ref. */
static uint64_t
class_ref(struct heap_map *h, const struct map_class *c)
{
	uint64_t i = (uint64_t)(c - SCRATCH(h->m->classes, struct map_class));
	uint64_t *ref = &SCRATCH(h->shared, uint64_t)[i];

	assert(i < h->m->nclasses);
	if (*ref == 0)
		*ref = side_text(h->m->s, c->was);
	return *ref;
}

static void
name_class(struct heap_map *h, uint64_t i)
{
	/* The file may have original names itself, which this mapping overrides. */
	uint64_t own = heap_get(h, COL_RAW_CLASS, i), ref = own != 0 ? own : heap_get(h, COL_CLASS_NAME, i);
	struct class_name *to = class_at(h, i);
	struct str raw = store_text(h->base, ref), core = heap_class_core(raw);
	const struct map_class *c = core.n == 0 ? NULL : mapping_class(h->m, core);
	size_t at;

	to->name = heap_get(h, COL_CLASS_NAME, i);
	to->raw = own;
	to->of = core.n == raw.n ? c : NULL;
	if (c == NULL || str_eq(c->is, c->was))
		return;
	to->raw = ref;
	h->m->renamed_classes++;
	if (core.n == raw.n) {
		to->name = class_ref(h, c);
		return;
	}
	at = (size_t)(core.s - raw.s);
	buf_clear(&h->text);
	buf_add(&h->text, raw.s, at);
	buf_str(&h->text, c->was);
	buf_add(&h->text, core.s + core.n, raw.n - at - core.n);
	to->name = side_text(h->m->s, buf_view(&h->text));
}

/* ---- fields ------------------------------------------------------------------------------------ */

static bool
has_type(const struct map_member *e, unsigned type)
{
	static const char *const names[] = {
		[HEAP_BOOLEAN] = "boolean", [HEAP_CHAR] = "char", [HEAP_FLOAT] = "float",
		[HEAP_DOUBLE] = "double", [HEAP_BYTE] = "byte", [HEAP_SHORT] = "short",
		[HEAP_INT] = "int", [HEAP_LONG] = "long"
	};

	for (size_t i = HEAP_BOOLEAN; i < NELEM(names); i++)
		if (str_eq(e->type, str_of(names[i])))
			return type == i;
	return type <= HEAP_OBJECT;
}

/* Return the ref of a field's original name in the class of mapping_members, 0: unchanged. */
static uint64_t
heap_field_ref(struct heap_map *h, struct str name, unsigned type)
{
	uint64_t from, to = mapping_find(h->m, name, false, &from), n = 0;
	const struct map_member *e;
	struct str was, owner, last = STR("");

	buf_clear(&h->text);
	for (uint64_t i = from; i < to; i++) {
		e = &SCRATCH(h->m->members, struct map_member)[i];
		was = e->was;
		/* A field from another class is shown without that class. */
		str_divide_last(was, '.', &owner, &was);
		if (!has_type(e, type) || (n > 0 && str_eq(was, last)))
			continue;
		if (n++ > 0)
			buf_chr(&h->text, '|');
		buf_str(&h->text, was);
		last = was;
	}
	if (n == 0 || (n == 1 && str_eq(last, name)))
		return 0;
	if (n > 1)
		buf_str(&h->text, STR(" (ambiguous)"));
	h->m->ambiguous += n > 1;
	h->m->renamed_fields++;
	return side_text(h->m->s, buf_view(&h->text));
}

static void
heap_name_fields(struct heap_map *h, uint64_t class)
{
	uint64_t i, n = heap_class_fields(h->base, (uint32_t)class + 1, &i), ref;
	struct str name;

	for (; n > 0; n--, i++) {
		name = store_text(h->base, heap_get(h, COL_FIELD_NAME, i - 1));
		if (name.n == 0)
			continue;
		ref = heap_field_ref(h, name, (unsigned)heap_get(h, COL_FIELD_TYPE, i - 1));
		if (ref != 0)
			SCRATCH(h->field, uint64_t)[i - 1] = ref;
	}
}

static struct str
heap_name_of(const struct heap_map *h, uint64_t id)
{
	uint64_t row = column_find(store_column(h->base, COL_NAME_ID), id);

	return row == 0 ? STR("") : store_text(h->base, heap_get(h, COL_NAME_REF, row - 1));
}

static bool
name_statics(struct heap_map *h, uint64_t class, struct err *err)
{
	uint64_t dump = heap_get(h, COL_CLASS_DUMP, class);
	struct static_name new = { .class = class + 1 };
	struct hprof_members m;
	struct heap_record r;

	if (dump == 0 || !heap_record(h->data, h->size, h->id_size, dump, &r) || r.tag != TAG_CLASS)
		return true;
	m = hprof_members(h->data, h->id_size, &r);
	while (hprof_member(&m) && m.list != LIST_FIELDS) {
		if (m.list == LIST_CONSTANTS)
			continue;
		new.id = hprof_member_name(&m);
		new.name = heap_field_ref(h, heap_name_of(h, new.id), m.type);
		if (new.name != 0 && !make_add(&h->statics, &h->nstatics, &new, sizeof new, UINT64_MAX,
		    "static fields", err))
			return false;
	}
	return true;
}

static bool
heap_name_classes(struct heap_map *h, struct err *err)
{
	if (!scratch_array(&h->names, h->classes + 1, sizeof(struct class_name), err) ||
	    !scratch_array(&h->shared, h->m->nclasses + 1, sizeof(uint64_t), err) ||
	    !scratch_array(&h->field, h->fields + 1, sizeof(uint64_t), err))
		return false;
	for (uint64_t i = 0; i < h->fields; i++)
		SCRATCH(h->field, uint64_t)[i] = heap_get(h, COL_FIELD_NAME, i);
	work_start(h->m->s->work, "names of classes", h->classes);
	for (uint64_t i = 0; i < h->classes; i++) {
		if (!work_go(h->m->s->work, i, err))
			return false;
		name_class(h, i);
		if (class_at(h, i)->of == NULL)
			continue;
		if (!mapping_members(h->m, class_at(h, i)->of, err))
			return false;
		heap_name_fields(h, i);
		if (!name_statics(h, i, err))
			return false;
	}
	return true;
}

/* Fields that objects of a heap graph name. */
static bool
name_named(struct heap_map *h, struct err *err)
{
	uint64_t n = rows(h, COL_NAME_CLASS), class, other, *ref = n == 0 ? NULL :
	    store_make(h->m->s->over, COL_NAME_REF, COL_U64, n, err);

	for (uint64_t i = 0; ref != NULL && i < n; i++) {
		ref[i] = heap_get(h, COL_NAME_REF, i);
		class = heap_get(h, COL_NAME_CLASS, i);
		if (class == 0 || class > h->classes || class_at(h, class - 1)->of == NULL)
			continue;
		if (!mapping_members(h->m, class_at(h, class - 1)->of, err))
			return false;
		other = heap_field_ref(h, store_text(h->base, ref[i]), HEAP_OBJECT);
		ref[i] = other != 0 ? other : ref[i];
	}
	return n == 0 || ref != NULL;
}

/* ---- stack frames ----------------------------------------------------------------------------------- */

static int
heap_by_class(const void *x, const void *y, void *arg)
{
	const uint32_t *class = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return num_order(class[a], class[b], num_order(a, b, 0));
}

/* Return the offset of a frame's body; 0: truncated. */
static uint64_t
frame_at(const struct heap_map *h, uint64_t frame)
{
	uint64_t at = heap_get(h, COL_SFRAME_OFFSET, frame);

	return at > h->size || h->size - at < 4 * (uint64_t)h->id_size + 8 ? 0 : at;
}

/* Class of each frame, from 1; frames of one class are adjacent, in order. */
static bool
sort_frames(struct heap_map *h, struct err *err)
{
	struct idmap by_serial = IDMAP_INIT;
	uint64_t at, serial;
	bool ok = true;

	h->frame_class = mem_array(h->frames + 1, sizeof *h->frame_class);
	h->order = mem_array(h->frames + 1, sizeof *h->order);
	if (h->frame_class == NULL || h->order == NULL)
		return fail(err, E_SYSTEM, "out of memory (stack frames)");
	for (uint64_t i = 0; ok && i < h->classes; i++) {
		serial = heap_get(h, COL_CLASS_SERIAL, i);
		if (serial != 0 && class_at(h, i)->of != NULL)
			ok = idmap_put(&by_serial, serial + 1, (uint32_t)i + 1, err);
	}
	for (uint64_t i = 0; ok && i < h->frames; i++) {
		at = frame_at(h, i);
		h->order[i] = (uint32_t)i;
		h->frame_class[i] = at == 0 ? 0 :
		    idmap_get(&by_serial, (uint64_t)be32(h->data + at + 4 * h->id_size) + 1);
	}
	idmap_free(&by_serial);
	if (ok)
		qsort_r(h->order, h->frames, sizeof *h->order, heap_by_class, h->frame_class);
	return ok;
}

struct frame_out {
	uint64_t	*method, *file;
	int64_t		*line;
};

static bool
name_frame(struct heap_map *h, uint64_t frame, const struct frame_out *o, struct err *err)
{
	uint64_t at = frame_at(h, frame);
	struct map_method how;
	struct str name;
	unsigned w = h->id_size;
	int64_t line;

	assert(h->frame_class[frame] > 0 && at > 0);
	if (!mapping_members(h->m, class_at(h, h->frame_class[frame] - 1ull)->of, err))
		return false;
	name = heap_name_of(h, heap_id(h->data + at + w, w));
	how.signature = heap_name_of(h, heap_id(h->data + at + 2 * w, w));
	how.line = line = (int32_t)be32(h->data + at + 4 * w + 4);
	buf_clear(&h->text);
	if (!mapping_frame(h->m, name, &how, &line, &h->text))
		buf_str(&h->text, name);
	o->method[frame] = side_text(h->m->s, buf_view(&h->text));
	o->file[frame] = h->m->file.n > 0 ? side_text(h->m->s, h->m->file) : 0;
	o->line[frame] = line;
	return true;
}

static bool
heap_name_frames(struct heap_map *h, struct err *err)
{
	struct store *over = h->m->s->over;
	struct frame_out o;

	if (h->frames == 0)
		return true;
	if (!sort_frames(h, err) ||
	    (o.method = store_make(over, COL_SFRAME_METHOD, COL_U64, h->frames, err)) == NULL ||
	    (o.file = store_make(over, COL_SFRAME_FILE, COL_U64, h->frames, err)) == NULL ||
	    (o.line = store_make(over, COL_SFRAME_LINE, COL_I64, h->frames, err)) == NULL)
		return false;
	for (uint64_t i = 0; i < h->frames; i++) {
		if (!work_go(h->m->s->work, i, err) ||
		    (h->frame_class[h->order[i]] != 0 && !name_frame(h, h->order[i], &o, err)))
			return false;
	}
	return true;
}

/* ---- columns -------------------------------------------------------------------------------- */

static bool
put_columns(struct heap_map *h, struct err *err)
{
	static const struct make_column classes[] = {
		MAKE_COLUMN(COL_CLASS_NAME, class_name, name, MAKE_NARROW),
		MAKE_COLUMN(COL_RAW_CLASS, class_name, raw, MAKE_NARROW),
	}, statics[] = {
		MAKE_COLUMN(COL_STATIC_CLASS, static_name, class, MAKE_NARROW),
		MAKE_COLUMN(COL_STATIC_ID, static_name, id, MAKE_NARROW),
		MAKE_COLUMN(COL_STATIC_NAME, static_name, name, MAKE_NARROW),
	};
	struct store *over = h->m->s->over;

	if (h->text.bad)
		return fail(err, E_SYSTEM, "out of memory (names of classes)");
	return make_columns(over, classes, NELEM(classes),
	    MAKE_ROWS(SCRATCH(h->names, struct class_name), h->classes), err) &&
	    store_pack(over, COL_FIELD_NAME, SCRATCH(h->field, uint64_t), h->fields, err) &&
	    make_columns(over, statics, NELEM(statics),
	    MAKE_ROWS(SCRATCH(h->statics, struct static_name), h->nstatics), err);
}

bool
mapping_heap(struct mapping *m, struct err *err)
{
	const struct map *source = store_source(m->s->base);
	struct heap_map h = { .m = m, .base = m->s->base, .data = source->data, .size = source->size };
	bool ok;

	h.id_size = fact_value(h.base, FACT_HEAP_ID_SIZE) == 4 ? 4 : 8;
	h.classes = rows(&h, COL_CLASS_NAME);
	h.fields = rows(&h, COL_FIELD_NAME);
	h.frames = rows(&h, COL_SFRAME_OFFSET);
	ok = heap_name_classes(&h, err) && name_named(&h, err) && heap_name_frames(&h, err) && put_columns(&h, err);
	SCRATCH_FREE(&h.names, &h.shared, &h.field, &h.statics);
	free(h.frame_class);
	free(h.order);
	buf_free(&h.text);
	return ok;
}
