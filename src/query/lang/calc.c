/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calc: arithmetic over the cells of a row.
 *
 * An expression becomes a list of steps over a stack of numbers, together
 * with the unit of each: powers of time and of bytes.  Values that
 * cannot be added are found when the query is parsed.
 */
#include "config.h"

#include <string.h>

#include "calc.h"

enum piece_kind { PIECE_END, PIECE_OPERAND, PIECE_OP, PIECE_OPEN, PIECE_CLOSE };

/* A piece of a calculation.  A word of the query may have several: "self/total". */
struct piece {
	enum piece_kind	kind;
	char		op;
	struct str	text;
	size_t		at;
	size_t		i, off;		/* argument, and byte in it, after the piece */
	bool		quoted;
};

struct reader {
	struct calc		*calc;
	const struct stage	*stage;
	struct rows		*in;
	size_t			 i, off;	/* argument, byte in it */
	struct unit		 unit[CALC_DEPTH];
	size_t			 nunits;
	struct waiting {
		char	op;		/* or an open parenthesis; '|' that of abs() */
		size_t	at;
	}			 wait[CALC_DEPTH];
	size_t			 nwait;
};

/* ---- pieces ---------------------------------------------------------------------- */

/* Return the length of the operator that s begins with; 0: none. */
static size_t
op_at(struct str s, char *op)
{
	static const struct {
		const char	*text;
		char		 op;
	} signs[] = {
		{ "\xc3\x97", '*' }, { "\xc3\xb7", '/' }, { "\xe2\x88\x92", '-' }
	};

	if (s.n > 0 && memchr("+-*/", s.s[0], 4) != NULL) {
		*op = s.s[0];
		return 1;
	}
	for (size_t i = 0; i < NELEM(signs); i++)
		if (str_has_prefix(s, str_of(signs[i].text))) {
			*op = signs[i].op;
			return strlen(signs[i].text);
		}
	return 0;
}

static size_t
operand_length(const struct reader *r, struct str s)
{
	size_t n = 0;
	char op;

	/* A column that was computed can be named like an expression. */
	if (rows_find(r->in, s, false) >= 0)
		return s.n;
	while (n < s.n && op_at((struct str){ s.s + n, s.n - n }, &op) == 0)
		n++;
	return n;
}

static struct piece
calc_peek(const struct reader *r)
{
	struct piece p = { .kind = PIECE_END, .i = r->i, .off = 0,
	    .at = stage_at(r->stage, r->i) + r->off };
	const struct token *t = &r->stage->token[r->i];
	size_t n;

	if (r->i == r->stage->n)
		return p;
	p.i++;
	if (t->kind == TOKEN_OPEN || t->kind == TOKEN_CLOSE) {
		p.kind = t->kind == TOKEN_OPEN ? PIECE_OPEN : PIECE_CLOSE;
		return p;
	}
	if (t->kind == TOKEN_TEXT) {
		p.kind = PIECE_OPERAND;
		p.text = t->text;
		p.quoted = true;
	}
	if (t->kind != TOKEN_WORD)
		return p;
	p.text = (struct str){ t->text.s + r->off, t->text.n - r->off };
	n = op_at(p.text, &p.op);
	p.kind = n > 0 ? PIECE_OP : PIECE_OPERAND;
	if (n == 0)
		n = operand_length(r, p.text);
	if (n < p.text.n) {
		p.text.n = n;
		p.i = r->i;
		p.off = r->off + n;
	}
	return p;
}

static void
calc_take(struct reader *r, const struct piece *p)
{
	r->i = p->i;
	r->off = p->off;
	if (p->kind == PIECE_OPERAND)
		text_fit_buf(&r->calc->text, p->text);
	else if (p->kind != PIECE_END)
		buf_chr(&r->calc->text, p->kind == PIECE_OP ? p->op : p->kind == PIECE_OPEN ? '(' : ')');
}

/* ---- steps ----------------------------------------------------------------------- */

