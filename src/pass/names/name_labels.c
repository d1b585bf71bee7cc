/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_labels: by which field, static or local variable one object holds another.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "fold.h"

#define WIDE 64u		/* fields: of an object with more all labels are found at once */
#define WIDE_GLOBAL 1024u	/* like WIDE, for global variables and those of a module */
#define LOOKED 64u		/* referrers of an object that are looked at */
#define HOLDERS 12u		/* reachable referrers of an object that are looked at */
#define CLIMB 64u		/* dominators from one of them up */
#define MET 4096u		/* labels that were found not long ago */

/* The label of the reference from a holder to an object. */
struct label_row {
	uint32_t	text, class;
	uint8_t		kind;		/* enum name_kind */
};

/* ---- those that are kept ------------------------------------------------------------------------ */

static uint64_t
name_labels_key_of(uint32_t holder, uint32_t object)
{
	return (uint64_t)holder << 32 | object;
}

/* Locals come first, by class and method; else the name of the field counts. */
static int
name_labels_order(const struct folding *f, const struct label_row *a, const struct label_row *b)
{
	const struct name_class *c = f->classes.at;
	uint32_t of_a = a->kind == NAME_LOCAL ? c[a->class].text : 0,
	    of_b = b->kind == NAME_LOCAL ? c[b->class].text : 0;
	int by_class = 0;

	if (a->kind != b->kind && (a->kind == NAME_LOCAL || b->kind == NAME_LOCAL))
		return a->kind == NAME_LOCAL ? -1 : 1;
	/* A local of an unknown method has no class and sorts first. */
	if (of_a != of_b)
		by_class = of_a == 0 ? -1 : of_b == 0 ? 1 : str_cmp(texts_get(&f->texts, of_a),
		    texts_get(&f->texts, of_b));
	return by_class != 0 ? by_class : str_cmp(texts_get(&f->texts, a->text),
	    texts_get(&f->texts, b->text));
}

/* Add a label; if holder refers to object several times, the least label stays. */
static bool
name_labels_keep(struct folding *f, uint32_t holder, uint32_t object, struct label_row new)
{
	uint32_t at = idmap_get(&f->labels, name_labels_key_of(holder, object));
	struct label_row *row;

	if (at == 0)
		return make_add(&f->label_rows.raw, &f->nlabels, &new, sizeof new, MAKE_MOST, "names",
		    f->err) &&
		    idmap_put(&f->labels, name_labels_key_of(holder, object), (uint32_t)f->nlabels, f->err);
	assert(at <= f->nlabels);
	row = &f->label_rows.at[at - 1];
	if (name_labels_order(f, &new, row) < 0)
		*row = new;
	return true;
}

static bool
list_slots(struct folding *f, uint32_t holder)
{
	struct heap_slots s;
	struct heap_slot slot;
	struct label_row row;

	if (!idmap_put(&f->listed, holder, 1, f->err))
		return false;
	for (bool more = heap_slots(&f->h, holder, &s); more && heap_slot(&s, &slot); ) {
		if ((slot.kind != SLOT_FIELD && slot.kind != SLOT_STATIC) || slot.object == 0 ||
		    !heap_slot_refers(&slot) ||
		    !heap_counts(&f->h, slot.strength))
			continue;
		row = (struct label_row){ .class = slot.class,
		    .kind = slot.kind == SLOT_STATIC ? NAME_STATIC : NAME_FIELD };
		if (!name_text(f, slot.name, &row.text) || !name_labels_keep(f, holder, slot.object, row))
			return false;
	}
	return true;
}

static bool
name_labels_find_kept(struct folding *f, uint32_t holder, uint32_t object, struct label_row *found)
{
	uint32_t at = idmap_get(&f->labels, name_labels_key_of(holder, object));

	assert(at <= f->nlabels);
	if (at != 0)
		*found = f->label_rows.at[at - 1];
	return at != 0;
}

/* ---- locals ---------------------------------------------------------------------------------------- */

/* Compilers number lambdas: "lambda$run$3", Kotlin's "run$lambda$3", Scala's "$anonfun$run$3". */
static struct str
plain_method(struct str s)
{
	static const char *const lambdas[] = { "*lambda$*", "$anonfun$*" };
	size_t n = s.n;

	if (!str_glob_any(lambdas, NELEM(lambdas), s))
		return s;
	while (n > 0 && is_digit(s.s[n - 1]))
		n--;
	return n < s.n && n > 0 && s.s[n - 1] == '$' ? (struct str){ s.s, n - 1 } : s;
}

static bool
name_method(struct folding *f, uint32_t frame, struct label_row *label)
{
	uint64_t class = frame == 0 ? 0 : store_cell(f->st, COL_FRAME_CLASS, frame);

	label->class = class <= f->h.classes ? (uint32_t)class : 0;
	return name_text(f, frame == 0 ? STR("an unknown method") :
	    plain_method(store_text(f->st, store_cell(f->st, COL_FRAME_METHOD, frame))), &label->text);
}

