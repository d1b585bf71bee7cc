/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * find_bugs: Cursors and other resources that are not closed, or not on all paths, in all bytecode that was
 * read.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "icecore/columns_code.h"
#include "icecore/facts.h"
#include "icecore/make.h"

struct bug_finder {
	struct code_world		 world;
	struct code_body	 body;
	struct bug_list		 bugs;
	struct walk_result	 result;
	struct idmap		 told;		/* kind and pc, or kind alone, of a method: its site, + 1 */
	uint64_t		 too_large, invalid;
};

/* ---- paths ------------------------------------------------------------------------------------ */

/* Unless the site has one of that kind already; of operations and handlers one each. */
static bool
find_bugs_add_once(struct bug_finder *f, struct bug_row row, struct err *err)
{
	bool each = row.resource == BUG_OF_CURSOR && (row.kind == BUG_OUTSIDE_TRY || row.kind == BUG_HANDLER);
	uint64_t key = (uint64_t)(row.kind + 1) << 33 | (each ? row.pc + (uint64_t)1 : 0);

	if (idmap_get(&f->told, key) == row.site + 1)
		return true;
	if (!idmap_put(&f->told, key, row.site + 1, err))
		return false;
	return bug_add(&f->bugs, &row, err);
}

/* The handler is that of a finally or synchronized block: what it catches is thrown on. */
static bool
is_finally(const struct code_body *b, uint32_t handler)
{
	const struct code_try *t = SCRATCH(b->tries, struct code_try);

	for (uint64_t i = 0; i < b->ntries; i++)
		if (t[i].handler == handler && t[i].type.n > 0)
			return false;
	return true;
}

static bool
add_exit(struct bug_finder *f, struct bug_row row, const struct walk_exit *e, struct err *err)
{
	row.pc = e->pc;
	if (row.resource != BUG_OF_CURSOR && e->kind == EXIT_ATHROW && e->handler != NO_HANDLER &&
	    is_finally(&f->body, e->handler)) {
		row.kind = BUG_THROW_LEAK;
		row.why = WHY_CALL;
	} else if (e->kind == EXIT_OPERATION && !f->result.escapes) {
		row.kind = BUG_OUTSIDE_TRY;
		row.why = WHY_OPERATION;
	} else if (e->kind == EXIT_OPERATION || e->kind == EXIT_CALL) {
		row.kind = BUG_THROW_LEAK;
		row.why = e->kind == EXIT_CALL ? WHY_CALL : WHY_OPERATION;
	} else if (e->handler == NO_HANDLER) {
		row.kind = BUG_NOT_CLOSED;
		row.why = e->kind == EXIT_RETURN ? WHY_RETURN : WHY_ATHROW;
	} else {
		row.kind = BUG_HANDLER;
		row.why = WHY_LEAVES;
		row.at = e->pc;
		row.pc = e->handler;
	}
	return find_bugs_add_once(f, row, err);
}

static int
row_order(const void *x, const void *y)
{
	const struct bug_row *a = x, *b = y;

	return num_order(a->kind, b->kind, num_order(a->pc, b->pc, 0));
}

static const uint8_t worst_order[BUG_KINDS] = {
	[BUG_NOT_CLOSED] = 0, [BUG_HANDLER] = 1, [BUG_OUTSIDE_TRY] = 2, [BUG_THROW_LEAK] = 3,
	    [BUG_GAVE_UP] = 4
};

/* Keep only the worst of the bugs from index from on, of one site of a resource that is not a Cursor. */
static void
keep_worst(struct bug_finder *f, uint64_t from)
{
	uint64_t n = f->bugs.n - from;
	struct bug_row *row;

	if (n < 2)
		return;
	row = f->bugs.rows.at + from;
	for (uint64_t i = 1; i < n; i++)
		if (worst_order[row[i].kind] < worst_order[row[0].kind])
			row[0] = row[i];
	f->bugs.n = from + 1;
}

