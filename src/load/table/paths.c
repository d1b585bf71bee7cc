/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paths: the columns of --path form a stack, those of --weight its weights. Sums are stored by path (with
 * --time by path and time), not by record, as exact 128-bit integers with a common scale.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "paths.h"

#define TICK 256u
#define ODD_SHOWN 40u	/* maximum bytes of a value in a message */
#define BIAS ((uint64_t)1 << 63)	/* times before 1970 are negative */

/* ---- the stack of a record ---------------------------------------------------------- */

/* If white space is only single blanks between words, nothing needs to be done. */
static bool
is_tidy(struct str s)
{
	char before = ' ';

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.s[i];

		if (c <= 0x20 || c >= 0xc2)
			if ((c == ' ' && before == ' ') || (c >= '\t' && c <= '\r') ||
			    (c >= 0x1c && c <= 0x1f) || c == 0xc2 || (c >= 0xe1 && c <= 0xe3))
				return false;
		before = (char)c;
	}
	return before != ' ';
}

static struct str
paths_tidy(struct str s, struct buf *b)
{
	size_t n;

	if (is_tidy(s))
		return s;
	s = sheet_trim(s);
	buf_clear(b);
	while (s.n > 0) {
		if ((n = sheet_space(s)) == 0) {
			buf_chr(b, s.s[0]);
			s = str_after(s, 1);
			continue;
		}
		buf_chr(b, ' ');
		while ((n = sheet_space(s)) > 0)
			s = str_after(s, n);
	}
	return b->n > 0 ? buf_view(b) : STR("(empty)");
}

static bool
paths_push(struct paths *p, uint32_t *stack, struct str name, struct err *err)
{
	uint32_t frame = samples_frame(&p->s, name.n > 0 ? name : STR("(empty)"), STR(""), 0, err);

	if (p->text.bad)
		return fail(err, E_SYSTEM, "out of memory (name)");
	*stack = frame == 0 ? 0 : samples_stack(&p->s, *stack, frame, err);
	return *stack != 0;
}

static bool
push_split(struct paths *p, uint32_t *stack, struct str text, char at, struct err *err)
{
	struct str piece, whole = text;
	unsigned n = 0;

	while (n < SPLIT_MOST && str_split(&text, at, &piece)) {
		piece = sheet_trim(piece);
		if (piece.n == 0)
			continue;
		if (!paths_push(p, stack, paths_tidy(piece, &p->text), err))
			return false;
		n++;
	}
	/* "/" alone */
	return n > 0 || paths_push(p, stack, paths_tidy(whole, &p->text), err);
}

static bool
is_month_first(const struct paths *p, uint32_t column)
{
	assert(column < p->l->sheet.names.n);
	return sheet_month_first(&p->l->votes[column]);
}

/* Shorten a date, for example to "2026-11". In the --time column any time format counts as a date. */
static struct str
paths_date_text(struct paths *p, const struct path_part *part, struct str s)
{
	struct sheet_day d;
	unsigned hour = 0;
	int64_t ns;

	if (p->l->asked.time == part->column + 1 && sheet_moment(s, is_month_first(p, part->column), &ns))
		sheet_day_of(ns, &d, &hour);
	else if (!sheet_date(s, is_month_first(p, part->column), &d))
		return STR("(no date)");
	else
		hour = sheet_hour(d.rest);
	buf_clear(&p->text);
	buf_printf(&p->text, "%04u", (unsigned)d.is.year);
	if (part->how != PART_YEAR)
		buf_printf(&p->text, "-%02u", d.is.month);
	if (part->how != PART_YEAR && part->how != PART_MONTH)
		buf_printf(&p->text, "-%02u", d.is.day);
	if (part->how == PART_HOUR)
		buf_printf(&p->text, " %02u:00", hour);
	return buf_view(&p->text);
}

static bool
push_part(struct paths *p, const struct path_part *part, uint32_t *stack, struct str text, struct err *err)
{
	if (part->how == PART_WHOLE)
		return paths_push(p, stack, paths_tidy(text, &p->text), err);
	if (part->how == PART_SPLIT)
		return push_split(p, stack, text, part->at, err);
	return paths_push(p, stack, paths_date_text(p, part, text), err);
}

