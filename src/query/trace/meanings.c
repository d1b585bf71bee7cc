/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * meanings: what the facts about a file say, for info.
 */
#include "config.h"

#include "icecore/facts.h"
#include "icecore/phrase.h"
#include "icecore/unread.h"
#include "trace.h"

enum family { INNER, ALL, SIDES, MARKS, TRACES, TRACKS, TASKS, PROFILES, TABLES, MONEY, TRIAGE, HEAPS, CODE, COUNTS };

static const struct {
	enum family	 family;
	const char	*text;
} meanings[FACT_IDS] = {
#define MEANING(handle, name, type, family, meaning) [FACT_##handle] = { (family), (meaning) },
	FACTS(MEANING)
};

/* Facts that mean something else in files of another family. */
static const struct {
	enum family	 family;
	enum fact_id	 id;
	const char	*text;
} others[] = {
	{ TRACES, FACT_RECORDS, "method entries and exits in the file" },
	{ TRACES, FACT_THREADS_LISTED, "threads named in the file; some may have no record" },
	{ TRACES, FACT_THREADS, "threads with records" },
	{ TRACES, FACT_METHODS, "called methods" },
	{ TRACES, FACT_STACKS, "distinct stacks (call-tree nodes)" },
	{ TRACES, FACT_ELAPSED, "duration in the header, or until the last record" },
	{ TRACKS, FACT_FORMAT, "file format variant" },
	{ TABLES, FACT_RECORDS, "records; 'records' lists them" },
	{ MONEY, FACT_THREADS, "accounts with statements" },
	{ MONEY, FACT_METHODS, "different types and payees" },
	{ MONEY, FACT_SAMPLES, "transactions of the current event" },
	{ MONEY, FACT_STACKS, "different combinations of type and payee" },
	{ MONEY, FACT_ELAPSED, "time from the first day to the last" },
	{ MONEY, FACT_REPAIR_ROUNDED, "{:amount|amounts} rounded to 13 decimals in sums; rows are exact" },
	{ PROFILES, FACT_FORMAT, "file format variant" },
	{ PROFILES, FACT_KIND, "differential: two weights per stack" },
	{ PROFILES, FACT_SAMPLES, "samples of the current event" },
	{ PROFILES, FACT_TOTAL, "total weight" },
	{ PROFILES, FACT_STACKS, "different stacks" },
	{ PROFILES, FACT_MAX_DEPTH, "depth of the deepest stack" },
	{ PROFILES, FACT_METHODS, "different frames" },
	{ PROFILES, FACT_THREADS, "threads in the file" },
	{ PROFILES, FACT_EVENT, "current event: most samples, or see chosen_by" },
	{ PROFILES, FACT_ELAPSED, "time from the first sample to the last" },
	{ PROFILES, FACT_PROCESSES, "recorded processes; vm, arguments and pid are those of the first" },
	{ PROFILES, FACT_REPAIR_ONE_PROCESS, "{:thread|threads} with unknown waits: switches back to them are missing; "
	    "use perf record -a or --switch-events" },
	{ PROFILES, FACT_REPAIR_RENAMES, "{:thread|threads} renamed" },
	{ PROFILES, FACT_REPAIR_ROUNDED, "{:weight|weights} rounded to 6 decimals" },
	{ PROFILES, FACT_REPAIR_SATURATED, "{:weight|weights} clipped (overflow)" },
	{ PROFILES, FACT_LOSS_EVENTS, "{:event|events} lost during recording" },
	{ PROFILES, FACT_LOSS_TAIL_BYTES, "after the last complete line or event" },
	{ MARKS, FACT_DUMPS, "dumps of native heaps of a process; --dump reads up to one of them" },
	{ MARKS, FACT_DUMP, "last of these dumps that was read, from 1" },
	{ HEAPS, FACT_FORMAT, "file format variant" }, { HEAPS, FACT_PID, "process id of the heap" },
	{ HEAPS, FACT_THREADS, "threads" },
	{ HEAPS, FACT_LOSS_TAIL_BYTES, "in an incomplete record at the end" },
	{ TRIAGE, FACT_FORMAT, "rows written by icecore triage" },
	{ TRIAGE, FACT_DUMPS, "dumps; for each path, the newest" },
};

