/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby: heap dumps of Ruby, ObjectSpace.dump_all: the lines.
 *
 * The first pass finds the addresses of all objects, and where the dumps of a file begin.  The second one reads
 * the lines of one dump: by then each address has a number.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/facts.h"
#include "icecore/lines.h"
#include "ruby.h"

/* ---- texts --------------------------------------------------------------------------------- */

static enum ruby_type
ruby_type_of(struct str text)
{
	for (int type = TYPE_OTHER + 1; type < TYPES; type++)
		if (str_is(text, ruby_types[type]))
			return (enum ruby_type)type;
	return TYPE_OTHER;
}

static bool
ruby_intern(struct ruby *r, struct str raw, bool escaped, uint64_t *ref)
{
	OWN_BUF text = BUF_INIT;
	struct str s = ruby_line_text(raw, escaped, &text);

	*ref = s.s == raw.s ? make_ref(r->text.s, s) : ruby_own(r, s);
	return (!text.bad && !r->own.bad) || fail_memory(r->err, "names");
}

/* ---- first pass ------------------------------------------------------------------------------ */

enum line_kind { LINE_NOTHING, LINE_OBJECT, LINE_ROOT };

static bool
is_object_type(struct str type)
{
	static const char *const others[] = { "ROOT", "SHAPE", "NONE", "ZOMBIE" };

	return !str_is_one(others, NELEM(others), type);
}

/* Most lines begin with address and type, and are those of objects whatever follows. */
static enum line_kind
ruby_look_at(struct str line, uint64_t *addr, struct ruby_line *l)
{
	struct str rest = line;

	if (str_take(&rest, STR("{\"address\":\"")) && ruby_line_hex(&rest, addr) &&
	    str_take(&rest, STR("\", \"type\":\"")) && ruby_line_capitals(str_until(rest, '"')) &&
	    is_object_type(str_until(rest, '"')))
		return LINE_OBJECT;
	if (ruby_line_read(l, line, NULL, NULL) > RUBY_NO_JSON)
		return LINE_NOTHING;
	*addr = l->address;
	return str_is(l->type, "ROOT") ? LINE_ROOT : is_object_type(l->type) && RUBY_HAS(l, address) ? LINE_OBJECT :
	    LINE_NOTHING;
}

/* A root of a kind that was seen, behind objects, begins another dump. */
static bool
ruby_find_root(struct ruby *r, struct idmap *seen, struct str root, uint64_t at, bool *objects)
{
	uint64_t key = idmap_hash_text(root, 0);

	assert(r->want > 0 && at <= r->text.n);
	if (*objects && idmap_get(seen, key) == r->dumps) {
		r->dumps++;
		*objects = false;
		if (r->dumps == r->want)
			r->from = at;
		else if (r->dumps == r->want + 1)
			r->to = at;
	}
	return idmap_put(seen, key, r->dumps, r->err);
}

static bool
find_objects(struct ruby *r)
{
	struct lines l = lines_of(r->text);
	OWN_IDMAP seen = IDMAP_INIT;
	struct ruby_line line;
	struct str text;
	bool objects = false;
	uint64_t addr = 0, at;

	work_start_bytes(r->work, "finding objects", r->text.n);
	while (lines_next(&l, &text)) {
		at = (uint64_t)(text.s - r->text.s);
		if (!lines_look(&l, at, r->work, r->err))
			return false;
		text = ruby_line_trim(text);
		if (text.n == 0)
			continue;
		if (l.cut && text.s[text.n - 1] != '}') {
			r->count.cut = r->text.n - at;
			r->to = r->to < at ? r->to : at;
			break;
		}
		r->count.lines++;
		switch (ruby_look_at(text, &addr, &line)) {
		case LINE_ROOT:
			if (!ruby_find_root(r, &seen, line.root, at, &objects))
				return false;
			break;
		case LINE_OBJECT:
			objects = true;
			if (r->dumps == r->want && !ids_in_add(&r->set, addr) && !r->set.failed)
				r->count.doubles++;
			break;
		case LINE_NOTHING:
			break;
		}
		if (r->set.failed)
			return false;
	}
	if (r->want > r->dumps)
		return fail(r->err, E_USAGE, "no heap dump %u; the file has %u", r->want, r->dumps);
	return true;
}

