/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables beside a trace: each column of numbers becomes a track on the time axis of the trace.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_table.h"
#include "icecore/columns_trace.h"
#include "icecore/points.h"
#include "load/decode.h"
#include "side.h"
#include "side_table.h"

#define VALUE_MOST (UINT64_MAX / 4)
#define NAMES_SHOWN 200u	/* bytes of names of columns in a fact */

/* A record with a time. The time is raised so that none is below 0. */
struct timed {
	uint64_t	time, row;
};

struct value {
	uint64_t	units;
	uint8_t		decimals;
	bool		below, is;
};

struct table_tracks {
	struct side_table	 table;
	struct side_times	 times;
	struct side_axis	 axis;
	struct scratch		 column;	/* u32: columns of numbers */
	uint64_t		 ncolumns;
	struct scratch		 timed;		/* struct timed */
	uint64_t		 n, records;
	struct scratch		 value;		/* struct value, record by record */
	int64_t			 origin;	/* time of the table at which the trace starts */
	struct points		 points;
	struct buf		 shown, hidden, meaning;
	uint64_t		 texts, outside;
};

/* ---- columns ------------------------------------------------------------------------ */

static void
table_add_name(struct buf *b, struct str name)
{
	if (b->n >= NAMES_SHOWN)
		return;
	buf_list(b, ", ", name);
	buf_str(b, b->n >= NAMES_SHOWN ? STR(", ...") : STR(""));
}

static bool
table_choose(struct table_tracks *s, struct err *err)
{
	const struct side_table *t = &s->table;
	bool number;

	for (uint32_t i = 0; i < t->sheet.names.n; i++) {
		if (i == s->times.column)
			continue;
		number = (t->likely[i] & SHEET_KIND_MASK) == SHEET_NUMBER;
		table_add_name(number ? &s->shown : &s->hidden, sheet_name(&t->sheet.names, i));
		if (number && !scratch_add(&s->column, &s->ncolumns, &i, sizeof i, err))
			return false;
	}
	return s->ncolumns > 0 || fail(err, E_USAGE, "no column of numbers besides the times");
}

/* ---- records ------------------------------------------------------------------------ */

static void
table_take(struct table_tracks *s, struct sheet_reader *r, struct value *v)
{
	struct amount a;
	struct str text;

	for (uint64_t i = 0; i < s->ncolumns; i++) {
		uint32_t column = SCRATCH(s->column, uint32_t)[i];

		v[i] = (struct value){ .is = false };
		text = sheet_trim(sheet_text(r, column));
		if (text.n == 0)
			continue;
		if (sheet_amount(text, side_mark(&s->table, column), &a) == AMOUNT_IS &&
		    a.units <= VALUE_MOST)
			v[i] = (struct value){ (uint64_t)a.units, (uint8_t)a.decimals, a.below, true };
		else
			s->texts++;
	}
}

static bool
table_read(struct table_tracks *s, struct err *err)
{
	const struct sheet *sheet = &s->table.sheet;
	struct sheet_reader r;
	int64_t ns;
	bool ok = sheet_reader_open(&r, sheet, sheet->first, sheet->line, err);

	work_start_bytes(s->table.work, "table of tracks", (uint64_t)(sheet->end - sheet->data));
	while (ok && sheet_next(&r, err)) {
		s->records++;
		if (!work_go(s->table.work, (uint64_t)(r.at - sheet->data), err)) {
			ok = false;
			break;
		}
		if (!side_times_read(&s->times, sheet_text(&r, s->times.column), &ns))
			continue;
		ok = scratch_array(&s->value, (s->n + 1) * s->ncolumns, sizeof(struct value), err);
		if (ok)
			table_take(s, &r, SCRATCH(s->value, struct value) + s->n * s->ncolumns);
		ok = ok && scratch_add(&s->timed, &s->n,
		    &(struct timed){ (uint64_t)(ns + s->axis.offset + 2 * AXIS_MOST), s->n },
		sizeof(struct timed), err);
	}
	sheet_reader_close(&r);
	if (!ok || err->kind != E_NONE)
		return false;
	assert(s->n <= s->records);
	return s->n > 0 || fail(err, E_USAGE,
	    "no row has a usable time in column '%.*s'; choose another with --time",
	    (int)sheet_name(&sheet->names, s->times.column).n, sheet_name(&sheet->names, s->times.column).s);
}