static bool
add_site(struct bug_finder *f, uint32_t site, bool *sound, struct err *err)
{
	struct bug_row row = { .method = f->body.method, .site = site, .pc = site, .rules = RULES_PATHS,
	    .resource = f->world.row == 0 ? BUG_OF_CURSOR :
	    f->world.resources.row[f->world.row].begun ? BUG_OF_STATE : BUG_OF_OBJECT };
	uint64_t from = f->bugs.n;
	bool ok = true;

	if (!walk_site(&f->world, &f->body, &(struct walk_range){ site, CODE_NONE, CODE_NONE }, &f->result,
	    sound, err))
		return false;
	if (!*sound)
		return true;
	if (!f->result.complete || f->result.spent) {
		row.kind = BUG_GAVE_UP;
		row.why = f->result.spent ? WHY_TOO_LARGE : WHY_NONE;
		return find_bugs_add_once(f, row, err);
	}
	if (f->result.lost) {
		row.kind = BUG_NOT_CLOSED;
		row.why = WHY_AGAIN;
		row.pc = f->result.lost_pc;
		ok = find_bugs_add_once(f, row, err);
		row.why = WHY_NONE;
	}
	for (uint64_t i = 0; ok && i < f->result.nexits; i++)
		ok = add_exit(f, row, &f->result.exits.at[i], err);
	if (row.resource != BUG_OF_CURSOR)
		keep_worst(f, from);
	else if (f->bugs.n > from)
		qsort(f->bugs.rows.at + from, f->bugs.n - from, sizeof row, row_order);
	return ok;
}

/*
 * Another method of the class ends what it did not begin: such as leave() for enter().  *others: one does.
 */
static bool
ends_elsewhere(struct bug_finder *f, uint32_t method, bool *others, struct err *err)
{
	const struct store *st = f->world.code.st;
	uint64_t at, n = code_class_methods(st, (uint32_t)store_cell(st, COL_CODE_METHOD_CLASS, method), &at);
	bool begins, ends;

	*others = false;
	for (; n > 0 && !*others; n--, at++) {
		if (at != method && (!world_does(&f->world, DOES_RELEASE, (uint32_t)at, &ends, err) ||
		    !world_begins(&f->world, (uint32_t)at, &begins, err)))
			return false;
		*others = at != method && ends && !begins;
	}
	return true;
}

/*
 * A lock or the like may be released by another method, so it is followed only where this one releases it,
 * too.  The end of main releases all other resources than Cursors, whose rules do not know main.
 */
static bool
is_wanted(struct bug_finder *f, uint32_t method, uint32_t pc, bool *yes, struct err *err)
{
	bool others;

	*yes = true;
	if (f->world.row == 0)
		return true;
	if (f->world.resources.row[f->world.row].begun)
		return world_does(&f->world, DOES_RELEASE, method, yes, err) &&
		    (!*yes || (ends_elsewhere(f, method, &others, err) && ((*yes = !others), true))) &&
		    (!*yes || (world_ends_first(&f->world, &f->body, pc, &others, err) &&
		    ((*yes = !others), true)));
	buf_clear(&f->world.text);
	code_method_desc(&f->world.code, method, &f->world.text);
	*yes = !str_is(code_method_name(&f->world.code, method), "main") ||
	    !str_is(buf_view(&f->world.text), "([Ljava/lang/String;)V");
	return true;
}

static bool
paths_method(struct bug_finder *f, uint32_t method, struct err *err)
{
	struct insn i;
	uint32_t mark;
	bool sound = true, wanted;

	if (!code_body_open(&f->body, &f->world.code, method, err))
		return err->kind == E_NONE;
	idmap_free(&f->told);
	f->world.effort = 0;
	for (uint32_t pc = 0; pc < f->body.size && sound && f->world.effort < WORLD_EFFORT; pc += i.size) {
		if (!code_insn(&f->body, pc, &i))
			return true;
		if (!world_site(&f->world, &f->body, &i, &mark, err))
			return false;
		if (mark == 0)
			continue;
		f->world.row = mark - 1;
		if (!is_wanted(f, method, pc, &wanted, err) || (wanted && !add_site(f, pc, &sound, err)))
			return false;
	}
	f->too_large += f->world.effort >= WORLD_EFFORT;
	f->invalid += !sound;
	return true;
}

/* ---- classes ----------------------------------------------------------------------------------- */

/* No method of the file can have a variable that is declared as a Cursor. */
static bool
names_cursor(struct bug_finder *f, uint32_t piece)
{
	static const char type[] = "Landroid/database/Cursor;";

	return code_body_piece(&f->body, &f->world.code, piece) && !f->body.pool.dex &&
	    memmem(f->body.pool.data, f->body.pool.size, type, sizeof type - 1) != NULL;
}