/* ---- second pass: objects ---------------------------------------------------------------------- */

static bool
ruby_find_kind(struct ruby *r, const struct ruby_kind *kind, uint32_t *row)
{
	uint64_t key = idmap_hash_text(kind->sub, idmap_hash(kind->addr) + kind->type);

	return idmap_enter(&r->kind_map, key, (uint32_t)r->nkinds + 1, row, r->err) &&
	    (*row <= r->nkinds || array_add(&r->kinds, &r->nkinds, kind, r->err));
}

static bool
ruby_take_kind(struct ruby *r, const struct ruby_line *l, uint32_t *row)
{
	struct ruby_kind kind = { .addr = l->class, .type = (uint8_t)ruby_type_of(l->type), .sub = STR("") };
	const struct ruby_kind *last = *row != 0 ? &r->kinds.at[*row - 1] : NULL;

	assert(*row <= r->nkinds);
	/* Their class field is rubbish, or something else. */
	if (kind.type == TYPE_IMEMO)
		kind.addr = 0;
	kind.sub = kind.type == TYPE_IMEMO ? l->imemo : kind.type == TYPE_DATA ? l->data :
	    kind.type == TYPE_NODE ? l->node : kind.type == TYPE_OTHER ? l->type : kind.sub;
	if (last != NULL && last->addr == kind.addr && last->type == kind.type && str_eq(last->sub, kind.sub))
		return true;
	return ruby_find_kind(r, &kind, row);
}

static bool
ruby_take_class(struct ruby *r, const struct ruby_line *l, enum ruby_type type, uint32_t object)
{
	struct ruby_class c = { .addr = l->address, .superclass = l->superclass, .object = object,
	    .type = (uint8_t)type,
	    .name = l->name, .real_name = l->real_name, .singleton = l->singleton, .escaped = !l->salvaged };

	assert(object > 0 && object <= r->n);
	if (type != TYPE_CLASS && type != TYPE_MODULE && type != TYPE_ICLASS)
		return true;
	return idmap_put(&r->class_map, c.addr, (uint32_t)r->nclasses + 1, r->err) &&
	    array_add(&r->classes, &r->nclasses, &c, r->err);
}

static bool
take_site(struct ruby *r, const struct ruby_line *l, uint32_t object)
{
	struct ruby_site site = { .line = !RUBY_HAS(l, line) ? 0 : l->line < UINT32_MAX ? (uint32_t)l->line + 1 :
	    UINT32_MAX };
	uint64_t key;

	assert(object > 0 && object <= r->n);
	if (r->site.raw.size > 0)
		r->site.at[object - 1] = 0;
	if (RUBY_HAS(l, file) && l->file.n > 0) {
		key = idmap_hash_text(l->file, idmap_hash_text(l->method, site.line | (uint64_t)l->salvaged << 32));
		if (!array_grow(&r->site, r->n, r->err) ||
		    !idmap_enter(&r->site_map, key, (uint32_t)r->nsites + 1, &r->site.at[object - 1], r->err))
			return false;
		if (r->site.at[object - 1] > r->nsites && (!ruby_intern(r, l->file, false, &site.file) ||
		    !ruby_intern(r, l->method, !l->salvaged, &site.method) ||
		    !array_add(&r->sites, &r->nsites, &site, r->err)))
			return false;
	}
	if (r->born.raw.size == 0 && (!RUBY_HAS(l, generation) || !array_grow(&r->born, r->n, r->err)))
		return !RUBY_HAS(l, generation);
	r->born.at[object - 1] = !RUBY_HAS(l, generation) ? 0 : l->generation < UINT32_MAX ?
	    (uint32_t)l->generation + 1 : UINT32_MAX;
	return true;
}

/* Characters x: a list has at most as many addresses. */
static uint64_t
ruby_count_addresses(struct str list)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list.n; i++)
		n += (list.s[i] | 32) == 'x';
	return n;
}

