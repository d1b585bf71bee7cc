/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expr: the condition of a where, from tokens to a list of tests and jumps.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "expr.h"

/* Operators that wait for their right side while the tokens are read. */
enum wait_kind { WAIT_OPEN, WAIT_OR, WAIT_AND, WAIT_NOT };	/* in order of binding strength */

struct unclosed {
	enum wait_kind	kind;
	size_t		instr;		/* place of the instruction whose jump is to be set */
	uint32_t	at;
};

static struct instr *
emit(struct compiler *c, enum code code, struct err *err)
{
	struct expr *e = c->expr;

	if (!mem_grow(&e->instr, &e->cap, e->n + 1, sizeof *e->instr)) {
		fail_memory(err, "query");
		return NULL;
	}
	e->instr[e->n] = (struct instr){ .code = code };
	return &e->instr[e->n++];
}

/* ---- tests --------------------------------------------------------------- */

static bool
compile_operator(struct compiler *c, const struct coldef *s, enum compare *cmp, struct err *err)
{
	const struct token *t = compiler_peek(c);
	size_t i = 0;

	while (!str_eq(t->text, str_of(compare_text[i])))
		i++;
	*cmp = (enum compare)i;
	if (*cmp >= CMP_MATCH && s->type != CELL_TEXT && s->type != CELL_NONE)
		return fail_at(err, E_USAGE, t->at,
		    "%s is for strings; '%s' is a %s", compare_text[i],
		    s->name, cell_type_name(s->type));
	c->i++;
	return true;
}

#define LOOK_AHEAD 100		/* tokens in the parentheses an expression begins with */

/* Return true if a parenthesis belongs to an expression: a comparison or an operator follows it. */
static bool
opens_expression(const struct compiler *c)
{
	const struct stage *s = c->stage;
	const struct token *t;
	size_t depth = 0;

	for (size_t i = c->i; i < s->n && i - c->i < LOOK_AHEAD; i++) {
		t = &s->token[i];
		if (t->kind == TOKEN_OPEN)
			depth++;
		else if (t->kind == TOKEN_CLOSE && depth == 1)
			return i + 1 < s->n && (t[1].kind == TOKEN_OP ||
			    token_is(&t[1], "in") || token_is(&t[1], "not") ||
			    calc_continues(s, i + 1));
		else if (t->kind == TOKEN_CLOSE)
			depth--;
		else if (depth == 0 || t->kind == TOKEN_OP)
			return false;
	}
	return false;
}

static bool
expr_is_number(const struct compiler *c, const struct token *t)
{
	return t->kind == TOKEN_WORD && is_digit(t->text.s[0]) && rows_find(c->in, t->text, false) < 0;
}

static bool
compile_subject(struct compiler *c, struct operand *o, struct err *err)
{
	const struct token *t = compiler_peek(c);
	int col;

	if (t == NULL || (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT && t->kind != TOKEN_OPEN))
		return compiler_expected(c, "a column", err);
	if (t->kind == TOKEN_OPEN || calc_begins(c->stage, c->i) || expr_is_number(c, t))
		return operand_compile(o, c->stage, &c->i, c->in, err);
	col = rows_need_column(c->in, t, t->text, err);
	if (col < 0)
		return false;
	c->i++;
	o->col = (size_t)col;
	return true;
}

/* Parse the rest of a test after its subject: an operator and a value, [not] in and a list, or nothing. */
static bool
compile_comparison(struct compiler *c, const struct coldef *s, enum compare *cmp, struct err *err)
{
	const struct token *t = compiler_peek(c);

	if (t != NULL && t->kind == TOKEN_OP)
		return compile_operator(c, s, cmp, err) &&
		    compile_value(c, s, *cmp, err);
	if (compiler_word(c, "is")) {
		*cmp = compiler_word(c, "not") ? CMP_NE : CMP_EQ;
		return compile_null(c, s, err);
	}
	if (compiler_word(c, "not")) {
		*cmp = CMP_NE;
		return compiler_word(c, "in") ? compile_list(c, s, err) :
		    compiler_expected(c, "'in'", err);
	}
	if (compiler_word(c, "in")) {
		*cmp = CMP_EQ;
		return compile_list(c, s, err);
	}
	return true;
}

static bool
compile_test(struct compiler *c, struct err *err)
{
	struct instr *in = emit(c, CODE_TEST, err);
	struct coldef s;

	if (in == NULL || !compile_subject(c, &in->operand, err))
		return false;
	s = operand_column(&in->operand, c->in);
	in->lines = in->operand.calc == NULL && strcmp(s.name, COLUMN_ANY) == 0;
	in->cmp = CMP_TRUE;
	in->value = c->expr->nvalues;
	if (!compile_comparison(c, &s, &in->cmp, err))
		return false;
	in->nvalues = c->expr->nvalues - in->value;
	return true;
}

/* ---- and, or, not, parentheses --------------------------------------------- */

