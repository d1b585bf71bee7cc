/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_load: the objects of a heap graph become columns.
 *
 * Its messages are read three times: for ids, types, names and roots; for what is known of each object; for
 * the lists of references, by object.  Names come last in a graph, so numbers are kept until then.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_forms.h"
#include "icecore/facts.h"
#include "graph_load.h"
#include "play.h"

enum { ROOTS = 7, PLACES, TYPES };
enum { PART_APP = 1, PART_ZYGOTE, PART_IMAGE, PARTS };
enum { KIND_STICKY = 5, KIND_VM = 13 };

#define OBJECTS_OF(part) (GRAPH_PARTS + 2 * (part))
#define BYTES_OF(part) (OBJECTS_OF(part) + 1)

#define TYPE(F) F(1, id, U64) F(2, place, U64) F(3, name, BYTES) F(4, size, U64) F(5, super, U64) \
	F(6, fields, LIST) F(7, kind, U64) F(8, loader, U64)
#define NAME(F) F(1, iid, U64) F(2, text, BYTES)
#define ROOT(F) F(1, ids, NONE) F(2, kind, U64)
SHAPE(graph_type_in, "heap_graph.types", TYPE)
SHAPE(graph_name_in, "heap_graph.field_names", NAME)
SHAPE(graph_root_in, "heap_graph.roots", ROOT)

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Takes an object, whose field begins at that offset. */
typedef bool (*take_object)(struct graph_load *, struct str message, uint64_t at);
typedef bool (*take_other)(struct graph_load *, const struct proto_field *);

static struct pf_graph_part *
graph_part_at(const struct graph_load *l, uint64_t i)
{
	return &SCRATCH(l->p->graph.parts, struct pf_graph_part)[i];
}

static bool
each_field(struct graph_load *l, const struct pf_graph_part *part, take_object take, take_other other)
{
	struct str m = pf_placed(l->p, part->in);

	PROTO_EACH(m, w) {
		if (w.f.wire != PROTO_BYTES)
			continue;
		if (w.f.number == GRAPH_OBJECT ? !take(l, w.f.in, part->base + (uint64_t)(w.raw.s - m.s)) :
		    other != NULL && !other(l, &w.f))
			return false;
	}
	return work_go(l->p->l->work, part->in.at, l->err);
}

static bool
each_object(struct graph_load *l, take_object take, take_other other)
{
	l->last = l->now = 0;
	for (uint64_t i = 0; i < l->p->graph.nparts; i++)
		if (graph_part_at(l, i)->graph == l->p->graph.chosen &&
		    !each_field(l, graph_part_at(l, i), take, other))
			return false;
	return true;
}

/* Messages that were compressed are kept, as names of references are read from them. */
static bool
keep_messages(struct graph_load *l)
{
	for (uint64_t i = 0; i < l->p->graph.nparts; i++) {
		struct pf_graph_part *part = graph_part_at(l, i);

		part->base = part->in.at;
		if (part->graph != l->p->graph.chosen || part->in.at < l->p->file.n)
			continue;
		part->base = l->p->file.n + l->own.n;
		buf_str(&l->own, pf_placed(l->p, part->in));
	}
	return !l->own.bad || fail_memory(l->err, "heap graph");
}

/* ---- first reading ------------------------------------------------------------------------------------- */

static uint64_t
count_numbers(struct str m, const struct graph_list *list, unsigned field)
{
	struct shape_numbers all = graph_numbers(m, list, field);
	uint64_t n = 0, v;

	/* Each number ends with a byte below 128. */
	for (size_t i = 0; list->fields == 1 && i < list->packed.n; i++)
		n += (unsigned char)list->packed.s[i] < 128;
	while (list->fields > 1 && shape_number(&all, &v))
		n++;
	return n;
}

/*
 * Read an object, whose id may be a difference from that of the object before; false: it is none.  One that
 * is left out for its names is not before any.
 */