static int64_t
table_time(const struct table_tracks *s, uint64_t i)
{
	return (int64_t)SCRATCH(s->timed, struct timed)[i].time - 2 * AXIS_MOST;
}

/* Sort by time; find the place on the axis, and count what is outside. */
static bool
table_place(struct table_tracks *s, struct err *err)
{
	int64_t at;

	if (!make_sort(&s->timed, s->n, sizeof(struct timed), s->table.work, err) ||
	    !side_times_place(&s->times, &s->axis, table_time(s, 0), table_time(s, s->n - 1), &s->origin,
	    &s->meaning, err))
		return false;
	assert(table_time(s, 0) <= table_time(s, s->n - 1));
	for (uint64_t i = 0; i < s->n; i++) {
		at = table_time(s, i) - s->origin;
		s->outside += at < 0 || at > s->axis.length;
	}
	return true;
}

/* ---- tracks ------------------------------------------------------------------------- */

/* Scale a value to a number of decimals; more are rounded. False: it does not fit. */
static bool
table_scale(const struct value *v, unsigned decimals, uint64_t *to)
{
	uint64_t units = v->units;

	for (unsigned i = v->decimals; i < decimals; i++)
		if (__builtin_mul_overflow(units, 10, &units) || units > VALUE_MOST)
			return false;
	for (unsigned i = decimals; i < v->decimals; i++)
		units = units / 10 + (i + 1 == v->decimals && units % 10 >= 5);
	*to = units;
	return true;
}

/* Find the decimals that the values have, if all fit; and the amount that raises all values to 0 or more. */
static void
table_fit(const struct table_tracks *s, uint64_t column, unsigned *decimals, uint64_t *below)
{
	const struct value *v = SCRATCH(s->value, struct value) + column;
	uint64_t units, i;

	for (*decimals = 0, i = 0; i < s->n; i++)
		*decimals = v[i * s->ncolumns].decimals > *decimals ? v[i * s->ncolumns].decimals : *decimals;
	for (*below = 0, i = 0; i < s->n; i++) {
		if (!v[i * s->ncolumns].is)
			continue;
		while (!table_scale(&v[i * s->ncolumns], *decimals, &units))
			--*decimals;
	}
	for (i = 0; i < s->n; i++)
		if (v[i * s->ncolumns].below && table_scale(&v[i * s->ncolumns], *decimals, &units))
			*below = units > *below ? units : *below;
}

/* The last value before the start applies at the start; values after the end are dropped. */
static bool
table_track(struct table_tracks *s, uint64_t column, struct err *err)
{
	struct str name = sheet_name(&s->table.sheet.names, SCRATCH(s->column, uint32_t)[column]);
	uint64_t units, below, early = 0;
	unsigned decimals;
	bool ok = points_track(&s->points, TRACK_LEVEL, name.s, "", 0, 0, err), before = false;

	table_fit(s, column, &decimals, &below);
	if (ok) {
		points_of(&s->points, 0, decimals);
		points_below(&s->points, below);
	}
	for (uint64_t i = 0; ok && i < s->n; i++) {
		const struct value *v =
		    SCRATCH(s->value, struct value) + SCRATCH(s->timed,
		    struct timed)[i].row * s->ncolumns + column;
		int64_t at = table_time(s, i) - s->origin;

		if (!v->is || !table_scale(v, decimals, &units))
			continue;
		units = v->below ? below - units : below + units;
		if (at > s->axis.length)
			break;
		if (before && at > 0)
			ok = points_add(&s->points, 0, early, err);
		before = at < 0;
		early = units;
		ok = ok && (before || points_add(&s->points, (uint64_t)at, units, err));
	}
	return ok && (!before || points_add(&s->points, 0, early, err));
}

