/*
 * group: one row for all rows that are equal in some columns, with their
 * values put together; sum, min, max and avg do it for all rows.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agg.h"
#include "query/lang/lang.h"

struct group {
	struct rows		 rows;
	struct column_ref	*ref;		/* what the rows are grouped by */
	size_t			 nrefs;
	struct agg		*agg;
	size_t			 naggs;
	struct coldef		*cols;
	struct keys		 keys;
	struct buf		 text;
	struct scratch		 first;		/* u64: a row of in for each group */
	struct scratch		 acc;		/* struct acc of each agg of each group */
	uint64_t		 n;
	bool			 done;
};

static bool
fail_memory(struct err *err)
{
	return fail(err, E_SYSTEM, "no memory for the query");
}

/* ---- rows -------------------------------------------------------------------------- */

static bool
new_group(struct group *g, uint64_t row)
{
	struct err *err = &g->rows.err;

	if (!scratch_array(&g->first, g->n + 1, sizeof(uint64_t), err) ||
	    !scratch_array(&g->acc, (g->n + 1) * g->naggs, sizeof(struct acc), err))
		return false;
	SCRATCH(g->first, uint64_t)[g->n++] = row;
	return true;
}

/* The group of a row, from 1. */
static bool
find_group(struct group *g, uint64_t row, uint32_t *number)
{
	*number = 1;
	return g->nrefs == 0 || (keys_row(&g->keys, g->rows.in, row, g->ref, g->nrefs, number, &g->rows.err) &&
	    (*number <= g->n || new_group(g, row)));
}

static bool
add_row(struct group *g, uint64_t row)
{
	struct acc *acc;
	uint32_t number;

	if (!rows_tick(&g->rows, row) || !find_group(g, row, &number))
		return false;
	acc = SCRATCH(g->acc, struct acc) + (number - 1) * g->naggs;
	for (size_t i = 0; i < g->naggs; i++)
		if (!agg_add(&g->agg[i], &acc[i], g->rows.in, row, &g->text, &g->rows.err))
			return false;
	return true;
}

static bool
add_rows(struct group *g)
{
	if (g->nrefs == 0 && !new_group(g, 0))
		return false;
	for (uint64_t row = 0; rows_reach(g->rows.in, row + 1) > row; row++)
		if (!add_row(g, row))
			return false;
	return rows_error(&g->rows) == NULL;
}

static uint64_t
group_reach(struct rows *r, uint64_t n)
{
	struct group *g = (struct group *)r;

	if (n > 0 && !g->done) {
		g->done = true;
		if (!add_rows(g))
			g->n = 0;
	}
	return g->n;
}

static void
group_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct group *g = (struct group *)r;

	if (col < g->nrefs) {
		rows_cell(r->in, SCRATCH(g->first, uint64_t)[row],
		    g->ref[col].col, c);
		return;
	}
	col -= g->nrefs;
	agg_cell(&g->agg[col], &SCRATCH(g->acc, struct acc)[row * g->naggs + col],
	    r->in, c);
}

static void
group_close(struct rows *r)
{
	struct group *g = (struct group *)r;

	for (size_t i = 0; i < g->naggs; i++)
		free(g->agg[i].name);
	free(g->agg);
	free(g->ref);
	free(g->cols);
	keys_free(&g->keys);
	buf_free(&g->text);
	scratch_free(&g->first);
	scratch_free(&g->acc);
}

static const struct rows_ops group_ops = {
	.reach = group_reach, .cell = group_cell, .close = group_close, .touch = touch_own
};

/* ---- arguments --------------------------------------------------------------------- */

static bool
name_agg(struct agg *a, struct str column, struct err *err)
{
	if (asprintf(&a->name, "%s%s%.*s", agg_names[a->kind], column.n > 0 ? "_" : "", (int)column.n, column.s) >= 0)
		return true;
	a->name = NULL;
	return fail_memory(err);
}

