/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_info: what is known about the file as a whole.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/batch.h"
#include "icecore/columns_content.h"
#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "icecore/columns_trace.h"
#include "icecore/heap_facts.h"
#include "icecore/sandbox.h"
#include "icecore/values.h"
#include "trace.h"

enum info_col { INFO_FIELD, INFO_VALUE, INFO_MEANING };

static const struct coldef info_cols[] = {
	[INFO_FIELD] = { "field", CELL_TEXT, "fact" },
	[INFO_VALUE] = { "value", CELL_NONE, "value" },
	[INFO_MEANING] = { "meaning", CELL_TEXT, "meaning" }
};

/* Rows after the facts: they depend on the session. */
enum extra { EXTRA_REFS, EXTRA_SIZES, EXTRA_LIVE, EXTRA_LIVE_BYTES, EXTRA_UNREACHABLE,
	EXTRA_UNREACHABLE_BYTES, EXTRA_DIRECT, EXTRA_ZLIB, EXTRA_REGISTERED, EXTRA_MAPPED, EXTRA_FINALIZABLE,
	EXTRA_WHOLE, EXTRA_INDEX, EXTRA_SANDBOX, EXTRA_DAMAGED, EXTRAS };

struct info {
	struct rows		 rows;
	const struct store	*store;
	size_t			*fact;		/* place of the fact for each row except the last ones */
	size_t			 n, nlate;
	enum extra		 first;		/* the first row after the facts */
	struct buf		 text;		/* text of a cell that a mask may hide, or of a meaning */
};

/* A view of samples hides facts of the file that its shapes do not explain: they are about calls. */
static bool
q_info_is_foreign(const struct store *st, const struct fact *f)
{
	const struct store *file = st;

	while (store_below(file) != NULL)
		file = store_below(file);
	return (load_shapes(file) & SHAPE_EVENTS & ~load_shapes(st)) != 0 &&
	    info_phrase(str_of(f->name), load_shapes(st)).n == 0;
}

static bool
find_facts(struct info *s, struct err *err)
{
	size_t n = store_nfacts(s->store);
	struct fact f;

	s->fact = mem_array(n, sizeof *s->fact);
	if (s->fact == NULL)
		return fail_memory(err, "answer");
	for (size_t i = 0; i < n; i++)
		if (store_fact_at(s->store, i, &f) && info_shows(str_of(f.name)) &&
		    !q_info_is_foreign(s->store, &f))
			s->fact[s->n++] = i;
	return true;
}

static uint64_t
info_reach(struct rows *r, UNUSED uint64_t n)
{
	struct info *s = (struct info *)r;
	uint64_t at;

	if (store_is_blank(s->store))
		return s->nlate;
	return s->n + (size_t)((store_damage(s->store, &at) ? EXTRAS : EXTRA_DAMAGED) - s->first);
}

static void
info_fact_cell(const struct fact *f, struct cell *c)
{
	switch (f->type) {
	case FACT_TEXT:
		c->type = CELL_TEXT;
		c->text = f->text;
		return;
	case FACT_COUNT:
		/* These two are not amounts, so their digits are not grouped. */
		c->type = str_is(str_of(f->name), "pid") ||
		    str_is(str_of(f->name), "version") ? CELL_ID : CELL_COUNT;
		break;
	case FACT_BYTES:
		c->type = CELL_BYTES;
		break;
	case FACT_TIME:
		c->type = CELL_TIME;
		break;
	}
	c->u = f->value;
}

static struct str
index_path(const struct store *st, bool remote)
{
	const char *path = store_index_path(st);

	if (remote)
		return path[0] == '\0' ? STR("none") : STR("kept");
	if (path[0] == '\0')
		path = store_note(st);
	return path[0] == '\0' ? STR("none") : str_of(path);
}

static void
bytes_row(const struct info *s, enum fact_id id, struct fact *f)
{
	const struct session *session = s->rows.session;

	*f = (struct fact){ fact_name(id), FACT_BYTES, id == FACT_PERCENT_OF ?
	    heap_whole(s->store, session->refs, session->sizes) :
	    heap_fact(s->store, id, session->refs, session->sizes), STR("") };
}

