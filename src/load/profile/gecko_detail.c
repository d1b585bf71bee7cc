/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describe the data of markers in short texts for the reader.
 */
#include "config.h"

#include "gecko.h"

#define DETAIL_MOST 200		/* bytes; fields that would exceed this are omitted */
#define LABEL_MOST 300		/* bytes; longer fields are omitted */

/* Return the hash key of a field in markers of one type. */
static uint64_t
gecko_detail_key_of(struct str type, struct str field)
{
	return idmap_hash_text(field, idmap_hash_text(type, 0));
}

#define FIELD(W, V, O) W(key) W(format)
#define TYPE(W, V, O) W(name) V(fields) V(data) W(chartLabel) W(tableLabel) W(tooltipLabel)
#define DATA(W, V, O) V(name) W(type)
JLOAD_SHAPE(marker_field, FIELD)
JLOAD_SHAPE(marker_type, TYPE)
JLOAD_SHAPE(marker_data, DATA)

static void
gecko_detail_read_fields(struct gecko *g, struct str type, struct json array)
{
	static const char *const of_strings[] = { "unique-string", "flow-id", "terminating-flow-id" };

	JSON_EACH(array, item) {
		struct marker_field at = marker_field_read(g->l, item);

		if (str_is_one(of_strings, NELEM(of_strings), at.format))
			into_map(g->to, &g->unique, gecko_detail_key_of(type, at.key), 1);
	}
}

void
gecko_schema(struct gecko *g, struct json array)
{
	JSON_EACH(array, item) {
		struct marker_type at = marker_type_read(g->l, item);
		/* The chart label is preferred: it is written to be shown next to the name of the marker. */
		struct str label = at.chartLabel.n > 0 ? at.chartLabel : at.tableLabel.n > 0 ? at.tableLabel :
		    at.tooltipLabel;

		gecko_detail_read_fields(g, at.name, at.fields);
		gecko_detail_read_fields(g, at.name, at.data);
		if (label.n > 0 && label.n <= LABEL_MOST)
			into_map(g->to, &g->labels, gecko_detail_key_of(at.name, STR("")), into_word(g->to, label));
	}
}

/* Hide fields that have columns of their own or do not describe the marker. */
static bool
gecko_detail_is_shown(struct str field)
{
	static const char *const hidden[] = { "type", "category", "startTime", "endTime", "interval", "stack",
	    "cause", "time" };

	return !str_is_one(hidden, NELEM(hidden), field);
}

static void
gecko_detail_put_value(struct gecko *g, struct str type, struct str field, bool is_text, struct str value)
{
	uint64_t row;

	if (!is_text && num_u64(value, 10, &row) && row < g->nstrings &&
	    idmap_get(&g->unique, gecko_detail_key_of(type, field)) != 0)
		value = gecko_string(g, (uint32_t)row + 1);
	buf_str(&g->detail, scan_unescape(value, &g->l->text));
}

static void
put_field(struct gecko *g, struct str type, struct str field, bool is_text, struct str value)
{
	struct buf *b = &g->detail;

	if (b->n > 0)
		buf_str(b, STR(", "));
	buf_str(b, scan_unescape(field, &g->l->text));
	buf_chr(b, ' ');
	gecko_detail_put_value(g, type, field, is_text, value);
}

/* For example "eventType click, latency 5": numbers and texts; nested values are skipped. */
static void
gecko_detail_put_fields(struct gecko *g, struct json data, struct str type)
{
	struct str field, value;

	scan_open(&data, '{');
	while (g->detail.n < DETAIL_MOST && scan_member(&data, &field)) {
		char c = scan_peek(&data);

		if (c == '{' || c == '[' || c == 'n' || !gecko_detail_is_shown(field)) {
			if (!scan_skip(&data))
				return;
			continue;
		}
		if (!scan_word(&data, &value))
			return;
		put_field(g, type, field, c == '"', value);
	}
}

/* ---- labels ------------------------------------------------------------------------------------- */

/* Append the value of a field, if it is a single word. */
static void
put_named(struct gecko *g, struct json data, struct str type, struct str wanted)
{
	struct str field, value;
	bool found = false;

	scan_open(&data, '{');
	while (!found && scan_member(&data, &field)) {
		char c = scan_peek(&data);

		found = str_eq(field, wanted);
		if (!found || c == '{' || c == '[' || c == 'n') {
			if (!scan_skip(&data))
				return;
			continue;
		}
		if (scan_word(&data, &value))
			gecko_detail_put_value(g, type, field, c == '"', value);
	}
}

/* "{marker.data.host} as {marker.name}": false if it contains no more than the name. */
static bool
put_label(struct gecko *g, struct str label, struct str name, struct json data, struct str type)
{
	struct str part, what;

	while (g->detail.n < DETAIL_MOST && label.n > 0) {
		part = str_until(label, '{');
		buf_str(&g->detail, part);
		label = str_after(label, part.n);
		what = str_until(label, '}');
		if (what.n == label.n) {
			buf_str(&g->detail, label);
			break;
		}
		label = str_after(label, what.n + 1);
		if (str_eq(what, STR("{marker.name")))
			buf_str(&g->detail, scan_unescape(name, &g->l->text));
		else if (str_take(&what, STR("{marker.data.")))
			put_named(g, data, type, what);
	}
	return g->detail.n > 0 && !str_eq(buf_view(&g->detail), scan_unescape(name, &g->l->text));
}

uint32_t
gecko_detail(struct gecko *g, struct str name, struct str text)
{
	struct json data = { .base = text.s, .size = text.n };
	struct marker_data at;
	uint32_t label;

	if (text.n == 0 || text.s[0] != '{')
		return 0;
	at = marker_data_read(g->l, data);
	if (json_is(at.name) && scan_peek(&at.name) == '"')
		return into_word(g->to, jload_word(at.name));
	buf_clear(&g->detail);
	label = idmap_get(&g->labels, gecko_detail_key_of(at.type, STR("")));
	if (label == 0 || !put_label(g, marks_text(&g->marks, label), name, data, at.type)) {
		buf_clear(&g->detail);
		gecko_detail_put_fields(g, data, at.type);
	}
	for (size_t i = 0; i < g->detail.n; i++)
		if (g->detail.s[i] == '\0')
			g->detail.s[i] = '\1';
	into_made(g->to, &g->l->text);
	return into_text(g->to, into_made(g->to, &g->detail));
}