/* t names the column; NULL for count. */
static bool
add_agg(struct group *g, enum agg_kind kind, const struct token *t, struct err *err)
{
	struct agg *a = &g->agg[g->naggs];
	const struct coldef *def = NULL;
	int col;

	a->kind = kind;
	if (t != NULL) {
		col = rows_need_column(g->rows.in, t, t->text, err);
		if (col < 0)
			return false;
		def = &g->rows.in->cols[col];
		a->col = (size_t)col;
		a->type = def->type;
		a->of = def->of;
		if (!agg_check(a, t, def->name, err))
			return false;
	}
	g->naggs++;
	return name_agg(a, t == NULL ? STR("") : t->kind == TOKEN_WORD ? t->text :
	    str_of(def->name), err);
}

static bool
fail_agg(const struct token *t, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];

	for (size_t i = 0; i < AGG_KINDS; i++)
		guess_try(&guess, agg_names[i]);
	return fail_at(err, E_USAGE, t->at, "expected count, sum, min, max or avg "
	    "here%s", t->kind == TOKEN_WORD ? guess_text(&guess, text, sizeof text) : "");
}

/* "count", "sum self" or "sum(self)"; *i becomes the token behind it. */
static bool
read_agg(struct group *g, const struct stage *s, size_t *i, struct err *err)
{
	const struct token *t = &s->token[*i];
	enum agg_kind kind = t->kind == TOKEN_WORD ? agg_find(t->text) : AGG_KINDS;
	bool open;

	if (kind == AGG_KINDS)
		return fail_agg(t, err);
	++*i;
	if (kind == AGG_COUNT)
		return add_agg(g, kind, NULL, err);
	open = *i < s->n && s->token[*i].kind == TOKEN_OPEN;
	*i += open;
	if (*i == s->n || (s->token[*i].kind != TOKEN_WORD && s->token[*i].kind != TOKEN_TEXT))
		return fail_at(err, E_USAGE, stage_at(s, *i), "'%s' needs a column here",
		    agg_names[kind]);
	if (!add_agg(g, kind, &s->token[*i], err))
		return false;
	++*i;
	if (open && (*i == s->n || s->token[*i].kind != TOKEN_CLOSE))
		return fail_at(err, E_USAGE, stage_at(s, *i), "expected ) here");
	*i += open;
	return true;
}