static bool
calc_step_add(struct reader *r, struct step step, struct err *err)
{
	struct calc *c = r->calc;

	if (!mem_grow(&c->step, &c->cap, c->n + 1, sizeof *c->step))
		return fail(err, E_SYSTEM, "out of memory (query)");
	c->step[c->n++] = step;
	return true;
}

static bool
fail_deep(size_t at, struct err *err)
{
	return fail_at(err, E_USAGE, at, "parentheses nested too deeply (limit: 64)");
}

static bool
calc_push(struct reader *r, const struct piece *p, struct unit unit, struct step step,
    struct err *err)
{
	if (r->nunits == CALC_DEPTH)
		return fail_deep(p->at, err);
	r->unit[r->nunits++] = unit;
	return calc_step_add(r, step, err);
}

static bool
read_number(struct reader *r, const struct piece *p, struct err *err)
{
	struct token t = { .text = p->text, .at = (uint32_t)p->at, .kind = TOKEN_WORD };
	struct unit unit = { .kind = KIND_INTEGER };
	struct step step = { 0 };
	struct str s = p->text;
	struct cell c;
	uint64_t u;

	if (num_f64(s, &step.number)) {
		if (!num_u64(s, 0, &u))
			unit.kind = KIND_REAL;
	} else if (s.s[s.n - 1] == '%') {
		s.n--;
		if (!num_f64(s, &step.number))
			return literal_read(&t, CELL_REAL, &c, err);
		unit.kind = KIND_PERCENT;
		step.number /= 100;
	} else if (num_duration(s, &u)) {
		unit.time = 1;
		step.number = (double)u;
	} else if ((s.s[s.n - 1] | 32) == 'b' && num_size(s, &u)) {
		unit.bytes = 1;
		step.number = (double)u;
	} else {
		if (!literal_read(&t, CELL_COUNT, &c, err))
			return false;
		step.number = (double)c.u;
	}
	return calc_push(r, p, unit, step, err);
}

/* A point in front of a letter begins the name of a field. */
static bool
begins_number(struct str s)
{
	return (s.n > 0 && is_digit(s.s[0])) || (s.n > 1 && s.s[0] == '.' && is_digit(s.s[1]));
}

/* Money has no arithmetic, but its distance from 0 can be compared. */
static bool
check_abs(const struct reader *r, const struct coldef *def, size_t at, struct err *err)
{
	for (size_t i = 0; def->type == CELL_DECIMAL && i < r->nwait; i++)
		if (r->wait[i].op == '|')
			return fail_at(err, E_USAGE, at,
			    "'%s' is an amount of money (exact); write '%s > N or %s < -N'", def->name,
			    def->name, def->name);
	return true;
}

static bool
read_operand(struct reader *r, const struct piece *p, struct err *err)
{
	struct token t = { .text = p->text, .at = (uint32_t)p->at,
	    .kind = p->quoted ? TOKEN_TEXT : TOKEN_WORD };
	struct unit unit;
	int col = rows_find(r->in, p->text, p->quoted);

	if (col < 0 && !p->quoted && begins_number(p->text))
		return read_number(r, p, err);
	if (col < 0)
		col = rows_need_column(r->in, &t, p->text, err);
	return col >= 0 && check_abs(r, &r->in->cols[col], p->at, err) &&
	    unit_of_column(&r->in->cols[col], p->at, &unit, err) &&
	    calc_push(r, p, unit, (struct step){ .op = 'c', .col = (size_t)col }, err);
}

static unsigned
strength(char op)
{
	return op == '(' || op == '|' ? 0 : op == '+' || op == '-' ? 1 : 2;
}

/* Emit the operators that wait and bind at least as strongly. */
static bool
apply(struct reader *r, unsigned least, struct err *err)
{
	struct waiting *w;

	while (r->nwait > 0 && strength(r->wait[r->nwait - 1].op) >= least) {
		w = &r->wait[--r->nwait];
		r->nunits--;
		if (!unit_apply(&r->unit[r->nunits - 1], &r->unit[r->nunits], w->op, w->at, err) ||
		    !calc_step_add(r, (struct step){ .op = w->op }, err))
			return false;
	}
	return true;
}