static bool
expr_wait_push(struct compiler *c, enum wait_kind kind, uint32_t at, struct err *err)
{
	if (!mem_grow(&c->wait, &c->wait_cap, c->nwait + 1, sizeof *c->wait))
		return fail_memory(err, "query");
	c->wait[c->nwait++] = (struct unclosed){ .kind = kind, .at = at,
	    .instr = c->expr->n };
	return true;
}

/* End operators that bind at least as strongly: their right sides are complete. */
static bool
wait_end(struct compiler *c, enum wait_kind kind, struct err *err)
{
	struct unclosed *w;

	while (c->nwait > 0 && c->wait[c->nwait - 1].kind >= kind &&
	    c->wait[c->nwait - 1].kind != WAIT_OPEN) {
		w = &c->wait[--c->nwait];
		if (w->kind != WAIT_NOT)
			c->expr->instr[w->instr].jump = c->expr->n;
		else if (emit(c, CODE_NOT, err) == NULL)
			return false;
	}
	return true;
}

/* Parse what precedes a test (not, parentheses), then the test. */
static bool
compile_operand(struct compiler *c, struct err *err)
{
	uint32_t at;

	for (;;) {
		at = (uint32_t)stage_at(c->stage, c->i);
		if (compiler_word(c, "not")) {
			if (!expr_wait_push(c, WAIT_NOT, at, err))
				return false;
		} else if (!opens_expression(c) && compiler_accept(c, TOKEN_OPEN)) {
			if (!expr_wait_push(c, WAIT_OPEN, at, err))
				return false;
		} else
			return compile_test(c, err);
	}
}

static bool
fail_joint(const struct compiler *c, struct err *err)
{
	const struct token *t = compiler_peek(c);
	const char *hint = t->kind == TOKEN_WORD ? hint_of(t->text) : NULL;

	if (hint != NULL)
		return fail_at(err, E_USAGE, t->at, "no operator '%.*s'; %s", (int)t->text.n, t->text.s,
		    hint);
	return compiler_expected(c, "'and', 'or', '|' or the end", err);
}

/* Parse closing parentheses, then "and", "or" or the end; *more: an operand has to follow. */
static bool
compile_joint(struct compiler *c, bool *more, struct err *err)
{
	enum wait_kind kind;

	*more = false;
	while (compiler_accept(c, TOKEN_CLOSE)) {
		if (!wait_end(c, WAIT_OPEN, err))
			return false;
		if (c->nwait == 0)
			return fail_at(err, E_USAGE, stage_at(c->stage, c->i - 1),
			    "unmatched )");
		c->nwait--;
	}
	if (c->i == c->stage->n)
		return true;
	if (compiler_word(c, "and"))
		kind = WAIT_AND;
	else if (compiler_word(c, "or"))
		kind = WAIT_OR;
	else
		return fail_joint(c, err);
	*more = true;
	return wait_end(c, kind, err) &&
	    expr_wait_push(c, kind, (uint32_t)stage_at(c->stage, c->i - 1), err) &&
	    emit(c, kind == WAIT_AND ? CODE_AND : CODE_OR, err) != NULL;
}

static bool
compile(struct compiler *c, struct err *err)
{
	bool more = true;

	while (more)
		if (!compile_operand(c, err) || !compile_joint(c, &more, err))
			return false;
	if (!wait_end(c, WAIT_OPEN, err))
		return false;
	if (c->nwait > 0)
		return fail_at(err, E_USAGE, c->wait[c->nwait - 1].at,
		    "missing )");
	return true;
}

bool
expr_compile(struct expr **out, const struct stage *stage, struct rows *in,
    struct err *err)
{
	struct compiler c = { .stage = stage, .in = in };
	bool ok;

	c.expr = mem_array(1, sizeof *c.expr);
	if (c.expr == NULL)
		return fail_memory(err, "query");
	ok = compile(&c, err);
	free(c.wait);
	if (!ok) {
		expr_free(c.expr);
		return false;
	}
	*out = c.expr;
	return true;
}

void
expr_free(struct expr *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < e->nvalues; i++) {
		regex_free(e->value[i].regex);
		answer_close(e->value[i].answer);
		operand_free(&e->value[i].operand);
	}
	for (size_t i = 0; i < e->n; i++) {
		operand_free(&e->instr[i].operand);
		scratch_free(&e->instr[i].rows);
		scratch_free(&e->instr[i].values);
	}
	many_free(e->many);
	buf_free(&e->text);
	free(e->value);
	free(e->instr);
	free(e);
}

uint64_t
expr_touches(const struct expr *e)
{
	uint64_t set = 0;

	for (size_t i = 0; i < e->n; i++) {
		/* A stack is looked up in the tree that the rows came from. */
		if (e->instr[i].lines)
			return COLUMNS_ALL;
		if (e->instr[i].code == CODE_TEST)
			set |= operand_touches(&e->instr[i].operand);
	}
	for (size_t i = 0; i < e->nvalues; i++)
		if (e->value[i].kind == VALUE_OPERAND)
			set |= operand_touches(&e->value[i].operand);
	return set;
}