static bool
table_tracks(struct table_tracks *s, struct err *err)
{
	work_start(s->table.work, "tracks", s->ncolumns);
	for (uint64_t i = 0; i < s->ncolumns; i++)
		if (!work_tick(s->table.work, i) ? !fail_cancel(err) : !table_track(s, i, err))
			return false;
	return true;
}

/* ---- the store ---------------------------------------------------------------------- */

/* Add to a fact about all tables. */
static bool
append(struct store *st, enum fact_id fact, struct str text, struct err *err)
{
	struct str before = fact_text(st, fact);
	struct buf b = BUF_INIT;
	bool ok;

	if (text.n == 0)
		return true;
	buf_str(&b, before);
	buf_list(&b, "; ", text);
	ok = b.bad ? fail(err, E_SYSTEM, "out of memory (facts)") :
	    fact_set_text(st, fact, buf_view(&b), err);
	buf_free(&b);
	return ok;
}

static bool
side_table_put_facts(const struct table_tracks *s, struct store *st, const char *path, struct err *err)
{
	const struct store *table = s->table.st;
	uint64_t untimed = s->records - s->n, damaged = store_damaged(table);
	struct str name = sheet_name(&s->table.sheet.names, s->times.column);
	struct buf time = BUF_INIT, reason = BUF_INIT;
	bool ok;

	buf_printf(&time, "%.*s: %.*s", (int)name.n, name.s, (int)s->meaning.n, s->meaning.n > 0 ?
	    s->meaning.s : "");
	if (untimed > 0)
		buf_printf(&reason, "%llu of %llu rows of %s have no usable time",
		    (unsigned long long)untimed, (unsigned long long)s->records, path);
	else if (damaged)
		buf_printf(&reason, "table %s truncated or damaged", path);
	const struct make_fact facts[] = {
		{ FACT_SHAPES, load_shapes(st) | SHAPE_TRACKS },
		{ FACT_BESIDE_POINTS, fact_value(st, FACT_BESIDE_POINTS) + s->points.n },
		{ FACT_BESIDE_OUTSIDE, fact_value(st, FACT_BESIDE_OUTSIDE) + s->outside, MAKE_ANY },
		{ FACT_BESIDE_TEXTS, fact_value(st, FACT_BESIDE_TEXTS) + s->texts, MAKE_ANY },
		{ FACT_LOSS_UNTIMED, fact_value(st, FACT_LOSS_UNTIMED) + untimed, MAKE_ANY },
		{ FACT_LOSS_SIDE, fact_value(st, FACT_LOSS_SIDE) + damaged, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = fact_text(st, FACT_LOSS_REASON).n == 0 ? buf_view(&reason) :
		    STR(""), .how = MAKE_ANY }
	};
	ok = (!time.bad && !reason.bad) || fail(err, E_SYSTEM, "out of memory (facts)");
	ok = ok && append(st, FACT_BESIDE_TABLE, str_of(path), err) &&
	    append(st, FACT_BESIDE_TIME, buf_view(&time), err) &&
	    append(st, FACT_BESIDE_COLUMNS, buf_view(&s->shown), err) &&
	    append(st, FACT_BESIDE_HIDDEN, buf_view(&s->hidden), err) &&
	    make_facts(st, facts, NELEM(facts), err);
	buf_free(&time);
	buf_free(&reason);
	return ok;
}

/* The file has tracks, or a pass makes them. Files of samples alone get their tracks from no pass. */
static bool
side_table_has_tracks(const struct store *st)
{
	return (load_shapes(st) & SHAPE_TRACKS) != 0 || store_column(st, COL_SEGMENT_ROW) != NULL;
}

