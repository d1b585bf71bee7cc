/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The times of a table beside a trace: which column has them, what they are, and where they are on the time
 * axis of the trace.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "load/table/table.h"
#include "side_table.h"

#define LOOKED 1000u		/* records from which times are recognised */
#define NAME_MOST 40u		/* longer names are none of a time */

/* ---- names -------------------------------------------------------------------------- */

/* Split "Time (ms)" or "ts_ms" into the lower-case name and the unit in ns; 0: the name has no unit. */
static uint64_t
times_split(struct str name, char lower[NAME_MOST], struct str *base)
{
	static const char ends[] = " ()[]_.-@";
	uint64_t unit;
	size_t from;

	*base = (struct str){ lower, 0 };
	if (name.n > NAME_MOST)
		return 0;
	for (size_t i = 0; i < name.n; i++)
		lower[i] = name.s[i] >= 'A' && name.s[i] <= 'Z' ? (char)(name.s[i] | 32) : name.s[i];
	base->n = name.n;
	while (base->n > 0 && memchr(ends, base->s[base->n - 1], sizeof ends - 1) != NULL)
		base->n--;
	while (base->n > 0 && memchr(ends, base->s[0], sizeof ends - 1) != NULL)
		*base = str_after(*base, 1);
	for (from = base->n; from > 0 && memchr(ends, base->s[from - 1], sizeof ends - 1) == NULL; )
		from--;
	unit = num_time_unit(str_after(*base, from));
	if (unit == 0 || from == 0)
		return unit;
	for (base->n = from; base->n > 0 && memchr(ends, base->s[base->n - 1], sizeof ends - 1) != NULL; )
		base->n--;
	return unit;
}

static bool
is_time_name(struct str name)
{
	static const char *const words[] = {
		"ts", "time", "timestamp", "datetime", "date", "when", "at", "t", "clock", "epoch", "elapsed",
		    "uptime",
		"seconds", "secs", "sec", "millis", "ms", "us", "ns"
	};
	char lower[NAME_MOST];
	struct str base;

	(void)times_split(name, lower, &base);
	return str_is_one(words, NELEM(words), base);
}

/* ---- the first values --------------------------------------------------------------- */

/* Counts of the first values of a column by form. */
struct seen {
	struct sheet_votes	votes;
	uint64_t		values, dates, unixes, numbers;
	double			last;
	bool			falls, rises;
};

static void
seen_add(struct seen *s, struct str text, char mark)
{
	struct sheet_day day;
	struct amount a;
	int64_t ns;
	double v;

	text = sheet_trim(text);
	if (text.n == 0)
		return;
	s->values++;
	sheet_vote(&s->votes, text);
	if (sheet_date(text, sheet_month_first(&s->votes), &day))
		s->dates++;
	else if (sheet_amount(text, mark, &a) == AMOUNT_IS) {
		s->unixes += sheet_moment(text, false, &ns);
		v = (double)a.units * (a.below ? -1 : 1);
		for (unsigned i = 0; i < a.decimals; i++)
			v /= 10;
		s->falls |= s->numbers > 0 && v < s->last;
		s->rises |= s->numbers > 0 && v > s->last;
		s->last = v;
		s->numbers++;
	}
}

static bool
times_look(const struct side_table *t, struct scratch *seen, struct err *err)
{
	struct sheet_reader r;
	bool ok = scratch_array(seen, t->sheet.names.n + 1ull, sizeof(struct seen), err) &&
	    sheet_reader_open(&r, &t->sheet, t->sheet.first, t->sheet.line, err);

	if (!ok)
		return false;
	for (uint32_t n = 0; n < LOOKED && sheet_next(&r, err); n++)
		for (uint32_t i = 0; i < t->sheet.names.n; i++)
			seen_add(&SCRATCH(*seen, struct seen)[i], sheet_text(&r, i), side_mark(t, i));
	sheet_reader_close(&r);
	return err->kind == E_NONE;
}

/* More than half of the values. */
static bool
seen_most(const struct seen *s, uint64_t n)
{
	return n > s->values / 2;
}

/* ---- the column --------------------------------------------------------------------- */

/*
 * Return the best column, from 1: by its name, then the first of dates, of Unix times, of numbers that rise;
 * 0: none.
 */
