/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of Firefox profiles: columns, or rows with a schema.
 */
#include "config.h"

#include <string.h>

#include "gecko.h"

static const char *const sample_columns[] = { "stack", "time", "timeDeltas", "weight", "threadCPUDelta",
    "duration", NULL };
static const char *const stack_columns[] = { "frame", "prefix", "prefixOffset", "category", "subcategory", NULL };
static const char *const frame_columns[] = { "location", "func", "category", "subcategory", "inlineDepth",
    "lib", "address", NULL };
static const char *const func_columns[] = { "name", "fileName", "source", "resource", "lineNumber", NULL };
static const char *const resource_columns[] = { "lib", "name", NULL };
static const char *const source_columns[] = { "filename", NULL };
static const char *const marker_columns[] = { "name", "category", "data", "startTime", "endTime", "phase",
    "time", NULL };

static const char *const counter_columns[] = { "time", "timeDeltas", "count", "number", NULL };

/* Columns that only help other programs; and those that all tables may have. */
#define QUIET "length", "schema", "data", "weightType"
static const char *const quiet[] = { QUIET, NULL };
static const char *const quiet_frames[] = { QUIET, "innerWindowID", "nativeSymbol", "relevantForJS",
    "originalLocation", NULL };
static const char *const quiet_funcs[] = { QUIET, "isJS", "relevantForJS", "address", "columnNumber",
    "originalLocation", NULL };
static const char *const quiet_resources[] = { QUIET, "type", "host", "icon", "addonId", NULL };
static const char *const quiet_sources[] = { QUIET, "id", "startLine", "startColumn", "sourceMapURL", NULL };

static const struct gecko_form tables[GECKO_TABLES] = {
	[GECKO_SAMPLES] = { "samples", sample_columns, quiet },
	[GECKO_STACKS] = { "stackTable", stack_columns, quiet },
	[GECKO_FRAMES] = { "frameTable", frame_columns, quiet_frames },
	[GECKO_FUNCS] = { "funcTable", func_columns, quiet_funcs },
	[GECKO_RESOURCES] = { "resourceTable", resource_columns, quiet_resources },
	[GECKO_SOURCES] = { "sources", source_columns, quiet_sources },
	[GECKO_MARKERS] = { "markers", marker_columns, quiet },
	[GECKO_JS] = { "jsAllocations", sample_columns, quiet },
	[GECKO_NATIVE] = { "nativeAllocations", sample_columns, quiet },
};
const struct gecko_form gecko_counter_form = { "counters", counter_columns, quiet };
const struct gecko_form gecko_source_form = { "sources", source_columns, quiet_sources };

/* Members of a thread that are read, or only help other programs. */
static const char *const quiet_members[] = { "name", "pid", "tid", "processName", "processType",
    "stringArray", "stringTable", "libs",
	"registerTime", "unregisterTime", "processStartupTime", "processShutdownTime", "isMainThread",
	"showMarkersInTimeline", "nativeSymbols", "sourceLocationTable", NULL };

static struct json
gecko_table_nothing(struct json j)
{
	j.at = j.size;
	return j;
}

/* Return the number of a column, from 1; 0: not needed. */
static uint8_t
gecko_table_number_of(const char *const *columns, struct str name)
{
	for (uint8_t i = 0; columns[i] != NULL; i++)
		if (str_eq(name, str_of(columns[i])))
			return i + 1;
	return 0;
}

/* The number of a column, which is counted if it is not needed; value: its content, or a text in place of it. */
static uint8_t
gecko_table_known(struct jload *l, const struct gecko_form *form, struct str name, struct str value)
{
	uint8_t column = gecko_table_number_of(form->columns, name);

	if (column == 0 && l != NULL)
		jload_unread(l, UNREAD_KEY, form->name, name, value, form->quiet);
	return column;
}

/* Read a raw value and advance j; null is empty. */
static bool
gecko_table_read_value(struct json *j, struct str *value)
{
	char c = scan_peek(j);
	uint64_t from = j->at;

	if (c == '{' || c == '[') {
		if (!scan_skip(j))
			return false;
		*value = (struct str){ j->base + from, (size_t)(j->at - from) };
		return true;
	}
	if (!scan_word(j, value))
		return false;
	if (c == 'n')
		*value = STR("");
	return true;
}