/* The name another aggregate has: "sum self as time" makes it time. */
static bool
read_as(struct group *g, const struct stage *s, size_t *i, struct err *err)
{
	struct agg *a = &g->agg[g->naggs - 1];
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

static bool
read_aggs(struct group *g, const struct stage *s, struct err *err)
{
	g->agg = mem_array(s->n + 1, sizeof *g->agg);
	if (g->agg == NULL)
		return fail_memory(err);
	for (size_t i = 0; i < s->n; i += i < s->n && s->token[i].kind == TOKEN_COMMA)
		if (!read_agg(g, s, &i, err) || !read_as(g, s, &i, err))
			return false;
	return g->naggs > 0 || add_agg(g, AGG_COUNT, NULL, err);
}

static bool
make_columns(struct group *g, const struct stage *stage, struct err *err)
{
	size_t n = g->nrefs + g->naggs;

	g->cols = mem_array(n, sizeof *g->cols);
	if (g->cols == NULL)
		return fail_memory(err);
	for (size_t i = 0; i < n; i++) {
		if (i < g->nrefs) {
			g->cols[i] = g->rows.in->cols[g->ref[i].col];
			g->cols[i].more = false;
		} else
			agg_column(&g->agg[i - g->nrefs], &g->cols[i]);
		for (size_t j = 0; j < i; j++)
			if (strcmp(g->cols[i].name, g->cols[j].name) == 0)
				return fail_at(err, E_USAGE, stage->at,
				    "two columns would have the name '%s'",
				    g->cols[i].name);
	}
	g->rows.cols = g->cols;
	g->rows.ncols = n;
	g->rows.reads = columns_of_refs(g->ref, g->nrefs);
	for (size_t i = 0; i < g->naggs; i++)
		if (g->agg[i].kind != AGG_COUNT)
			g->rows.reads |= COLUMN_BIT(g->agg[i].col);
	return true;
}

/* ---- group ------------------------------------------------------------------------- */

/* Takes the arguments apart at the first colon, which can stand close to a word. */
static bool
split_arguments(const struct stage *s, struct token **copy, struct stage *by,
    struct stage *aggs, bool *split, struct err *err)
{
	const struct token *t;
	struct token *to;
	const char *colon = NULL;
	size_t i, left;

	*by = *aggs = *s;
	to = *copy = mem_array(s->n + 2, sizeof *to);
	if (to == NULL)
		return fail_memory(err);
	by->token = to;
	for (i = 0; i < s->n && colon == NULL; i++) {
		t = &s->token[i];
		if (t->kind == TOKEN_WORD)
			colon = memchr(t->text.s, ':', t->text.n);
		left = colon == NULL ? t->text.n : (size_t)(colon - t->text.s);
		*to = *t;
		to->text.n = left;
		to += colon == NULL || left > 0;
	}
	by->n = (size_t)(to - by->token);
	aggs->token = to;
	if (colon != NULL) {
		t = &s->token[i - 1];
		by->end = t->at + (size_t)(colon - t->text.s);
		*to = *t;
		to->text.s = colon + 1;
		to->text.n = t->text.n - (size_t)(colon - t->text.s) - 1;
		to->at = (uint32_t)by->end + 1;
		to += to->text.n > 0;
	}
	while (i < s->n)
		*to++ = s->token[i++];
	aggs->n = (size_t)(to - aggs->token);
	*split = colon != NULL;
	return true;
}

static bool
group_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct group *g = rows_new(sizeof *g, &group_ops, session, in, err);
	struct stage by, aggs;
	struct token *copy;
	bool ok, colon = false;

	if (g == NULL)
		return false;
	ok = split_arguments(stage, &copy, &by, &aggs, &colon, err) &&
	    stage_columns(&by, in, false, &g->ref, &g->nrefs, err);
	if (ok && colon && aggs.n == 0)
		ok = fail_at(err, E_USAGE, stage->end,
		    "expected count, sum, min, max or avg here");
	ok = ok && read_aggs(g, &aggs, err) && make_columns(g, stage, err);
	free(copy);
	return rows_opened(&g->rows, ok, out);
}

const struct command stage_group = {
	STAGE("group", "one row for all that are equal in columns, with aggregates",
	    "methods | group class : sum self, count | top 5 sum_self", group_open),
	.args = ARGS({ &arg_column, ARG_MANY }, { &arg_aggregate, ARG_OPTIONAL | ARG_MANY, ":" })
};

/* ---- sum, min, max, avg -------------------------------------------------------------- */

static bool
read_columns(struct group *g, const struct stage *s, enum agg_kind kind, struct err *err)
{
	g->agg = mem_array(s->n, sizeof *g->agg);
	if (g->agg == NULL)
		return fail_memory(err);
	for (size_t i = 0; i < s->n; i++) {
		if (s->token[i].kind == TOKEN_COMMA && i > 0 && i + 1 < s->n)
			continue;
		if (!add_agg(g, kind, &s->token[i], err))
			return false;
	}
	return g->naggs > 0 || fail_needs(s, err);
}

static bool
whole_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct group *g = rows_new(sizeof *g, &group_ops, session, in, err);

	return g != NULL && rows_opened(&g->rows, read_columns(g, stage,
	    agg_find(str_of(stage->command->word)), err) &&
	    make_columns(g, stage, err), out);
}

#define OF_ALL(word, says, query) { STAGE(word, says, query, whole_open), .args = ARGS({ &arg_column, ARG_MANY }) }

const struct command stage_sum = OF_ALL("sum", "sums over all rows", "threads | sum cpu calls");
const struct command stage_min = OF_ALL("min", "the least values of all rows", "threads | min start");
const struct command stage_max = OF_ALL("max", "the greatest values of all rows", "calls | max depth");
const struct command stage_avg = OF_ALL("avg", "averages over all rows", "calls main | avg self depth");