/* Records often have the same path as the previous one, or its beginning. */
static bool
paths_find_stack(struct paths *p, uint32_t *stack, struct err *err)
{
	bool same = true;
	struct last *last;
	struct str text;

	*stack = 0;
	for (uint32_t i = 0; i < p->l->asked.nparts; i++) {
		last = &p->last[i];
		text = sheet_text(&p->r, p->l->asked.part[i].column);
		same = same && last->stack != 0 && str_eq(text, buf_view(&last->text));
		if (same) {
			*stack = last->stack;
			continue;
		}
		buf_clear(&last->text);
		buf_str(&last->text, text);
		last->stack = 0;
		if (!push_part(p, &p->l->asked.part[i], stack, text, err))
			return false;
		last->stack = last->text.bad ? 0 : *stack;
	}
	return true;
}

/* ---- sums --------------------------------------------------------------------------------- */

/* Raise the decimals of all sums; false: a sum would overflow. */
static bool
more_decimals(struct paths *p, unsigned decimals)
{
	wide factor = wide_power(decimals - p->decimals), most = ~(wide)0 / factor;
	uint32_t n = p->l->asked.nweights;
	struct tally *t = SCRATCH(p->tally, struct tally);

	assert(decimals > p->decimals);
	for (uint32_t i = 0; i < n; i++)
		if (p->total[i].in > most || p->total[i].out > most)
			return false;
	for (uint64_t i = 0; i < p->nrows * n; i++) {
		t[i].in *= factor;
		t[i].out *= factor;
	}
	for (uint32_t i = 0; i < n; i++) {
		p->total[i].in *= factor;
		p->total[i].out *= factor;
	}
	p->decimals = decimals;
	return true;
}

static bool
add_units(wide *sum, wide units)
{
	return !__builtin_add_overflow(*sum, units, sum);
}

/* Make room for the decimals of an amount, or round it. */
static void
fit_decimals(struct paths *p, struct amount *a)
{
	wide rest;

	if (a->decimals <= p->decimals || more_decimals(p, a->decimals))
		return;
	rest = wide_power(a->decimals - p->decimals);
	a->units = a->units / rest + (a->units % rest >= rest / 2);
	a->decimals = p->decimals;
	a->rounded = true;
}

/* Scale an amount to the decimals of the sums; false: overflow. */
static bool
paths_scale(const struct paths *p, struct amount *a)
{
	assert(a->decimals <= p->decimals);
	return !__builtin_mul_overflow(a->units, wide_power(p->decimals - a->decimals), &a->units);
}

static bool
add_amount(struct paths *p, struct tally *t, struct tally *total, const struct amount *a)
{
	if (!add_units(a->below ? &total->out : &total->in, a->units))
		return false;
	p->l->rounded += a->rounded;
	if (a->below && a->units > 0) {
		t->out += a->units;
		t->nout++;
		total->nout++;
	} else {
		t->in += a->units;
		t->nin++;
		total->nin++;
	}
	return true;
}

/* Read the amounts of a record; *any: at least one is a number that fits. */
static void
read_amounts(struct paths *p, struct amount *a, bool *is, bool *any)
{
	const struct asked *asked = &p->l->asked;
	enum amount_verdict v;
	struct str text;
	char mark;
	bool large = false;

	*any = asked->nweights == 0;
	for (uint32_t i = 0; i < asked->nweights; i++) {
		text = sheet_text(&p->r, asked->weight[i].column);
		mark = asked->mark != '\0' ? asked->mark : sheet_mark(&p->l->votes[asked->weight[i].column]);
		v = text.n == 0 ? AMOUNT_NONE : sheet_amount(text, mark, &a[i]);
		large |= v == AMOUNT_TOO_LARGE;
		is[i] = v == AMOUNT_IS;
		if (is[i])
			fit_decimals(p, &a[i]);
	}
	for (uint32_t i = 0; i < asked->nweights; i++)
		if (is[i]) {
			is[i] = paths_scale(p, &a[i]);
			large |= !is[i];
			*any |= is[i];
		}
	if (!*any && !large && p->l->no_weight == 0)
		buf_str(&p->l->odd, str_head(sheet_text(&p->r, asked->weight[0].column), ODD_SHOWN));
	p->l->too_large += large;
	p->l->no_weight += !*any && !large;
}