/* The families of a shape of file, the one that counts first. */
static const struct {
	unsigned	 shapes;
	enum family	 family;
} families[] = {
	{ SHAPE_GRAPH, HEAPS },
	{ SHAPE_CODE, CODE },
	{ SHAPE_MARKS, MARKS },
	{ SHAPE_TABLE, TABLES },
	{ SHAPE_MONEY, MONEY },
	{ SHAPE_TRIAGE, TRIAGE },
	{ SHAPE_SAMPLES | SHAPE_COSTS, PROFILES },
	{ SHAPE_MARKS, TRACES },
	{ SHAPE_TASKS, TASKS },
	{ SHAPE_CALLS, TRACES },
	{ SHAPE_TRACKS, TRACKS },
	{ SHAPE_TRACKS, TASKS },
	{ SHAPE_COUNTS | SHAPE_NATIVE, COUNTS },
	{ SHAPE_GRAPH, MARKS },
	{ ~0u, ALL },
	{ ~0u, SIDES },
};

static const char *
meanings_of(enum fact_id id, enum family family)
{
	if (meanings[id].family == family)
		return meanings[id].text;
	for (size_t i = 0; i < NELEM(others); i++)
		if (others[i].id == id && others[i].family == family)
			return others[i].text;
	return NULL;
}

/* Facts whose names are made at run time. */
static const char *
meanings_of_made(struct str name)
{
	struct str kind;

	return str_has_prefix(name, STR("setting.")) ? "setting of an event, or of the profiler" :
	    str_has_prefix(name, STR("loss.sequences.")) ? "gaps in what a writer recorded, for this reason" :
	    str_has_prefix(name, STR("loss.events.cpu")) ? "kernel events lost on this CPU, or gaps in them" :
	    str_is(name, "loss.recorder.chunks_discarded") ? "pieces of data that the recorder discarded" :
	    str_is(name, "loss.recorder.patches_discarded") ? "late parts of packets that the recorder discarded" :
	    str_is(name, "loss.recorder.invalid_packets") ? "invalid packets that the recorder received" :
	    str_is(name, "loss.recorder.flushes_failed") ? "requests for the last data that failed" :
	    str_has_prefix(name, STR("no_stack.")) ? "samples without a stack, for this reason" :
	    str_has_prefix(name, STR("log.")) ? "warning of the profiler" :
	    unread_phrase(name, &kind) != NULL ? unread_phrase(name, &kind) : "";
}

struct str
info_phrase(struct str name, unsigned shapes)
{
	enum fact_id id = fact_named(name);
	/*
	 * A diff reports repairs and losses of its files, whose shapes it does not have: search all families.
	 */
	bool all = str_has_prefix(name, STR("repair.")) || str_has_prefix(name, STR("loss."));
	const char *text = NULL;

	if (id == FACT_IDS)
		return str_of(meanings_of_made(name));
	for (size_t i = 0; text == NULL && i < NELEM(families); i++)
		if ((families[i].shapes & shapes) != 0)
			text = meanings_of(id, families[i].family);
	for (size_t i = 0; text == NULL && all && i < NELEM(families); i++)
		text = meanings_of(id, families[i].family);
	return str_of(text == NULL ? "" : text);
}

/* Return the amount of the value, which is the only field and has no name. */
static enum amount
meanings_amount(void *of, UNUSED struct str name)
{
	const struct cell *value = of;

	return value->type == CELL_COUNT && value->u == 1 ? AMOUNT_ONE : AMOUNT_MANY;
}

void
info_meaning(struct str name, unsigned shapes, const struct cell *value, struct buf *b)
{
	struct cell of = value == NULL ? (struct cell){ .type = CELL_NONE } : *value;
	struct str phrase = info_phrase(name, shapes), kind;

	if (value != NULL)
		(void)str_take(&phrase, INFO_FLAG);
	phrase_add(phrase, &(struct phrase_fields){ .amount = meanings_amount, .of = &of }, b);
	if (unread_phrase(name, &kind) != NULL) {
		buf_chr(b, ' ');
		buf_str(b, kind);
	}
}

bool
info_shows(struct str name)
{
	enum fact_id id = fact_named(name);

	return id == FACT_IDS ? meanings_of_made(name)[0] != '\0' : meanings[id].family != INNER;
}

const struct coldef *
info_find(struct rows *r, struct str name, struct cell *c)
{
	int field = rows_column(r, STR("field")), value = rows_column(r, STR("value"));

	for (uint64_t row = 0; field >= 0 && value >= 0 && rows_reach(r, row + 1) > row; row++) {
		rows_cell(r, row, (size_t)field, c);
		if (c->type == CELL_TEXT && str_eq(c->text, name)) {
			rows_cell(r, row, (size_t)value, c);
			return &r->cols[value];
		}
	}
	c->type = CELL_NONE;
	return NULL;
}