bool
name_locals(struct folding *f)
{
	uint64_t rows = column_rows(f->h.root_kind);
	struct label_row label = { .kind = NAME_LOCAL };

	for (uint64_t row = 1; row <= rows && row <= UINT32_MAX; row++) {
		uint32_t thread = heap_root_thread(&f->h, (uint32_t)row);
		uint64_t object = thread == 0 ? 0 : store_cell(f->st, COL_ROOT_OBJECT, row);

		if (!work_go(f->work, row, f->err))
			return false;
		if (object != 0 && object <= f->h.objects &&
		    (!name_method(f, (uint32_t)store_cell(f->st, COL_ROOT_FRAME, row), &label) ||
		    !name_labels_keep(f, thread, (uint32_t)object, label)))
			return false;
	}
	return true;
}

/* ---- one label -------------------------------------------------------------------------------------- */

/* Read the address from the object's record, which is faster than a search by number. */
static uint64_t
addr_of(const struct heap *h, uint32_t object)
{
	uint64_t at = heap_offset(h, object);

	return at < h->size && h->size - at > h->id_size ? heap_id(h->data + at + 1, h->id_size) : 0;
}

/* Take a field that refers to the object if none was before it, or its name is less. */
static void
name_labels_take_field(const struct folding *f, const struct name_field *field, struct label_row *found,
    bool *any)
{
	if (!*any || str_cmp(texts_get(&f->texts, field->label), texts_get(&f->texts, found->text)) < 0)
		*found = (struct label_row){ field->label, field->class, NAME_FIELD };
	*any = true;
}

/*
 * An object without a null has a reference for each field, in order: its list is faster to read than its
 * record, and closer to others.  False: it is not such an object.  The locals of a thread are in its list,
 * too.
 */
static bool
find_in_list(const struct folding *f, uint32_t holder, uint32_t object, const struct name_field *list,
    uint32_t n,
    struct label_row *found, bool *any)
{
	struct heap_walk w;
	uint32_t to, i = 0;

	*any = false;
	heap_out(&f->h, holder, &w);
	if (w.strength != HEAP_STRONG || w.chain != 0)
		return false;
	/* The list of an array whose class is not that of arrays may be long; it has no fields. */
	for (; i <= n && (to = list_next(&w)) != 0; i++)
		if (to == object && i < n)
			name_labels_take_field(f, &list[i], found, any);
	return i == n && column_find(f->h.local_thread, holder) == 0;
}

static bool
name_labels_find_field(struct folding *f, uint32_t holder, uint32_t object, const struct name_field *list,
    uint32_t n,
    struct label_row *found, bool *any)
{
	uint64_t addr;
	struct heap_record r;

	if (find_in_list(f, holder, object, list, n, found, any))
		return true;
	addr = addr_of(&f->h, object);
	*any = false;
	/* The owner is not read from the record, which would take longer than all other steps. */
	if (!heap_record(f->h.data, f->h.size, f->h.id_size, heap_offset(&f->h, holder), &r) ||
	    r.tag != TAG_INSTANCE)
		return true;
	for (uint32_t i = 0; i < n; i++) {
		if (list[i].at <= r.bytes && r.bytes - list[i].at >= f->h.id_size &&
		    heap_id(f->h.data + r.data + list[i].at, f->h.id_size) == addr &&
		    heap_counts(&f->h, list[i].strength))
			name_labels_take_field(f, &list[i], found, any);
	}
	return true;
}

/*
 * Name a field by the class that declares it.  If that is a class of the JDK or a library, and the holder is
 * of a subclass in the program, name it by the subclass.
 */
static uint32_t
teller(const struct folding *f, uint32_t declares, uint32_t class)
{
	const struct name_class *c = f->classes.at;

	if (declares == 0 || declares > f->h.classes)
		return class;
	/* The references of a coroutine are not part of the function it was made from. */
	if ((c[declares].parts & PART_LINKS) && (c[declares].parts & CLASS_LIBRARY))
		return declares;
	return (c[declares].parts & (CLASS_KINDS - 1)) < (c[class].parts & (CLASS_KINDS - 1)) ? class :
	    declares;
}

/*
 * In a heap without records: a reference without a name has an empty label.  A large holder says no more than that,
 * because to find one of its references takes long.  A part holds for what it is a part of.
 */
static bool
label_of_form(struct folding *f, uint32_t holder, uint32_t object, struct label *label)
{
	const struct heap *h = &f->h;
	struct heap_slot slot;
	struct heap_walk w;
	uint32_t to, n = 0, owner = holder, class, wide;

	heap_out(h, holder, &w);
	while ((to = heap_next(&w, NULL)) != 0 && to != object)
		n++;
	if (to == 0)
		return true;
	for (uint32_t up, hops = 0; hops < CLIMB && (name_class(f, owner)->parts & PART_INNER) != 0 &&
	    (up = heap_above(h, owner)) != 0; hops++)
		owner = up;
	if ((name_class(f, owner)->parts & PART_COLLECTION) || title_is_wide(f, owner)) {
		*label = (struct label){ .kind = NAME_ELEMENT };
		return true;
	}
	/* A part of nothing holds for its root. */
	if (name_class(f, owner)->parts & PART_INNER)
		return true;
	class = heap_class_of_object(h, owner);
	*label = (struct label){ .kind = class != 0 ? NAME_STATIC : NAME_FIELD,
	    .class = class != 0 ? class : heap_class(h, owner) };
	label->declares = label->class;
	if (class != 0)
		label->holder = f->classes.at[class].text;
	else if (!title_label(f, owner, label))
		return false;
	wide = name_class(f, owner)->parts & (PART_GLOBAL | PART_TITLED) ? WIDE_GLOBAL : WIDE;
	if (n > wide || owner != holder || !heap_link(h, holder, object, &slot) ||
	    (slot.kind != SLOT_FIELD && slot.kind != SLOT_STATIC && slot.kind != SLOT_VARIABLE))
		return true;
	if ((name_class(f, owner)->parts & PART_GLOBAL) && !title_global(f, object, slot.name, label))
		return false;
	return name_text(f, slot.name, &label->text);
}

