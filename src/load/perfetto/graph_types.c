/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_types: types of a heap graph become classes; names of fields, superclasses, and which class an object
 * describes.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_heap.h"
#include "icecore/facts.h"
#include "graph_load.h"
#include "play.h"

enum { PLACES_MOST = 64 };	/* places whose classes may have names of their own */
enum { KIND_ARRAY = 4, KIND_SOFT = 8, KIND_WEAK, KIND_FINALIZER, KIND_PHANTOM };

static const uint8_t strengths[] = { [KIND_SOFT] = HEAP_SOFT, [KIND_WEAK] = HEAP_WEAK,
    [KIND_FINALIZER] = HEAP_FINALIZER, [KIND_PHANTOM] = HEAP_PHANTOM };

/* ---- names --------------------------------------------------------------------------------------------- */

/* Sorts names by number; of several with one number the last one stays. */
static bool
graph_sort_names(struct graph_load *l, struct scratch *names, uint64_t *n)
{
	struct graph_name *name;
	uint64_t kept = 0;

	if (!make_sort(names, *n, sizeof *name, l->p->l->work, l->err))
		return false;
	name = SCRATCH(*names, struct graph_name);
	for (uint64_t i = 0; i < *n; i++)
		if (i + 1 == *n || name[i].iid != name[i + 1].iid)
			name[kept++] = name[i];
	*n = kept;
	return true;
}

struct str
graph_message(const struct graph_load *l, uint64_t at)
{
	struct str in = at < l->p->file.n ? str_after(l->p->file, (size_t)at) :
	    str_after(buf_view(&l->own), (size_t)(at - l->p->file.n));
	struct proto_field f = { .in = STR("") };

	assert(at <= l->p->file.n + l->own.n);
	(void)proto_next(&in, &f);
	return f.in;
}

uint64_t
graph_ref(struct graph_load *l, struct str s)
{
	uint64_t at = store_own_at(l->st) + l->own.n;

	if (s.n == 0 || samples_has_text(&l->p->l->samples, s))
		return make_ref(l->p->file.s, s);
	buf_str(&l->own, s);
	return ref_make(at, s.n);
}

static struct str
graph_place_of(const struct graph_load *l, const struct graph_type *t)
{
	const struct graph_name *place = t == NULL ? NULL : graph_name(&l->places, l->nplaces, t->place);

	return place == NULL ? STR("") : place->text;
}

/* "type package.Class.field", or without the type. */
static void
divide_name(struct str all, struct str *class, struct str *field)
{
	struct str type;

	(void)str_divide(all, STR(" "), &type, &all);
	*class = STR("");
	*field = all;
	(void)str_divide_last(all, '.', class, field);
}

/* The field with its original name, in objects of classes from that place; in l->text, or as it is. */
static struct str
field_in(struct graph_load *l, struct str text, struct str place)
{
	struct str class, field;

	divide_name(text, &class, &field);
	buf_clear(&l->text);
	if (class.n > 0 && pf_renamed(l->p, class, field, place, l->package, &l->text))
		divide_name(buf_view(&l->text), &class, &field);
	return field;
}

/* The type of a name; place 0: the first one. */
static uint32_t
type_named(const struct graph_load *l, struct str name, uint64_t place)
{
	return name.n == 0 ? 0 : idmap_get(&l->by_name, idmap_hash_text(name, place) | 1);
}

/* Where classes of other apps have other names, the field is also there as of those. */
static bool
add_variants(struct graph_load *l, const struct graph_name *of, struct str class, struct str usual)
{
	OWN_BUF b = BUF_INIT;
	struct graph_name new = *of;

	buf_str(&b, usual);
	for (uint64_t i = 0; i < l->nplaces && i < PLACES_MOST; i++) {
		const struct graph_name *place = &SCRATCH(l->places, struct graph_name)[i];
		struct str field = field_in(l, of->text, place->text);
		uint32_t declares = type_named(l, class, place->iid + 1);

		if (str_eq(field, buf_view(&b)) && (declares == 0 || declares == of->class))
			continue;
		new.ref = graph_ref(l, field);
		new.place = place->ref;
		new.class = declares != 0 ? declares : of->class;
		if (!make_add(&l->names, &l->nnames, &new, sizeof new, MAKE_MOST, "names", l->err))
			return false;
	}
	l->own.bad |= b.bad;
	return true;
}