/* Return the row for a stack and a time: the last row of this stack, or a new one. */
static bool
find_row(struct paths *p, uint32_t stack, uint64_t time, uint64_t *at, struct err *err)
{
	struct path_row new = { .time = time, .offset = (uint64_t)(p->r.record - p->l->sheet.data),
	    .stack = stack };
	uint32_t n = p->l->asked.nweights;
	uint32_t *of;

	if (!scratch_array(&p->of_stack, stack + 1ull, sizeof *of, err))
		return false;
	of = &SCRATCH(p->of_stack, uint32_t)[stack];
	assert(*of <= p->nrows);
	if (*of != 0 && SCRATCH(p->row, struct path_row)[*of - 1].time == time) {
		*at = *of - 1;
		return true;
	}
	if (!make_add(&p->row, &p->nrows, &new, sizeof new, MAKE_MOST, "paths with their times", err) ||
	    (n > 0 && !scratch_array(&p->tally, p->nrows * n, sizeof(struct tally), err)))
		return false;
	*of = (uint32_t)p->nrows;
	*at = p->nrows - 1;
	return true;
}

static uint64_t
time_of(struct paths *p)
{
	uint32_t column = p->l->asked.time;
	int64_t ns;

	if (column == 0)
		return 0;
	if (sheet_moment(sheet_text(&p->r, column - 1), is_month_first(p, column - 1), &ns))
		return (uint64_t)ns + BIAS;
	p->l->no_time++;
	return SAMPLE_NO_TIME;
}

static bool
take_record(struct paths *p, struct err *err)
{
	struct amount a[WEIGHTS_MOST];
	bool is[WEIGHTS_MOST], any;
	uint32_t stack, n = p->l->asked.nweights;
	struct tally *t;
	uint64_t row;

	read_amounts(p, a, is, &any);
	if (!any)
		return true;
	if (!paths_find_stack(p, &stack, err) || !find_row(p, stack, time_of(p), &row, err))
		return false;
	assert(row < p->nrows);
	p->records++;
	SCRATCH(p->row, struct path_row)[row].records++;
	for (uint32_t i = 0; i < n; i++) {
		t = &SCRATCH(p->tally, struct tally)[row * n + i];
		if (is[i] && !add_amount(p, t, &p->total[i], &a[i]))
			p->l->too_large++;
	}
	return true;
}

static bool
paths_read_records(struct paths *p, struct err *err)
{
	const struct sheet *s = &p->l->sheet;

	work_start_bytes(p->l->work, "paths", (uint64_t)(s->end - s->data));
	for (uint64_t n = 0; sheet_next(&p->r, err); n++)
		if ((n % TICK == 0 && !work_go(p->l->work, (uint64_t)(p->r.record - s->data), err)) ||
		    !take_record(p, err))
			return false;
	return err->kind == E_NONE;
}

bool
load_paths(struct load *l, struct err *err)
{
	struct paths p = { .l = l };
	bool ok;

	samples_open(&p.s, l->st, l->work);
	ok = sheet_reader_open(&p.r, &l->sheet, l->sheet.first, l->sheet.line, err) &&
	    paths_read_records(&p, err) &&
	    (l->asked.time == 0 || p.records == 0 || l->no_time < p.records ||
	    fail(err, E_USAGE, "no dates or times in the --time column")) && paths_out(&p, err);
	samples_close(&p.s);
	sheet_reader_close(&p.r);
	for (uint32_t i = 0; i < PATH_PARTS; i++)
		buf_free(&p.last[i].text);
	buf_free(&p.text);
	SCRATCH_FREE(&p.row, &p.tally, &p.of_stack);
	return ok;
}
