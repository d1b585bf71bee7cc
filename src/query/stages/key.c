/*
 * key: what rows are grouped by.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

/* ---- cells ------------------------------------------------------------------------ */

/* The greatest multiple of the width that is not greater. */
static void
bucket_whole(struct cell *c, uint64_t width)
{
	uint64_t below;

	if (c->type != CELL_INT || c->i >= 0) {
		c->u -= c->u % width;
		return;
	}
	below = 0 - (uint64_t)c->i;
	below += below % width == 0 ? 0 : width - below % width;
	c->i = below > INT64_MAX ? INT64_MIN : -(int64_t)below;
}

static void
bucket_cell(const struct groupkey *k, struct cell *c)
{
	double width = cell_real(&k->width);

	if (c->type == CELL_NONE || c->type == CELL_TEXT)
		return;
	if (!is_real(k->width.type) && !is_real(c->type) && c->type != CELL_DECIMAL) {
		bucket_whole(c, k->width.u);
		return;
	}
	*c = (struct cell){ .type = c->type == CELL_PERCENT ? CELL_PERCENT : CELL_REAL,
	    .f = floor(cell_real(c) / width) * width + 0.0 };
}

bool
groupkey_cell(const struct groupkey *k, struct rows *in, uint64_t row, struct cell *c, struct err *err)
{
	bool yes;

	if (k->test != NULL) {
		if (!expr_test(k->test, in, row, &yes, err))
			return false;
		*c = (struct cell){ .type = CELL_BOOL, .u = yes };
		return true;
	}
	rows_cell(in, row, k->col, c);
	if (k->width.type != CELL_NONE)
		bucket_cell(k, c);
	return true;
}

bool
groupkeys_row(const struct groupkeys *keys, struct keys *known, struct rows *in, uint64_t row, uint32_t *number,
    struct err *err)
{
	struct cell c;

	keys_begin(known);
	for (size_t i = 0; i < keys->n; i++) {
		if (!groupkey_cell(&keys->key[i], in, row, &c, err))
			return false;
		keys_add(known, &c);
	}
	return keys_end(known, number, err);
}

/* ---- columns ---------------------------------------------------------------------- */

struct coldef
groupkey_column(const struct groupkey *k, const struct rows *in)
{
	struct coldef def;

	if (k->test != NULL)
		return (struct coldef){ k->name, CELL_BOOL, "whether the condition holds", false };
	def = in->cols[k->col];
	def.more = false;
	return def;
}

uint64_t
groupkeys_touch(const struct groupkeys *keys)
{
	uint64_t set = 0;

	for (size_t i = 0; i < keys->n; i++)
		set |= keys->key[i].test != NULL ? expr_touches(keys->key[i].test) : COLUMN_BIT(keys->key[i].col);
	return set;
}

void
groupkeys_free(struct groupkeys *keys)
{
	for (size_t i = 0; i < keys->n; i++) {
		expr_free(keys->key[i].test);
		free(keys->key[i].name);
	}
	free(keys->key);
}

/* ---- arguments -------------------------------------------------------------------- */

static bool
check_width(const struct token *t, const struct coldef *def, struct err *err)
{
	uint64_t n;

	switch (def->type) {
	case CELL_TIME:
		return t->kind != TOKEN_WORD || !num_u64(t->text, 0, &n) || n == 0 || fail_at(err, E_USAGE, t->at,
		    "'%s' is a time; '%.*s' has no unit: %.*sms?", def->name, (int)t->text.n, t->text.s, (int)t->text.n, t->text.s);
	case CELL_COUNT:
	case CELL_INT:
	case CELL_REAL:
	case CELL_BYTES:
	case CELL_PERCENT:
	case CELL_NONE:
		return true;
	default:
		return fail_at(err, E_USAGE, t->at, "'by' needs an amount; '%s' is not one (%s)", def->name,
		    cell_type_name(def->type));
	}
}

/* WIDTH behind "by". */
static bool
read_width(struct groupkey *k, const struct stage *s, size_t *i, const struct rows *in, struct err *err)
{
	const struct coldef *def = &in->cols[k->col];
	const struct token *t = &s->token[*i];

	if (*i == s->n)
		return fail_at(err, E_USAGE, stage_at(s, *i), "expected a width after 'by'");
	if (!check_width(t, def, err) || !literal_read(t, def->type, &k->width, err))
		return false;
	++*i;
	return (k->width.type != CELL_ID && cell_real(&k->width) > 0) || fail_at(err, E_USAGE, t->at, "bucket width must be positive");
}

/* "(wall > 16ms) as slow"; without a name it is called as it is written. */
static bool
read_condition(struct groupkey *k, const struct stage *s, size_t *i, struct rows *in, struct err *err)
{
	struct stage inner = *s;
	size_t end = token_closing(s->token, s->n, *i, NULL);

	if (end == s->n)
		return fail_at(err, E_USAGE, stage_at(s, *i), "missing )");
	inner.token = &s->token[*i + 1];
	inner.n = end - *i - 1;
	inner.end = stage_at(s, end);
	if (!expr_compile(&k->test, &inner, in, err))
		return false;
	if (end + 1 < s->n && token_is(&s->token[end + 1], "as")) {
		*i = end + 3;
		return stage_name(s, end + 2, &k->name, err);
	}
	k->name = mem_copy((struct str){ s->token[*i].text.s + 1, (size_t)(s->token[end].text.s - s->token[*i].text.s) - 1 });
	*i = end + 1;
	if (*i < s->n && token_is(&s->token[*i], "by"))
		return fail_at(err, E_USAGE, stage_at(s, *i), "'by' needs a column before it");
	return k->name != NULL || fail(err, E_SYSTEM, "out of memory (query)");
}

static bool
read_key(struct groupkey *k, const struct stage *s, size_t *i, struct rows *in, struct err *err)
{
	const struct token *t = &s->token[*i];
	int col;

	k->width.type = CELL_NONE;
	if (t->kind == TOKEN_OPEN)
		return read_condition(k, s, i, in, err);
	col = rows_need_column(in, t, t->text, err);
	if (col < 0)
		return false;
	k->col = (size_t)col;
	++*i;
	if (*i == s->n || !token_is(&s->token[*i], "by"))
		return true;
	++*i;
	return read_width(k, s, i, in, err);
}

bool
groupkeys_read(struct groupkeys *keys, const struct stage *s, struct rows *in, struct err *err)
{
	keys->key = mem_array(s->n + 1, sizeof *keys->key);
	if (keys->key == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	for (size_t i = 0; i < s->n;) {
		if (s->token[i].kind == TOKEN_COMMA && keys->n > 0 && i + 1 < s->n) {
			i++;
			continue;
		}
		if (!read_key(&keys->key[keys->n++], s, &i, in, err))
			return false;
	}
	return true;
}