static bool
settle_name(struct graph_load *l, uint64_t i)
{
	struct graph_name n = SCRATCH(l->names, struct graph_name)[i];
	struct str class, field, type, all = n.text;

	(void)str_divide(all, STR(" "), &type, &all);
	n.referent = str_eq(all, STR("java.lang.ref.Reference.referent"));
	n.super = str_eq(all, STR("java.lang.Class.superClass"));
	divide_name(n.text, &class, &field);
	n.class = type_named(l, class, 0);
	field = field_in(l, n.text, graph_place_of(l, n.class == 0 ? NULL : graph_type(l, n.class)));
	n.ref = graph_ref(l, field);
	SCRATCH(l->names, struct graph_name)[i] = n;
	return !l->p->symbols.renamed || class.n == 0 || add_variants(l, &n, class, field);
}

static uint8_t
graph_element(const struct graph_type *t)
{
	static const char *const names[] = { [HEAP_BOOLEAN] = "boolean[]", "char[]", "float[]", "double[]", "byte[]",
	    "short[]", "int[]", "long[]" };

	for (uint8_t i = HEAP_BOOLEAN; i < NELEM(names); i++)
		if (str_eq(t->name, str_of(names[i])))
			return i;
	return t->kind == KIND_ARRAY || str_ends(t->name, "[]") ? HEAP_OBJECT : 0;
}

bool
graph_settle(struct graph_load *l)
{
	uint32_t found;

	if (!graph_sort_names(l, &l->names, &l->nnames) || !graph_sort_names(l, &l->places, &l->nplaces))
		return false;
	for (uint32_t row = 1; row <= l->ntypes; row++) {
		struct graph_type *t = graph_type(l, row);

		t->element = graph_element(t);
		if (t->known && (!idmap_enter(&l->by_name, idmap_hash_text(t->name, 0) | 1, row, &found, l->err) ||
		    !idmap_enter(&l->by_name, idmap_hash_text(t->name, t->place + 1) | 1, row, &found, l->err)))
			return false;
	}
	for (uint64_t i = 0; i < l->nplaces; i++) {
		struct graph_name *place = &SCRATCH(l->places, struct graph_name)[i];

		place->ref = graph_ref(l, place->text);
	}
	for (uint64_t i = 0, n = l->nnames; i < n; i++)
		if (!settle_name(l, i))
			return false;
	return make_sort(&l->names, l->nnames, sizeof(struct graph_name), l->p->l->work, l->err);
}

/* ---- Class objects ------------------------------------------------------------------------------------- */

/* X of java.lang.Class<X>. */
static bool
described_name(struct str name, struct str *of)
{
	*of = name;
	return str_take(of, STR("java.lang.Class<")) && str_ends(*of, ">") && (of->n--, true);
}

/* Types with one name and place belong together in the order in which they come. */
static bool
find_described(struct graph_load *l)
{
	OWN_IDMAP by = IDMAP_INIT;
	struct str of;
	uint64_t key;

	for (uint32_t row = (uint32_t)l->ntypes; row > 0; row--) {
		struct graph_type *t = graph_type(l, row);

		key = idmap_hash_text(t->name, t->place) | 1;
		t->next = idmap_get(&by, key);
		if (t->known && !described_name(t->name, &of) && !idmap_put(&by, key, row, l->err))
			return false;
	}
	for (uint32_t row = 1; row <= l->ntypes; row++) {
		struct graph_type *t = graph_type(l, row), *x;
		uint32_t found;

		if (!described_name(t->name, &of))
			continue;
		key = idmap_hash_text(of, t->place) | 1;
		found = idmap_get(&by, key);
		assert(found <= l->ntypes);
		x = found == 0 ? NULL : graph_type(l, found);
		if (x == NULL || x->taken)
			continue;
		t->described = found;
		x->taken = true;
		if (x->next != 0 && !idmap_put(&by, key, x->next, l->err))
			return false;
	}
	return true;
}