static uint32_t
times_guess(const struct side_table *t, const struct seen *seen)
{
	uint32_t best[4] = { 0 };

	for (uint32_t i = t->sheet.names.n; i > 0; i--) {
		const struct seen *s = &seen[i - 1];
		bool dates = seen_most(s, s->dates), numbers = seen_most(s, s->numbers);

		if ((dates || numbers) && is_time_name(sheet_name(&t->sheet.names, i - 1)))
			best[0] = i;
		if (dates)
			best[1] = i;
		if (numbers && seen_most(s, s->unixes))
			best[2] = i;
		if (numbers && s->rises && !s->falls)
			best[3] = i;
	}
	return best[0] != 0 ? best[0] : best[1] != 0 ? best[1] : best[2] != 0 ? best[2] : best[3];
}

static bool
times_none(const struct side_table *t, struct err *err)
{
	struct buf all = BUF_INIT;

	for (uint32_t i = 0; i < t->sheet.names.n && all.n < 200; i++)
		buf_list(&all, ", ", sheet_name(&t->sheet.names, i));
	fail(err, E_USAGE, "no column has times; choose one with --time COLUMN; columns: %s", all.bad ||
	    all.n == 0 ? "none" : all.s);
	buf_free(&all);
	return false;
}

static void
times_form(struct side_times *to, const struct side_table *t, const struct seen *s)
{
	char lower[NAME_MOST];
	struct str base;
	uint64_t unit = times_split(sheet_name(&t->sheet.names, to->column), lower, &base);

	to->mark = side_mark(t, to->column);
	to->month_first = sheet_month_first(&s->votes);
	to->form = s->dates > s->numbers ? TIME_DATES : unit == 0 && seen_most(s, s->unixes) ? TIME_UNIX :
	    TIME_NUMBERS;
	to->unit = unit == 0 ? 1000000000 : unit;
	to->unit_name = to->unit == 1 ? "nanoseconds" : to->unit == 1000 ? "microseconds" :
	    to->unit == 1000000 ? "milliseconds" : "seconds";
}

bool
side_times_find(struct side_times *to, const struct side_table *t, struct str named, struct err *err)
{
	struct scratch seen = SCRATCH_INIT;
	uint32_t column;
	bool ok = times_look(t, &seen, err);

	column = !ok ? 0 : named.n > 0 ? sheet_meant(&t->sheet.names, named) :
	    times_guess(t, SCRATCH(seen, struct seen));
	if (ok && column == 0)
		ok = times_none(t, err);
	if (ok) {
		assert(column <= t->sheet.names.n);
		to->column = column - 1;
		times_form(to, t, &SCRATCH(seen, struct seen)[column - 1]);
	}
	scratch_free(&seen);
	return ok;
}

bool
side_times_read(const struct side_times *t, struct str text, int64_t *ns)
{
	unsigned __int128 v;
	struct amount a;

	if (t->form != TIME_NUMBERS)
		return sheet_moment(text, t->month_first, ns) && *ns > -AXIS_MOST && *ns < AXIS_MOST;
	if (sheet_amount(text, t->mark, &a) != AMOUNT_IS || a.units > ~(unsigned __int128)0 / t->unit)
		return false;
	v = a.units * t->unit;
	for (unsigned i = 0; i < a.decimals; i++)
		v /= 10;
	if (v >= AXIS_MOST)
		return false;
	*ns = a.below ? -(int64_t)v : (int64_t)v;
	return true;
}

/* ---- the axis ----------------------------------------------------------------------- */

/* How much time the table and the trace have in common. */
static int64_t
times_common(const struct side_axis *a, int64_t first, int64_t last, int64_t origin)
{
	int64_t from = first - origin > 0 ? first - origin : 0, to = last - origin < a->length ?
	    last - origin : a->length;

	return to < from ? 0 : to - from + 1;
}

/* Append a number of ns as --offset takes it. */
static void
times_offset(struct buf *b, __int128 ns)
{
	uint64_t size = (uint64_t)(ns < 0 ? -ns : ns), rest = size % 1000000000, place = 100000000;

	buf_printf(b, "%s%llu", ns < 0 ? "-" : "", (unsigned long long)(size / 1000000000));
	for (buf_str(b, rest > 0 ? STR(".") : STR("")); rest > 0; rest %= place, place /= 10)
		buf_chr(b, (char)('0' + rest / place));
	buf_chr(b, 's');
}

