/*
 * expr: the condition of a where, from tokens to a list of tests and jumps.
 */
#include "config.h"

#include <stdlib.h>

#include "expr.h"

/* What waits for its right side while the tokens are read. */
enum wait_kind { WAIT_OPEN, WAIT_OR, WAIT_AND, WAIT_NOT };	/* by how strongly they bind */

struct wait {
	enum wait_kind	kind;
	size_t		instr;		/* whose jump is to be set */
	uint32_t	at;
};

struct compiler {
	struct expr		*expr;
	const struct stage	*stage;
	const struct rows	*in;
	size_t			 i;		/* next token */
	struct wait		*wait;
	size_t			 nwait, wait_cap;
};

static bool
fail_memory(struct err *err)
{
	return fail(err, E_SYSTEM, "no memory for the query");
}

static const struct token *
peek(const struct compiler *c)
{
	return c->i < c->stage->n ? &c->stage->token[c->i] : NULL;
}

static bool
accept_word(struct compiler *c, const char *word)
{
	const struct token *t = peek(c);

	if (t == NULL || !token_is(t, word))
		return false;
	c->i++;
	return true;
}

static bool
accept(struct compiler *c, enum token_kind kind)
{
	const struct token *t = peek(c);

	if (t == NULL || t->kind != kind)
		return false;
	c->i++;
	return true;
}

static bool
fail_expected(const struct compiler *c, const char *what, struct err *err)
{
	return fail_at(err, E_USAGE, stage_at(c->stage, c->i),
	    "expected %s here", what);
}

static struct instr *
emit(struct compiler *c, enum code code, struct err *err)
{
	struct expr *e = c->expr;

	if (!mem_grow(&e->instr, &e->cap, e->n + 1, sizeof *e->instr)) {
		fail_memory(err);
		return NULL;
	}
	e->instr[e->n] = (struct instr){ .code = code };
	return &e->instr[e->n++];
}

static struct value *
value_new(struct expr *e, struct err *err)
{
	if (!mem_grow(&e->value, &e->value_cap, e->nvalues + 1, sizeof *e->value)) {
		fail_memory(err);
		return NULL;
	}
	e->value[e->nvalues] = (struct value){ .kind = VALUE_CELL };
	return &e->value[e->nvalues++];
}

/* ---- values -------------------------------------------------------------- */

/* What stands at the right of ~ and !~. */
static bool
compile_pattern(const struct token *t, struct value *v, struct err *err)
{
	if (t->kind == TOKEN_REGEX) {
		v->kind = VALUE_REGEX;
		return regex_compile(&v->regex, t, err);
	}
	v->kind = token_is_glob(t) ? VALUE_GLOB : VALUE_PART;
	return literal_read(t, CELL_TEXT, &v->cell, err);
}

static bool
compile_value(struct compiler *c, size_t col, enum compare cmp, struct err *err)
{
	enum cell_type type = c->in->cols[col].type;
	const struct token *t = peek(c);
	struct value *v;
	int other;

	if (t == NULL || (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT &&
	    t->kind != TOKEN_REGEX))
		return fail_expected(c, "a value", err);
	c->i++;
	v = value_new(c->expr, err);
	if (v == NULL)
		return false;
	if (cmp == CMP_MATCH || cmp == CMP_UNLIKE)
		return compile_pattern(t, v, err);
	if (type == CELL_TEXT && cmp <= CMP_NE && token_is_glob(t)) {
		v->kind = VALUE_GLOB;
		return literal_read(t, CELL_TEXT, &v->cell, err);
	}
	if (type != CELL_TEXT && type != CELL_NONE && t->kind == TOKEN_WORD) {
		other = rows_column(c->in, t->text);
		if (other >= 0 && c->in->cols[other].type != CELL_TEXT) {
			v->kind = VALUE_COLUMN;
			v->col = (size_t)other;
			return true;
		}
	}
	return literal_read(t, type, &v->cell, err);
}

/* The list behind in. */
static bool
compile_list(struct compiler *c, size_t col, struct err *err)
{
	if (!accept(c, TOKEN_OPEN))
		return fail_expected(c, "( and a list of values", err);
	do {
		if (!compile_value(c, col, CMP_EQ, err))
			return false;
	} while (accept(c, TOKEN_COMMA));
	if (!accept(c, TOKEN_CLOSE))
		return fail_expected(c, ", or )", err);
	return true;
}

/* ---- tests --------------------------------------------------------------- */

