/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * agg_args: aggregates in a query.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "agg.h"

/* ---- words ----------------------------------------------------------------------- */

/* Words of other languages, and of percentiles that have another name. */
static const char *const aliases[][2] = {
	{ "median", "p50 is the median" }, { "mean", "use avg" }, { "average", "use avg" },
	{ "percentile", "use pN, e.g. p99" }, { "quantile", "use pN, e.g. p99" },
	{ "dcount", "use 'distinct COLUMN'" },
	{ "uniq", "use 'distinct COLUMN'" }, { "unique", "use 'distinct COLUMN'" }, { "total", "use sum" },
	{ "p100", "use max" }, { "p0", "use min" }
};

/* Match p1 to p99; *why is set if the word was intended as one. */
static bool
find_percentile(struct str word, struct agg *a, const char **why)
{
	struct str digits = { word.s + 1, word.n - 1 };
	double real;
	uint64_t n;

	if (word.n < 2 || word.s[0] != 'p' || !is_digit(word.s[1]))
		return false;
	if (num_u64(digits, 10, &n) && n >= 1 && n <= 99) {
		a->kind = AGG_PERCENTILE;
		a->percent = (unsigned)n;
		return true;
	}
	if (*why == NULL && num_f64(digits, &real))
		*why = "percentiles are whole: p1 to p99";
	return false;
}

bool
agg_find(struct str word, struct agg *a, const char **why)
{
	char text[AGG_NAME];

	*why = NULL;
	for (size_t i = 0; i < NELEM(aliases); i++)
		if (str_eq(word, str_of(aliases[i][0])))
			*why = aliases[i][1];
	for (size_t kind = 0; kind < AGG_KINDS; kind++) {
		a->kind = (enum agg_kind)kind;
		if (a->kind != AGG_PERCENTILE && str_eq(word, str_of(agg_name(a, text))))
			return true;
	}
	return find_percentile(word, a, why);
}

const char *
agg_word(size_t i)
{
	static const char *const words[] = {
		"count", "sum", "min", "max", "avg", "p50", "p90", "p95", "p99", "distinct", "share", "first",
		"last"
	};

	return i < NELEM(words) ? words[i] : NULL;
}

static bool
agg_args_fail_memory(struct err *err)
{
	return fail(err, E_SYSTEM, "out of memory (query)");
}

bool
aggs_init(struct aggs *aggs, size_t most, struct err *err)
{
	aggs->agg = mem_array(most, sizeof *aggs->agg);
	aggs->values = mem_array(most, sizeof *aggs->values);
	return (aggs->agg != NULL && aggs->values != NULL) || agg_args_fail_memory(err);
}

void
aggs_free(struct aggs *aggs)
{
	for (size_t i = 0; i < aggs->n; i++)
		agg_free(&aggs->agg[i]);
	for (size_t i = 0; i < aggs->nvalues; i++)
		values_free(&aggs->values[i]);
	free(aggs->agg);
	free(aggs->values);
}

/* Percentiles of one column share their values. */
static struct values *
find_values(struct aggs *aggs, struct agg *a)
{
	for (size_t i = 0; i < aggs->nvalues; i++)
		if (aggs->values[i].col == a->col)
			return &aggs->values[i];
	a->owns = true;
	values_init(&aggs->values[aggs->nvalues], a->col, a->type);
	return &aggs->values[aggs->nvalues++];
}

static bool
name_agg(struct agg *a, struct str column, struct err *err)
{
	struct buf name = BUF_INIT;
	char text[AGG_NAME];

	buf_printf(&name, "%s%s%.*s", agg_name(a, text), column.n > 0 ? "_" : "", (int)column.n, column.s);
	a->name = name.s;
	return !name.bad || agg_args_fail_memory(err);
}