static bool
wait_push(struct reader *r, char op, size_t at, struct err *err)
{
	if (r->nwait == CALC_DEPTH)
		return fail_deep(at, err);
	r->wait[r->nwait++] = (struct waiting){ op, at };
	return true;
}

/* A word that is a function, followed by a parenthesis: its operator; 0: something else. */
static char
calc_function(const struct stage *s, struct str word, size_t next)
{
	if (next >= s->n || s->token[next].kind != TOKEN_OPEN)
		return 0;
	return str_eq(word, STR("abs")) ? '|' : str_eq(word, STR("distance")) ? 'd' : 0;
}

/* Parse a text of distance(): a column, or a string in quotes. */
static bool
read_text(struct reader *r, struct step_text *text, struct err *err)
{
	const struct token *t = r->i < r->stage->n ? &r->stage->token[r->i] : NULL;
	enum cell_type type;
	int col;

	if (t == NULL || (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT))
		return fail_at(err, E_USAGE, stage_at(r->stage, r->i),
		    "'distance' compares two texts: distance(name, class), distance(name, 'main')");
	r->i++;
	text_fit_buf(&r->calc->text, t->text);
	*text = (struct step_text){ CALC_CONSTANT, t->text };
	col = rows_find(r->in, t->text, t->kind == TOKEN_TEXT);
	if (col < 0 && t->kind == TOKEN_TEXT)
		return true;
	if (col < 0)
		col = rows_need_column(r->in, t, t->text, err);
	if (col < 0)
		return false;
	text->col = (size_t)col;
	type = r->in->cols[col].type;
	return type == CELL_TEXT || type == CELL_NONE || fail_at(err, E_USAGE, t->at,
	    "'%s' is a %s; 'distance' needs texts", r->in->cols[col].name, cell_type_name(type));
}

