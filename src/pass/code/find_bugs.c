/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * find_bugs: Cursors that are not closed, or not on all paths, in all bytecode that was read.
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
	uint64_t		 hidden, gave_up, too_large, invalid;
};

/* ---- paths ------------------------------------------------------------------------------------ */

/* Unless the site has one of that kind already; of operations and handlers one each. */
static bool
find_bugs_add_once(struct bug_finder *f, struct bug_row row, struct err *err)
{
	bool each = row.kind == BUG_OUTSIDE_TRY || row.kind == BUG_HANDLER;
	uint64_t key = (uint64_t)(row.kind + 1) << 33 | (each ? row.pc + (uint64_t)1 : 0);

	if (idmap_get(&f->told, key) == row.site + 1)
		return true;
	if (!idmap_put(&f->told, key, row.site + 1, err))
		return false;
	f->hidden += row.kind == BUG_THROW_LEAK;
	f->gave_up += row.kind == BUG_GAVE_UP;
	return bug_add(&f->bugs, &row, err);
}

static bool
add_exit(struct bug_finder *f, struct bug_row row, const struct walk_exit *e, struct err *err)
{
	row.pc = e->pc;
	if (e->kind == EXIT_OPERATION && !f->result.escapes) {
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

static bool
add_site(struct bug_finder *f, uint32_t site, bool *sound, struct err *err)
{
	struct bug_row row = { .method = f->body.method, .site = site, .pc = site, .rules = RULES_PATHS };
	uint64_t from = f->bugs.n;
	bool ok = true;

	if (!walk_site(&f->world, &f->body, site, &f->result, sound, err))
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
		ok = add_exit(f, row, &SCRATCH(f->result.exits, struct walk_exit)[i], err);
	if (f->bugs.n > from)
		qsort(SCRATCH(f->bugs.rows, struct bug_row) + from, f->bugs.n - from, sizeof row, row_order);
	return ok;
}

static bool
paths_method(struct bug_finder *f, uint32_t method, struct err *err)
{
	struct insn i;
	bool site, sound = true;

	if (!code_body_open(&f->body, &f->world.code, method, err))
		return err->kind == E_NONE;
	idmap_free(&f->told);
	f->world.effort = 0;
	for (uint32_t pc = 0; pc < f->body.size && sound && f->world.effort < WORLD_EFFORT; pc += i.size) {
		if (!code_insn(&f->body, pc, &i))
			return true;
		if (!world_site(&f->world, &f->body, &i, &site, err) || (site && !add_site(f, pc, &sound, err)))
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
	for (; f->world.any[piece] && n > 0; n--, method++)
		if (!store_cell(st, COL_CODE_METHOD_BAD, method) && !paths_method(f, (uint32_t)method, err))
			return false;
	return !names_cursor(f, piece) || seed_class(&f->world, class, &f->bugs, &f->too_large, err);
}

static const struct make_column columns[] = {
	MAKE_FIT(COL_BUG_METHOD, bug_row, method), MAKE(COL_BUG_KIND, bug_row, kind), MAKE(COL_BUG_RULES, bug_row, rules),
	MAKE_FIT(COL_BUG_SITE, bug_row, site), MAKE_FIT(COL_BUG_PC, bug_row, pc), MAKE(COL_BUG_WHY, bug_row, why),
	MAKE_FIT(COL_BUG_AT, bug_row, at)
};

static bool
find_bugs_put_columns(struct store *st, const struct bug_finder *f, struct err *err)
{
	const struct bug_row *row = SCRATCH(f->bugs.rows, struct bug_row);
	uint32_t *bugs = store_make(st, COL_CODE_METHOD_BUGS, COL_U32, f->world.code.nmethods, err);

	if (bugs == NULL || !make_columns(st, columns, NELEM(columns), MAKE_ROWS(row, f->bugs.n), err))
		return false;
	for (uint64_t i = 0; i < f->bugs.n; i++) {
		assert(row[i].method > 0 && row[i].method <= f->world.code.nmethods);
		if (row[i].rules == RULES_PATHS && row[i].kind != BUG_THROW_LEAK)
			bugs[row[i].method - 1]++;
	}
	return fact_set(st, FACT_BUGS_THROW_LEAK, f->hidden, err) &&
	    (f->too_large == 0 || fact_set(st, FACT_LOSS_BUGS_METHODS, f->too_large, err)) &&
	    (f->invalid == 0 || fact_set(st, FACT_LOSS_BUGS_INVALID, f->invalid, err)) &&
	    (f->gave_up == 0 || fact_set(st, FACT_BUGS_GAVE_UP, f->gave_up, err));
}

static bool
find_bugs_run(struct store *st, struct work *w, struct err *err)
{
	struct bug_finder f = { .hidden = 0 };
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
	.what = "Cursors not closed on all paths",
	.when = COL_CODE_CLASS_NAME,
	.needs = PASS_COLUMNS(COL_CODE_CLASS_NAME),
	.makes = PASS_COLUMNS(COL_BUG_METHOD, COL_BUG_KIND, COL_BUG_RULES, COL_BUG_SITE, COL_BUG_PC, COL_BUG_WHY, COL_BUG_AT,
	    COL_CODE_METHOD_BUGS),
	.run = find_bugs_run
};