static bool
read_object(struct graph_load *l, struct str m, struct graph_object *o, struct unread *unread)
{
	bool whole = graph_object_read(m, o, unread);

	o->id = o->delta != 0 ? l->last + o->delta : o->id;
	if (o->names.fields > 0 && count_numbers(m, &o->names, GRAPH_NAMES) != count_numbers(m, &o->values,
	    GRAPH_VALUES))
		return false;
	l->last = o->id != 0 ? o->id : l->last;
	if (!whole || !graph_id_ok(o->id))
		return false;
	o->part = l->now = o->has_part ? o->part : l->now;
	return true;
}

static struct graph_type *
enter_type(struct graph_load *l, uint64_t id)
{
	struct graph_type new = { .id = id };

	return pf_entry(&l->by_type, idmap_hash(id) | 1, &l->types, &l->ntypes, &new, sizeof new, "types",
	    l->err);
}

static bool
graph_take_id(struct graph_load *l, struct str m, uint64_t at)
{
	struct graph_object o;
	uint64_t n;

	(void)at;
	if (!read_object(l, m, &o, &l->p->unread)) {
		l->count[GRAPH_BAD]++;
		return true;
	}
	n = count_numbers(m, &o.values, GRAPH_VALUES) + count_numbers(m, &o.inner, GRAPH_INNER);
	l->references += n;
	l->most = n > l->most ? n : l->most;
	assert(l->most <= l->references);
	(void)ids_in_add(&l->ids, o.id << GRAPH_SHIFT);
	return !l->ids.failed && enter_type(l, o.type) != NULL;
}

static bool
graph_take_type(struct graph_load *l, struct str m)
{
	struct graph_type_in in;
	struct graph_type *t;
	struct shape_numbers fields;
	uint64_t first = l->nfields, iid;

	l->p->count[PF_BAD_PACKETS] += !graph_type_in_read(m, &in, &l->p->unread);
	fields = graph_numbers(m, &in.fields, 6);
	while (shape_number(&fields, &iid))
		if (!make_add(&l->fields, &l->nfields, &iid, sizeof iid, MAKE_MOST, "fields", l->err))
			return false;
	if ((t = enter_type(l, in.id)) == NULL)
		return false;
	t->place = in.place;
	t->super_id = in.super;
	t->loader = in.loader;
	t->size = in.size;
	t->name = in.name;
	assert(first <= l->nfields && l->nfields <= MAKE_MOST);
	t->field = (uint32_t)first;
	t->fields = (uint32_t)(l->nfields - first);
	t->kind = in.kind < 256 ? (uint8_t)in.kind : 0;
	t->known = true;
	return true;
}

static bool
graph_take_name(struct graph_load *l, struct scratch *names, uint64_t *n, struct str m)
{
	struct graph_name_in in;
	struct graph_name new = { .text = STR("") };

	l->p->count[PF_BAD_PACKETS] += !graph_name_in_read(m, &in, &l->p->unread);
	new.iid = in.iid;
	new.text = str_head(in.text, REF_MAX);
	return in.iid == UINT64_MAX || make_add(names, n, &new, sizeof new, MAKE_MOST, "names", l->err);
}

static bool
graph_take_roots(struct graph_load *l, struct str m)
{
	struct graph_root_in in;
	struct graph_root new;
	uint64_t id;

	l->p->count[PF_BAD_PACKETS] += !graph_root_in_read(m, &in, &l->p->unread);
	new.kind = in.kind <= GRAPH_ROOT_MOST ? (uint8_t)in.kind : 0;
	SHAPE_NUMBERS(m, 1, id) {
		new.id = id;
		if (!make_add(&l->roots, &l->nroots, &new, sizeof new, UINT64_MAX, "roots", l->err))
			return false;
	}
	return true;
}

static bool
graph_take_rest(struct graph_load *l, const struct proto_field *f)
{
	switch (f->number) {
	case GRAPH_NAMES:
		return graph_take_name(l, &l->names, &l->nnames, f->in);
	case ROOTS:
		return graph_take_roots(l, f->in);
	case PLACES:
		return graph_take_name(l, &l->places, &l->nplaces, f->in);
	case TYPES:
		return graph_take_type(l, f->in);
	default:
		return true;
	}
}

