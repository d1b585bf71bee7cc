/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make: convert rows to columns, and counts to facts.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"

/* ---- columns ----------------------------------------------------------------- */

#define ROWS_A_TICK 1024u		/* values read and written at once */
#define COLUMNS_AT_ONCE 16u

/* In a ring, rows continue at its start. */
static inline const uint8_t *
make_next_row(const struct make_rows *r, const uint8_t *row)
{
	row += r->size;
	return r->ring > 0 && row == (const uint8_t *)r->data + r->ring * r->size ? r->data : row;
}

/* Read the values of n rows from first on; values that are not integers as their bits. */
static void
read_values(const struct make_column *c, const struct make_rows *r, uint64_t first, size_t n, uint64_t *v)
{
	uint64_t place = r->ring == 0 ? first : (r->first + first) % r->ring;
	const uint8_t *row = (const uint8_t *)r->data + place * r->size;

#define READ(value) for (size_t i = 0; i < n; i++, row = make_next_row(r, row)) v[i] = (value)
#define MEMBER(type) (*(const type *)(const void *)(row + c->at))
	switch (c->as) {
	case MAKE_NUMBER: READ(first + i + 1); return;
	case MAKE_METHOD: READ(4 * (first + i + 1)); return;
	case MAKE_NO_LINE: READ(UINT64_MAX); return;
	case MAKE_REF: READ(make_ref(r->text, MEMBER(struct str))); return;
	}
	switch (c->width) {
	case 1: READ(MEMBER(uint8_t)); break;
	case 2: READ(MEMBER(uint16_t)); break;
	case 4: READ(MEMBER(uint32_t)); break;
	default: READ(MEMBER(uint64_t));
	}
#undef MEMBER
#undef READ
}

/* Find the largest value, which determines the type of a narrow column. */
static bool
make_find_most(const struct make_column *c, const struct make_rows *r, uint64_t *most, struct err *err)
{
	uint64_t v[ROWS_A_TICK], all = 0;

	*most = 0;
	for (uint64_t i = 0; i < r->n; i += ROWS_A_TICK) {
		size_t n = r->n - i < ROWS_A_TICK ? (size_t)(r->n - i) : ROWS_A_TICK;

		if (!work_go(r->work, i, err))
			return false;
		read_values(c, r, i, n, v);
		/* Only the number of bits matters, so OR replaces the maximum. */
		for (size_t k = 0; k < n; k++)
			all |= v[k];
	}
	*most = all;
	return true;
}

static bool
find_type(const struct make_column *c, const struct make_rows *r, enum column_type *type, struct err *err)
{
	uint64_t most;

	assert(c->as == MAKE_REF || c->width == 1 || c->width == 2 || c->width == 4 || c->width == 8);
	assert(c->as >= MAKE_ZERO || c->at + c->width <= r->size);
	assert((c->as != MAKE_SIGNED && c->as != MAKE_REAL) || c->width == 8);
	switch (c->as) {
	case MAKE_REAL:
		*type = COL_F64;
		return true;
	case MAKE_SIGNED:
	case MAKE_NO_LINE:
		*type = COL_I64;
		return true;
	case MAKE_METHOD:
	case MAKE_REF:
		*type = COL_U64;
		return true;
	case MAKE_NARROW:
		if (!make_find_most(c, r, &most, err))
			return false;
		*type = column_fit(most);
		return true;
	case MAKE_NUMBER:
		*type = column_fit(r->n);
		return true;
	}
	*type = c->width == 1 ? COL_U8 : c->width == 2 ? COL_U16 : c->width == 4 ? COL_U32 : COL_U64;
	return true;
}