/* The names of the columns of a table of rows, by place; empty: none. */
struct gecko_schema {
	struct str	name[GECKO_SCHEMA];
};

/* Parse { "name": place, .. }, or a list of names. */
static void
read_schema(struct json j, struct gecko_schema *s)
{
	struct str name, word;
	uint64_t place = 0;

	if (scan_open(&j, '[')) {
		for (; scan_item(&j) && scan_word(&j, &name); place++)
			if (place < GECKO_SCHEMA)
				s->name[place] = name;
		return;
	}
	if (!scan_open(&j, '{'))
		return;
	while (scan_member(&j, &name) && scan_word(&j, &word))
		if (num_u64(word, 10, &place) && place < GECKO_SCHEMA)
			s->name[place] = name;
}

/* Count the columns that are not needed and have any content.  Most have some in their first rows. */
static void
gecko_table_count_unread(struct jload *l, const struct gecko_form *form, struct json rows,
    const struct gecko_schema *s, const uint8_t *wanted)
{
	bool open[GECKO_SCHEMA] = { false };
	struct str value;
	size_t left = 0;

	for (size_t i = 0; i < GECKO_SCHEMA; i++) {
		open[i] = s->name[i].n > 0 && wanted[i] == 0 &&
		    gecko_table_number_of(form->quiet, s->name[i]) == 0;
		left += open[i];
	}
	while (left > 0 && scan_item(&rows)) {
		if (!scan_open(&rows, '[')) {
			scan_skip(&rows);
			continue;
		}
		for (size_t place = 0; scan_item(&rows) && gecko_table_read_value(&rows, &value); place++) {
			if (place >= GECKO_SCHEMA || !open[place] || value.n == 0)
				continue;
			jload_unread(l, UNREAD_KEY, form->name, s->name[place], value, form->quiet);
			open[place] = false;
			left--;
		}
	}
}

static void
gecko_table_by_rows(struct jload *l, struct json schema, const struct gecko_form *form, struct gecko_table *t)
{
	struct gecko_schema s = { .name = { { NULL, 0 } } };

	read_schema(schema, &s);
	for (size_t i = 0; i < GECKO_SCHEMA; i++)
		t->wanted[i] = s.name[i].n == 0 ? 0 : gecko_table_number_of(form->columns, s.name[i]);
	if (l != NULL)
		gecko_table_count_unread(l, form, t->rows, &s, t->wanted);
}

void
gecko_table_open(struct jload *l, struct json *j, const struct gecko_form *form, struct gecko_table *t)
{
	struct json schema = gecko_table_nothing(*j);
	struct str name, word;
	uint8_t column;

	*t = (struct gecko_table){ .n = UINT64_MAX, .rows = schema };
	for (size_t i = 0; i < GECKO_COLUMNS; i++)
		t->column[i] = schema;
	if (!scan_open(j, '{')) {
		scan_skip(j);
		return;
	}
	while (scan_member(j, &name)) {
		struct json value = *j;

		if (!scan_skip(j))
			return;
		if (str_eq(name, STR("schema")))
			schema = value;
		else if (str_eq(name, STR("length")) && scan_word(&value, &word))
			num_u64(word, 10, &t->n);
		else if (str_eq(name, STR("weightType")))
			scan_word(&value, &t->weight_type);
		else if ((column = gecko_table_known(l, form, name,
		    (struct str){ value.base + value.at, (size_t)(j->at - value.at) })) != 0)
			t->column[column - 1] = value;
		/* Raw tables (rows, not columns) have "data"; markers have a column with that name. */
		if (str_eq(name, STR("data")))
			t->rows = value;
	}
	t->there = !j->bad;
	t->by_rows = schema.at < schema.size && scan_open(&t->rows, '[');
	if (t->by_rows)
		gecko_table_by_rows(l, schema, form, t);
	for (size_t i = 0; i < GECKO_COLUMNS; i++)
		if (t->by_rows || t->column[i].at == t->column[i].size || !scan_open(&t->column[i], '['))
			t->column[i] = gecko_table_nothing(*j);
}

/*
 * Read the next array element if it is a number or null without blanks around it, like nearly all; false: another
 * value.
 */
