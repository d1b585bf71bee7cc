/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_out: columns and facts of a heap dump of Ruby.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "icecore/facts.h"
#include "ruby.h"

/* ---- objects ------------------------------------------------------------------------------------- */

static bool
ruby_out_objects(struct ruby *r)
{
	OWN_ARRAY(uint32_t) class = ARRAY_INIT;
	struct objects_in o = { .n = r->n, .bytes = r->bytes.at, .place = r->place.at, .length = r->length.at };

	if (!array_grow(&class, r->n, r->err))
		return false;
	for (uint32_t i = 0; i < r->n; i++)
		class.at[i] = r->kinds.at[r->kind.at[i] - 1].class;
	for (uint64_t i = 0; i < r->nclasses; i++)
		if (r->classes.at[i].singleton && r->classes.at[i].type == TYPE_CLASS &&
		    ruby_class_at(r, r->classes.at[i].addr) == &r->classes.at[i])
			class.at[r->classes.at[i].object - 1] = r->singleton_class;
	o.class = class.at;
	if (!heap_in_objects(r->st, &o, r->named.at, (uint32_t)r->nnamed, r->err) ||
	    !heap_in_classes(r->st, r->named.at, (uint32_t)r->nnamed, (uint32_t)r->nnamed - 1, r->err))
		return false;
	SCRATCH_FREE(&r->bytes, &r->length);
	return true;
}

static bool
out_narrow(struct ruby *r, column_id col, const uint32_t *value, uint32_t n)
{
	uint32_t most = 0;
	enum column_type type;
	void *to;

	for (uint32_t i = 0; i < n; i++)
		most = value[i] > most ? value[i] : most;
	type = column_fit(most);
	to = store_make(r->st, col, type, n, r->err);
	for (uint32_t i = 0; to != NULL && i < n; i++)
		column_set(to, type, i, value[i]);
	return to != NULL;
}

static bool
out_sites(struct ruby *r)
{
	static const struct make_column columns[] = {
		MAKE(COL_SITE_FILE, ruby_site, file), MAKE(COL_SITE_LINE, ruby_site, line),
		MAKE(COL_SITE_METHOD, ruby_site, method)
	};

	if (r->nsites == 0 && r->born.raw.size == 0)
		return true;
	if (!array_grow(&r->site, r->n, r->err) || !array_grow(&r->born, r->n, r->err))
		return false;
	return out_narrow(r, COL_OBJECT_SITE, r->site.at, r->n) && out_narrow(r, COL_OBJECT_BORN, r->born.at, r->n) &&
	    make_columns(r->st, columns, NELEM(columns), MAKE_ROWS(r->sites.at, r->nsites), r->err);
}

/* Rows by rising id; a parent has a lower one. */
static bool
out_shapes(struct ruby *r)
{
	static const struct make_column columns[] = {
		MAKE_FIT(COL_SHAPE_ID, ruby_shape, id), MAKE(COL_SHAPE_PARENT, ruby_shape, above),
		MAKE(COL_SHAPE_NAME, ruby_shape, name)
	};
	uint64_t at;

	if (!make_sort(&r->shapes.raw, r->nshapes, sizeof *r->shapes.at, r->work, r->err))
		return false;
	for (uint64_t i = 0; i < r->nshapes && i < UINT32_MAX; i++) {
		at = make_place(r->shapes.at, i, sizeof *r->shapes.at, r->shapes.at[i].parent);
		if (at < i && r->shapes.at[at].id == r->shapes.at[i].parent)
			r->shapes.at[i].above = (uint32_t)at + 1;
	}
	return make_columns(r->st, columns, NELEM(columns), MAKE_ROWS(r->shapes.at, r->nshapes), r->err);
}

/* ---- facts ------------------------------------------------------------------------------------------ */

#define HAS(member) (r->has >> RUBY_IS_##member & 1)

/* The version that wrote the file, by the members of its objects. */
static const char *
ruby_version_of(const struct ruby *r)
{
	struct str first = r->n > 0 ? str_after(r->text, r->place.at[0]) : STR("");
	bool padded = str_begins(first, "{\"address\":\"0x00");

	for (uint64_t i = 0; i < r->nkinds; i++)
		if (r->kinds.at[i].type == TYPE_IMEMO && (str_is(r->kinds.at[i].sub, "subclasses") ||
		    str_is(r->kinds.at[i].sub, "cdhash")))
			return "4.1";
	return HAS(age) ? "4.0" : HAS(chilled) ? "3.4" : HAS(mid) || HAS(called) ? "3.3" : HAS(slot_size) ? "3.2" :
	    HAS(superclass) ? "3.1" : HAS(imemo) ? padded ? "2.5-2.6" : "2.7-3.0" : HAS(marked) ? "2.2-2.4" : "2.1";
}