/* ---- second reading: each object ----------------------------------------------------------------------- */

static uint32_t
graph_length(const struct graph_type *t, uint64_t bytes, uint64_t values)
{
	unsigned width = t->element == HEAP_OBJECT || t->element == 0 ? 0 : heap_width(t->element, 4),
	    head = width == 8 ? 16 : 12;
	uint64_t n = t->element == 0 ? 0 : width == 0 ? values : bytes < head ? 0 : (bytes - head) / width;

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static bool
take_object_row(struct graph_load *l, struct str m, uint64_t at)
{
	struct graph_object o;
	struct graph_type *t;
	uint32_t i;

	if (!read_object(l, m, &o, NULL))
		return true;
	i = graph_find(l, o.id) - 1;
	t = enter_type(l, o.type);
	if (t == NULL)
		return false;
	assert(i < l->n);
	o.size = o.size != 0 ? o.size : t->size;
	t->object = i + 1;
	SCRATCH(l->class, uint32_t)[i] = (uint32_t)(t - SCRATCH(l->types, struct graph_type)) + 1;
	SCRATCH(l->bytes, uint64_t)[i] = o.size;
	SCRATCH(l->place, uint64_t)[i] = at;
	SCRATCH(l->length, uint32_t)[i] = graph_length(t, o.size, count_numbers(m, &o.values, GRAPH_VALUES));
	l->part.data[i] = o.part < PARTS ? (uint8_t)o.part : 0;
	return true;
}

static bool
graph_read_objects(struct graph_load *l)
{
	l->n = (uint32_t)l->find.n;
	scratch_budget_input(l->p->file.n, l->n);
	return scratch_array(&l->class, l->n + 1ull, 4, l->err) && scratch_array(&l->length, l->n + 1ull, 4, l->err) &&
	    scratch_array(&l->bytes, l->n + 1ull, 8, l->err) && scratch_array(&l->place, l->n + 1ull, 8, l->err) &&
	    scratch_array(&l->part, l->n + 1ull, 1, l->err) && scratch_array(&l->root, l->n + 1ull, 1, l->err) &&
	    each_object(l, take_object_row, NULL);
}

/* ---- third reading: lists ------------------------------------------------------------------------------ */

/* Whether value i of an object does not hold strongly; names: of the fields, or empty. */
static bool
is_referent(struct graph_load *l, const struct graph_type *t, uint64_t i, bool named, struct shape_numbers *names)
{
	const struct graph_name *name;
	uint64_t iid = UINT64_MAX;

	if (!named)
		return i == t->referent;
	(void)shape_number(names, &iid);
	name = graph_name(&l->names, l->nnames, iid);
	l->count[GRAPH_NAMELESS] += name == NULL;
	return name != NULL && name->referent;
}

/* The lists: weak references at to, strong ones at to + l->most. */
static void
graph_put_list(struct graph_load *l, struct lists_in *lists, uint32_t object, uint32_t *to)
{
	struct str m = graph_message(l, SCRATCH(l->place, uint64_t)[object - 1]);
	const struct graph_type *t = type_of_class(l, SCRATCH(l->class, uint32_t)[object - 1]);
	size_t n[2] = { 0, 0 };
	struct shape_numbers values, names, inner;
	struct graph_object o;
	uint64_t i, id;
	uint32_t target;
	bool weak;

	(void)graph_object_read(m, &o, NULL);
	values = graph_numbers(m, &o.values, GRAPH_VALUES);
	names = graph_numbers(m, &o.names, GRAPH_NAMES);
	inner = graph_numbers(m, &o.inner, GRAPH_INNER);
	for (i = 0; shape_number(&values, &id); i++) {
		weak = is_referent(l, t, i, o.names.fields > 0, &names) && t->strength != HEAP_STRONG;
		target = id == 0 ? 0 : graph_find(l, id + o.base);
		l->count[GRAPH_MISSING] += id != 0 && target == 0;
		if (target != 0)
			to[weak ? n[1]++ : l->most + n[0]++] = target;
	}
	if (o.names.fields == 0 && t->element == 0)
		l->count[GRAPH_NAMELESS] += (i > t->all ? i - t->all : 0) + (i > 0 ? t->nameless : 0);
	while (shape_number(&inner, &id)) {
		target = graph_find(l, id);
		l->count[GRAPH_MISSING] += id != 0 && target == 0;
		if (target != 0)
			to[l->most + n[0]++] = target;
	}
	lists_in_put(lists, object, (enum heap_strength)t->strength, to, n[1], to + l->most, n[0]);
}

static bool
make_lists(struct graph_load *l)
{
	OWN_SCRATCH to = SCRATCH_INIT;
	struct lists_in lists;

	if (!scratch_array(&to, 2 * l->most + 1, sizeof(uint32_t), l->err) ||
	    !lists_in_open(&lists, l->st, l->n, l->references, l->err))
		return false;
	work_start(l->p->l->work, "references", l->n);
	for (uint32_t object = 1; object <= l->n; object++) {
		graph_put_list(l, &lists, object, SCRATCH(to, uint32_t));
		if (object % 1024 == 0 && !work_go(l->p->l->work, object, l->err))
			return false;
	}
	return lists_in_close(&lists);
}

/* ---- roots and parts ----------------------------------------------------------------------------------- */

static unsigned
rank_of_root(unsigned kind)
{
	return kind == KIND_STICKY ? 0 : kind == ROOT_JNI_GLOBAL || kind == ROOT_JNI_LOCAL ? kind : 3;
}

/* l->root: 1 + kind in the file, of the best root of each object. */
static void
choose_roots(struct graph_load *l)
{
	for (uint64_t i = 0; i < l->nroots; i++) {
		struct graph_root root = SCRATCH(l->roots, struct graph_root)[i];
		uint32_t object = graph_find(l, root.id);
		uint8_t *best = object == 0 ? NULL : &l->root.data[object - 1];

		l->count[GRAPH_ABSENT] += object == 0;
		if (best != NULL && (*best == 0 || rank_of_root(root.kind) < rank_of_root(*best - 1u)))
			*best = root.kind + 1;
	}
	/* The runtime does not collect what all processes share. */
	for (uint32_t i = 0; i < l->n; i++)
		if (l->part.data[i] > PART_APP && l->root.data[i] == 0)
			l->root.data[i] = KIND_VM + 1;
}

static bool
make_roots(struct graph_load *l)
{
	OWN_SCRATCH rows = SCRATCH_INIT;
	struct root_in new;
	uint64_t n = 0;

	choose_roots(l);
	for (uint32_t i = 0; i < l->n; i++) {
		unsigned kind = l->root.data[i];

		if (kind == 0)
			continue;
		kind--;
		new = (struct root_in){ .object = i + 1, .kind =
		    (uint8_t)(kind == 0 ? ROOT_UNKNOWN : kind <= ROOT_THREAD ?
		    kind : (ROOT_INTERNED & 0xf0) | kind) };
		if (!scratch_add(&rows, &n, &new, sizeof new, l->err))
			return false;
	}
	return heap_in_roots(l->st, SCRATCH(rows, struct root_in), n, l->err);
}

struct part_row {
	uint64_t	from, name;
};

/* Runs of objects of a part, by number. */
static bool
make_parts(struct graph_load *l)
{
	static const struct make_column columns[] = { MAKE(COL_PART_FROM, part_row, from),
	    MAKE(COL_PART_NAME, part_row, name) };
	static const char *const words[PARTS] = { "", "app", "zygote", "image" };
	uint64_t names[PARTS], n = 0;
	OWN_SCRATCH rows = SCRATCH_INIT;

	for (unsigned i = 0; i < PARTS; i++)
		names[i] = graph_ref(l, str_of(words[i]));
	for (uint32_t i = 0; i < l->n; i++) {
		unsigned part = l->part.data[i];
		struct part_row new = { i + 1ull, names[part] };

		l->count[OBJECTS_OF(part)]++;
		l->count[BYTES_OF(part)] = num_add(l->count[BYTES_OF(part)], SCRATCH(l->bytes, uint64_t)[i]);
		if ((i == 0 || l->part.data[i - 1] != part) && !scratch_add(&rows, &n, &new, sizeof new, l->err))
			return false;
	}
	return make_columns(l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(rows, struct part_row), n), l->err);
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static bool
make_graph_facts(struct graph_load *l)
{
	static const struct make_count counts[] = {
		{ FACT_PART_APP_OBJECTS, OBJECTS_OF(PART_APP) }, { FACT_PART_APP, BYTES_OF(PART_APP) },
		{ FACT_PART_ZYGOTE_OBJECTS, OBJECTS_OF(PART_ZYGOTE) }, { FACT_PART_ZYGOTE, BYTES_OF(PART_ZYGOTE) },
		{ FACT_PART_IMAGE_OBJECTS, OBJECTS_OF(PART_IMAGE) }, { FACT_PART_IMAGE, BYTES_OF(PART_IMAGE) },
		{ FACT_MAPPING_RENAMED_CLASSES, GRAPH_RENAMED }, { FACT_MISSING, GRAPH_MISSING },
		{ FACT_REPAIR_ABSENT_ROOTS, GRAPH_ABSENT }, { FACT_REPAIR_SUPER_CYCLES, GRAPH_CYCLES },
		{ FACT_REPAIR_NO_SUPER, GRAPH_NO_SUPER }, { FACT_REPAIR_NAMELESS, GRAPH_NAMELESS },
		{ FACT_LOSS_BAD_OBJECTS, GRAPH_BAD }
	};
	/* Sizes of objects are in the file. */
	static const struct make_fact sizes[] = {
		{ FACT_HEAP_ANDROID, 1 }, { FACT_HEAP_ALIGN, 1 }, { FACT_HEAP_MAT_ALIGN, 1 }
	};

	return make_facts(l->st, sizes, NELEM(sizes), l->err) &&
	    make_counts(l->st, counts, NELEM(counts), l->count, l->err);
}

static bool
make_own_text(struct graph_load *l)
{
	if (l->own.bad || l->text.bad)
		return fail_memory(l->err, "heap graph");
	return make_copy(l->st, COL_HEAP_TEXT, COL_BYTES, l->own.s, l->own.n, l->err);
}

static bool
graph_load_all(struct graph_load *l)
{
	work_start_bytes(l->p->l->work, "heap graph", l->p->file.n + l->p->nspill);
	return keep_messages(l) && each_object(l, graph_take_id, graph_take_rest) &&
	    ids_in_out(&l->ids, l->st, &l->find, l->err) && graph_settle(l) && graph_read_objects(l) &&
	    graph_classes(l) &&
	    make_roots(l) && make_parts(l) && make_own_text(l) && make_lists(l) && make_graph_facts(l);
}

bool
pf_graph_load(struct perfetto *p, bool alone, struct err *err)
{
	struct graph_load l = { .p = p, .st = p->l->st, .err = err, .own = BUF_INIT, .text = BUF_INIT };
	uint64_t shapes = fact_value(p->l->st, FACT_SHAPES);
	bool ok;

	if (p->graph.chosen == 0)
		return true;
	l.package = pf_graph_package(p);
	ids_in_init(&l.ids, err);
	ok = pf_graph_facts(p, err) && graph_load_all(&l) &&
	    fact_set(p->l->st, FACT_SHAPES, alone ? SHAPE_GRAPH : shapes | SHAPE_GRAPH, err);
	ids_in_free(&l.ids);
	idmap_free(&l.by_type);
	idmap_free(&l.by_name);
	idmap_free(&l.by_loader);
	SCRATCH_FREE(&l.types, &l.names, &l.places, &l.roots, &l.fields, &l.path, &l.loaders);
	SCRATCH_FREE(&l.class, &l.length, &l.bytes, &l.place, &l.part, &l.root);
	buf_free(&l.own);
	buf_free(&l.text);
	return ok;
}