/* Traces of Android 11 have superclasses only as references of Class objects. */
static uint32_t
super_by_object(const struct graph_load *l, uint32_t object)
{
	struct str m = graph_message(l, SCRATCH(l->place, uint64_t)[object - 1]);
	struct shape_numbers values, names;
	const struct graph_name *name;
	struct graph_object o;
	uint64_t id, iid;
	uint32_t target;

	assert(object > 0);
	(void)graph_object_read(m, &o, NULL);
	values = graph_numbers(m, &o.values, GRAPH_VALUES);
	names = graph_numbers(m, &o.names, GRAPH_NAMES);
	while (shape_number(&names, &iid) && shape_number(&values, &id)) {
		name = graph_name(&l->names, l->nnames, iid);
		if (name == NULL || !name->super)
			continue;
		target = id == 0 ? 0 : graph_find(l, id + o.base);
		return target == 0 ? 0 : graph_type(l, SCRATCH(l->class, uint32_t)[target - 1])->described;
	}
	return 0;
}

static void
find_supers(struct graph_load *l)
{
	for (uint32_t row = 1; row <= l->ntypes; row++) {
		struct graph_type *t = graph_type(l, row), *x = t->described == 0 ? NULL : graph_type(l, t->described);

		if (t->super_id != 0) {
			t->super = idmap_get(&l->by_type, idmap_hash(t->super_id) | 1);
			l->count[GRAPH_NO_SUPER] += t->super == 0;
		}
		if (x != NULL && x->super_id == 0 && t->object != 0)
			x->super = super_by_object(l, t->object);
	}
}

/* ---- what types inherit -------------------------------------------------------------------------------- */

static uint8_t
graph_strength_of(const struct graph_type *t, const struct graph_type *super)
{
	static const char *const names[] = { "java.lang.ref.SoftReference", "java.lang.ref.WeakReference",
	    "java.lang.ref.FinalizerReference", "java.lang.ref.PhantomReference" };

	if (t->kind != 0)
		return t->kind < NELEM(strengths) ? strengths[t->kind] : HEAP_STRONG;
	for (size_t i = 0; i < NELEM(names); i++)
		if (str_eq(t->name, str_of(names[i])))
			return strengths[KIND_SOFT + i];
	return super != NULL ? super->strength : HEAP_STRONG;
}

static void
inherit(struct graph_load *l, struct graph_type *t)
{
	const struct graph_type *super = t->super == 0 ? NULL : graph_type(l, t->super);
	const struct graph_name *name;

	assert(!t->settled && (super == NULL || super->settled));
	t->all = t->fields + (super != NULL ? super->all : 0);
	t->nameless = super != NULL ? super->nameless : 0;
	t->referent = super != NULL && super->referent != GRAPH_NONE ? t->fields + super->referent : GRAPH_NONE;
	t->strength = graph_strength_of(t, super);
	for (uint32_t i = t->fields; i-- > 0; ) {
		name = graph_name(&l->names, l->nnames, SCRATCH(l->fields, uint64_t)[t->field + i]);
		t->nameless += name == NULL;
		t->referent = name != NULL && name->referent ? i : t->referent;
	}
	t->settled = true;
}