static bool
compile_operator(struct compiler *c, size_t col, enum compare *cmp, struct err *err)
{
	static const char *const ops[] = {
		[CMP_EQ] = "=", [CMP_NE] = "!=", [CMP_LT] = "<", [CMP_LE] = "<=",
		[CMP_GT] = ">", [CMP_GE] = ">=", [CMP_MATCH] = "~", [CMP_UNLIKE] = "!~"
	};
	const struct token *t = peek(c);
	enum cell_type type = c->in->cols[col].type;
	size_t i = 0;

	while (!str_eq(t->text, str_of(ops[i])))
		i++;
	*cmp = (enum compare)i;
	if (*cmp >= CMP_MATCH && type != CELL_TEXT && type != CELL_NONE)
		return fail_at(err, E_USAGE, t->at,
		    "%s is for texts, and '%s' is a %s", ops[i],
		    c->in->cols[col].name, cell_type_name(type));
	c->i++;
	return true;
}

/* COLUMN, COLUMN OPERATOR VALUE or COLUMN [not] in (VALUE, ...). */
static bool
compile_test(struct compiler *c, struct err *err)
{
	const struct token *t = peek(c);
	struct instr test = { .code = CODE_TEST, .cmp = CMP_TRUE }, *in;
	int col;

	if (t == NULL || t->kind != TOKEN_WORD)
		return fail_expected(c, "a column", err);
	col = rows_need_column(c->in, t, t->text, err);
	if (col < 0)
		return false;
	c->i++;
	test.col = (size_t)col;
	test.value = c->expr->nvalues;
	t = peek(c);
	if (t != NULL && t->kind == TOKEN_OP) {
		if (!compile_operator(c, test.col, &test.cmp, err) ||
		    !compile_value(c, test.col, test.cmp, err))
			return false;
	} else if (accept_word(c, "not")) {
		test.cmp = CMP_NE;
		if (!accept_word(c, "in"))
			return fail_expected(c, "in", err);
		if (!compile_list(c, test.col, err))
			return false;
	} else if (accept_word(c, "in")) {
		test.cmp = CMP_EQ;
		if (!compile_list(c, test.col, err))
			return false;
	}
	test.nvalues = c->expr->nvalues - test.value;
	in = emit(c, CODE_TEST, err);
	if (in == NULL)
		return false;
	*in = test;
	return true;
}

/* ---- and, or, not, parentheses --------------------------------------------- */

static bool
wait_push(struct compiler *c, enum wait_kind kind, uint32_t at, struct err *err)
{
	if (!mem_grow(&c->wait, &c->wait_cap, c->nwait + 1, sizeof *c->wait))
		return fail_memory(err);
	c->wait[c->nwait++] = (struct wait){ .kind = kind, .at = at,
	    .instr = c->expr->n };
	return true;
}

/* Ends what binds at least as strongly: its right side is complete. */
static bool
wait_end(struct compiler *c, enum wait_kind kind, struct err *err)
{
	struct wait *w;

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

/* Everything in front of a test, and the test. */
static bool
compile_operand(struct compiler *c, struct err *err)
{
	uint32_t at;

	for (;;) {
		at = (uint32_t)stage_at(c->stage, c->i);
		if (accept_word(c, "not")) {
			if (!wait_push(c, WAIT_NOT, at, err))
				return false;
		} else if (accept(c, TOKEN_OPEN)) {
			if (!wait_push(c, WAIT_OPEN, at, err))
				return false;
		} else
			return compile_test(c, err);
	}
}

/* Closing parentheses, then and, or, or the end; *more when an operand has to follow. */
static bool
compile_joint(struct compiler *c, bool *more, struct err *err)
{
	enum wait_kind kind;

	*more = false;
	while (accept(c, TOKEN_CLOSE)) {
		if (!wait_end(c, WAIT_OPEN, err))
			return false;
		if (c->nwait == 0)
			return fail_at(err, E_USAGE, stage_at(c->stage, c->i - 1),
			    "this ) has no (");
		c->nwait--;
	}
	if (c->i == c->stage->n)
		return true;
	if (accept_word(c, "and"))
		kind = WAIT_AND;
	else if (accept_word(c, "or"))
		kind = WAIT_OR;
	else
		return fail_expected(c, "and, or, | or the end", err);
	*more = true;
	return wait_end(c, kind, err) &&
	    wait_push(c, kind, (uint32_t)stage_at(c->stage, c->i - 1), err) &&
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
		    "this ( is not closed");
	return true;
}

bool
expr_compile(struct expr **out, const struct stage *stage, const struct rows *in,
    struct err *err)
{
	struct compiler c = { .stage = stage, .in = in };
	bool ok;

	c.expr = mem_array(1, sizeof *c.expr);
	if (c.expr == NULL)
		return fail_memory(err);
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
	size_t i;

	if (e == NULL)
		return;
	for (i = 0; i < e->nvalues; i++)
		regex_free(e->value[i].regex);
	free(e->value);
	free(e->instr);
	free(e);
}
