/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * world: all classes of the bytecode: which are Cursors, the targets of calls, and the constants that create
 * resources.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_code.h"
#include "code.h"

static const char *const cursor_types[] = {
	"android/database/Cursor", "android/database/AbstractCursor",
	    "android/database/AbstractWindowedCursor",
	"android/database/CrossProcessCursor", "android/database/CrossProcessCursorWrapper",
	    "android/database/CursorWrapper",
	"android/database/MatrixCursor", "android/database/MergeCursor",
	    "android/database/sqlite/SQLiteCursor"
};

/* ---- classes by name --------------------------------------------------------------------------- */

/* 0: no class of that name was read. */
static uint32_t
world_class_named(const struct code_world *w, struct str name)
{
	return idmap_get(&w->names, idmap_hash_text(name, 0));
}

/* The first class of a name counts: only a damaged index has more. */
static bool
world_name_classes(struct code_world *w, struct err *err)
{
	uint32_t first;

	for (uint32_t class = 1; class <= w->code.nclasses; class++)
		if (!idmap_enter(&w->names, idmap_hash_text(code_class_name(&w->code, class), 0), class,
		    &first, err))
			return false;
	return true;
}

static bool
is_cursor(const struct code_world *w, struct str name)
{
	uint32_t class = world_class_named(w, name);

	return class != 0 ? w->cursor[class] != 0 : str_is_one(cursor_types, NELEM(cursor_types), name);
}

/* ---- subclasses ----------------------------------------------------------------------------------- */

struct world_edge {
	uint32_t	parent, kid;
};

/* A class with its superclass and interfaces. */
static bool
add_edges(struct code_world *w, uint32_t class, struct scratch *edges, uint64_t *n, struct err *err)
{
	const struct store *st = w->code.st;
	struct str name = code_class_name(&w->code, class),
	    of = store_text(st, store_cell(st, COL_CODE_CLASS_SUPER, class));
	struct world_edge e = { .kid = class };
	uint32_t i = 0;

	w->cursor[class] = str_is_one(cursor_types, NELEM(cursor_types), name);
	w->super[class] = world_class_named(w, of);
	do {
		w->cursor[class] |= str_is_one(cursor_types, NELEM(cursor_types), of);
		e.parent = world_class_named(w, of);
		if (e.parent != 0 && !scratch_add(edges, n, &e, sizeof e, err))
			return false;
	} while (code_interface(&w->body, &w->code, class, i++, &of));
	return true;
}

static void
put_kids(struct code_world *w, const struct world_edge *e, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		w->kid_from[e[i].parent + 1]++;
	for (uint32_t i = 0; i <= w->code.nclasses; i++)
		w->kid_from[i + 1] += w->kid_from[i];
	for (uint64_t i = 0; i < n; i++)
		w->kid[w->kid_from[e[i].parent]++] = e[i].kid;
	for (uint32_t i = w->code.nclasses + 1; i > 0; i--)
		w->kid_from[i] = w->kid_from[i - 1];
	w->kid_from[0] = 0;
}

/* Mark the subclasses of Cursor types, recursively. */
static bool
spread_cursors(struct code_world *w, struct err *err)
{
	OWN_ARRAY(uint32_t) todo = ARRAY_INIT;
	uint64_t n = 0;
	bool ok = true;
	uint32_t class;

	for (class = 1; ok && class <= w->code.nclasses; class++)
		if (w->cursor[class])
			ok = array_add(&todo, &n, &class, err);
	while (ok && n > 0) {
		class = todo.at[--n];
		for (uint32_t k = w->kid_from[class]; ok && k < w->kid_from[class + 1]; k++) {
			uint32_t kid = w->kid[k];

			if (w->cursor[kid])
				continue;
			w->cursor[kid] = 1;
			ok = array_add(&todo, &n, &kid, err);
		}
	}
	return ok;
}

static bool
find_kids(struct code_world *w, struct err *err)
{
	size_t n = w->code.nclasses + (size_t)2;
	OWN_ARRAY(struct world_edge) edges = ARRAY_INIT;
	uint64_t nedges = 0;
	bool ok;

	w->super = mem_array(n, sizeof *w->super);
	w->kid_from = mem_array(n + 1, sizeof *w->kid_from);
	w->seen = mem_array(n, sizeof *w->seen);
	w->cursor = mem_array(n, 1);
	w->makes = mem_array(w->code.nmethods + (size_t)1, 1);
	ok = (w->super != NULL && w->kid_from != NULL && w->seen != NULL && w->cursor != NULL &&
	    w->makes != NULL) ||
	    fail_memory(err, "classes");
	for (uint32_t class = 1; ok && class <= w->code.nclasses; class++)
		ok = (class % 256 != 0 || work_go(w->work, class, err)) &&
		    add_edges(w, class, &edges.raw, &nedges, err);
	w->kid = !ok ? NULL : mem_array((size_t)nedges + 1, sizeof *w->kid);
	ok = ok && (w->kid != NULL || fail_memory(err, "classes"));
	if (ok)
		put_kids(w, edges.at, nedges);
	return ok && spread_cursors(w, err);
}