/* Superclasses first; where they form a circle, it is cut. */
static bool
inherit_all(struct graph_load *l)
{
	uint32_t *path, row, n;

	if (!scratch_array(&l->path, l->ntypes + 2, sizeof *path, l->err))
		return false;
	path = SCRATCH(l->path, uint32_t);
	for (uint32_t first = 1; first <= l->ntypes; first++) {
		for (n = 0, row = first; row != 0 && !graph_type(l, row)->settled; row = graph_type(l, row)->super) {
			if (graph_type(l, row)->settling) {
				graph_type(l, path[n - 1])->super = 0;
				l->count[GRAPH_CYCLES]++;
				break;
			}
			graph_type(l, row)->settling = true;
			assert(n < l->ntypes);
			path[n++] = row;
		}
		while (n > 0)
			inherit(l, graph_type(l, path[--n]));
	}
	return true;
}

/* ---- classes ------------------------------------------------------------------------------------------- */

/* Numbers the classes: those of Class objects come last, behind java.lang.Class.  l->path: types by class. */
static void
number_classes(struct graph_load *l)
{
	uint32_t *by_class = SCRATCH(l->path, uint32_t), n = 0;

	for (unsigned turn = 0; turn < 3; turn++)
		for (uint32_t row = 1; row <= l->ntypes; row++) {
			struct graph_type *t = graph_type(l, row);
			bool class = str_eq(t->name, STR("java.lang.Class"));

			if ((t->described != 0 ? 2u : class ? 1u : 0u) != turn)
				continue;
			t->class = ++n;
			by_class[n] = row;
			if (turn > 0 && l->class_class == 0)
				l->class_class = n;
		}
	assert(n == l->ntypes);
}

/* The name of a type, with the original name of what it is of; *raw: as in the file, if that differs. */
static uint64_t
class_name_ref(struct graph_load *l, const struct graph_type *t, uint64_t *raw)
{
	struct str all = t->name, core = heap_class_core(all);
	size_t at = core.n == 0 ? 0 : (size_t)(core.s - all.s);

	buf_clear(&l->text);
	*raw = 0;
	if (!t->known) {
		buf_printf(&l->text, "type@%" PRIu64, t->id);
		return graph_ref(l, buf_view(&l->text));
	}
	buf_add(&l->text, all.s, at);
	if (core.n == 0 || !pf_renamed(l->p, core, STR(""), graph_place_of(l, t), l->package, &l->text))
		return graph_ref(l, all);
	buf_add(&l->text, core.s + core.n, all.n - at - core.n);
	l->count[GRAPH_RENAMED]++;
	*raw = graph_ref(l, all);
	return graph_ref(l, buf_view(&l->text));
}

/* The row of loader.* of an object; 0: it is not there. */
static bool
loader_row(struct graph_load *l, uint64_t id, uint32_t *row)
{
	uint32_t object = graph_find(l, id);

	*row = id == 0;
	return object == 0 || (idmap_enter(&l->by_loader, object, (uint32_t)l->nloaders + 1, row, l->err) &&
	    (*row <= l->nloaders || scratch_add(&l->loaders, &l->nloaders, &object, sizeof object, l->err)));
}

static bool
make_names(struct graph_load *l)
{
	static const struct make_column columns[] = { MAKE(COL_NAME_ID, graph_name, iid),
	    MAKE(COL_NAME_REF, graph_name, ref), MAKE(COL_NAME_CLASS, graph_name, class),
	    MAKE(COL_NAME_PLACE, graph_name, place) };

	for (uint64_t i = 0; i < l->nnames; i++) {
		uint32_t *class = &SCRATCH(l->names, struct graph_name)[i].class;

		*class = *class == 0 ? 0 : graph_type(l, *class)->class;
	}
	return make_columns(l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(l->names, struct graph_name), l->nnames),
	    l->err);
}

