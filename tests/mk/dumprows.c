/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumprows: the rows that the loader of stack dumps makes, as lines of fields with tabs between them; for dumprowscheck.py.
 *
 *	dumprows FILE
 *
 * D dump kind time pid other; T dump name id tid state raw want key class holder how depth cpu elapsed flags count queue;
 * H key (held by the thread above); F function place (of its stack, leaf first); K dump number name key class holder.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "icecore/columns_dumps.h"
#include "icecore/columns_trace.h"
#include "icecore/dumped.h"
#include "icecore/load.h"

static const struct store *st;

static struct str
text_of(column_id ref, column_id own, column_id pool, uint64_t row)
{
	uint64_t place = row == 0 || own == COL_NONE ? 0 : store_cell(st, own, row);

	if (row == 0)
		return STR("");
	return place != 0 ? column_text(store_column(st, pool), place) : store_text(st, store_cell(st, ref, row));
}

static void
put(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		putchar(s.s[i] == '\t' || s.s[i] == '\n' ? ' ' : s.s[i]);
	putchar('\t');
}

static void
put_number(uint64_t v)
{
	if (v == UINT64_MAX)
		printf("-\t");
	else
		printf("%" PRIu64 "\t", v);
}

static void
put_lock(uint64_t lock)
{
	put(text_of(COL_LOCK_KEY, COL_LOCK_KEY_OWN, COL_TDUMP_TEXT, lock));
	put(text_of(COL_LOCK_CLASS, COL_LOCK_CLASS_OWN, COL_TDUMP_TEXT, lock));
}

static void
put_thread(uint64_t dump, uint64_t row)
{
	static const char *const states[] = { DUMP_STATE_WORDS };
	uint64_t stack = store_cell(st, COL_DUMPED_STACK, row), n = column_rows(store_column(st, COL_HOLD_THREAD));

	printf("T\t%" PRIu64 "\t", dump);
	put(text_of(COL_DUMPED_NAME, COL_DUMPED_NAME_OWN, COL_TDUMP_TEXT, row));
	put(text_of(COL_DUMPED_ID, COL_DUMPED_ID_OWN, COL_TDUMP_TEXT, row));
	put_number(store_cell(st, COL_DUMPED_TID, row));
	put(str_of(states[store_cell(st, COL_DUMPED_STATE, row)]));
	put(text_of(COL_DUMPED_RAW, COL_DUMPED_RAW_OWN, COL_TDUMP_TEXT, row));
	put_number(store_cell(st, COL_DUMPED_WANT, row));
	put_lock(store_cell(st, COL_DUMPED_LOCK, row));
	put_number(store_cell(st, COL_DUMPED_HOLDER, row));
	put_number(store_cell(st, COL_DUMPED_HOW, row));
	put_number(stack == 0 ? 0 : store_cell(st, COL_EXACT_DEPTH, stack));
	put_number(store_cell(st, COL_DUMPED_CPU, row));
	put_number(store_cell(st, COL_DUMPED_ELAPSED, row));
	put_number(store_cell(st, COL_DUMPED_FLAGS, row));
	put_number(store_cell(st, COL_DUMPED_COUNT, row));
	put_number(store_cell(st, COL_DUMPED_QUEUE, row));
	printf("%" PRIu64 "\n", row);
	for (uint64_t i = 1; i <= n; i++)
		if (store_cell(st, COL_HOLD_THREAD, i) == row) {
			printf("H\t");
			put_lock(store_cell(st, COL_HOLD_LOCK, i));
			printf("\n");
		}
	for (; stack != 0; stack = store_cell(st, COL_EXACT_PARENT, stack)) {
		printf("F\t");
		put(text_of(COL_LISTED_NAME, COL_LISTED_OWN, COL_LISTED_OWN_TEXT, store_cell(st, COL_EXACT_METHOD, stack)));
		put(text_of(COL_EXACT_PLACE, COL_EXACT_PLACE_OWN, COL_TDUMP_TEXT, stack));
		printf("\n");
	}
}

static void
put_all(void)
{
	uint64_t dumps = column_rows(store_column(st, COL_TDUMP_KIND)), told = column_rows(store_column(st, COL_REPORT_DUMP));

	for (uint64_t d = 1; d <= dumps; d++) {
		printf("D\t%" PRIu64 "\t", d);
		put_number(store_cell(st, COL_TDUMP_KIND, d));
		put(text_of(COL_TDUMP_WHEN, COL_NONE, COL_NONE, d));
		put_number(store_cell(st, COL_TDUMP_PID, d));
		put_number(store_cell(st, COL_TDUMP_OTHER, d));
		printf("\n");
		for (uint64_t i = store_cell(st, COL_TDUMP_FIRST, d) + 1; i <= store_cell(st, COL_TDUMP_FIRST, d + 1); i++)
			put_thread(d, i);
	}
	for (uint64_t i = 1; i <= told; i++) {
		printf("K\t%" PRIu64 "\t%" PRIu64 "\t", store_cell(st, COL_REPORT_DUMP, i), store_cell(st, COL_REPORT_NUMBER, i));
		put(text_of(COL_REPORT_NAME, COL_NONE, COL_NONE, i));
		put_lock(store_cell(st, COL_REPORT_LOCK, i));
		put(text_of(COL_REPORT_HOLDER, COL_NONE, COL_NONE, i));
		printf("\n");
	}
}

int
main(int argc, char **argv)
{
	struct store *s;
	struct err err = { 0 };

	if (argc != 2)
		return 2;
	if (!load_open(&s, argv[1], &(struct store_options){ .memory_only = true, .as = "stacks" }, NULL, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	st = s;
	put_all();
	store_close(s);
	return 0;
}