static bool
find_bugs_find_class(struct bug_finder *f, uint32_t class, struct err *err)
{
	const struct store *st = f->world.code.st;
	uint32_t piece = (uint32_t)store_cell(st, COL_CODE_CLASS_PIECE, class);
	uint64_t method, n = code_class_methods(st, class, &method);

	/* Only a damaged index has such a piece. */
	if (piece > f->world.npieces)
		return true;
	for (; (f->world.any[piece] || f->world.resources.nchecks > 0) && n > 0; n--, method++) {
		uint32_t m = (uint32_t)method;

		if (store_cell(st, COL_CODE_METHOD_BAD, m))
			continue;
		if ((f->world.any[piece] && !paths_method(f, m, err)) ||
		    !checks_method(&f->world, &f->body, m, &f->result, &f->bugs, &f->too_large, err))
			return false;
	}
	return !names_cursor(f, piece) || seed_class(&f->world, class, &f->bugs, &f->too_large, err);
}

static const struct make_column columns[] = {
	MAKE_FIT(COL_BUG_METHOD, bug_row, method), MAKE(COL_BUG_KIND, bug_row, kind),
	MAKE(COL_BUG_RULES, bug_row, rules),
	MAKE_FIT(COL_BUG_SITE, bug_row, site), MAKE_FIT(COL_BUG_PC, bug_row, pc),
	MAKE(COL_BUG_WHY, bug_row, why),
	MAKE_FIT(COL_BUG_AT, bug_row, at), MAKE(COL_BUG_RESOURCE, bug_row, resource),
	MAKE_FIT(COL_BUG_CHECK, bug_row, check)
};

static bool
find_bugs_put_columns(struct store *st, const struct bug_finder *f, struct err *err)
{
	const struct bug_row *row = f->bugs.rows.at;
	uint64_t hidden = 0, gave_up = 0;
	uint32_t *bugs = store_make(st, COL_CODE_METHOD_BUGS, COL_U32, f->world.code.nmethods, err);

	if (bugs == NULL || !make_columns(st, columns, NELEM(columns), MAKE_ROWS(row, f->bugs.n), err))
		return false;
	for (uint64_t i = 0; i < f->bugs.n; i++) {
		assert(row[i].method > 0 && row[i].method <= f->world.code.nmethods);
		if (row[i].rules == RULES_PATHS && row[i].kind != BUG_THROW_LEAK)
			bugs[row[i].method - 1]++;
		hidden += row[i].rules == RULES_PATHS && row[i].kind == BUG_THROW_LEAK;
		gave_up += row[i].kind == BUG_GAVE_UP;
	}
	return fact_set(st, FACT_BUGS_THROW_LEAK, hidden, err) &&
	    (f->too_large == 0 || fact_set(st, FACT_LOSS_BUGS_METHODS, f->too_large, err)) &&
	    (f->invalid == 0 || fact_set(st, FACT_LOSS_BUGS_INVALID, f->invalid, err)) &&
	    (gave_up == 0 || fact_set(st, FACT_BUGS_GAVE_UP, gave_up, err));
}

static bool
find_bugs_run(struct store *st, struct work *w, struct err *err)
{
	struct bug_finder f = { .too_large = 0 };
	bool ok = world_open(&f.world, st, w, err);

	work_start(w, "bugs", f.world.code.nclasses);
	for (uint32_t class = 1; ok && class <= f.world.code.nclasses; class++)
		ok = work_go(w, class, err) && find_bugs_find_class(&f, class, err);
	ok = ok && find_bugs_put_columns(st, &f, err);
	world_close(&f.world);
	code_body_free(&f.body);
	idmap_free(&f.told);
	SCRATCH_FREE(&f.bugs.rows, &f.result.exits);
	return ok;
}

const struct pass pass_bugs = {
	.name = "bugs",
	.what = "Cursors and other resources not closed on all paths",
	.when = COL_CODE_CLASS_NAME,
	.needs = PASS_COLUMNS(COL_CODE_CLASS_NAME),
	.makes = PASS_COLUMNS(COL_BUG_METHOD, COL_BUG_KIND, COL_BUG_RULES, COL_BUG_SITE, COL_BUG_PC,
	    COL_BUG_WHY, COL_BUG_AT,
	    COL_BUG_RESOURCE, COL_BUG_CHECK, COL_CODE_METHOD_BUGS),
	.run = find_bugs_run
};
