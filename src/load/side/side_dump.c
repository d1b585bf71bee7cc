/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thread dumps that name threads of another file: the loader of stack dumps reads them.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_dumps.h"
#include "icecore/columns_trace.h"
#include "icecore/dumped.h"

#include "load/decode.h"
#include "side.h"

static struct str
side_dump_text(const struct store *st, column_id ref, column_id own, uint64_t row)
{
	uint64_t place = store_cell(st, own, row);

	return place != 0 ? column_text(store_column(st, COL_TDUMP_TEXT), place) :
	    store_text(st, store_cell(st, ref, row));
}

static bool
dump_native(const struct store *st, uint64_t stack)
{
	uint64_t method = store_cell(st, COL_EXACT_METHOD, stack);

	return store_cell(st, COL_LISTED_MODULE, method) != 0 ||
	    store_cell(st, COL_LISTED_MODULE_OWN, method) != 0;
}

/* The innermost function, in dumps of ART the innermost one of Java: native ones have a module. */
static struct str
dump_top(const struct store *st, uint64_t dump, uint64_t row)
{
	uint64_t stack = store_cell(st, COL_DUMPED_STACK, row), method, own;

	while (stack != 0 && store_cell(st, COL_TDUMP_KIND, dump) == DUMP_ART && dump_native(st, stack))
		stack = store_cell(st, COL_EXACT_PARENT, stack);
	if (stack == 0)
		return STR("");
	method = store_cell(st, COL_EXACT_METHOD, stack);
	own = store_cell(st, COL_LISTED_OWN, method);
	return own != 0 ? column_text(store_column(st, COL_LISTED_OWN_TEXT), own) :
	    store_text(st, store_cell(st, COL_LISTED_NAME, method));
}

/* Letters of OpenJ9 are replaced by words. */
static struct str
dump_state(const struct store *st, uint64_t dump, uint64_t row)
{
	static const char *const words[] = { DUMP_STATE_WORDS };
	uint64_t state = store_cell(st, COL_DUMPED_STATE, row);

	if (store_cell(st, COL_TDUMP_KIND, dump) == DUMP_OPENJ9 && state < DUMP_STATES)
		return str_of(words[state]);
	return side_dump_text(st, COL_DUMPED_RAW, COL_DUMPED_RAW_OWN, row);
}

static bool
dump_thread(struct sides *s, const struct store *st, uint64_t dump, uint64_t row, struct err *err)
{
	uint64_t tid = store_cell(st, COL_DUMPED_TID, row);
	struct side_row *r;

	/* A virtual thread with a carrier has neither name nor tid. */
	if (store_cell(st, COL_TDUMP_KIND, dump) == DUMP_HOTSPOT &&
	    store_cell(st, COL_DUMPED_PARENT, row) != 0)
		return true;
	if ((r = side_row(s, err)) == NULL)
		return false;
	r->tid = tid != 0 ? tid : SIDE_NO_TID;
	r->name = side_dump_text(st, COL_DUMPED_NAME, COL_DUMPED_NAME_OWN, row);
	r->state = dump_state(st, dump, row);
	r->top = dump_top(st, dump, row);
	r->virtual = (store_cell(st, COL_DUMPED_FLAGS, row) & DUMP_VIRTUAL) != 0;
	return true;
}

static bool
dump_rows(struct sides *s, const struct store *st, struct err *err)
{
	uint64_t dumps = column_rows(store_column(st, COL_TDUMP_KIND)),
	    reports = column_rows(store_column(st, COL_REPORT_DUMP));

	for (uint64_t d = 1; d <= dumps; d++) {
		uint64_t last = store_cell(st, COL_TDUMP_FIRST, d + 1);

		s->dump++;
		for (uint64_t row = store_cell(st, COL_TDUMP_FIRST, d) + 1; row <= last; row++)
			if (!work_go(s->work, row, err) || !dump_thread(s, st, d, row, err))
				return false;
	}
	for (uint64_t i = 1; i <= reports; i++)
		s->deadlocks += i == 1 ||
		    store_cell(st, COL_REPORT_DUMP, i) != store_cell(st, COL_REPORT_DUMP, i - 1) ||
		    store_cell(st, COL_REPORT_NUMBER, i) != store_cell(st, COL_REPORT_NUMBER, i - 1);
	return true;
}

bool
side_dump(struct sides *s, struct str text, bool *any, struct err *err)
{
	const struct store_options options = { .memory_only = true, .as = "stacks", .bytes = &text };
	const struct loader *loader = loader_named(STR("stacks"));
	struct err why = { .kind = E_NONE };
	struct store *st;

	assert(loader != NULL);
	/* The texts of rows are in the store. */
	if (!scratch_array(&s->stores, s->nstores + 1, sizeof st, err))
		return false;
	if (!load_open(&st, "thread dump", &options, s->work, &why)) {
		/* Dumps without threads add nothing. */
		*any = why.kind == E_UNREADABLE && loader->sniff((const uint8_t *)text.s, text.n);
		if (why.kind != E_UNREADABLE)
			*err = why;
		return why.kind == E_UNREADABLE;
	}
	*any = true;
	SCRATCH(s->stores, struct store *)[s->nstores++] = st;
	return dump_rows(s, st, err);
}
