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

static bool
gecko_detail_read_fields(struct gecko *g, struct str type, struct json array, struct err *err)
{
	static const char *const names[] = { "key", "format", NULL };
	static const char *const of_strings[] = { "unique-string", "flow-id", "terminating-flow-id" };
	struct json at[2];
	struct str format;

	if (!scan_open(&array, '['))
		return true;
	while (scan_item(&array)) {
		jload_members(g->l, array, names, at);
		format = jload_word(at[1]);
		for (size_t i = 0; i < NELEM(of_strings); i++)
			if (str_eq(format, str_of(of_strings[i])) &&
			    !idmap_put(&g->unique, gecko_detail_key_of(type, jload_word(at[0])), 1, err))
				return false;
		if (!scan_skip(&array))
			break;
	}
	return true;
}

/*
 * Use the first label that exists.  The chart label is preferred: it is written to be shown beside the name
 * of the marker.
 */
static bool
gecko_detail_read_label(struct gecko *g, struct str type, const struct json *at, size_t n, struct err *err)
{
	struct str label = STR("");
	uint32_t word;

	for (size_t i = 0; i < n && label.n == 0; i++)
		label = jload_word(at[i]);
	return label.n == 0 || label.n > LABEL_MOST ||
	    (marks_word(&g->marks, label, &word, err) && idmap_put(&g->labels, gecko_detail_key_of(type, STR("")), word, err));
}

bool
gecko_schema(struct gecko *g, struct json array, struct err *err)
{
	static const char *const names[] = { "name", "fields", "data", "chartLabel", "tableLabel", "tooltipLabel", NULL };
	struct json at[6];
	struct str type;

	if (!scan_open(&array, '['))
		return true;
	while (scan_item(&array)) {
		jload_members(g->l, array, names, at);
		type = jload_word(at[0]);
		if (!gecko_detail_read_fields(g, type, at[1], err) || !gecko_detail_read_fields(g, type, at[2], err) ||
		    !gecko_detail_read_label(g, type, &at[3], 3, err))
			return false;
		if (!scan_skip(&array))
			break;
	}
	return true;
}

/* Hide fields that have columns of their own or do not describe the marker. */
static bool
gecko_detail_is_shown(struct str field)
{
	static const char *const hidden[] = { "type", "category", "startTime", "endTime", "interval", "stack", "cause", "time" };

	for (size_t i = 0; i < NELEM(hidden); i++)
		if (str_eq(field, str_of(hidden[i])))
			return false;
	return true;
}

static void
gecko_detail_put_value(struct gecko *g, struct str type, struct str field, bool is_text, struct str value)
{
	uint64_t row;

	if (!is_text && num_u64(value, 10, &row) && row < g->nstrings && idmap_get(&g->unique, gecko_detail_key_of(type, field)) != 0)
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
		label = str_behind(label, part.n);
		what = str_until(label, '}');
		if (what.n == label.n) {
			buf_str(&g->detail, label);
			break;
		}
		label = str_behind(label, what.n + 1);
		if (str_eq(what, STR("{marker.name")))
			buf_str(&g->detail, scan_unescape(name, &g->l->text));
		else if (str_take(&what, STR("{marker.data.")))
			put_named(g, data, type, what);
	}
	return g->detail.n > 0 && !str_eq(buf_view(&g->detail), scan_unescape(name, &g->l->text));
}

bool
gecko_detail(struct gecko *g, struct str name, struct str text, uint32_t *word, struct err *err)
{
	static const char *const names[] = { "name", "type", NULL };
	struct json data = { .base = text.s, .size = text.n }, at[2];
	struct str type;
	uint32_t label;

	*word = 0;
	if (text.n == 0 || text.s[0] != '{')
		return true;
	jload_members(g->l, data, names, at);
	type = jload_word(at[1]);
	if (at[0].at < at[0].size && scan_peek(&at[0]) == '"')
		return marks_word(&g->marks, jload_word(at[0]), word, err);
	buf_clear(&g->detail);
	label = idmap_get(&g->labels, gecko_detail_key_of(type, STR("")));
	if (label == 0 || !put_label(g, marks_text(&g->marks, label), name, data, type)) {
		buf_clear(&g->detail);
		gecko_detail_put_fields(g, data, type);
	}
	if (g->detail.bad || g->l->text.bad)
		return fail(err, E_SYSTEM, "out of memory (marker)");
	for (size_t i = 0; i < g->detail.n; i++)
		if (g->detail.s[i] == '\0')
			g->detail.s[i] = '\1';
	return marks_word_of(&g->marks, buf_view(&g->detail), word, err);
}