/* Make a store of the tracks alone, beside a store over the trace. */
static bool
table_put(struct table_tracks *s, struct store **trace, const char *path, struct err *err)
{
	struct store *tracks = NULL, *over = NULL;
	struct points none;
	bool ok;

	points_open(&none);
	ok = store_over(&tracks, store_blank(), NULL, err) && points_columns(&s->points, tracks, err) &&
	    store_over(&over, *trace, NULL, err) &&
	    (side_table_has_tracks(*trace) || points_columns(&none, over, err)) &&
	    side_table_put_facts(s, over, path, err);
	points_close(&none);
	if (!ok) {
		store_close(over);
		store_close(tracks);
		return false;
	}
	store_publish(tracks);
	store_publish(over);
	store_own_beside(over, tracks);
	*trace = over;
	return true;
}

/* ---- the file ----------------------------------------------------------------------- */

static bool
table_make(struct table_tracks *s, struct store **trace, const struct store *table, const char *path,
    const struct side_options *o, struct err *err)
{
	const struct column *likely = store_column(table, COL_TABLE_LIKELY);
	struct str named = str_of(o->asked != NULL ? o->asked->time : NULL);

	s->table.st = table;
	s->table.mark = o->asked != NULL && o->asked->decimal != NULL ? o->asked->decimal[0] : '\0';
	assert(likely != NULL);
	s->table.likely = column_span(likely, 0, likely->rows);
	return side_axis_of(&s->axis, *trace, err) && side_times_find(&s->times, &s->table, named, err) &&
	    table_choose(s, err) && table_read(s, err) && table_place(s, err) && table_tracks(s, err) &&
	    table_put(s, trace, path, err);
}

/* Open the text as a table, in memory. */
static bool
side_table_open(struct store **table, const char *path, const struct map *m, const struct side_options *o,
    struct work *w, struct err *err)
{
	struct str text = { (const char *)m->data, m->data == NULL ? 0 : (size_t)m->size };
	struct ask_options asked = { .path = NULL };
	const struct store_options options =
	    { .memory_only = true, .as = "table", .bytes = &text, .asks = &asked };
	const struct loader *l = load_format(m, path);

	if (o->asked != NULL) {
		asked.time = o->asked->time;
		asked.sep = o->asked->sep;
		asked.decimal = o->asked->decimal;
		asked.header = o->asked->header;
	}
	if (l != NULL && (l->shapes & SHAPE_TABLE) == 0 && asked.sep == NULL)
		return fail(err, E_USAGE, "not a table, but: %s", l->what);
	return load_open(table, path, &options, w, err);
}

bool
side_table(struct store **trace, const char *path, const struct side_options *o, struct work *w,
    struct err *err)
{
	struct table_tracks s = { .table.work = w, .axis.offset = o->offset };
	struct err why = { .kind = E_NONE };
	struct store *table = NULL;
	struct map m;
	bool cut = false, ok, opened;

	if (o->offset > AXIS_MOST || o->offset < -AXIS_MOST)
		return fail(err, E_USAGE, "--offset is too large");
	if (!text_file_open(&m, path, &cut, w, err))
		return false;
	points_open(&s.points);
	ok = side_table_open(&table, path, &m, o, w, &why);
	opened = ok && sheet_open(&s.table.sheet, table, &why);
	ok = opened && table_make(&s, trace, table, path, o, &why);
	if (ok && map_lost(&m))
		ok = fail(&why, E_SYSTEM, "the table changed while reading; run icecore again");
	if (opened)
		sheet_close(&s.table.sheet);
	store_close(table);
	points_close(&s.points);
	SCRATCH_FREE(&s.column, &s.timed, &s.value);
	buf_free(&s.shown);
	buf_free(&s.hidden);
	buf_free(&s.meaning);
	map_close(&m);
	return ok || (why.kind == E_CANCEL ? fail_cancel(err) : fail_about(err, path, &why));
}