static void
extra_row(const struct info *s, enum extra row, struct fact *f)
{
	static const enum fact_id beside[] = {
		FACT_DIRECT_BYTES, FACT_ZLIB_BYTES, FACT_REGISTERED_BYTES, FACT_MAPPED_BYTES,
		    FACT_FINALIZABLE_BYTES, FACT_PERCENT_OF
	};
	const struct session *session = s->rows.session;
	uint64_t all, live, at = 0;

	*f = (struct fact){ .type = FACT_TEXT };
	switch (row) {
	case EXTRA_REFS:
		f->name = "refs";
		f->text = str_of(heap_refs_names[session->refs]);
		return;
	case EXTRA_SIZES:
		f->name = "sizes";
		f->text = str_of(heap_sizes_names[session->sizes]);
		return;
	case EXTRA_LIVE:
		live = heap_fact(s->store, FACT_LIVE_OBJECTS, session->refs, session->sizes);
		*f = (struct fact){ "live_objects", FACT_COUNT, live, STR("") };
		return;
	case EXTRA_LIVE_BYTES:
		live = heap_fact(s->store, FACT_LIVE_BYTES, session->refs, session->sizes);
		*f = (struct fact){ "live_bytes", FACT_BYTES, live, STR("") };
		return;
	case EXTRA_UNREACHABLE:
		all = fact_value(s->store, FACT_HEAP_OBJECTS);
		live = heap_fact(s->store, FACT_LIVE_OBJECTS, session->refs, session->sizes);
		*f = (struct fact){ "unreachable_objects", FACT_COUNT,
		    all > live ? all - live : 0, STR("") };
		return;
	case EXTRA_UNREACHABLE_BYTES:
		all = heap_all_bytes(s->store, session->sizes);
		live = heap_fact(s->store, FACT_LIVE_BYTES, session->refs, session->sizes);
		*f = (struct fact){ "unreachable_bytes", FACT_BYTES, all > live ? all - live : 0, STR("") };
		return;
	case EXTRA_DIRECT: case EXTRA_ZLIB: case EXTRA_REGISTERED: case EXTRA_MAPPED: case EXTRA_FINALIZABLE:
	case EXTRA_WHOLE:
		bytes_row(s, beside[row - EXTRA_DIRECT], f);
		return;
	case EXTRA_INDEX:
		f->name = "index path";
		f->text = index_path(s->store, session->remote);
		return;
	case EXTRA_SANDBOX:
		f->name = "sandbox";
		f->text = str_of(sandbox_text());
		return;
	case EXTRA_DAMAGED:
	case EXTRAS:
		break;
	}
	(void)store_damage(s->store, &at);
	*f = (struct fact){ "index damaged", at == STORE_COPY ? FACT_TEXT : FACT_COUNT, at, STR("unpacked copy") };
}

/* Facts with text that the traced program was given: a mask may hide it. */
static bool
is_content(const struct fact *f)
{
	return strcmp(f->name, "command") == 0 || strcmp(f->name, "jvm_options") == 0;
}

static void
info_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct info *s = (struct info *)r;
	struct fact f;

	c->type = CELL_TEXT;
	c->text = STR("");
	if (store_is_blank(s->store)) {
		c->text = col == INFO_FIELD ? str_of(r->command->late[row].name) : STR("");
		return;
	}
	if (row >= s->n)
		extra_row(s, (enum extra)(s->first + row - s->n), &f);
	else if (!store_fact_at(s->store, s->fact[row], &f))
		return;
	if (col == INFO_FIELD)
		c->text = str_of(f.name);
	else if (col == INFO_VALUE && strcmp(f.name, "event") == 0)
		c->text = event_name(s->store, (uint32_t)f.value);
	else if (col == INFO_VALUE && is_content(&f)) {
		buf_clear(&s->text);
		buf_str(&s->text, f.text);
		mask_text(&s->text, 0);
		c->text = buf_view(&s->text);
	} else if (col == INFO_VALUE)
		info_fact_cell(&f, c);
	else {
		buf_clear(&s->text);
		info_meaning(str_of(f.name), load_shapes(s->store), NULL, &s->text);
		c->text = buf_view(&s->text);
	}
}

/* Over the store of no file list the names of late rows: a condition decides which of them are needed. */
static bool
info_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	const struct info *s = (const struct info *)r;

	if (!store_is_blank(s->store) || col != INFO_FIELD)
		return false;
	b->values = s->nlate;
	b->empty = false;
	for (size_t i = 0; i < n; i++)
		b->u[i] = first + i;
	return true;
}

static void
info_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	info_cell(r, value, col, c);
}

