/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write stack dumps as columns and facts.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/columns_dumps.h"

#include "dumps_in.h"

#define FIT(col, row, member) MAKE_FIT(COL_##col, row, member)

#define PUT_ROWS(in, columns, table, row, n) \
	make_columns((in)->s.st, columns, NELEM(columns), MAKE_ROWS(SCRATCH((in)->table, struct row), n), \
	    (in)->err)

static bool
put_dumps(struct dumps_in *in)
{
	static const struct make_column columns[] = {
		FIT(TDUMP_KIND, in_dump, kind), FIT(TDUMP_PID, in_dump, pid), FIT(TDUMP_TIME, in_dump, time),
		FIT(TDUMP_WHEN, in_dump, when), FIT(TDUMP_PROGRAM, in_dump, program),
		FIT(TDUMP_OTHER, in_dump, other), FIT(TDUMP_REASON, in_dump, reason),
	}, first[] = { FIT(TDUMP_FIRST, in_dump, first) };
	struct in_dump last = { .first = (uint32_t)in->nthreads };
	uint64_t n = in->ndumps;

	return make_add(&in->dumps, &n, &last, sizeof last, UINT32_MAX, "dumps", in->err) &&
	    PUT_ROWS(in, columns, dumps, in_dump, in->ndumps) && PUT_ROWS(in, first, dumps, in_dump, n);
}

static bool
put_threads(struct dumps_in *in)
{
	static const column_id columns[IN_COLUMNS] = {
		COL_DUMPED_THREAD, COL_DUMPED_NAME, COL_DUMPED_NAME_OWN, COL_DUMPED_ID, COL_DUMPED_ID_OWN,
		COL_DUMPED_TID, COL_DUMPED_STATE,
		COL_DUMPED_RAW, COL_DUMPED_RAW_OWN, COL_DUMPED_WANT, COL_DUMPED_LOCK, COL_DUMPED_HOLDER,
		COL_DUMPED_HOW, COL_DUMPED_STACK,
		COL_DUMPED_CPU, COL_DUMPED_ELAPSED, COL_DUMPED_COUNT, COL_DUMPED_FLAGS, COL_DUMPED_QUEUE,
		    COL_DUMPED_PARENT, COL_DUMPED_LABELS
	};

	for (size_t i = 0; i < IN_COLUMNS; i++) {
		assert(in->columns[i].n == in->nthreads);
		/* The last three columns exist only if a dump has their values. */
		if ((i >= IN_QUEUE && in->columns[i].bits == 0) ||
		    narrow_column(&in->columns[i], in->s.st, columns[i], in->s.work, in->err))
			narrow_free(&in->columns[i]);
		else
			return false;
	}
	return true;
}

static bool
dumps_put_tables(struct dumps_in *in)
{
	static const struct make_column locks[] = {
		FIT(LOCK_DUMP, in_lock, dump), FIT(LOCK_KEY, in_lock, key.ref),
		FIT(LOCK_KEY_OWN, in_lock, key.own), FIT(LOCK_CLASS, in_lock, class.ref),
		FIT(LOCK_CLASS_OWN, in_lock, class.own),
	}, holds[] = { FIT(HOLD_THREAD, in_hold, thread), FIT(HOLD_LOCK, in_hold, lock) }, reports[] = {
		FIT(REPORT_DUMP, in_report, dump), FIT(REPORT_NUMBER, in_report, number),
		FIT(REPORT_NAME, in_report, name), FIT(REPORT_LOCK, in_report, lock),
		FIT(REPORT_HOLDER, in_report, holder),
	}, exact[] = {
		FIT(EXACT_PARENT, in_exact, parent), FIT(EXACT_METHOD, in_exact, method),
		FIT(EXACT_PLACE, in_exact, place.ref), FIT(EXACT_PLACE_OWN, in_exact, place.own),
		FIT(EXACT_DEPTH, in_exact, depth),
	};
	/* Row 0 is not a stack. */
	const struct in_exact *e = in->nexact == 0 ? NULL : SCRATCH(in->exact, struct in_exact) + 1;

	return PUT_ROWS(in, locks, locks, in_lock, in->nlocks) &&
	    PUT_ROWS(in, holds, holds, in_hold, in->nholds) &&
	    PUT_ROWS(in, reports, reports, in_report, in->nreports) &&
	    make_columns(in->s.st, exact, NELEM(exact), MAKE_ROWS(e, in->nexact), in->err) &&
	    make_copy(in->s.st, COL_TDUMP_TEXT, COL_BYTES, in->own.bytes.data, in->own.size, in->err);
}

