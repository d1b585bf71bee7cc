/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * share: a value as a part of its sum over all rows, or over those that are equal in some columns.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agg.h"
#include "share.h"

struct share_total {
	struct decimal	exact;
	double		real;
	struct one_currency	money;
};

static bool
share_is_empty(const struct cell *c)
{
	return c->type == CELL_NONE || c->type == CELL_TEXT || c->type == CELL_ID || c->type == CELL_ADDR;
}

bool
share_count(struct share *s, struct rows *in, uint64_t row, struct err *err)
{
	struct share_total *total;
	uint32_t group = 1;
	struct cell c;

	if (s->nper > 0 && (!keys_row(&s->keys, in, row, s->per, s->nper, &group, err) ||
	    !scratch_array(&s->group, row + 1, sizeof group, err)))
		return false;
	if (s->nper > 0)
		SCRATCH(s->group, uint32_t)[row] = group;
	if (!scratch_array(&s->total, group, sizeof *total, err))
		return false;
	operand_cell(&s->of, in, row, &c);
	if (share_is_empty(&c))
		return true;
	total = &SCRATCH(s->total, struct share_total)[group - 1];
	if (is_real(c.type)) {
		total->real += c.f;
		return true;
	}
	if (c.type == CELL_DECIMAL && !currency_joins(&total->money, &c))
		return fail_currencies(&total->money, &c, "share", s->nper == 0 ? "share(... per currency)" :
		    "share(... per ... currency)", err);
	return decimal_add(&total->exact, cell_exact(&c)) ||
	    fail(err, E_USAGE, "these numbers are too large to be added up exactly");
}

void
share_cell(const struct share *s, struct rows *in, uint64_t row, struct cell *c)
{
	uint32_t group = s->nper > 0 ? SCRATCH(s->group, uint32_t)[row] : 1;
	const struct share_total *t = &SCRATCH(s->total, struct share_total)[group - 1];
	double total = decimal_real(t->exact) + t->real, part;

	operand_cell(&s->of, in, row, c);
	part = share_is_empty(c) || total == 0 ? (double)NAN : 100 * cell_real(c) / total;
	*c = (struct cell){ .type = isnan(part) ? CELL_NONE : CELL_PERCENT, .f = part };
}

uint64_t
share_touches(const struct share *s)
{
	return operand_touches(&s->of) | columns_of_refs(s->per, s->nper);
}

void
share_free(struct share *s)
{
	operand_free(&s->of);
	free(s->per);
	keys_free(&s->keys);
	scratch_free(&s->total);
	scratch_free(&s->group);
}

/* ---- arguments ---------------------------------------------------------------------- */

bool
share_begins(const struct stage *s, size_t i)
{
	return token_is(&s->token[i], "share") && i + 1 < s->n && s->token[i + 1].kind == TOKEN_OPEN;
}

/* Parse the columns after "per", up to the closing parenthesis. */
static bool
read_per(struct share *share, const struct stage *s, size_t *i, struct rows *in, struct err *err)
{
	struct stage per = *s;

	per.token = &s->token[++*i];
	for (per.n = 0; *i < s->n && s->token[*i].kind != TOKEN_CLOSE; per.n++)
		++*i;
	per.end = stage_at(s, *i);
	return per.n > 0 ? stage_columns(&per, in, REFS_PLAIN, &share->per, &share->nper, err) :
	    fail_at(err, E_USAGE, per.end, "expected a column after 'per'");
}

static bool
check_amount(const struct share *share, const struct rows *in, const struct token *t, struct err *err)
{
	struct coldef def = operand_column(&share->of, in);

	return agg_check(&(struct agg){ .kind = AGG_SHARE, .type = def.type }, t, def.name, err);
}

bool
share_read(struct share *share, const struct stage *s, size_t *i, struct rows *in, char **name,
    struct err *err)
{
	const struct token *first = &s->token[*i], *end;

	*i += 2;
	if (*i == s->n || s->token[*i].kind == TOKEN_CLOSE)
		return fail_at(err, E_USAGE, stage_at(s, *i), "'share' needs a column: share(self)");
	if (!operand_compile(&share->of, s, i, in, err) || !check_amount(share, in, first + 2, err))
		return false;
	if (*i < s->n && token_is(&s->token[*i], "per") && !read_per(share, s, i, in, err))
		return false;
	if (*i == s->n || s->token[*i].kind != TOKEN_CLOSE)
		return fail_at(err, E_USAGE, stage_at(s, *i), "expected 'per' or ')' after '%.*s'",
		    (int)s->token[*i - 1].text.n, s->token[*i - 1].text.s);
	end = &s->token[*i];
	++*i;
	if (calc_continues(s, *i))
		return fail_at(err, E_USAGE, first->at, "'share' must be a whole item of select");
	*name = mem_copy((struct str){ first->text.s, (size_t)(end->text.s + 1 - first->text.s) });
	return *name != NULL || fail(err, E_SYSTEM, "out of memory (query)");
}