static bool
calc_distance_new(struct calc *c, struct err *err)
{
	if (c->distance == NULL)
		c->distance = mem_array(1, sizeof *c->distance);
	if (c->distance == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	return c->distance->lev != NULL || lev_new(&c->distance->lev, 0, err);
}

/* Parse "(a, b)" of distance. */
static bool
read_distance(struct reader *r, const struct piece *p, struct err *err)
{
	struct step step = { .op = 'd' };

	r->i = p->i + 1;
	r->off = 0;
	buf_str(&r->calc->text, STR("distance("));
	if (!calc_distance_new(r->calc, err) || !read_text(r, &step.text[0], err))
		return false;
	/* A comma is a blank. */
	r->i += r->i < r->stage->n && r->stage->token[r->i].kind == TOKEN_COMMA;
	buf_chr(&r->calc->text, ',');
	if (!read_text(r, &step.text[1], err))
		return false;
	if (r->i == r->stage->n || r->stage->token[r->i].kind != TOKEN_CLOSE)
		return fail_at(err, E_USAGE, stage_at(r->stage, r->i),
		    "'distance' compares two texts; expected ) here");
	r->i++;
	buf_chr(&r->calc->text, ')');
	return calc_push(r, p, (struct unit){ .kind = KIND_INTEGER }, step, err);
}

/* Parse opening parentheses, also those of abs(), then an operand. */
static bool
read_left(struct reader *r, struct err *err)
{
	struct piece p;
	char op;

	for (p = calc_peek(r);; p = calc_peek(r)) {
		op = p.kind == PIECE_OPEN ? '(' : p.kind == PIECE_OPERAND && !p.quoted && p.off == 0 ?
		    calc_function(r->stage, p.text, p.i) : 0;
		if (op == 'd')
			return read_distance(r, &p, err);
		if (op == 0)
			break;
		if (op == '|') {
			calc_take(r, &p);
			p = calc_peek(r);
		}
		if (!wait_push(r, op, p.at, err))
			return false;
		calc_take(r, &p);
	}
	if (p.kind != PIECE_OPERAND)
		return fail_at(err, E_USAGE, p.at, "expected a column");
	calc_take(r, &p);
	return read_operand(r, &p, err);
}

/* Parse closing parentheses, then an operator; *more is false if there is none. */
static bool
read_right(struct reader *r, bool *more, struct err *err)
{
	struct piece p;

	for (p = calc_peek(r); p.kind == PIECE_CLOSE; p = calc_peek(r)) {
		if (!apply(r, 1, err))
			return false;
		if (r->nwait == 0)
			break;
		r->nwait--;
		calc_take(r, &p);
		if (r->wait[r->nwait].op != '|')
			continue;
		r->unit[r->nunits - 1].minus = false;
		if (!calc_step_add(r, (struct step){ .op = '|' }, err))
			return false;
	}
	*more = p.kind == PIECE_OP;
	if (!*more)
		return true;
	calc_take(r, &p);
	return apply(r, strength(p.op), err) && wait_push(r, p.op, p.at, err);
}

static bool
read_calc(struct reader *r, size_t at, struct err *err)
{
	bool more = true;

	while (more)
		if (!read_left(r, err) || !read_right(r, &more, err))
			return false;
	if (!apply(r, 1, err))
		return false;
	if (r->nwait > 0)
		return fail_at(err, E_USAGE, r->wait[r->nwait - 1].at,
		    "missing )");
	if (r->calc->text.bad)
		return fail(err, E_SYSTEM, "out of memory (query)");
	return unit_type(&r->unit[0], at, r->calc, err);
}

bool
operand_compile(struct operand *out, const struct stage *stage, size_t *i, struct rows *in, struct err *err)
{
	struct reader r = { .stage = stage, .in = in, .i = *i };
	struct piece p = calc_peek(&r), next;
	int found;

	*out = (struct operand){ .calc = NULL };
	if (p.kind == PIECE_OPERAND && p.off == 0 && (p.quoted || calc_function(stage, p.text, p.i) == 0)) {
		r.i = p.i;
		next = calc_peek(&r);
		found = next.kind == PIECE_OP ? -1 : rows_find(in, p.text, p.quoted);
		if (found >= 0) {
			out->col = (size_t)found;
			*i = p.i;
			return true;
		}
		r.i = *i;
	}
	out->calc = r.calc = mem_array(1, sizeof *r.calc);
	if (r.calc == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	if (!read_calc(&r, p.at, err)) {
		operand_free(out);
		return false;
	}
	*i = r.i;
	return true;
}

bool
calc_continues(const struct stage *s, size_t i)
{
	char op;

	return i < s->n && s->token[i].kind == TOKEN_WORD &&
	    op_at(s->token[i].text, &op) > 0;
}

bool
calc_begins(const struct stage *s, size_t i)
{
	struct str rest = s->token[i].text;
	char op;

	while (rest.n > 0 && op_at(rest, &op) == 0)
		rest = str_after(rest, 1);
	return (s->token[i].kind == TOKEN_WORD && rest.n > 0) || calc_goes_on(s, i);
}

bool
calc_goes_on(const struct stage *s, size_t i)
{
	const struct token *t = &s->token[i];

	return (t->kind == TOKEN_WORD && calc_function(s, t->text, i + 1) != 0) ||
	    ((t->kind == TOKEN_WORD || t->kind == TOKEN_TEXT) && !calc_continues(s, i) &&
	    calc_continues(s, i + 1));
}

bool
calc_has_column(const struct stage *s, size_t i, struct rows *in)
{
	struct reader r = { .stage = s, .in = in, .i = i };
	struct piece p;

	for (; r.i == i; r.i = p.i, r.off = p.off) {
		p = calc_peek(&r);
		if (p.kind == PIECE_OPERAND && !is_digit(p.text.s[0]) && rows_find(in, p.text, p.quoted) >= 0)
			return true;
	}
	return false;
}
