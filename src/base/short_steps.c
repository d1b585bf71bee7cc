/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * short_steps: what of a name is left out first.
 */
#include "config.h"

#include <string.h>

#include "short.h"

enum { DEEPEST = 16 };

/* ---- leaving out -------------------------------------------------------------------------- */

static bool
short_steps_fits(const struct cutter *c)
{
	return c->width <= c->goal;
}

/* Number of marks that begin at bytes from to to. */
static size_t
marks(const struct cutter *c, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i <= to && i < c->s.n; i++)
		n += cutter_mark_begins(c, i);
	return n;
}

void
cutter_leave_out(struct cutter *c, size_t from, size_t to, unsigned how)
{
	size_t behind = to;

	/* The first mark that may join one of these. */
	while (behind < c->s.n && (c->is[behind] & SILENT))
		behind++;
	c->width -= marks(c, from, behind) * c->mark;
	for (size_t i = from; i < to; i++)
		if ((c->is[i] & (GONE | KEPT)) == 0) {
			c->is[i] |= (uint8_t)how;
			c->width -= c->cols[i];
		}
	c->width += marks(c, from, behind) * c->mark;
}

/* The bytes before to, unless a mark would take as many columns; whether the rest fits. */
static bool
short_steps_drop(struct cutter *c, size_t from, size_t to)
{
	size_t cols = 0;

	for (size_t i = from; i < to; i++)
		cols += c->is[i] & (GONE | KEPT) ? 0 : c->cols[i];
	if (!short_steps_fits(c) && cols > (from > 0 && cutter_marks(c, from - 1) ? 0 : c->mark))
		cutter_leave_out(c, from, to, GONE);
	return short_steps_fits(c);
}

static size_t
begin_of(const struct cutter *c, struct str part)
{
	return (size_t)(part.s - c->s.s);
}

static size_t
short_steps_end_of(const struct cutter *c, struct str part)
{
	return begin_of(c, part) + part.n;
}

/* ---- brackets ------------------------------------------------------------------------------ */

/*
 * Brackets inside a name itself are short and useful: "<init>", "{closure#0}", "(*T)", "(anonymous
 * namespace)", "-[".
 */
static bool
short_steps_is_own(const struct cutter *c, size_t open)
{
	switch (c->s.s[open]) {
	case '{':
		return true;
	case '(':
		return open == 0 || (is_one_of(c->s.s[open - 1], ".: ") && open < short_steps_end_of(c, c->parts.own));
	case '[':
		return open < 2;
	default:
		return open == begin_of(c, c->parts.own);
	}
}

static void
short_steps_find_groups(struct cutter *c)
{
	size_t open[DEEPEST], depth = 0, n;
	int step;

	c->ngroups = 0;
	for (size_t at = 0; at < short_steps_end_of(c, c->parts.rest) && c->ngroups < SHORT_GROUPS;
	    at += n > 0 ? n : 1) {
		n = name_operator(c->s, at);
		step = n > 0 ? 0 : name_bracket(c->s, at);
		if (step > 0 && depth++ < DEEPEST)
			open[depth - 1] = at;
		if (step >= 0 || depth == 0)
			continue;
		if (--depth < DEEPEST && !short_steps_is_own(c, open[depth]))
			c->group[c->ngroups++] = (struct brackets){ (uint16_t)open[depth], (uint16_t)at,
			    (uint16_t)depth };
	}
}

/* Drop text in brackets of that depth, left to right, until the name fits; kind: only these, 0: all brackets. */
static bool
drop_groups(struct cutter *c, size_t depth, char kind)
{
	for (const struct brackets *g = c->group; g < c->group + c->ngroups && !short_steps_fits(c); g++)
		if (g->depth == depth && (kind == 0 || c->s.s[g->open] == kind))
			short_steps_drop(c, g->open + 1u, g->close);
	return short_steps_fits(c);
}

/* ---- the steps ------------------------------------------------------------------------------ */

static bool
drop_folders(struct cutter *c)
{
	struct str p = c->parts.place;
	const char *slash = p.n > 0 ? memrchr(p.s, '/', p.n) : NULL;

	return slash == NULL ? short_steps_fits(c) : short_steps_drop(c, begin_of(c, p) + strspn(p.s, " (-"),
	    (size_t)(slash + 1 - c->s.s));
}

/* "(int) const" becomes "(…)". */
static bool
drop_arguments(struct cutter *c)
{
	size_t from = begin_of(c, c->parts.rest), to = short_steps_end_of(c, c->parts.rest), close;

	for (const struct brackets *g = c->group; g < c->group + c->ngroups; g++)
		if (g->open == from) {
			close = g->close;
			short_steps_drop(c, from + 1, close);
			if (close + 1 < to && cutter_marks(c, close - 1))
				cutter_leave_out(c, close + 1, to, GONE | SILENT);
			return short_steps_drop(c, close + 1, to);
		}
	return short_steps_drop(c, from, to);
}

