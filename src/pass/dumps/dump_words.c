/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words and names of stack dumps.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_dumps.h"
#include "icecore/facts.h"
#include "dumps.h"

#define DUMPS_OF_FIRST 64u	/* looked at, of the first process */

const char *const dump_kind_words[DUMP_KINDS] = {
	"HotSpot", "HotSpot file", "HotSpot JSON", "ThreadInfo JSON", "ART", "OpenJ9", "Go", "Go counts",
	    "gdb", "eu-stack", "lldb",
	"py-spy", "py-spy JSON", "faulthandler", ".NET", "Node.js", "Erlang", "Linux kernel",
	"systemd-coredump", "tombstone", "sanitizer", "Rust", "macOS", "WinDbg", "SOS", "parallelstacks",
	    "Kotlin", "php-fpm", "sigdump", "asyncio", "logcat", "HotSpot crash"
};

const char *const dump_state_words[DUMP_STATES] = { DUMP_STATE_WORDS };

const char *const dump_want_words[DUMP_WANTS] = { NULL, "lock", "wait", "park", "init" };
const char *const dump_how_words[DUMP_HOWS] = { NULL, "reported", "found", "unknown", "outside" };

/* Android writes the process that does not respond first, then others. */
static uint64_t
last_of_process(const struct store *st, uint64_t n)
{
	uint64_t pid = store_cell(st, COL_TDUMP_PID, 1), d = 1;

	if (n < 2 || store_cell(st, COL_TDUMP_KIND, 1) != DUMP_ART || store_cell(st, COL_TDUMP_PID, n) == pid)
		return n;
	while (d < DUMPS_OF_FIRST && d < n && store_cell(st, COL_TDUMP_PID, d + 1) == pid)
		d++;
	return d;
}

uint64_t
dumps_shown(const struct store *st)
{
	uint64_t n = dumps_count(st), shown = fact_value(st, FACT_DUMP_SHOWN);

	return shown > 0 && shown <= n ? shown : last_of_process(st, n);
}

struct str
dump_text(const struct store *st, column_id ref, column_id own, uint64_t row)
{
	uint64_t place = store_cell(st, own, row);

	return place != 0 ? column_text(store_column(st, COL_TDUMP_TEXT), place) : store_text(st,
	    store_cell(st, ref, row));
}

void
dumped_label(const struct store *st, uint64_t row, struct buf *b)
{
	struct str name = dump_text(st, COL_DUMPED_NAME, COL_DUMPED_NAME_OWN, row);
	struct str id = dump_text(st, COL_DUMPED_ID, COL_DUMPED_ID_OWN, row);
	uint64_t tid = store_cell(st, COL_DUMPED_TID, row);

	if (row == 0)
		return;
	if (name.n > 0)
		buf_str(b, name);
	else if (id.n > 0) {
		buf_text(b, (store_cell(st, COL_DUMPED_FLAGS, row) & DUMP_VIRTUAL) != 0 ? "virtual #" : "#");
		buf_str(b, id);
	} else if (tid != 0)
		buf_printf(b, "tid %ju", (uintmax_t)tid);
	else
		buf_text(b, "group");
}

void
exact_show(const struct store *st, uint64_t row, struct buf *b)
{
	struct str place = dump_text(st, COL_EXACT_PLACE, COL_EXACT_PLACE_OWN, row);

	if (row == 0)
		return;
	method_name(st, (uint32_t)store_cell(st, COL_EXACT_METHOD, row), b);
	if (place.n > 0) {
		buf_text(b, " (");
		buf_str(b, place);
		buf_chr(b, ')');
	}
}

/* ---- rows ------------------------------------------------------------------------------ */

struct dump_rows
dump_rows_next(const struct store *st, uint64_t dump, uint64_t *done)
{
	uint64_t n = column_rows(store_column(st, COL_DUMPED_STATE));
	struct dump_rows r = { store_cell(st, COL_TDUMP_FIRST, dump) + 1,
	    store_cell(st, COL_TDUMP_FIRST, dump + 1) + 1 };

	assert(*done >= 1 && *done <= n + 1);
	if (r.from < *done || r.from > r.to || r.to > n + 1)
		return (struct dump_rows){ *done, *done };
	*done = r.to;
	return r;
}

uint64_t
dump_holder(const struct store *st, struct dump_rows r, uint64_t row)
{
	uint64_t holder = store_cell(st, COL_DUMPED_HOLDER, row), want = store_cell(st, COL_DUMPED_WANT, row);

	return (want == WANT_LOCK || want == WANT_INIT) && holder >= r.from && holder < r.to &&
	    holder != row ? holder : 0;
}