/*
 * The table and the trace have no time in common: say how far they are apart, and the offset that puts the
 * first row at the start.
 */
static bool
times_apart(const struct side_axis *a, int64_t first, int64_t last, int64_t origin, struct err *err)
{
	bool early = last < origin;
	struct buf b = BUF_INIT;
	char text[NUM_TEXT];

	num_show_duration(text, sizeof text, (uint64_t)(early ? origin - last : first - origin - a->length));
	times_offset(&b, (__int128)a->offset + origin - first);
	fail(err, E_USAGE, "all its times are %s the trace, by %s; shift them, e.g. --offset %s, or choose another "
	    "column with --time",
	    early ? "before" : "after", text, b.bad ? "0s" : b.s);
	buf_free(&b);
	return false;
}

bool
side_times_place(const struct side_times *t, const struct side_axis *a, int64_t first, int64_t last,
    int64_t *origin, struct buf *meaning, struct err *err)
{
	const struct { int64_t at; bool is; const char *what; } places[] = {
		{ 0, true, "since the start of the trace" },
		{ a->start, a->start > 0, "on the clock of the trace" },
		{ a->zero, a->zero > 0, "since 1970" }
	};
	int64_t most = 0, common;
	size_t best = 0;

	if (t->form != TIME_NUMBERS) {
		*origin = a->zero != 0 ? a->zero : first - a->offset;
		buf_printf(meaning, "%s%s", t->form == TIME_DATES ? "dates" : "Unix times",
		    a->zero != 0 ? "" : "; the trace has no date, so the first row is at its start");
		return times_common(a, first, last, *origin) > 0 || times_apart(a, first, last, *origin, err);
	}
	for (size_t i = 0; i < NELEM(places); i++) {
		common = places[i].is ? times_common(a, first, last, places[i].at) : 0;
		best = common > most ? i : best;
		most = common > most ? common : most;
	}
	assert(first <= last);
	*origin = places[best].at;
	buf_printf(meaning, "%s %s", t->unit_name, places[best].what);
	return most > 0 || times_apart(a, first, last, 0, err);
}

/* ---- the time of the trace --------------------------------------------------------- */

/* The time of the last record, where only the records have it. */
static uint64_t
last_record(const struct store *st)
{
	const struct column *time = store_column(st, COL_EVENT_TIME);
	uint64_t last = 0, tick = fact_value(st, FACT_TRACE_TICK);

	for (uint64_t i = 0; i < column_rows(time); i++)
		last = column_get(time, i) > last ? column_get(time, i) : last;
	tick = tick > 0 ? tick : 1;
	return last > AXIS_MOST / tick ? AXIS_MOST : last * tick;
}

bool
load_has_times(const struct store *st)
{
	const unsigned timed =
	    SHAPE_TRACKS | SHAPE_TASKS | SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_MARKS | SHAPE_LASTING;
	unsigned shapes = load_shapes(st);

	return (shapes & (SHAPE_MONEY | SHAPE_GRAPH | SHAPE_TABLE)) == 0 &&
	    ((shapes & timed) != 0 || store_column(st, COL_SAMPLE_TIME) != NULL);
}

bool
side_axis_of(struct side_axis *a, const struct store *st, struct err *err)
{
	uint64_t length = fact_value(st, FACT_ELAPSED), zero = fact_value(st, FACT_TRACE_ZERO),
	    start = fact_value(st, FACT_CLOCK_START);

	length = length != 0 ? length : fact_value(st, FACT_ELAPSED_CLAIMED);
	length = length != 0 ? length : last_record(st);
	/* The end of a stream of records is known only after all of them were read. */
	length = length == 0 && (load_shapes(st) & SHAPE_CALLS) != 0 ? AXIS_MOST : length;
	if (length == 0 || !load_has_times(st))
		return fail(err, E_USAGE,
		    "a table is shown beside a trace only, and %s has no times; open the table alone",
		    load_loader(st) != NULL ? load_loader(st)->what : "this file");
	a->length = length < AXIS_MOST ? (int64_t)length : AXIS_MOST;
	a->zero = zero < AXIS_MOST ? (int64_t)zero : 0;
	a->start = start < AXIS_MOST ? (int64_t)start : 0;
	return true;
}