/* Some columns, together: the rows pass through memory once. */
static bool
make_some(struct store *st, const struct make_column *c, size_t n, const struct make_rows *r, struct err *err)
{
	enum column_type type[COLUMNS_AT_ONCE];
	void *to[COLUMNS_AT_ONCE];
	uint64_t v[ROWS_A_TICK];

	assert(n <= COLUMNS_AT_ONCE);
	for (size_t k = 0; k < n; k++) {
		to[k] = find_type(&c[k], r, &type[k], err) ? store_make(st, c[k].col, type[k], r->n, err) : NULL;
		if (to[k] == NULL)
			return false;
	}
	for (uint64_t i = 0; i < r->n; i += ROWS_A_TICK) {
		size_t some = r->n - i < ROWS_A_TICK ? (size_t)(r->n - i) : ROWS_A_TICK;

		if (!work_go(r->work, i, err))
			return false;
		resident_row(i / ROWS_A_TICK);
		for (size_t k = 0; k < n; k++) {
			if (c[k].as == MAKE_ZERO)
				continue;
			read_values(&c[k], r, i, some, v);
			column_set_many(to[k], type[k], i, v, some);
		}
	}
	return true;
}

bool
make_columns(struct store *st, const struct make_column *c, size_t n, struct make_rows rows, struct err *err)
{
	assert(rows.data != NULL || rows.n == 0);
	for (size_t i = 0; i < n; i += COLUMNS_AT_ONCE)
		if (!make_some(st, c + i, n - i < COLUMNS_AT_ONCE ? n - i : COLUMNS_AT_ONCE, &rows, err))
			return false;
	return true;
}

bool
make_copy(struct store *st, column_id col, enum column_type type, const void *data, uint64_t rows,
    struct err *err)
{
	void *to = store_make(st, col, type, rows, err);

	assert(data != NULL || rows == 0);
	if (to != NULL && rows > 0)
		memcpy(to, data, (size_t)rows * column_width(type));
	return to != NULL;
}

bool
make_segment(struct store *st, struct err *err)
{
	return store_make(st, COL_SEGMENT_OFFSET, COL_U64, 1, err) != NULL &&
	    store_make(st, COL_SEGMENT_ROW, COL_U64, 1, err) != NULL;
}

/* ---- order ------------------------------------------------------------------- */

/* Range of a digit: smaller if there are few rows, because counting would cost more than the rows. */
#define DIGIT_BITS(n) ((n) < 16384 ? 8u : 16u)

static inline uint64_t
make_key_of(const uint8_t *rows, uint64_t i, size_t size)
{
	uint64_t key;

	memcpy(&key, rows + i * size, sizeof key);
	return key;
}

/* The bits of the key that are not the same in all rows; 0: the rows are in order already. */
static uint64_t
bits_that_differ(const uint8_t *rows, uint64_t n, size_t size)
{
	uint64_t first = make_key_of(rows, 0, size), last = first, key, differ = 0;
	bool ordered = true;

	for (uint64_t i = 0; i < n; i++, last = key) {
		resident_row(i);
		key = make_key_of(rows, i, size);
		differ |= key ^ first;
		ordered = ordered && key >= last;
	}
	return ordered ? 0 : differ;
}

/* Run one pass of a counting sort by a digit of the key. */
static void
make_sort_digit(const uint8_t *from, uint8_t *to, uint64_t n, size_t size, unsigned shift, uint64_t *count)
{
	uint64_t k, sum = 0, digits = (uint64_t)1 << DIGIT_BITS(n);

	memset(count, 0, digits * sizeof *count);
	for (uint64_t i = 0; i < n; i++) {
		resident_row(i);
		count[make_key_of(from, i, size) >> shift & (digits - 1)]++;
	}
	for (uint64_t i = 0; i < digits; i++) {
		k = count[i];
		count[i] = sum;
		sum += k;
	}
	assert(sum == n);
	for (uint64_t i = 0; i < n; i++) {
		resident_row(i);
		memcpy(to + count[make_key_of(from, i, size) >> shift & (digits - 1)]++ * size, from + i * size, size);
	}
}

bool
make_sort(struct scratch *rows, uint64_t n, size_t size, struct work *w, struct err *err)
{
	struct scratch other = SCRATCH_INIT, counts = SCRATCH_INIT, swap;
	uint64_t differ;
	bool ok;

	assert(size >= sizeof(uint64_t));
	if (n == 0)
		return true;
	differ = bits_that_differ(rows->data, n, size);
	ok = differ == 0 || (scratch_array(&other, n, size, err) &&
	    scratch_array(&counts, (uint64_t)1 << DIGIT_BITS(n), sizeof(uint64_t), err));
	for (unsigned shift = 0; ok && shift < 64; shift += DIGIT_BITS(n)) {
		ok = work_tick(w, shift) || fail_cancel(err);
		if (ok && (differ >> shift & (((uint64_t)1 << DIGIT_BITS(n)) - 1)) != 0) {
			make_sort_digit(rows->data, other.data, n, size, shift, SCRATCH(counts, uint64_t));
			swap = *rows;
			*rows = other;
			other = swap;
		}
	}
	SCRATCH_FREE(&other, &counts);
	return ok;
}

