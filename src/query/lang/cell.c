/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cell: cells as text, for people and for programs.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lang.h"

#define MANY INT64_C(1000000000000)	/* from there on numbers are shown in another way */
#define EXACT_PLACES 9u		/* exact numbers with more decimals are rounded */

/* Most output is numbers, and printf is slow. */
static void
cell_add_digits(struct buf *b, uint64_t v)
{
	char text[20];
	size_t i = sizeof text;

	do {
		text[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	buf_add(b, text + i, sizeof text - i);
}

#define LARGE 1e6
#define FEW_DIGITS 12		/* digits of other numbers: more digits show how fractions are kept */
#define SOME_DIGITS 15		/* first digits of large numbers; more, until the same number is read again */
#define ALL_DIGITS 17		/* digits that always are enough */

/* Whole numbers have no exponent: they may be times or ids. */
static void
add_real(struct buf *b, double f)
{
	bool large = fabs(f) >= LARGE;
	int digits = large ? SOME_DIGITS : FEW_DIGITS;
	char text[NUM_TEXT];

	if (isinf(f)) {
		buf_str(b, f < 0 ? STR("-Infinity") : STR("Infinity"));
		return;
	}
	if (f == floor(f) && fabs(f) < 0x1p63) {
		buf_printf(b, "%.0f", f);
		return;
	}
	do {
		snprintf(text, sizeof text, "%.*g", digits, f);
	} while (large && strtod(text, NULL) != f && digits++ < ALL_DIGITS);
	buf_str(b, str_of(text));
}

void
cell_plain(const struct cell *c, struct buf *b)
{
	switch (c->type) {
	case CELL_INT:
		if (c->i < 0)
			buf_chr(b, '-');
		cell_add_digits(b, c->i < 0 ? 0 - (uint64_t)c->i : (uint64_t)c->i);
		break;
	case CELL_REAL:
	case CELL_PERCENT:
		add_real(b, c->f);
		break;
	case CELL_BOOL:
		buf_str(b, c->u != 0 ? STR("true") : STR("false"));
		break;
	case CELL_ADDR:
		buf_printf(b, "0x%llx", (unsigned long long)c->u);
		break;
	case CELL_DECIMAL:
		decimal_text(cell_exact(c), b);
		break;
	case CELL_ID:
	case CELL_COUNT:
	case CELL_BYTES:
	case CELL_TIME:
		cell_add_digits(b, c->u);
		break;
	case CELL_NONE:
	case CELL_TEXT:
		break;
	}
}

/* Show two decimals, or three digits if two decimals are too few or too many. */
static void
show_real(char *text, size_t size, double f)
{
	double amount = f < 0 ? -f : f;

	if (f == 0 || (amount >= 0.1 && amount < (double)MANY))
		snprintf(text, size, "%.2f", f);
	else
		snprintf(text, size, "%.3g", f);
}

/* Show money, large numbers and those with few decimals in full; false: two decimals are enough. */
static bool
show_decimal(const struct cell *c, struct buf *b)
{
	double amount = cell_real(c);

	if (c->currency != MONEY_NO_CURRENCY)
		decimal_show(cell_exact(c), b);
	else if (c->decimals <= EXACT_PLACES || amount >= (double)MANY || amount <= -(double)MANY)
		decimal_full(cell_exact(c), b);
	else
		return false;
	return true;
}

const char *
cell_type_name(enum cell_type type)
{
	static const char *const names[] = {
		[CELL_NONE] = "value", [CELL_ID] = "number", [CELL_ADDR] = "address",
		[CELL_COUNT] = "count", [CELL_INT] = "number",
		[CELL_REAL] = "number", [CELL_BYTES] = "size",
		[CELL_TIME] = "time", [CELL_PERCENT] = "percentage",
		[CELL_BOOL] = "boolean", [CELL_DECIMAL] = "amount of money", [CELL_TEXT] = "text"
	};

	return names[type];
}

const char *
cell_unit(enum cell_type type)
{
	return type == CELL_BYTES ? "bytes" : type == CELL_TIME ? "ns" : type == CELL_PERCENT ? "%" : "";
}

void
cell_show(const struct cell *c, struct buf *b)
{
	char text[NUM_TEXT];

	switch (c->type) {
	case CELL_COUNT:
		num_show_count(text, sizeof text, c->u);
		break;
	case CELL_BYTES:
		num_show_size(text, sizeof text, c->u);
		break;
	case CELL_TIME:
		num_show_duration(text, sizeof text, c->u);
		break;
	case CELL_PERCENT:
		snprintf(text, sizeof text, "%.1f%%", c->f);
		break;
	case CELL_TEXT:
		text_fit_buf(b, c->text);
		return;
	case CELL_REAL:
		show_real(text, sizeof text, c->f);
		break;
	case CELL_DECIMAL:
		if (show_decimal(c, b))
			return;
		show_real(text, sizeof text, cell_real(c));
		break;
	case CELL_NONE:
	case CELL_ID:
	case CELL_ADDR:
	case CELL_BOOL:
	case CELL_INT:
		cell_plain(c, b);
		return;
	}
	buf_str(b, str_of(text));
}

void
cell_show_in(const struct coldef *def, const struct cell *c, struct buf *b)
{
	enum cell_type type = c->type == CELL_INT && c->bytes ? CELL_BYTES : def->type;
	bool turns = c->type == CELL_INT && c->i < 0 &&
	    (type == CELL_TIME || type == CELL_BYTES || type == CELL_COUNT);

	buf_str(b, turns ? STR("-") : STR(""));
	cell_show(turns ? &(struct cell){ .type = type, .u = 0 - (uint64_t)c->i } : c, b);
}