/* ---- constants that name cursors ------------------------------------------------------------------- */

/* Getters of wrappers and adapters, which keep the cursor. */
static bool
is_borrowed(struct str name)
{
	return str_is(name, "getCursor") || str_is(name, "getWrappedCursor") || str_is(name, "<init>");
}

static uint32_t
world_mark_of(struct code_world *w, const struct code_pool *p, uint32_t i)
{
	struct code_ref ref;
	struct str desc, of, before;
	uint32_t row;

	if (!code_pool_method(p, i, &ref) || (!p->dex && ref.owner.n == 0))
		return 0;
	buf_clear(&w->text);
	desc = ref.desc;
	if (p->dex && code_pool_desc(p, &ref, &w->text))
		desc = buf_view(&w->text);
	if (str_divide_last(desc, ')', &before, &of) && of.n > 2 && of.s[0] == 'L' &&
	    is_cursor(w, code_type_name(of)) &&
	    !is_borrowed(ref.name))
		return 1;
	row = resources_made(&w->resources, ref.owner, ref.name, desc);
	return row == 0 ? 0 : row + 1;
}

/* The class is of one that is constructed: of a Cursor, or of a resource. */
static uint32_t
mark_of_class(const struct code_world *w, struct str type)
{
	uint32_t row = is_cursor(w, type) ? 0 : resources_made(&w->resources, type, STR("new"), STR(""));

	return is_cursor(w, type) ? 1 : row == 0 ? 0 : row + 1;
}

/* Methods of a dex file have their own numbers, followed by those of types. */
static uint32_t
mark_count(const struct code_pool *p)
{
	return p->dex ? p->table[DEX_METHODS].n + p->table[DEX_TYPES].n : p->n;
}

static bool
mark_piece(struct code_world *w, uint32_t piece, uint64_t *nmarks, struct err *err)
{
	const struct code_pool *p = &w->body.pool;
	uint32_t n = mark_count(p), methods = p->dex ? p->table[DEX_METHODS].n : p->n;
	struct str type;
	uint8_t *to;

	if (n == 0)
		return true;
	if (!scratch_array(&w->marks, *nmarks + n, 1, err))
		return false;
	to = w->marks.data + *nmarks;
	*nmarks += n;
	for (uint32_t i = 0; i < n; i++) {
		if (i < methods)
			to[i] = (uint8_t)world_mark_of(w, p, i);
		if (to[i] == 0 && (!p->dex || i >= methods) &&
		    code_pool_class(p, p->dex ? i - methods : i, &type))
			to[i] = (uint8_t)mark_of_class(w, type);
		w->any[piece] |= to[i] != 0;
	}
	return true;
}

static bool
mark_pieces(struct code_world *w, struct err *err)
{
	const struct column *size = store_column(w->code.st, COL_PIECE_SIZE);
	uint64_t n = 0, npieces = size->rows;

	w->npieces = npieces;
	w->any = mem_array((size_t)npieces + 1, 1);
	if (w->any == NULL)
		return fail_memory(err, "files");
	if (!array_grow(&w->mark_from, npieces + 2, err))
		return false;
	work_start(w->work, "bugs: constants", npieces);
	for (uint32_t piece = 1; piece <= npieces; piece++) {
		if (!work_each(w->work, piece, 64, err))
			return false;
		w->mark_from.at[piece] = n;
		if (code_body_piece(&w->body, &w->code, piece) && !mark_piece(w, piece, &n, err))
			return false;
		w->mark_from.at[piece + 1] = n;
	}
	return true;
}

uint32_t
world_mark(const struct code_world *w, uint32_t piece, uint32_t constant)
{
	const uint64_t *from = w->mark_from.at + piece;

	return constant < from[1] - from[0] ? w->marks.data[from[0] + constant] : 0;
}

/* ---- calls ---------------------------------------------------------------------------------------- */

static bool
declares(struct code_world *w, uint32_t class, struct str name, struct str desc, uint32_t *method)
{
	uint64_t at, n = code_class_methods(w->code.st, class, &at);

	for (; n > 0; n--, at++) {
		uint32_t m = (uint32_t)at;

		if (!str_eq(code_method_name(&w->code, m), name))
			continue;
		buf_clear(&w->other);
		code_method_desc(&w->code, m, &w->other);
		if (str_eq(buf_view(&w->other), desc)) {
			*method = m;
			return true;
		}
	}
	return false;
}