static void
info_close(struct rows *r)
{
	free(((struct info *)r)->fact);
	buf_free(&((struct info *)r)->text);
}

static const struct rows_ops info_ops = { .reach = info_reach, .cell = info_cell, .close = info_close,
	.batch = info_batch, .value = info_value };

static bool
info_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct info *s = rows_of_command(sizeof *s, &info_ops, session, stage, in, err);

	if (s == NULL)
		return false;
	s->store = session_store(session);
	for (const struct late_row *late = stage->command->late; late != NULL && late->name != NULL; late++)
		s->nlate++;
	s->first = (stage->command->shapes & SHAPE_GRAPH) != 0 ? EXTRA_REFS : EXTRA_INDEX;
	return rows_opened(&s->rows, stage_at_most(stage, 0, err) && find_facts(s, err), out);
}

static const column_id needs_calls[] = { COL_CALL_METHOD, COL_NONE };
static const column_id needs_objects[] = { COL_OUT_LEN, COL_NONE };
static const column_id needs_stacks[] = { COL_OBJECT_OFFSET, COL_JTHREAD_FRAMES, COL_NONE };
static const column_id needs_dominators[] = { COL_EACH_PARENT, COL_NONE };
static const column_id needs_direct[] = { COL_EACH_PARENT, COL_EACH_DIRECT_OBJECT, COL_NONE };
static const column_id needs_machine[] = { COL_OBJECT_OFFSET, COL_MACHINE_SAID, COL_NONE };
static const column_id needs_fillers[] = { COL_OBJECT_OFFSET, COL_FILLER_BYTES, COL_NONE };
static const struct late_row late_heap[] = {
	{ "jvm", needs_machine }, { "command", needs_machine }, { "jvm_options", needs_machine },
	{ "os", needs_machine },
	{ "collectors", needs_machine }, { "direct_limit", needs_machine }, { "device", needs_machine },
	{ "filler_objects", needs_fillers }, { "filler_bytes", needs_fillers },
	{ "missing", needs_objects }, { "repair.field_lengths", needs_objects },
	{ "stackless_threads", needs_stacks },
	{ "live_objects", needs_dominators }, { "live_bytes", needs_dominators },
	{ "unreachable_objects", needs_dominators }, { "unreachable_bytes", needs_dominators },
	{ "direct_bytes", needs_direct }, { "zlib_bytes", needs_direct },
	{ "registered_bytes", needs_direct }, { "mapped_bytes", needs_direct },
	{ "finalizable_bytes", needs_direct }, { "percent_of", needs_direct },
	{ NULL, NULL }
};

/* Facts that the pass of calls counts. */
static const struct late_row late_calls[] = {
	{ "threads", needs_calls }, { "methods", needs_calls }, { "stacks", needs_calls },
	{ "enters", needs_calls }, { "exits", needs_calls }, { "unrolls", needs_calls },
	{ "max_depth", needs_calls },
	{ "last_wall", needs_calls }, { "last_cpu", needs_calls }, { "elapsed", needs_calls },
	{ "sampled", needs_calls }, { "sample_interval", needs_calls },
	{ "repair.synthetic", needs_calls }, { "repair.forced", needs_calls },
	{ "repair.ignored", needs_calls },
	{ "repair.open", needs_calls }, { "repair.action3", needs_calls }, { "repair.wraps", needs_calls },
	{ "repair.backwards", needs_calls }, { "repair.unknown_methods", needs_calls },
	{ "repair.unknown_method_records", needs_calls }, { "repair.unknown_thread_records", needs_calls },
	{ NULL, NULL }
};

#define INFO(files, says, query) SOURCE("info", says, query, info_open), OVER(files, info_cols), .names = { "field" }

const struct command source_info = {
	INFO(SHAPE_TREES | SHAPE_INTERVALS | SHAPE_TASKS | SHAPE_TRACKS | SHAPE_TABLE | SHAPE_TRIAGE | SHAPE_CODE |
	    SHAPE_COSTS | SHAPE_COUNTS |
	    SHAPE_NATIVE,
	    "file facts, repairs and losses", "info | where value > 0"), .unless = SHAPE_GRAPH,
	.late = late_calls, .late_over = SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TASKS | SHAPE_TRACKS
};

const struct command source_heap_info = {
	INFO(SHAPE_GRAPH, "file facts, live size, repairs and losses",
	    "info | where field ~ /live/"),
	.late = late_heap, .late_over = SHAPE_GRAPH
};
