/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key: what rows are grouped by.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

/* ---- cells ------------------------------------------------------------------------ */

/* Round an integer down to a multiple of the width. */
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

/* Round a decimal number or money down to a multiple of the width; false: a real, or too many digits. */
static bool
bucket_exact(struct cell *c, const struct cell *width)
{
	uint32_t currency = c->type == CELL_DECIMAL ? c->currency : MONEY_NO_CURRENCY;
	struct decimal below = cell_exact(c);

	if (is_real(c->type) || is_real(width->type) || !decimal_floor(&below, cell_exact(width)))
		return false;
	cell_decimal(c, below, currency);
	*c = cell_normal(*c);
	return true;
}

static void
bucket_cell(const struct groupkey *k, struct cell *c)
{
	double width = cell_real(&k->width);

	if (c->type == CELL_NONE || c->type == CELL_TEXT)
		return;
	if (!is_real(k->width.type) && k->width.type != CELL_DECIMAL && !is_real(c->type) &&
	    c->type != CELL_DECIMAL) {
		bucket_whole(c, k->width.u);
		return;
	}
	if (!bucket_exact(c, &k->width))
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

/* ---- numbers for cells ---------------------------------------------------------------- */

/*
 * Keys are taken one after the other.  The combinations of the keys so far have numbers; such a number and a
 * cell of the next key are a combination of that key.  If a key is a number, short integers become part of
 * the combination as they are; all other cells have numbers of their own.  This depends on the cell alone, so
 * that the same combination is found again.
 */
#define NUMBER_BITS 42
#define NUMBER_BEFORE (UINT64_C(1) << (63 - NUMBER_BITS))
#define OTHER (UINT64_C(1) << 63)

/* Return the last number that a key assigned.  The first key has no combinations: its cells are numbered. */
static uint32_t *
key_last_of(const struct groupkeys *keys, struct groupkey *k)
{
	return k == keys->order[0] ? &k->cells : &k->combinations;
}

static bool
has_room(uint32_t last, struct err *err)
{
	return last < INT32_MAX || fail(err, E_SYSTEM, "too many distinct rows (limit: %d)", INT32_MAX);
}

static bool
key_enter(struct groupkeys *keys, struct groupkey *k, uint64_t what, uint32_t *number, struct err *err)
{
	struct met_key *recent = &k->recent[what * UINT64_C(0x9e3779b97f4a7c15) >> 56];
	uint32_t *last = key_last_of(keys, k);

	if (recent->number == 0 || recent->what != what) {
		if (!has_room(*last, err) || !idmap_enter(&k->known, what, *last + 1, &recent->number, err))
			return false;
		*last += recent->number > *last;
		recent->what = what;
	}
	*number = recent->number;
	return true;
}

/* Number the combination of an earlier combination and a cell with that number. */
static bool
enter_other(struct groupkeys *keys, struct groupkey *k, uint32_t before, uint32_t cell, uint32_t *number,
    struct err *err)
{
	*number = cell;
	return k == keys->order[0] || key_enter(keys, k, OTHER | (uint64_t)before << 32 | cell, number, err);
}

static bool
key_number_cell(struct groupkey *k, const struct cell *c, uint32_t *number, struct err *err)
{
	uint32_t had = k->others.texts.n, other;

	if (c->type == CELL_NONE) {
		k->empty = k->empty == 0 ? ++k->cells : k->empty;
		*number = k->empty;
		return true;
	}
	if (!has_room(k->cells, err) || !keys_cell(&k->others, 0, c, &other, err) ||
	    !scratch_array(&k->other, other, sizeof other, err))
		return false;
	if (other > had)
		SCRATCH(k->other, uint32_t)[other - 1] = ++k->cells;
	*number = SCRATCH(k->other, uint32_t)[other - 1];
	return true;
}

/* Extend combination *number by this cell; *number becomes the number of the new combination. */
static bool
key_add_cell(struct groupkeys *keys, struct groupkey *k, const struct cell *cell, uint32_t *number,
    struct err *err)
{
	struct cell c = cell_normal(*cell);
	bool brief = c.type != CELL_NONE && c.type != CELL_TEXT && c.type != CELL_DECIMAL &&
	    c.u >> NUMBER_BITS == 0;
	uint32_t own;

	if (brief && k->type == CELL_NONE)
		k->type = c.type;
	if (k->number && brief && c.type == k->type && *number < NUMBER_BEFORE)
		return key_enter(keys, k, (uint64_t)*number << NUMBER_BITS | c.u, number, err);
	return key_number_cell(k, &c, &own, err) && enter_other(keys, k, *number, own, number, err);
}

/* ---- many rows -------------------------------------------------------------------- */

#define AHEAD 8u		/* rows */
#define AHEAD_FROM 16384u	/* combinations that fit into the CPU caches */
#define PLACES_MAX (1u << 22)	/* combinations of values that are cached in an array */

struct key_room {
	struct batch	 batch;
	uint8_t		 known[BATCH];
};

bool
groupkeys_batch(struct groupkeys *keys, struct rows *in, uint64_t first, size_t n, struct batch *b)
{
	struct groupkey *key;
	size_t at = 0;

	for (size_t k = 0; k < keys->n; k++) {
		key = &keys->key[k];
		if (key->test != NULL)
			continue;
		keys->alone = keys->alone || !rows_batch(in, first, n, key->col, b);
		key->number = keys->alone || b->values == 0 || key->width.type != CELL_NONE;
	}
	/* Keys with few values come first. */
	for (unsigned numbers = 0; numbers < 2; numbers++)
		for (size_t k = 0; k < keys->n; k++)
			if (keys->key[k].number == numbers)
				keys->order[at++] = &keys->key[k];
	return !keys->alone;
}

/* Read the values of a key into the batch; false: they are unknown. */
static bool
key_values(struct groupkeys *keys, const struct groupkey *k, struct rows *in, uint64_t first, size_t n)
{
	struct batch *b = &keys->room->batch;
	const uint8_t *known = keys->room->known;

	if (k->test == NULL)
		return rows_batch(in, first, n, k->col, b) && b->values > 0;
	expr_tell(k->test, in, first, n, keys->room->known);
	b->values = KNOWN_TRUE + 1;
	b->empty = false;
	for (size_t i = 0; i < n; i++)
		b->u[i] = known[i];
	/* Conditions that cannot be decided for many rows at once are not tried again. */
	keys->alone = memchr(known, KNOWN_NOT, n) != NULL;
	return !keys->alone;
}

/* Number a combination as enter_other does, and cache the number at place. */
static bool
enter_value(struct groupkeys *keys, struct groupkey *k, uint64_t place, uint32_t cell, uint32_t *number,
    struct err *err)
{
	uint32_t *known;

	if (place >= PLACES_MAX)
		return enter_other(keys, k, *number, cell, number, err);
	if (!scratch_array(&k->place, place + 1, sizeof *known, err))
		return false;
	k->places = k->place.size / sizeof *known;
	known = &SCRATCH(k->place, uint32_t)[place];
	if (*known == 0 && !enter_other(keys, k, *number, cell, known, err))
		return false;
	*number = *known;
	return true;
}

/* A value gets the number of its cell when it is first met. */
static bool
add_values(struct groupkeys *keys, struct groupkey *k, struct rows *r, uint64_t first, size_t n,
    uint32_t *number)
{
	const struct batch *b = &keys->room->batch;
	const uint32_t *known;
	uint64_t value, place;
	uint32_t *of;
	struct cell c;

	if (!scratch_array(&k->value, b->values + 1, sizeof *of, &r->err))
		return false;
	for (size_t i = 0; i < n; i++) {
		value = b->empty && b->none[i] ? b->values : b->u[i];
		place = number[i] * (b->values + 1) + value;
		known = SCRATCH(k->place, uint32_t);
		if (place < k->places && known[place] != 0) {
			number[i] = known[place];
			continue;
		}
		of = &SCRATCH(k->value, uint32_t)[value];
		if (*of == 0 && (!groupkey_cell(k, r->in, first + i, &c, &r->err) ||
		    !key_number_cell(k, &c, of, &r->err)))
			return false;
		if (!enter_value(keys, k, place, *of, &number[i], &r->err))
			return false;
	}
	return true;
}

static bool
key_add_numbers(struct groupkeys *keys, struct groupkey *k, struct rows *r, size_t n, uint32_t *number)
{
	const struct batch *b = &keys->room->batch;
	bool ahead = k->width.type == CELL_NONE && k->known.n > AHEAD_FROM;
	struct cell c;

	for (size_t i = 0; i < n; i++) {
		if (ahead && i + AHEAD < n)
			idmap_ahead(&k->known, (uint64_t)number[i + AHEAD] << NUMBER_BITS | b->u[i + AHEAD]);
		c = (struct cell){ .type = b->empty && b->none[i] ? CELL_NONE : b->type, .u = b->u[i] };
		if (k->width.type != CELL_NONE)
			bucket_cell(k, &c);
		if (!key_add_cell(keys, k, &c, &number[i], &r->err))
			return false;
	}
	return true;
}

/* Return false if it is impossible, or if r->err is filled. */
static bool
rows_together(struct groupkeys *keys, struct rows *r, uint64_t first, size_t n, uint32_t *number)
{
	struct groupkey *k;

	memset(number, 0, n * sizeof *number);
	for (size_t i = 0; i < keys->n; i++) {
		k = keys->order[i];
		if (k->number ? !rows_batch(r->in, first, n, k->col, &keys->room->batch) ||
		    keys->room->batch.values > 0 : !key_values(keys, k, r->in, first, n))
			return false;
		if (k->number ? !key_add_numbers(keys, k, r, n, number) :
		    !add_values(keys, k, r, first, n, number))
			return false;
	}
	return true;
}

static bool
rows_alone(struct groupkeys *keys, struct rows *r, uint64_t first, size_t n, uint32_t *number)
{
	struct cell c;

	memset(number, 0, n * sizeof *number);
	for (size_t i = 0; i < n; i++) {
		if (!rows_tick(r, first + i))
			return false;
		for (size_t k = 0; k < keys->n; k++)
			if (!groupkey_cell(keys->order[k], r->in, first + i, &c, &r->err) ||
			    !key_add_cell(keys, keys->order[k], &c, &number[i], &r->err))
				return false;
	}
	return true;
}

bool
groupkeys_rows(struct groupkeys *keys, struct rows *r, uint64_t first, size_t n, uint32_t *number)
{
	if (keys->room == NULL && (keys->room = mem_array(1, sizeof *keys->room)) == NULL)
		return fail(&r->err, E_SYSTEM, "out of memory (group)");
	if (!keys->alone && rows_together(keys, r, first, n, number))
		return true;
	return r->err.kind == E_NONE && rows_alone(keys, r, first, n, number);
}

uint32_t
groupkeys_met(const struct groupkeys *keys)
{
	return *key_last_of(keys, keys->order[keys->n - 1]);
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
		set |= keys->key[i].test != NULL ? expr_touches(keys->key[i].test) :
		    COLUMN_BIT(keys->key[i].col);
	return set;
}

void
groupkeys_free(struct groupkeys *keys)
{
	for (size_t i = 0; i < keys->n; i++) {
		expr_free(keys->key[i].test);
		free(keys->key[i].name);
		idmap_free(&keys->key[i].known);
		keys_free(&keys->key[i].others);
		scratch_free(&keys->key[i].other);
		scratch_free(&keys->key[i].value);
		scratch_free(&keys->key[i].place);
	}
	free(keys->key);
	free(keys->order);
	free(keys->room);
}

/* ---- arguments -------------------------------------------------------------------- */

static bool
fail_amount(const struct token *t, const char *column, const char *is, struct err *err)
{
	return fail_at(err, E_USAGE, t->at, "'by' needs an amount; '%s' is not one (%s)", column, is);
}

static bool
check_width(const struct token *t, const struct coldef *def, struct err *err)
{
	uint64_t n;

	switch (def->type) {
	case CELL_TIME:
		return t->kind != TOKEN_WORD || !num_u64(t->text, 0, &n) || n == 0 ||
		    fail_at(err, E_USAGE, t->at,
		    "'%s' is a time; '%.*s' has no unit: %.*sms?", def->name, (int)t->text.n, t->text.s,
		    (int)t->text.n, t->text.s);
	case CELL_COUNT:
	case CELL_INT:
	case CELL_REAL:
	case CELL_BYTES:
	case CELL_PERCENT:
	case CELL_DECIMAL:
		return true;
	case CELL_NONE:
		return def->mostly < MOSTLY_TEXTS ||
		    fail_amount(t, def->name, def->mostly == MOSTLY_TEXTS ? cell_type_name(CELL_TEXT) :
		    "date", err);
	default:
		return fail_amount(t, def->name, cell_type_name(def->type), err);
	}
}

/* A width with a point is a decimal, so that it is exact for exact numbers. */
static bool
literal_width(const struct token *t, enum cell_type type, struct cell *width, struct err *err)
{
	struct decimal d;

	if (!literal_read(t, type, width, err))
		return false;
	if (width->type == CELL_REAL && decimal_read(t->text, &d))
		cell_decimal(width, d, MONEY_NO_CURRENCY);
	return true;
}

/* Parse WIDTH after "by". */
static bool
read_width(struct groupkey *k, const struct stage *s, size_t *i, const struct rows *in, struct err *err)
{
	const struct coldef *def = &in->cols[k->col];
	const struct token *t = &s->token[*i];

	if (*i == s->n)
		return fail_at(err, E_USAGE, stage_at(s, *i), "expected a width after 'by'");
	if (!check_width(t, def, err) || !literal_width(t, def->type, &k->width, err))
		return false;
	++*i;
	return (k->width.type != CELL_ID && cell_real(&k->width) > 0) ||
	    fail_at(err, E_USAGE, t->at, "bucket width must be positive");
}

/* Parse "(wall > 16ms) as slow"; without a name the text of the condition is its name. */
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
	k->name = mem_copy((struct str){ s->token[*i].text.s + 1,
	    (size_t)(s->token[end].text.s - s->token[*i].text.s) - 1 });
	*i = end + 1;
	if (*i < s->n && token_is(&s->token[*i], "by"))
		return fail_at(err, E_USAGE, stage_at(s, *i), "'by' needs a column before it");
	return k->name != NULL || fail(err, E_SYSTEM, "out of memory (query)");
}

static bool
key_read_key(struct groupkey *k, const struct stage *s, size_t *i, struct rows *in, struct err *err)
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
	keys->order = mem_array(s->n + 1, sizeof(struct groupkey *));
	if (keys->key == NULL || keys->order == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	for (size_t i = 0; i < s->n;) {
		if (s->token[i].kind == TOKEN_COMMA && keys->n > 0 && i + 1 < s->n) {
			i++;
			continue;
		}
		if (!key_read_key(&keys->key[keys->n++], s, &i, in, err))
			return false;
	}
	return true;
}