static uint64_t
size_of(struct ruby *r, const struct ruby_line *l)
{
	if (RUBY_HAS(l, memsize))
		return l->memsize;
	r->count.unsized++;
	return l->slot_size != 0 ? l->slot_size : 5 * r->word;
}

static bool
ruby_take_object(struct ruby *r, const struct ruby_line *l, struct str line)
{
	uint32_t object = heap_ids_find(&r->ids, l->address);
	uint64_t i = object - 1ull, from = l->references.n > 0 ? (uint64_t)(l->references.s - line.s) : 0, length;
	enum ruby_type type;

	if (object == 0)
		return true;
	if (!ruby_take_kind(r, l, &r->last))
		return false;
	assert(object <= r->n && r->last > 0 && r->last <= r->nkinds && line.s >= r->text.s);
	type = r->kinds.at[r->last - 1].type;
	r->place.at[i] = (uint64_t)(line.s - r->text.s);
	r->bytes.at[i] = size_of(r, l);
	r->kind.at[i] = r->last;
	r->list.at[i] = from < UINT32_MAX ? (uint32_t)from : UINT32_MAX;
	length = RUBY_HAS(l, length) ? l->length : RUBY_HAS(l, bytesize) ? l->bytesize : l->size;
	r->length.at[i] = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
	r->type.at[i] = (uint8_t)(type | (l->marked ? RUBY_IS_MARKED : 0) | (l->old ? RUBY_IS_OLD : 0));
	r->has |= l->has;
	r->count.links += ruby_count_addresses(l->references);
	return ruby_take_class(r, l, type, object) && take_site(r, l, object);
}

/* ---- second pass: other lines -------------------------------------------------------------------- */

static enum heap_root
root_kind(struct str root)
{
	static const struct { enum heap_root kind; const char *word; } words[] = {
#define RUBY_ROOT(name, word) { ROOT_RUBY_##name, word },
		RUBY_ROOTS(RUBY_ROOT)
	};

	for (size_t i = 0; i < NELEM(words); i++)
		if (str_is(root, words[i].word))
			return words[i].kind;
	return ROOT_RUBY_OTHER;
}

static bool
ruby_take_roots(struct ruby *r, const struct ruby_line *l)
{
	struct root_in root = { .kind = (uint8_t)root_kind(l->root) };
	struct str list = l->references;
	uint64_t addr;

	r->count.rooted = true;
	while (ruby_line_next(&list, &addr)) {
		root.object = heap_ids_find(&r->ids, addr);
		if (root.object == 0)
			r->count.root_missing++;
		else if (!array_add(&r->roots, &r->nroots, &root, r->err))
			return false;
	}
	return true;
}

static bool
take_shape(struct ruby *r, const struct ruby_line *l)
{
	struct ruby_shape shape = { .id = l->id, .parent = RUBY_HAS(l, parent) ? l->parent : UINT64_MAX };

	r->count.shape_bytes = num_add(r->count.shape_bytes, l->memsize);
	return ruby_intern(r, l->edge, !l->salvaged, &shape.name) && array_add(&r->shapes, &r->nshapes, &shape, r->err);
}

static bool
ruby_take_line(struct ruby *r, struct str line)
{
	struct ruby_flaws flaws = { false, false };
	struct ruby_line l;
	enum ruby_line_is is = ruby_line_read(&l, line, &flaws, NULL);

	r->count.bytes += flaws.bytes;
	r->count.controls += flaws.control;
	r->count.no_json += is == RUBY_NO_JSON;
	r->count.others += is == RUBY_OTHER || (is == RUBY_LOST && line.s[0] != '{');
	r->count.lost += is == RUBY_LOST && line.s[0] == '{';
	if (is > RUBY_NO_JSON)
		return true;
	if (str_is(l.type, "ROOT"))
		return ruby_take_roots(r, &l);
	if (str_is(l.type, "SHAPE"))
		return take_shape(r, &l);
	r->count.free_slots += str_is(l.type, "NONE");
	r->count.zombies += str_is(l.type, "ZOMBIE");
	return !is_object_type(l.type) || !RUBY_HAS(&l, address) || ruby_take_object(r, &l, line);
}

