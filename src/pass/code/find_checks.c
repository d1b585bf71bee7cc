/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * find_checks: calls, methods and handlers that do not fit the rules of --checks.
 */
#include "config.h"

#include "code.h"
#include "icecore/columns_code.h"

struct check_finder {
	struct code_world *w;
	struct code_body *b;
	struct walk_result *result;
	struct bug_list	*bugs;
};

static struct bug_row
bug_of_rule(const struct check_finder *f, uint32_t pc)
{
	return (struct bug_row){ .method = f->b->method, .site = pc, .pc = pc, .rules = RULES_PATHS,
	    .resource = BUG_OF_STATE,
	    .kind = BUG_NOT_CLOSED, .check = f->w->resources.row[f->w->row].at + 1 };
}

/* The worst way out: one that needs no exception of another call. */
static const struct walk_exit *
worst_exit(const struct walk_result *r, bool before)
{
	const struct walk_exit *e = r->exits.at, *worst = NULL;

	for (uint64_t i = 0; i < r->nexits; i++)
		if (before == (e[i].kind == EXIT_REACHED) &&
		    (worst == NULL || (worst->kind == EXIT_CALL && e[i].kind != EXIT_CALL)))
			worst = &e[i];
	return worst;
}

/* Something must be called on all paths of the range. */
static bool
check_range(struct check_finder *f, uint32_t site, const struct walk_range *range, struct err *err)
{
	static const uint8_t whys[] = { [EXIT_RETURN] = WHY_RETURN, [EXIT_ATHROW] = WHY_ATHROW,
	    [EXIT_OPERATION] = WHY_CALL,
	    [EXIT_CALL] = WHY_CALL, [EXIT_REACHED] = WHY_REACHED };
	struct bug_row row = bug_of_rule(f, site);
	const struct walk_exit *worst;
	bool sound;

	if (!walk_site(f->w, f->b, range, f->result, &sound, err))
		return false;
	if (!sound)
		return true;
	if (!f->result->complete || f->result->spent) {
		row.kind = BUG_GAVE_UP;
		row.why = f->result->spent ? WHY_TOO_LARGE : WHY_NONE;
		return bug_add(f->bugs, &row, err);
	}
	worst = worst_exit(f->result, range->until != CODE_NONE);
	if (worst == NULL)
		return true;
	row.kind = worst->kind == EXIT_CALL ? BUG_THROW_LEAK : BUG_NOT_CLOSED;
	row.why = whys[worst->kind];
	row.pc = worst->pc;
	return bug_add(f->bugs, &row, err);
}

/* A handler catches one of the classes of the rule. */
static bool
check_catches(const struct code_world *w, struct str handler)
{
	const struct resource_word *word = SCRATCH(w->resources.words,
	    struct resource_word) + w->resources.row[w->row].from;

	for (uint32_t i = 0; i < w->resources.row[w->row].n; i++)
		if (word[i].what == RESOURCE_INSIDE && (world_is_above(w, handler, word[i].owner) ||
		    str_is(handler, "java/lang/Throwable") ||
		    (str_is(handler, "java/lang/Exception") && !str_has_suffix(word[i].owner, STR("Error")))))
			return true;
	return false;
}

/*
 * *known false: a finally block of a dex file, which does not say what is around that, hides it.
 */
static bool
is_inside(struct check_finder *f, uint32_t pc, bool *known)
{
	const struct code_try *t = SCRATCH(f->b->tries, struct code_try);

	*known = true;
	f->w->effort += f->b->ntries / 4;
	for (uint64_t i = 0; i < f->b->ntries; i++) {
		if (pc < t[i].start || pc >= t[i].end)
			continue;
		if (t[i].type.n > 0 && check_catches(f->w, t[i].type))
			return true;
		*known &= t[i].type.n > 0 || !f->b->pool.dex;
	}
	return false;
}

