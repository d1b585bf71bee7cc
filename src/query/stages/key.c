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

/* ---- many rows -------------------------------------------------------------------- */

#define PLACES_MAX (1u << 22)	/* combinations of values that have an array */
#define SEEN_MAX (1u << 16)	/* numbers that are remembered */
#define ALONE UINT32_MAX	/* the place of a row that has none */

struct key_room {
	struct batch	 batch;
	uint8_t		 known[BATCH];
	uint32_t	 place[BATCH];
};

bool
groupkeys_batch(struct groupkeys *keys, struct rows *in, uint64_t first, size_t n, struct batch *b)
{
	struct groupkey *key;
	size_t numbers = 0;
	bool all = true;

	for (size_t k = 0; all && k < keys->n; k++) {
		key = &keys->key[k];
		if (key->test != NULL)
			continue;
		all = rows_batch(in, first, n, key->col, b);
		key->number = b->values == 0 || key->width.type != CELL_NONE;
		numbers += key->number;
	}
	keys->alone = !all || numbers > 1;
	return !keys->alone;
}

/* The values of a key in the batch; false: they are not known. */
static bool
key_values(const struct groupkey *k, struct key_room *room, struct rows *in, uint64_t first, size_t n)
{
	struct batch *b = &room->batch;

	if (k->test == NULL)
		return rows_batch(in, first, n, k->col, b) && b->values > 0;
	expr_tell(k->test, in, first, n, room->known);
	b->values = KNOWN_TRUE + 1;
	b->empty = false;
	for (size_t i = 0; i < n; i++)
		b->u[i] = room->known[i];
	return memchr(room->known, KNOWN_NOT, n) == NULL;
}

/* Which of those seen a number is, from 1; ALONE: too many were, or rows.err is filled. */
static uint32_t
number_seen(struct groupkeys *keys, uint64_t number, struct rows *r)
{
	uint32_t at = idmap_get(&keys->seen, number);

	if (at != 0)
		return at;
	at = (uint32_t)keys->seen.n + 1;
	return at <= SEEN_MAX && idmap_put(&keys->seen, number, at, &r->err) ? at : ALONE;
}

/* The key that is a number, in front of the combinations of all others, so many. */
static bool
add_number(struct groupkeys *keys, const struct groupkey *k, struct rows *r, uint64_t first, size_t n, uint64_t others)
{
	struct key_room *room = keys->room;
	struct batch *b = &room->batch;
	uint64_t last = 0;
	uint32_t at = ALONE;
	struct cell c;

	if (is_real(k->width.type) || !rows_batch(r->in, first, n, k->col, b) || b->values > 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		c = (struct cell){ .type = b->type, .u = b->u[i] };
		if (k->width.type != CELL_NONE)
			bucket_whole(&c, k->width.u);
		if (b->empty && b->none[i])
			continue;
		if (at == ALONE || c.u != last)
			at = number_seen(keys, last = c.u, r);
		room->place[i] = at == ALONE ? ALONE : (uint32_t)(at * others + room->place[i]);
	}
	return true;
}

/* Numbers each combination of the values of all keys, in place; 0: not possible. */
static uint64_t
places(struct groupkeys *keys, struct rows *r, uint64_t first, size_t n)
{
	struct key_room *room = keys->room;
	const struct batch *b = &room->batch;
	const struct groupkey *number = NULL;
	uint64_t all = 1, value;

	memset(room->place, 0, n * sizeof *room->place);
	for (size_t k = 0; k < keys->n; k++) {
		if (keys->key[k].number) {
			number = &keys->key[k];
			continue;
		}
		/* Conditions that many rows at once do not decide are not tried again, */
		if (!key_values(&keys->key[k], room, r->in, first, n) || b->values >= PLACES_MAX / all) {
			keys->alone = keys->key[k].test != NULL;
			return 0;
		}
		for (size_t i = 0; i < n; i++) {
			value = b->empty && b->none[i] ? b->values : b->u[i];
			room->place[i] = (uint32_t)(room->place[i] * (b->values + 1) + value);
		}
		all *= b->values + 1;
	}
	if (number == NULL)
		return all;
	/* nor are too many combinations. */
	keys->alone = all > PLACES_MAX / SEEN_MAX;
	return !keys->alone && add_number(keys, number, r, first, n, all) ? (keys->seen.n + 1) * all : 0;
}

static bool
rows_by_place(struct groupkeys *keys, struct keys *known, struct rows *r, uint64_t first, size_t n, uint32_t *number)
{
	const uint32_t *place = keys->room->place;
	uint32_t *of = SCRATCH(keys->number, uint32_t), none, *to;

	for (size_t i = 0; i < n; i++) {
		none = 0;
		to = place[i] == ALONE ? &none : &of[place[i]];
		if (*to == 0 && !groupkeys_row(keys, known, r->in, first + i, to, &r->err))
			return false;
		number[i] = *to;
	}
	return true;
}

static bool
rows_alone(const struct groupkeys *keys, struct keys *known, struct rows *r, uint64_t first, size_t n, uint32_t *number)
{
	for (size_t i = 0; i < n; i++)
		if (!rows_tick(r, first + i) || !groupkeys_row(keys, known, r->in, first + i, &number[i], &r->err))
			return false;
	return true;
}

bool
groupkeys_rows(struct groupkeys *keys, struct keys *known, struct rows *r, uint64_t first, size_t n, uint32_t *number)
{
	uint64_t all;

	if (keys->alone)
		return rows_alone(keys, known, r, first, n, number);
	if (keys->room == NULL && (keys->room = mem_array(1, sizeof *keys->room)) == NULL)
		return fail(&r->err, E_SYSTEM, "out of memory (group)");
	if ((all = places(keys, r, first, n)) > 0)
		return r->err.kind == E_NONE && scratch_array(&keys->number, all, sizeof(uint32_t), &r->err) &&
		    rows_by_place(keys, known, r, first, n, number);
	return rows_alone(keys, known, r, first, n, number);
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
	free(keys->room);
	scratch_free(&keys->number);
	idmap_free(&keys->seen);
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