static void
swap_keys(struct scratch *rows, uint64_t n, size_t size)
{
	uint64_t keys[2], swapped[2];
	uint8_t *row = rows->data;

	for (uint64_t i = 0; i < n; i++, row += size) {
		resident_row(i);
		memcpy(keys, row, sizeof keys);
		swapped[0] = keys[1];
		swapped[1] = keys[0];
		memcpy(row, swapped, sizeof swapped);
	}
}

/* Return whether rows sorted by the first key are also sorted by the second. */
static bool
are_in_order(const uint8_t *row, uint64_t n, size_t size)
{
	uint64_t was[2], keys[2];

	for (uint64_t i = 0; i < n; i++, row += size) {
		resident_row(i);
		memcpy(keys, row, sizeof keys);
		if (i > 0 && keys[0] == was[0] && keys[1] < was[1])
			return false;
		memcpy(was, keys, sizeof was);
	}
	return true;
}

bool
make_sort_both(struct scratch *rows, uint64_t n, size_t size, struct work *w, struct err *err)
{
	assert(size >= 2 * sizeof(uint64_t));
	if (!make_sort(rows, n, size, w, err))
		return false;
	/* Writers flush the events of a thread in order, so the file is often sorted already. */
	if (are_in_order(rows->data, n, size))
		return true;
	swap_keys(rows, n, size);
	if (!make_sort(rows, n, size, w, err))
		return false;
	swap_keys(rows, n, size);
	return make_sort(rows, n, size, w, err);
}

uint64_t
make_place(const void *rows, uint64_t n, size_t size, uint64_t value)
{
	uint64_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (make_key_of(rows, middle, size) < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- facts ------------------------------------------------------------------- */

bool
make_facts(struct store *st, const struct make_fact *f, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		bool text = fact_type(f[i].id) == FACT_TEXT, any = text ? f[i].text.n > 0 : f[i].value != 0;

		if (f[i].how == MAKE_ANY && !any)
			continue;
		if (text ? !fact_set_text(st, f[i].id, f[i].text, err) : !fact_set(st, f[i].id, f[i].value, err))
			return false;
	}
	return true;
}

bool
make_counts(struct store *st, const struct make_count *f, size_t n, const uint64_t *counts, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (counts[f[i].count] != 0 && !fact_set(st, f[i].id, counts[f[i].count], err))
			return false;
	return true;
}

bool
make_whole(const struct store *st, uint64_t n, struct err *err)
{
	struct str reason = fact_text(st, FACT_LOSS_REASON);

	if (n > 0 || !store_damaged(st))
		return true;
	return reason.n > 0 ? fail(err, E_UNREADABLE, "%.*s", (int)reason.n, reason.s) :
	    fail(err, E_UNREADABLE, "damaged: no complete record in this file");
}

/* ---- rows --------------------------------------------------------------------- */

void *
make_row_fail(uint64_t most, const char *what, struct err *err)
{
	fail(err, E_UNREADABLE, "too many %2$s (limit: %1$llu)", (unsigned long long)most, what);
	return NULL;
}

/* ---- text --------------------------------------------------------------------- */

static bool
make_take_digits(struct str *s, size_t n, int base, uint64_t *v)
{
	if (!num_u64((struct str){ s->s, n }, base, v))
		return false;
	*s = str_after(*s, n);
	return true;
}

bool
str_number(struct str *s, uint64_t *v)
{
	return make_take_digits(s, str_digits(*s), 10, v);
}

bool
str_number_any(struct str *s, uint64_t *v)
{
	size_t n = 2;

	if (s->n <= 2 || s->s[0] != '0' || (s->s[1] | 32) != 'x')
		return str_number(s, v);
	while (n < s->n && is_hex(s->s[n]))
		n++;
	return make_take_digits(s, n, 0, v);
}