static bool
check_call(struct check_finder *f, uint32_t pc, struct err *err)
{
	enum resource_what need = (enum resource_what)f->w->resources.row[f->w->row].need;
	struct bug_row row;
	bool inside, known;

	if (need == RESOURCE_AFTER)
		return check_range(f, pc, &(struct walk_range){ pc, CODE_NONE, CODE_NONE }, err);
	if (need == RESOURCE_BEFORE)
		return check_range(f, pc, &(struct walk_range){ CODE_NONE, 0, pc }, err);
	inside = is_inside(f, pc, &known);
	if (!known || inside == (need == RESOURCE_INSIDE))
		return true;
	row = bug_of_rule(f, pc);
	row.why = need == RESOURCE_INSIDE ? WHY_NOT_INSIDE : WHY_INSIDE;
	return bug_add(f->bugs, &row, err);
}

/* All calls of the method, rule by rule. */
static bool
check_calls(struct check_finder *f, struct err *err)
{
	struct code_world *w = f->w;
	enum flow_call call;
	struct code_ref ref;
	struct insn i;
	bool told;

	for (uint32_t pc = 0; pc < f->b->size && w->effort < WORLD_EFFORT &&
	    code_insn(f->b, pc, &i); pc += i.size) {
		if (!world_is_call(f->b, &i, &call) || !code_pool_method(&f->b->pool, i.index, &ref))
			continue;
		told = false;
		for (uint32_t n = 1; n <= w->resources.nchecks; n++) {
			w->row = RESOURCES_MOST + n;
			if (!told) {
				buf_clear(&w->text);
				code_pool_desc(&f->b->pool, &ref, &w->text);
			}
			told = !world_fits(w, RESOURCE_CALL, &ref, buf_view(&w->text), call == CALL_SPECIAL,
			    f->b->class);
			/* Walks use the text for other calls. */
			if (!told && !check_call(f, pc, err))
				return false;
		}
	}
	return true;
}

/* The first entry of a handler of a caught class counts. */
static bool
check_handlers(struct check_finder *f, struct err *err)
{
	const struct code_try *t = SCRATCH(f->b->tries, struct code_try);
	const struct resources *r = &f->w->resources;
	uint64_t k;

	for (uint64_t i = 0; i < f->b->ntries && f->w->effort < WORLD_EFFORT; i++) {
		if (!check_has(r, f->w->row, RESOURCE_CATCH, t[i].type, STR(""), STR("")))
			continue;
		for (k = 0; k < i && (t[k].handler != t[i].handler || !str_eq(t[k].type, t[i].type)); k++)
			;
		f->w->effort += 1 + k / 4;
		if (k == i && !check_range(f, t[i].handler,
		    &(struct walk_range){ CODE_NONE, t[i].handler, CODE_NONE }, err))
			return false;
	}
	return true;
}

/* The method itself: it has the name, and its class is of the type. */
static bool
check_entry(struct check_finder *f, struct err *err)
{
	const struct code *c = &f->w->code;
	struct code_ref ref = { .owner = code_class_name(c, f->b->class),
	    .name = code_method_name(c, f->b->method) };

	buf_clear(&f->w->text);
	code_method_desc(c, f->b->method, &f->w->text);
	return !world_fits(f->w, RESOURCE_ENTER, &ref, buf_view(&f->w->text), false, f->b->class) ||
	    check_range(f, 0, &(struct walk_range){ CODE_NONE, 0, CODE_NONE }, err);
}

bool
checks_method(struct code_world *w, struct code_body *b, uint32_t method, struct walk_result *result,
    struct bug_list *bugs,
    uint64_t *too_large, struct err *err)
{
	struct check_finder f = { w, b, result, bugs };
	bool ok = true;

	if (w->resources.nchecks == 0)
		return true;
	if (!code_body_open(b, &w->code, method, err))
		return err->kind == E_NONE;
	w->effort = 0;
	for (uint32_t n = 1; ok && n <= w->resources.nchecks; n++) {
		w->row = RESOURCES_MOST + n;
		if (w->resources.row[w->row].trigger == RESOURCE_ENTER)
			ok = check_entry(&f, err);
		else if (w->resources.row[w->row].trigger == RESOURCE_CATCH)
			ok = check_handlers(&f, err);
	}
	ok = ok && check_calls(&f, err);
	*too_large += w->effort >= WORLD_EFFORT;
	return ok;
}
