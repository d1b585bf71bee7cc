/*
 * keys: distinct byte strings.
 */
#include "config.h"

#include <string.h>

#include "lang.h"

struct str
keys_text(const struct keys *k, uint32_t number)
{
	const uint64_t *end = SCRATCH(k->end, uint64_t);
	uint64_t from = number == 1 ? 0 : end[number - 2];

	return (struct str){ SCRATCH(k->bytes, char) + from, end[number - 1] - from };
}

static bool
add(struct keys *k, struct str key, uint32_t chain, struct err *err)
{
	uint64_t used = k->n == 0 ? 0 : SCRATCH(k->end, uint64_t)[k->n - 1];

	if (k->n == UINT32_MAX)
		return fail(err, E_SYSTEM, "too many distinct rows (limit: %u)", UINT32_MAX);
	/* Allocate n + 1 so that an empty string has an address. */
	if (!scratch_array(&k->bytes, used + key.n + 1, 1, err) ||
	    !scratch_array(&k->end, k->n + 1ull, sizeof(uint64_t), err) ||
	    !scratch_array(&k->chain, k->n + 1ull, sizeof(uint32_t), err))
		return false;
	if (key.n > 0)
		memcpy(SCRATCH(k->bytes, char) + used, key.s, key.n);
	SCRATCH(k->end, uint64_t)[k->n] = used + key.n;
	SCRATCH(k->chain, uint32_t)[k->n] = chain;
	k->n++;
	return true;
}

/* Return the number of a key; 0: not found.  last: the last key with the same hash. */
static uint32_t
keys_find(const struct keys *k, struct str key, uint32_t last)
{
	while (last != 0 && !str_eq(keys_text(k, last), key))
		last = SCRATCH(k->chain, uint32_t)[last - 1];
	return last;
}

bool
keys_number(struct keys *k, struct str key, uint32_t *number, struct err *err)
{
	uint64_t h = idmap_hash_text(key, 0);
	uint32_t last = idmap_get(&k->last, h);

	*number = keys_find(k, key, last);
	if (*number != 0)
		return true;
	if (!add(k, key, last, err))
		return false;
	*number = k->n;
	return idmap_put(&k->last, h, *number, err);
}

void
keys_free(struct keys *k)
{
	scratch_free(&k->bytes);
	scratch_free(&k->end);
	scratch_free(&k->chain);
	idmap_free(&k->last);
	buf_free(&k->row);
	k->n = 0;
}

static struct str
without_number(struct str s)
{
	size_t n = s.n;

	while (n > 0 && is_digit(s.s[n - 1]))
		n--;
	return n > 1 && n < s.n && s.s[n - 1] == '@' && s.s[n - 2] == ' ' ? (struct str){ s.s, n - 2 } : s;
}

/* Append bytes that are the same for equal cells only. */
static void
keys_add_cell(struct buf *b, const struct cell *cell)
{
	struct cell c = cell_normal(*cell);
	uint64_t n = c.type == CELL_TEXT ? c.text.n : c.u;

	buf_chr(b, (char)c.type);
	if (c.type == CELL_NONE)
		return;
	if (c.type == CELL_DECIMAL) {
		buf_printf(b, "%u ", c.currency);
		decimal_text(cell_exact(&c), b);
		buf_chr(b, '\0');
		return;
	}
	buf_add(b, &n, sizeof n);
	if (c.type == CELL_TEXT)
		buf_str(b, c.text);
}

void
keys_begin(struct keys *k)
{
	buf_clear(&k->row);
}

void
keys_add(struct keys *k, const struct cell *c)
{
	struct cell short_one = *c;

	if (c->type == CELL_TEXT && k->unnumbered)
		short_one.text = without_number(c->text);
	keys_add_cell(&k->row, &short_one);
}

bool
keys_end(struct keys *k, uint32_t *number, struct err *err)
{
	if (k->row.bad)
		return fail(err, E_SYSTEM, "out of memory (row)");
	return keys_number(k, buf_view(&k->row), number, err);
}

bool
keys_row(struct keys *k, struct rows *rows, uint64_t row, const struct column_ref *ref, size_t n, uint32_t *number,
    struct err *err)
{
	struct cell c;

	keys_begin(k);
	for (size_t i = 0; i < n; i++) {
		rows_cell(rows, row, ref[i].col, &c);
		keys_add(k, &c);
	}
	return keys_end(k, number, err);
}

static void
begin_cell(struct keys *k, uint32_t group, const struct cell *c)
{
	keys_begin(k);
	buf_add(&k->row, &group, sizeof group);
	keys_add(k, c);
}

bool
keys_cell(struct keys *k, uint32_t group, const struct cell *c, uint32_t *number, struct err *err)
{
	begin_cell(k, group, c);
	return keys_end(k, number, err);
}

bool
keys_have(struct keys *k, uint32_t group, const struct cell *c)
{
	begin_cell(k, group, c);
	return !k->row.bad && keys_find(k, buf_view(&k->row), idmap_get(&k->last, idmap_hash_text(buf_view(&k->row), 0))) != 0;
}