bool
label_find(struct folding *f, uint32_t holder, uint32_t object, struct label *label)
{
	const struct name_class *c = name_class(f, holder);
	uint32_t class = heap_class(&f->h, holder), n = 0;
	const struct name_field *list = NULL;
	struct label_row row = { .kind = NAME_ELEMENT };
	bool is_class = heap_holds_classes(&f->h, class), any = true;

	*label = (struct label){ .kind = NAME_ROOT };
	if (class > f->h.classes)
		return true;
	if (f->h.form != NULL)
		return label_of_form(f, holder, object, label);
	if (!(c->parts & PART_ARRAY)) {
		any = (c->parts & PART_THREAD) && name_labels_find_kept(f, holder, object, &row);
		if (!any && !is_class && !name_fields(f, class, &list, &n))
			return false;
		if (!any && (is_class || n > WIDE)) {
			if (idmap_get(&f->listed, holder) == 0 && !list_slots(f, holder))
				return false;
			any = name_labels_find_kept(f, holder, object, &row);
		} else if (!any && !name_labels_find_field(f, holder, object, list, n, &row, &any)) {
			return false;
		}
	}
	if (!any)
		return true;
	*label = (struct label){ .kind = (enum name_kind)row.kind, .text = row.text };
	if (row.kind == NAME_FIELD) {
		label->declares = row.class;
		label->class = teller(f, row.class, class);
	} else if (row.kind == NAME_STATIC)
		label->class = heap_class_of_object(&f->h, holder);
	else if (row.kind == NAME_LOCAL)
		label->class = row.class;
	label->holder = f->classes.at[label->class].text;
	return true;
}

/* Kept until another one needs its place. */
struct label_met {
	uint32_t	holder, object;	/* 0: the place is free */
	struct label	label;
};

bool
label_met(struct folding *f, uint32_t holder, uint32_t object, struct label *label)
{
	struct label_met *met;

	if (f->met_labels.raw.data == NULL && !array_grow(&f->met_labels, MET, f->err))
		return false;
	met = &f->met_labels.at[(holder * 37 + object) % MET];
	if (met->holder != holder || met->object != object) {
		if (!label_find(f, holder, object, label))
			return false;
		*met = (struct label_met){ holder, object, *label };
	}
	*label = met->label;
	return true;
}

/* ---- held by several below one ------------------------------------------------------------------------ */

bool
label_refers(const struct folding *f, uint32_t holder, uint32_t object)
{
	struct heap_walk w;
	uint32_t at;

	heap_in(&f->h, object, &w);
	for (uint32_t n = 0; n < LOOKED && (at = heap_next(&w, NULL)) != 0; n++)
		if (at == holder)
			return true;
	return false;
}

/*
 * Return the immediate child of up on the dominator path to object; 0: a class is in between, or the path is
 * too long.
 */
static uint32_t
climb(const struct folding *f, uint32_t object, uint32_t up)
{
	for (uint32_t n = 0; n < CLIMB && object != 0 && object != HEAP_ROOT; n++) {
		uint32_t above = heap_dominator(&f->h, object);

		if (heap_holds_classes(&f->h, heap_class(&f->h, object)))
			return 0;
		if (above == up)
			return object;
		object = above;
	}
	return 0;
}

bool
label_below(struct folding *f, uint32_t object, uint32_t up, uint32_t *below)
{
	struct label label;
	struct heap_walk w;
	struct str best = STR("");
	uint32_t holder, at, last = 0, holders = 0;

	*below = 0;
	heap_in(&f->h, object, &w);
	for (uint32_t n = 0; n < LOOKED && holders < HOLDERS && (holder = heap_next(&w, NULL)) != 0; n++) {
		if (holder == object || holder == last || heap_dominator(&f->h, holder) == 0)
			continue;
		last = holder;
		holders++;
		at = climb(f, holder, up);
		if (at == 0 || at == object || at == *below)
			continue;
		if (!label_met(f, up, at, &label))
			return false;
		if (label.kind == NAME_ROOT || label.text == 0 ||
		    (*below != 0 && str_cmp(texts_get(&f->texts, label.text), best) >= 0))
			continue;
		*below = at;
		best = texts_get(&f->texts, label.text);
	}
	return true;
}
