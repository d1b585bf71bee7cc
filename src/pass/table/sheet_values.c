/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sheet_values: count the different values of the columns of a table in bounded memory.
 */
#include "config.h"

#include "sheet_values.h"

bool
sheet_values_open(struct sheet_values *v, uint32_t columns, uint64_t most, struct err *err)
{
	v->columns = columns;
	v->most = most;
	return array_grow(&v->column, columns + 1ull, err);
}

void
sheet_values_close(struct sheet_values *v)
{
	idmap_free(&v->seen);
	SCRATCH_FREE(&v->value, &v->column, &v->far);
}

/* ---- texts as numbers ---------------------------------------------------------------- */

bool
sheet_values_read(struct str text, enum sheet_reading as, struct decimal *d)
{
	struct amount a;

	*d = (struct decimal){ 0, 0 };
	if (as >= READ_DAY)
		return sheet_instant(text, as == READ_MONTH, &d->value);
	if (sheet_amount(text, as == READ_COMMA ? ',' : '.', &a) != AMOUNT_IS ||
	    a.units > (unsigned __int128)DECIMAL_MOST)
		return false;
	*d = (struct decimal){ a.below ? -(__int128)a.units : (__int128)a.units, a.decimals };
	return true;
}

void
sheet_values_widen(struct extreme end[2], struct decimal d, const struct sheet_field *f)
{
	for (int high = 0; high < 2; high++)
		if (!end[high].any || decimal_cmp(d, end[high].at) * (high ? 1 : -1) > 0)
			end[high] = (struct extreme){ d, *f, true };
}

/* Note a value that is not kept. */
static bool
sheet_values_pass_by(struct sheet_values *v, struct column_values *c, struct str text, const struct sheet_field *f,
    struct err *err)
{
	struct decimal d;

	if (c->far == 0) {
		if (!array_grow(&v->far, v->nfar + 1, err))
			return false;
		c->far = (uint32_t)++v->nfar;
	}
	for (int as = 0; as < READINGS; as++)
		if (sheet_values_read(text, (enum sheet_reading)as, &d))
			sheet_values_widen(v->far.at[c->far - 1].end[as], d, f);
	return true;
}

/* ---- limit --------------------------------------------------------------------------- */

static bool
sheet_values_keeps(const struct column_values *c, uint64_t key)
{
	return (key & ((UINT64_C(1) << c->zeros) - 1)) == 0;
}

/* Halve the columns with at least half as many values as the one with most of them. */
static bool
sheet_values_thin(struct sheet_values *v, struct sheet_reader *r, struct err *err)
{
	uint64_t most = 0, n = 0;
	struct sheet_value *of;
	struct column_values *c;

	for (uint32_t i = 0; i < v->columns; i++)
		most = v->column.at[i].kept > most ? v->column.at[i].kept : most;
	for (uint32_t i = 0; i < v->columns; i++)
		v->column.at[i].zeros += v->column.at[i].kept >= most / 2 && v->column.at[i].zeros < 48;
	idmap_clear(&v->seen);
	for (uint64_t i = 0; i < v->n; i++) {
		of = &v->value.at[i];
		c = &v->column.at[of->field.stamp];
		if (!sheet_values_keeps(c, of->key)) {
			c->kept--;
			if (!sheet_values_pass_by(v, c, sheet_field_text(r, &of->field), &of->field, err))
				return false;
			continue;
		}
		v->value.at[n++] = *of;
		if (!idmap_put(&v->seen, of->key, (uint32_t)n, err))
			return false;
	}
	v->n = n;
	return true;
}

bool
sheet_values_add(struct sheet_values *v, struct sheet_reader *r, uint32_t column, const struct sheet_field *f,
    struct str text, uint64_t key, uint64_t n, struct err *err)
{
	static const struct sheet_field none = { "", "", FORM_PLAIN, 0 };
	struct column_values *c = &v->column.at[column];
	struct sheet_value value = { f == NULL ? none : *f, key, n };
	uint32_t found = idmap_get(&v->seen, key);

	if (found != 0) {
		v->value.at[found - 1].n += n;
		return true;
	}
	value.field.stamp = column;
	if (!sheet_values_keeps(c, key))
		return sheet_values_pass_by(v, c, text, &value.field, err);
	c->kept++;
	if (!array_add(&v->value, &v->n, &value, err) || !idmap_put(&v->seen, key, (uint32_t)v->n, err))
		return false;
	return v->n < v->most || sheet_values_thin(v, r, err);
}

uint64_t
sheet_values_distinct(const struct sheet_values *v, uint32_t column)
{
	return v->column.at[column].kept << v->column.at[column].zeros;
}