bool
aggs_add(struct aggs *aggs, const struct agg *kind, struct rows *in, const struct token *t, struct err *err)
{
	struct agg *a = &aggs->agg[aggs->n];
	const struct coldef *def = NULL;
	int col;

	*a = *kind;
	a->col = AGG_NO_COLUMN;
	if (t != NULL) {
		col = rows_need_column(in, t, t->text, err);
		if (col < 0)
			return false;
		def = &in->cols[col];
		a->col = (size_t)col;
		/* The sum of a condition is how often it holds. */
		a->type = def->type == CELL_BOOL && (a->kind == AGG_SUM || a->kind == AGG_AVG) ?
		    CELL_COUNT : def->type;
		a->of = def->of;
		a->numbers = def->type == CELL_NONE && def->mostly == MOSTLY_NUMBERS;
		if (a->kind == AGG_MIN || a->kind == AGG_MAX)
			rows_note_order(in, def);
		if (!agg_check(a, t, def->name, err))
			return false;
	}
	if (a->kind == AGG_PERCENTILE)
		a->values = find_values(aggs, a);
	aggs->n++;
	return name_agg(a, t == NULL ? STR("") : t->kind != TOKEN_WORD ||
	    (def->was != NULL && str_eq(t->text, str_of(def->was))) ? str_of(def->name) : t->text, err);
}

static bool
fail_agg(const struct token *t, const char *why, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];

	if (t->kind != TOKEN_WORD)
		return fail_at(err, E_USAGE, t->at, "expected an aggregate here: count, sum, min, max, avg, p99 ...");
	if (why != NULL)
		return fail_at(err, E_USAGE, t->at, "unknown aggregate '%.*s'; %s", (int)t->text.n, t->text.s,
		    why);
	for (size_t i = 0; agg_word(i) != NULL; i++)
		guess_try(&guess, agg_word(i));
	return fail_at(err, E_USAGE, t->at, "unknown aggregate '%.*s'%s", (int)t->text.n, t->text.s,
	    guess_text(&guess, text, sizeof text));
}

static bool
agg_args_fail_column(const struct agg *a, size_t at, struct err *err)
{
	char text[AGG_NAME];

	const char *name = agg_name(a, text);

	return fail_at(err, E_USAGE, at, "'%s' needs a column: %s wall", name, name);
}

/* Parse "count", "sum self" or "sum(self)"; *i becomes the next token. */
static bool
read_agg(struct aggs *aggs, const struct stage *s, struct rows *in, size_t *i, struct err *err)
{
	const struct token *t = &s->token[*i];
	struct agg kind = { .kind = AGG_COUNT };
	const char *why = NULL;
	bool open;

	if (t->kind != TOKEN_WORD || !agg_find(t->text, &kind, &why))
		return fail_agg(t, why, err);
	++*i;
	open = agg_takes_column(&kind) && *i < s->n && s->token[*i].kind == TOKEN_OPEN;
	*i += open;
	if (!agg_takes_column(&kind) || *i == s->n || token_is(&s->token[*i], "as") ||
	    (s->token[*i].kind != TOKEN_WORD && s->token[*i].kind != TOKEN_TEXT))
		return agg_needs_column(&kind) || open ? agg_args_fail_column(&kind, stage_at(s, *i), err) :
		    aggs_add(aggs, &kind, in, NULL, err);
	if (!aggs_add(aggs, &kind, in, &s->token[*i], err))
		return false;
	++*i;
	if (open && (*i == s->n || s->token[*i].kind != TOKEN_CLOSE))
		return fail_at(err, E_USAGE, stage_at(s, *i), "expected )");
	*i += open;
	return true;
}

/* Parse a name for the column: "sum self as time" names it time. */
static bool
read_as(struct agg *a, const struct stage *s, size_t *i, struct err *err)
{
	char *name;

	if (*i == s->n || !token_is(&s->token[*i], "as"))
		return true;
	++*i;
	if (!stage_name(s, *i, &name, err))
		return false;
	free(a->name);
	a->name = name;
	++*i;
	return true;
}

bool
aggs_read(struct aggs *aggs, const struct stage *s, struct rows *in, struct err *err)
{
	static const struct agg count = { .kind = AGG_COUNT };

	if (!aggs_init(aggs, s->n + 1, err))
		return false;
	for (size_t i = 0; i < s->n; i += i < s->n && s->token[i].kind == TOKEN_COMMA)
		if (!read_agg(aggs, s, in, &i, err) || !read_as(&aggs->agg[aggs->n - 1], s, &i, err))
			return false;
	return aggs->n > 0 || aggs_add(aggs, &count, in, NULL, err);
}