static void
loss_reason(const struct ruby *r, char *text, size_t size)
{
	text[0] = '\0';
	if (r->n == 0)
		snprintf(text, size, "a Ruby heap dump without objects");
	else if (r->count.cut > 0)
		snprintf(text, size, "the last line is truncated: objects after it are missing, and names of classes "
		    "may be");
}

static bool
ruby_out_facts(struct ruby *r)
{
	const struct ruby_counts *c = &r->count;
	uint32_t first = UINT32_MAX, last = 0;
	uint64_t traced = 0;
	char format[64], reason[128];

	for (uint32_t i = 0; r->born.raw.size > 0 && i < r->n; i++) {
		traced += r->site.at[i] != 0;
		if (r->born.at[i] != 0) {
			first = r->born.at[i] < first ? r->born.at[i] : first;
			last = r->born.at[i] > last ? r->born.at[i] : last;
		}
	}
	snprintf(format, sizeof format, "Ruby heap dump, as of Ruby %s", ruby_version_of(r));
	loss_reason(r, reason, sizeof reason);
	const struct make_fact facts[] = {
		{ FACT_HEAP_ALIGN, 1 }, { FACT_HEAP_MAT_ALIGN, 1 }, { FACT_FORMAT, .text = str_of(format) },
		{ FACT_HEAP_LINES, c->lines },
		{ FACT_DUMPS, r->dumps > 1 ? r->dumps : 0, MAKE_ANY },
		{ FACT_DUMP, r->dumps > 1 ? r->want : 0, MAKE_ANY },
		{ FACT_REFERENCES, c->references }, { FACT_MISSING, c->missing, MAKE_ANY },
		{ FACT_MISSING_CLASSES, c->missing_classes, MAKE_ANY },
		{ FACT_FREE_SLOTS, c->free_slots, MAKE_ANY }, { FACT_ZOMBIES, c->zombies, MAKE_ANY },
		{ FACT_OBJECT_SHAPES, r->nshapes, MAKE_ANY }, { FACT_OBJECT_SHAPE_BYTES, c->shape_bytes, MAKE_ANY },
		{ FACT_TRACED_OBJECTS, traced, MAKE_ANY },
		{ FACT_GENERATION_FIRST, last > 0 ? first - 1 : 0, MAKE_ANY },
		{ FACT_GENERATION_LAST, last > 0 ? last - 1 : 0, MAKE_ANY },
		{ FACT_SINGLETON_CLASSES, c->singletons, MAKE_ANY }, { FACT_ANONYMOUS_CLASSES, c->anonymous, MAKE_ANY },
		{ FACT_ROOTS_FOUND, r->count.found, MAKE_ANY }, { FACT_UNREAD_OBJECT_LINES, c->others, MAKE_ANY },
		{ FACT_REPAIR_ABSENT_ROOTS, c->root_missing, MAKE_ANY },
		{ FACT_REPAIR_NO_ROOTS, !c->rooted && r->n > 0, MAKE_ANY },
		{ FACT_REPAIR_NO_SIZE, c->unsized, MAKE_ANY }, { FACT_REPAIR_LINE_DOUBLES, c->doubles, MAKE_ANY },
		{ FACT_REPAIR_LINE_ENCODING, c->bytes, MAKE_ANY }, { FACT_REPAIR_LINE_CONTROLS, c->controls, MAKE_ANY },
		{ FACT_REPAIR_LINE_JSON, c->no_json, MAKE_ANY },
		{ FACT_LOSS_OBJECT_LINES, c->lost, MAKE_ANY }, { FACT_LOSS_TAIL_BYTES, c->cut, MAKE_ANY },
		{ FACT_LOSS_NO_HEAP, r->n == 0, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
		{ FACT_SHAPES, SHAPE_GRAPH | SHAPE_TEXTS | (r->nsites > 0 ? SHAPE_SITES : 0) }
	};

	return make_facts(r->st, facts, NELEM(facts), r->err);
}

/* Parts of the heap, if the collector has generations. */
static bool
out_parts(struct ruby *r)
{
	uint64_t *name = store_make(r->st, COL_PART_NAME, COL_U64, HAS(marked) ? 2 : 0, r->err);

	if (name != NULL && HAS(marked)) {
		name[0] = ruby_own(r, STR("old"));
		name[1] = ruby_own(r, STR("young"));
	}
	return name != NULL;
}

bool
ruby_out(struct ruby *r)
{
	return ruby_out_objects(r) && out_sites(r) && out_shapes(r) && out_parts(r) &&
	    make_copy(r->st, COL_OBJECT_TYPE, COL_U8, r->type.at, r->n, r->err) &&
	    make_copy(r->st, COL_HEAP_TEXT, COL_BYTES, r->own.s, r->own.n, r->err) && ruby_graph(r) &&
	    heap_in_roots(r->st, r->roots.at, r->nroots, r->err) && ruby_out_facts(r);
}