/* A line with two addresses may leave an object without a line: it is behind all of them. */
static bool
fill_gaps(struct ruby *r)
{
	const struct ruby_kind none = { .sub = STR("") };

	for (uint32_t i = 0; i < r->n; i++) {
		if (r->kind.at[i] != 0)
			continue;
		r->place.at[i] = r->text.n;
		if (!ruby_find_kind(r, &none, &r->kind.at[i]))
			return false;
	}
	return true;
}

static bool
ruby_read_lines(struct ruby *r)
{
	struct lines l = lines_of(str_head(r->text, r->to));
	struct str text;
	bool ok = true;

	assert(r->from <= r->to && r->to <= r->text.n);
	l.rest = str_after(l.rest, r->from);
	work_start_bytes(r->work, "reading objects", r->text.n);
	while (ok && lines_next(&l, &text)) {
		ok = lines_look(&l, (uint64_t)(text.s - r->text.s), r->work, r->err);
		text = ruby_line_trim(text);
		if (ok && text.n > 0)
			ok = ruby_take_line(r, text);
	}
	return ok && fill_gaps(r);
}

/* ---- the file ------------------------------------------------------------------------------------ */

/* Addresses of 32 bits are those of a small machine. */
static bool
number_objects(struct ruby *r)
{
	if (!ids_in_out(&r->set, r->st, &r->ids, r->err))
		return false;
	r->n = (uint32_t)r->set.n;
	ids_in_free(&r->set);
	r->word = r->n > 0 && heap_ids_addr(&r->ids, r->n) >> 32 != 0 ? 8 : 4;
	return fact_set(r->st, FACT_HEAP_ID_SIZE, r->word, r->err) && fact_set(r->st, FACT_ID_SIZE, r->word, r->err) &&
	    array_grow(&r->place, r->n, r->err) && array_grow(&r->bytes, r->n, r->err) &&
	    array_grow(&r->kind, r->n, r->err) && array_grow(&r->list, r->n, r->err) &&
	    array_grow(&r->length, r->n, r->err) && array_grow(&r->type, r->n, r->err);
}

static bool
ruby_sniff(const uint8_t *head, size_t n)
{
	struct lines l = lines_of((struct str){ (const char *)head, n });
	struct str line;

	while (lines_next(&l, &line))
		if (ruby_line_trim(line).n > 0)
			return ruby_line_begins(ruby_line_trim(line));
	return false;
}

static void
ruby_free_all(struct ruby *r)
{
	ids_in_free(&r->set);
	SCRATCH_FREE(&r->place, &r->bytes, &r->kind, &r->list, &r->length, &r->site, &r->born, &r->type, &r->kinds,
	    &r->classes, &r->sites, &r->shapes, &r->roots, &r->named);
	idmap_free(&r->kind_map);
	idmap_free(&r->class_map);
	idmap_free(&r->site_map);
	idmap_free(&r->named_map);
	buf_free(&r->own);
}

static bool
ruby_load(struct store *st, struct work *w, struct err *err)
{
	struct ruby *r = mem_array(1, sizeof *r);
	bool ok;

	if (r == NULL)
		return fail_memory(err, "heap dump");
	r->st = st;
	r->work = w;
	r->err = err;
	r->text = (struct str){ (const char *)store_source(st)->data, store_source(st)->size };
	r->to = r->text.n;
	r->want = store_dump(st);
	r->dumps = 1;
	ids_in_init(&r->set, err);
	ok = find_objects(r) && number_objects(r) && ruby_read_lines(r) &&
	    (r->n > 0 || r->count.rooted || fail(err, E_UNREADABLE, "no object in this dump")) &&
	    ruby_classes(r) && ruby_out(r);
	ruby_free_all(r);
	free(r);
	return ok;
}

const struct loader load_ruby = {
	"ruby", "Ruby heap dump (ObjectSpace.dump_all)", SHAPE_GRAPH | SHAPE_TEXTS | SHAPE_SITES, ruby_sniff, ruby_load,
	.meant = ruby_meant, .heap = &ruby_form
};