static inline bool
next_plain(struct json *j, struct str *value)
{
	static const bool plain[256] = { ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true,
	    ['5'] = true, ['6'] = true,
	    ['7'] = true, ['8'] = true, ['9'] = true, ['-'] = true, ['+'] = true, ['.'] = true, ['e'] = true,
	    ['E'] = true };
	const char *base = j->base;
	uint64_t from = j->at + (j->at < j->size && base[j->at] == ','), at = from;
	bool null = j->size - at > 4 && memcmp(base + at, "null", 4) == 0;

	if (null)
		at += 4;
	while (!null && at < j->size && plain[(unsigned char)base[at]])
		at++;
	if (at == from || at == j->size || (base[at] != ',' && base[at] != ']'))
		return false;
	*value = null ? STR("") : (struct str){ base + from, (size_t)(at - from) };
	j->at = at;
	return true;
}

/* False: no more rows. */
static inline bool
next_value(struct json *j, struct str *value)
{
	return next_plain(j, value) || (scan_item(j) && gecko_table_read_value(j, value));
}

static bool
next_row(struct gecko_table *t)
{
	struct json *j = &t->rows;
	struct str value;

	if (!scan_item(j))
		return false;
	for (size_t i = 0; i < GECKO_COLUMNS; i++)
		t->value[i] = STR("");
	if (!scan_open(j, '['))
		return scan_skip(j);
	for (size_t place = 0; scan_item(j); place++) {
		if (!gecko_table_read_value(j, &value))
			return false;
		if (place < GECKO_SCHEMA && t->wanted[place] != 0)
			t->value[t->wanted[place] - 1] = value;
	}
	return !j->bad;
}

bool
gecko_table_next(struct gecko_table *t)
{
	bool any = false;

	if (t->by_rows)
		return t->there && next_row(t);
	/* The stated length may exceed the columns; the table ends where all columns end. */
	if (!t->there || t->at >= t->n)
		return false;
	for (size_t i = 0; i < GECKO_COLUMNS; i++) {
		struct json *j = &t->column[i];

		t->value[i] = STR("");
		if (j->at == j->size)
			continue;
		if (next_value(j, &t->value[i]))
			any = true;
		else
			*j = gecko_table_nothing(*j);
	}
	t->at++;
	return any;
}

uint64_t
gecko_table_at(const struct gecko_table *t)
{
	return t->by_rows ? t->rows.at : t->column[0].at;
}

uint32_t
gecko_index(struct gecko *g, struct str s, uint64_t n)
{
	uint64_t v;

	if (s.n == 0 || str_eq(s, STR("-1")))
		return 0;
	if (num_u64(s, 10, &v) && v < n && v < MAKE_MOST)
		return (uint32_t)v + 1;
	g->counts.bad_index++;
	return 0;
}

/* A text, or a raw number. */
static void
gecko_table_read_member(struct json j, struct str name, struct gecko_tables *t)
{
	const struct {
		const char	*name;
		struct str	*word;
	} words[] = {
		{ "name", &t->name }, { "pid", &t->pid }, { "tid", &t->tid }, { "processName", &t->process_name },
		{ "processType", &t->process_type },
	};

	if (str_eq(name, STR("stringArray")) || str_eq(name, STR("stringTable")))
		t->strings = j;
	if (str_eq(name, STR("libs")))
		t->libs = j;
	for (size_t i = 0; i < NELEM(words); i++)
		if (str_eq(name, str_of(words[i].name)))
			gecko_table_read_value(&j, words[i].word);
}

void
gecko_tables_open(struct jload *l, struct json *j, const char *object, struct gecko_tables *t)
{
	struct json none = gecko_table_nothing(*j), value;
	struct str name;
	size_t i;

	*t = (struct gecko_tables){ .strings = none, .libs = none };
	if (!scan_open(j, '{')) {
		t->cut = !scan_skip(j);
		return;
	}
	while (scan_member(j, &name)) {
		for (i = 0; i < GECKO_TABLES && !str_eq(name, str_of(tables[i].name)); i++)
			;
		if (i < GECKO_TABLES) {
			gecko_table_open(l, j, &tables[i], &t->table[i]);
			continue;
		}
		value = *j;
		if (!scan_skip(j))
			break;
		gecko_table_read_member(value, name, t);
		jload_unread(l, UNREAD_KEY, object, name, (struct str){ value.base + value.at,
		    (size_t)(j->at - value.at) }, quiet_members);
	}
	t->cut = j->bad;
}