/* Fields in the order of the classes. */
static bool
make_fields(struct graph_load *l, uint64_t n)
{
	uint64_t *ref = store_make(l->st, COL_FIELD_NAME, COL_U64, n, l->err);
	uint8_t *type = ref == NULL ? NULL : store_make(l->st, COL_FIELD_TYPE, COL_U8, n, l->err);
	const struct graph_name *name;
	uint64_t at = 0;

	if (type == NULL)
		return false;
	memset(type, HEAP_OBJECT, (size_t)n);
	for (uint32_t class = 1; class <= l->ntypes; class++) {
		const struct graph_type *t = type_of_class(l, class);

		for (uint32_t i = 0; i < t->fields; i++) {
			name = graph_name(&l->names, l->nnames, SCRATCH(l->fields, uint64_t)[t->field + i]);
			ref[at++] = name == NULL ? 0 : l->p->symbols.renamed ?
			    graph_ref(l, field_in(l, name->text, graph_place_of(l, t))) : name->ref;
		}
	}
	assert(at == n);
	return true;
}

/* Class objects come behind the classes that they are. */
static bool
graph_fill_classes(struct graph_load *l, struct class_in *in, uint64_t *raw, uint64_t *place, uint64_t *fields)
{
	const struct graph_name *from;
	struct class_in *c = in;

	for (uint32_t class = 1; class <= l->ntypes; class++, c++) {
		const struct graph_type *t = type_of_class(l, class);
		struct class_in *x = t->described == 0 ? NULL : &in[graph_type(l, t->described)->class - 1];

		*c = (struct class_in){ .name = class_name_ref(l, t, &raw[class - 1]), .field = (uint32_t)*fields + 1,
		    .super = t->super == 0 ? 0 : graph_type(l, t->super)->class, .fields = t->fields,
		    .element = t->element, .strength = t->strength };
		from = graph_name(&l->places, l->nplaces, t->place);
		place[class - 1] = from == NULL ? 0 : from->ref;
		*fields += t->fields;
		if (x != NULL && type_of_class(l, l->class_class)->described == 0)
			c->super = l->class_class;
		if (x != NULL && t->object != 0) {
			x->object = t->object;
			x->addr = heap_ids_addr(&l->find, t->object);
		}
		if (!loader_row(l, t->loader, &c->loader))
			return false;
	}
	return true;
}

bool
graph_classes(struct graph_load *l)
{
	const struct objects_in objects = { .n = l->n, .class = SCRATCH(l->class, uint32_t),
	    .bytes = SCRATCH(l->bytes, uint64_t), .place = SCRATCH(l->place, uint64_t),
	    .length = SCRATCH(l->length, uint32_t) };
	uint32_t *class = SCRATCH(l->class, uint32_t), n = (uint32_t)l->ntypes;
	uint64_t *raw, *place, fields = 0;
	OWN_SCRATCH rows = SCRATCH_INIT;
	struct class_in *in;

	if (!find_described(l))
		return false;
	find_supers(l);
	if (!inherit_all(l) || !scratch_array(&rows, n + 1ull, sizeof *in, l->err) ||
	    !scratch_array(&l->loaders, 1, sizeof(uint32_t), l->err) ||
	    (raw = store_make(l->st, COL_RAW_CLASS, COL_U64, n, l->err)) == NULL ||
	    (place = store_make(l->st, COL_CLASS_PLACE, COL_U64, n, l->err)) == NULL)
		return false;
	number_classes(l);
	for (uint32_t i = 0; i < l->n; i++)
		class[i] = graph_type(l, class[i])->class;
	in = SCRATCH(rows, struct class_in);
	l->nloaders = 1;
	return graph_fill_classes(l, in, raw, place, &fields) && make_fields(l, fields) && make_names(l) &&
	    heap_in_objects(l->st, &objects, in, n, l->err) &&
	    heap_in_classes(l->st, in, n, l->class_class, l->err) &&
	    make_copy(l->st, COL_LOADER_OBJECT, COL_U32, l->loaders.data, l->nloaders, l->err) &&
	    fact_set(l->st, FACT_LOADERS, l->nloaders, l->err);
}