static bool
drop_place(struct cutter *c)
{
	size_t from = begin_of(c, c->parts.place), to = short_steps_end_of(c, c->parts.place);

	return to > from && c->s.s[to - 1] == ')' ? short_steps_drop(c, from + 2, to - 1) :
	    short_steps_drop(c, from, to);
}

static bool
drop_type(struct cutter *c)
{
	return short_steps_drop(c, 0, c->parts.type.n);
}

static bool
drop_outer_arguments(struct cutter *c)
{
	return drop_groups(c, 0, '(');
}

static bool
drop_inner_brackets(struct cutter *c)
{
	for (size_t depth = DEEPEST; depth-- > 1 && !short_steps_fits(c);)
		drop_groups(c, depth, 0);
	return short_steps_fits(c);
}

/* In brackets: the part before the last colons of each name. */
static bool
drop_inner_scopes(struct cutter *c)
{
	size_t from, last;

	for (const struct brackets *g = c->group; g < c->group + c->ngroups && !short_steps_fits(c); g++) {
		from = last = g->open + 1u;
		for (size_t i = from; g->depth == 0 && i <= g->close && !short_steps_fits(c); i++)
			if (is_one_of(c->s.s[i], "<>()[]{},&*; ")) {
				short_steps_drop(c, from, last);
				from = last = i + 1;
			} else if (i > from && c->s.s[i] == ':' && c->s.s[i - 1] == ':') {
				last = i + 1;
			}
	}
	return short_steps_fits(c);
}

static bool
drop_brackets(struct cutter *c)
{
	return drop_groups(c, 0, 0);
}

/* A part at a time, from the outer end on. */
static bool
drop_scope(struct cutter *c)
{
	size_t from = 0, begin = begin_of(c, c->parts.scope), end = short_steps_end_of(c, c->parts.scope), depth = 0, n;
	int step;

	for (size_t at = begin; at < end && !short_steps_fits(c); at += n > 0 ? n : 1) {
		n = name_operator(c->s, at);
		step = n > 0 ? 0 : name_bracket(c->s, at);
		depth += step > 0;
		depth -= step < 0 && depth > 0;
		if (at + 1 < end && (depth > 0 || n > 0 || !(is_one_of(c->s.s[at], "./") ||
		    (at > begin && c->s.s[at] == ':' && c->s.s[at - 1] == ':'))))
			continue;
		cutter_leave_out(c, from, at + 1, GONE);
		from = at + 1;
	}
	return short_steps_fits(c);
}

/* Everything after the own name; finally its brackets, too. */
static bool
short_steps_drop_behind(struct cutter *c)
{
	size_t from = short_steps_end_of(c, c->parts.own), to = c->s.n;

	if (short_steps_drop(c, from, to))
		return true;
	for (const struct brackets *g = c->group; g < c->group + c->ngroups; g++)
		if (g->depth == 0 && g->open > begin_of(c, c->parts.own) && g->open < from)
			from = g->open;
	return short_steps_drop(c, from, to);
}

static bool (*const steps[])(struct cutter *) = {
	drop_folders, drop_arguments, drop_place, drop_type, drop_outer_arguments, drop_inner_brackets,
	drop_inner_scopes, drop_brackets, drop_scope, short_steps_drop_behind
};

bool
cutter_shorten(struct cutter *c)
{
	c->parts = name_parts(c->s);
	short_steps_find_groups(c);
	for (size_t i = 0; i < NELEM(steps); i++)
		if (steps[i](c))
			return true;
	return false;
}

/* ---- names that are too wide even alone ----------------------------------------------------- */

/* Only the cut is marked. */
static void
take_marks_away(struct cutter *c)
{
	c->width -= marks(c, 0, c->s.n) * c->mark;
	for (size_t i = 0; i < c->s.n; i++)
		c->is[i] |= c->is[i] & GONE ? SILENT : 0;
}

/* Characters behind the first head columns that bytes of that state take. */
static void
cut_behind(struct cutter *c, size_t head, unsigned state)
{
	size_t seen = 0, next;

	for (size_t at = 0; at < c->s.n && !short_steps_fits(c); at = next) {
		next = cutter_next(c, at);
		if ((c->is[at] & (GONE | KEPT)) != state)
			continue;
		seen += c->cols[at];
		if (seen <= head)
			continue;
		for (size_t i = at; i < next; i++)
			c->is[i] &= (uint8_t)~KEPT;
		cutter_leave_out(c, at, next, GONE);
	}
}

/* Keep the end, where similar names often differ, but keep the start of a short piece, which reads better. */
void
cutter_cut(struct cutter *c, bool places)
{
	size_t all = 0, left;

	if (!places)
		take_marks_away(c);
	for (size_t i = 0; i < c->s.n; i++)
		all += c->is[i] & (GONE | KEPT) ? 0 : c->cols[i];
	left = c->width + c->mark - c->goal;
	left = left < all ? all - left : 0;
	cut_behind(c, left < 6 ? left : left - left / 3, 0);
	cut_behind(c, 0, 0);
	cut_behind(c, 0, KEPT);
}