/* Samples have times if there are several dumps and all have one. */
static bool
have_times(const struct dumps_in *in)
{
	const struct in_dump *d = SCRATCH(in->dumps, struct in_dump);

	for (uint64_t i = 0; i < in->ndumps; i++)
		if (d[i].time == UINT64_MAX)
			return false;
	return in->ndumps > 1;
}

static bool
dumps_put_facts(struct dumps_in *in, const char *format)
{
	static const struct make_count counts[] = {
		{ FACT_UNREAD_LINES, DROP_OTHER }, { FACT_REPORT_LINES, DROP_REPORT },
		{ FACT_UNREAD_STACKS, DROP_STACKS },
		{ FACT_LINE_PREFIXES, DROP_PREFIX },
		{ FACT_ELIMINATED_LOCKS, DROP_ELIMINATED },
		{ FACT_LOCAL_VARIABLES, DROP_LOCALS }, { FACT_NATIVE_FRAMES, DROP_NATIVE },
		{ FACT_UNRELIABLE_FRAMES, DROP_UNRELIABLE }, { FACT_EVENT_HANDLES, DROP_HANDLES },
		{ FACT_STACKS_CUT, DROP_CUT }, { FACT_STACKS_MISSING, DROP_UNAVAILABLE },
		{ FACT_AMBIGUOUS_HOLDERS, DROP_AMBIGUOUS }, { FACT_HOLDERS_OUTSIDE, DROP_OUTSIDE },
		{ FACT_REPAIR_REPEATED_THREADS, DROP_REPEATED }, { FACT_REPAIR_LOCK_LINES, DROP_LOCKS },
		{ FACT_LOSS_UNREPORTED_THREADS, DROP_UNTOLD }, { FACT_LOSS_DEEP_STACKS, DROP_DEEP },
		{ FACT_LOSS_DUMP_END, DROP_NO_END },
	};
	char name[160];
	int n = snprintf(name, sizeof name, "thread dump%s (%s%s%.*s)", in->ndumps == 1 ? "" : "s", format,
	    in->version.n == 0 ? "" : " ", (int)(in->version.n > 64 ? 64 : in->version.n),
	    in->version.n == 0 ? "" : in->version.s);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = { name, (size_t)n < sizeof name ? (size_t)n : sizeof name - 1 } },
		{ FACT_STACK_DUMPS, in->ndumps }, { FACT_DUMPED_THREADS, in->nthreads },
	};

	in->count[DROP_PREFIX] = in->lines.prefixed;
	return unread_facts(&in->unread, in->s.st, in->err) &&
	    make_facts(in->s.st, facts, NELEM(facts), in->err) &&
	    make_counts(in->s.st, counts, NELEM(counts), in->count, in->err) &&
	    (in->count[DROP_NO_END] == 0 ||
	    fact_set_text(in->s.st, FACT_LOSS_REASON, STR("a dump ends before its end mark"), in->err));
}

bool
dumps_columns(struct dumps_in *in, const char *format)
{
	dumps_end(in);
	if (in->bad)
		return false;
	if (in->nthreads == 0)
		return fail(in->err, E_UNREADABLE, "a thread dump without threads (%s)", format);
	assert(in->ndumps > 0);
	in->s.times = have_times(in);
	return put_dumps(in) && put_threads(in) && dumps_put_tables(in) && dumps_put_facts(in, format) &&
	    samples_columns(&in->s, in->err);
}

/* ---- for other layers ----------------------------------------------------------------------- */

uint64_t
dumps_count(const struct store *st)
{
	return column_rows(store_column(st, COL_TDUMP_KIND));
}

uint64_t
dump_of(const struct store *st, uint64_t row)
{
	uint64_t low = 0, high = dumps_count(st), mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (store_cell(st, COL_TDUMP_FIRST, mid + 1) < row)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}