/* Whether a subclass has the method, too. */
static bool
is_overridden(struct code_world *w, uint32_t class, struct str name, struct str desc, bool *yes,
    struct err *err)
{
	OWN_ARRAY(uint32_t) todo = ARRAY_INIT;
	uint64_t n = 0;
	uint32_t method;
	bool ok = array_add(&todo, &n, &class, err);

	*yes = false;
	w->stamp++;
	while (ok && n > 0 && !*yes) {
		class = todo.at[--n];
		for (uint32_t k = w->kid_from[class]; ok && !*yes && k < w->kid_from[class + 1]; k++) {
			uint32_t kid = w->kid[k];

			if (w->seen[kid] == w->stamp)
				continue;
			w->seen[kid] = w->stamp;
			*yes = declares(w, kid, name, desc, &method);
			ok = array_add(&todo, &n, &kid, err);
		}
	}
	return ok;
}

#define SUPERS_MOST 1000	/* limit of superclasses of a class; a file may make a circle of them */

static bool
world_resolve(struct code_world *w, const struct code_ref *ref, struct str desc, enum flow_call call,
    uint32_t *method, struct err *err)
{
	uint32_t owner = world_class_named(w, ref->owner), class = owner, depth;
	bool overridden = false;

	*method = 0;
	for (depth = 0; class != 0 && !declares(w, class, ref->name, desc, method); class = w->super[class])
		if (++depth > SUPERS_MOST)
			return true;
	if (*method == 0 || store_cell(w->code.st, COL_CODE_METHOD_AT, *method) == 0) {
		*method = 0;
		return true;
	}
	if (call != CALL_VIRTUAL && call != CALL_INTERFACE)
		return true;
	if (!is_overridden(w, owner, ref->name, desc, &overridden, err))
		return false;
	*method = overridden ? 0 : *method;
	return true;
}

bool
world_call(struct code_world *w, const struct code_body *b, uint32_t constant, enum flow_call call,
    uint32_t *method,
    struct err *err)
{
	bool dispatched = call == CALL_VIRTUAL || call == CALL_INTERFACE;
	uint64_t key = (uint64_t)b->piece << 20 | (uint64_t)dispatched << 19 | constant;
	uint32_t known = idmap_get(&w->calls, key);
	struct code_ref ref;
	struct str desc;

	*method = known - 1;
	if (known != 0)
		return true;
	*method = 0;
	if (!code_pool_method(&b->pool, constant, &ref))
		return true;
	buf_clear(&w->text);
	code_pool_desc(&b->pool, &ref, &w->text);
	desc = buf_view(&w->text);
	return world_resolve(w, &ref, desc, call, method, err) && idmap_put(&w->calls, key, *method + 1, err);
}

/* ---- checks --------------------------------------------------------------------------------------- */

/* "": it is not in the bytecode, or has none. */
static struct str
named_super(const struct code_world *w, struct str name)
{
	uint32_t class = world_class_named(w, name);

	return class == 0 ? STR("") : store_text(w->code.st,
	    store_cell(w->code.st, COL_CODE_CLASS_SUPER, class));
}

bool
world_fits(const struct code_world *w, enum resource_what what, const struct code_ref *ref, struct str desc,
    bool special, uint32_t class)
{
	const struct resources *r = &w->resources;
	struct str owner = ref->owner;
	uint32_t depth;

	if (special && check_has(r, w->row, what, STR("super"), ref->name, desc))
		return !str_eq(owner, code_class_name(&w->code, class));
	for (depth = 0; owner.n > 0 && depth <= SUPERS_MOST; owner = named_super(w, owner), depth++)
		if (check_has(r, w->row, what, owner, ref->name, desc))
			return true;
	return false;
}

bool
world_is_above(const struct code_world *w, struct str class, struct str of)
{
	for (uint32_t depth = 0; of.n > 0 && depth <= SUPERS_MOST; of = named_super(w, of), depth++)
		if (str_eq(of, class))
			return true;
	return false;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

bool
world_open(struct code_world *w, const struct store *st, struct work *work, struct err *err)
{
	*w = (struct code_world){ .work = work };
	if (!code_open(&w->code, st))
		return fail(err, E_USAGE, "no bytecode; pass it with --classes");
	return resources_open(&w->resources, st, err) && world_name_classes(w, err) && find_kids(w, err) &&
	    mark_pieces(w, err);
}

void
world_close(struct code_world *w)
{
	idmap_free(&w->names);
	free(w->super);
	free(w->kid_from);
	free(w->kid);
	free(w->cursor);
	free(w->any);
	free(w->makes);
	free(w->seen);
	SCRATCH_FREE(&w->marks, &w->mark_from);
	idmap_free(&w->calls);
	idmap_free(&w->effects);
	resources_free(&w->resources);
	idmap_free(&w->does);
	code_body_free(&w->body);
	buf_free(&w->text);
	buf_free(&w->other);
}
