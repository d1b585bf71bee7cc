/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: parse rows of JSON, and blocks of rows.
 */
#include "config.h"

#include <string.h>

#include "icecore/make.h"
#include "icecore/triage.h"

const char *const triage_states[TRIAGE_STATES] = {
	"empty", "toobig", "timeout", "oom", "crash", "system", "unreadable", "not read", "salvaged", "ok", "clean"
};

const struct triage_field triage_dump[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT }, { "path", TRIAGE_IS_NAME },
	{ "bytes", TRIAGE_IS_COUNT }, { "sum", TRIAGE_IS_TEXT }, { "state", TRIAGE_IS_TEXT }, { "exit", TRIAGE_IS_COUNT },
	{ "signal", TRIAGE_IS_COUNT }, { "reason", TRIAGE_IS_TEXT }, { "lost_bytes", TRIAGE_IS_COUNT }, { "format", TRIAGE_IS_TEXT },
	{ "unpacked", TRIAGE_IS_COUNT }, { "objects", TRIAGE_IS_COUNT }, { "live_objects", TRIAGE_IS_COUNT },
	{ "live_bytes", TRIAGE_IS_COUNT }, { "dumped_at", TRIAGE_IS_TEXT }, { "app", TRIAGE_IS_NAME }, { "build", TRIAGE_IS_NAME },
	{ "process", TRIAGE_IS_NAME }, { "findings", TRIAGE_IS_COUNT }, { "attempt", TRIAGE_IS_COUNT }, { "seconds", TRIAGE_IS_REAL },
	{ "rss", TRIAGE_IS_COUNT }, { "version", TRIAGE_IS_TEXT }, { "rule", TRIAGE_IS_COUNT }, { "weight", TRIAGE_IS_TEXT },
	{ "elapsed", TRIAGE_IS_COUNT }, { "hot_path", TRIAGE_IS_TEXT }, { "hot_share", TRIAGE_IS_REAL }, { "wait", TRIAGE_IS_COUNT },
	{ "wait_in", TRIAGE_IS_TEXT }, { "main_blocks", TRIAGE_IS_COUNT }, { "main_longest", TRIAGE_IS_COUNT }, { "methods", TRIAGE_IS_COUNT },
	{ NULL, TRIAGE_IS_TEXT }
};

const struct triage_field triage_finding[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT }, { "rank", TRIAGE_IS_COUNT },
	{ "severity", TRIAGE_IS_TEXT }, { "kind", TRIAGE_IS_TEXT }, { "sig", TRIAGE_IS_TEXT }, { "rule", TRIAGE_IS_COUNT },
	{ "holder", TRIAGE_IS_TEXT }, { "content", TRIAGE_IS_TEXT }, { "retained", TRIAGE_IS_COUNT }, { "percent", TRIAGE_IS_REAL },
	{ "count", TRIAGE_IS_COUNT }, { "signature", TRIAGE_IS_TEXT }, { "why", TRIAGE_IS_TEXT }, { "wall", TRIAGE_IS_COUNT }, { NULL, TRIAGE_IS_TEXT }
};

const struct triage_field triage_method[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT }, { "rank", TRIAGE_IS_COUNT },
	{ "method", TRIAGE_IS_TEXT }, { "self", TRIAGE_IS_REAL }, { "total", TRIAGE_IS_REAL }, { NULL, TRIAGE_IS_TEXT }
};

const struct triage_field triage_measure[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT }, { "value", TRIAGE_IS_REAL },
	{ "unit", TRIAGE_IS_TEXT }, { "why", TRIAGE_IS_TEXT }, { NULL, TRIAGE_IS_TEXT }
};
const struct triage_field triage_page[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT }, { "parts", TRIAGE_IS_PARTS },
	{ NULL, TRIAGE_IS_TEXT }
};

bool
triage_state_of(struct str word, enum triage_state *state)
{
	for (size_t i = 0; i < TRIAGE_STATES; i++)
		if (str_eq(word, str_of(triage_states[i]))) {
			*state = (enum triage_state)i;
			return true;
		}
	return false;
}

/* ---- single rows ---------------------------------------------------------------------- */

/* Sanitize a text and limit its length. */
static json_t *
fit_text(struct str text, size_t most)
{
	struct buf fitted = BUF_INIT;
	json_t *value;
	size_t n;

	text_fit_buf(&fitted, str_head(text, most));
	for (n = fitted.n < most ? fitted.n : most; n < fitted.n && n > 0 && (fitted.s[n] & 0xc0) == 0x80; )
		n--;
	value = fitted.bad ? NULL : json_stringn(fitted.s == NULL ? "" : fitted.s, n);
	buf_free(&fitted);
	return value;
}

static json_t *
fit_value(enum triage_type type, const json_t *v)
{
	if ((type == TRIAGE_IS_TEXT || type == TRIAGE_IS_NAME) && json_is_string(v))
		return fit_text((struct str){ json_string_value(v), json_string_length(v) }, type == TRIAGE_IS_NAME ? TRIAGE_NAME : TRIAGE_TEXT);
	if (type == TRIAGE_IS_COUNT && json_is_integer(v) && json_integer_value(v) >= 0)
		return json_integer(json_integer_value(v));
	if (type == TRIAGE_IS_REAL && json_is_number(v))
		return json_real(json_number_value(v));
	if (type == TRIAGE_IS_PARTS && json_is_string(v) && triage_parts_fit((struct str){ json_string_value(v), json_string_length(v) }))
		return json_stringn(json_string_value(v), json_string_length(v));
	return json_null();
}

json_t *
triage_row(const struct triage_field *f, const json_t *own, const json_t *from)
{
	json_t *row = json_object(), *v;

	for (; row != NULL && f->name != NULL; f++) {
		v = json_object_get(own, f->name);
		v = fit_value(f->type, v != NULL ? v : json_object_get(from, f->name));
		if (v == NULL || json_object_set_new(row, f->name, v) != 0) {
			json_decref(row);
			return NULL;
		}
	}
	return row;
}

json_t *
triage_parse(struct str line)
{
	json_t *row = json_loadb(line.s, line.n, JSON_REJECT_DUPLICATES, NULL);

	if (json_is_object(row) && json_is_string(json_object_get(row, "key")))
		return row;
	json_decref(row);
	return NULL;
}

static int
rows_put(const char *text, size_t n, void *to)
{
	buf_add(to, text, n);
	return ((struct buf *)to)->bad ? -1 : 0;
}

bool
triage_print(const json_t *row, struct buf *b)
{
	bool ok = row != NULL && json_dump_callback(row, rows_put, b, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0;

	buf_chr(b, '\n');
	return ok && !b->bad;
}

struct str
triage_text(const json_t *row, const char *field)
{
	const json_t *v = json_object_get(row, field);

	return json_is_string(v) ? (struct str){ json_string_value(v), json_string_length(v) } : STR("");
}

int64_t
triage_count(const json_t *row, const char *field)
{
	const json_t *v = json_object_get(row, field);

	return json_is_integer(v) && json_integer_value(v) >= 0 ? json_integer_value(v) : -1;
}

/* ---- blocks --------------------------------------------------------------------------- */

static bool
is_row(const json_t *row, const char *kind)
{
	return str_eq(triage_text(row, "row"), str_of(kind));
}

void
triage_drop(struct triage_block *b)
{
	json_decref(b->dump);
	json_decref(b->findings);
	json_decref(b->methods);
	json_decref(b->page);
	*b = (struct triage_block){ .dump = NULL };
}

/* Take n rows of a kind that belong to a dump off rest; false: some are missing. Other lines stay in rest. */
static bool
take_rows_of(struct str *rest, const json_t *dump, const char *kind, int64_t n, json_t *to)
{
	struct str from, line;
	json_t *row;
	bool ok;

	for (int64_t i = 1; i <= n; i++) {
		from = *rest;
		if (!str_line(rest, &line))
			return false;
		row = triage_parse(line);
		ok = row != NULL && is_row(row, kind) && triage_count(row, "rank") == i &&
		    str_eq(triage_text(row, "key"), triage_text(dump, "key"));
		if (!ok || json_array_append(to, row) != 0)
			*rest = from;
		json_decref(row);
		if (!ok)
			return false;
	}
	return true;
}

static bool
take_block_rows(struct str *rest, struct triage_block *b)
{
	int64_t findings = triage_count(b->dump, "findings");

	return findings >= 0 && take_rows_of(rest, b->dump, "finding", findings, b->findings) &&
	    take_rows_of(rest, b->dump, "method", triage_count(b->dump, "methods"), b->methods);
}

static uint64_t
rows_count_lines(struct str s)
{
	uint64_t n = 0;
	struct str line;

	while (str_split(&s, '\n', &line))
		n++;
	return n;
}

bool
triage_next(struct triage_reader *r, struct triage_block *b)
{
	struct str from, line;

	for (;;) {
		from = r->rest;
		*b = (struct triage_block){ .findings = json_array(), .methods = json_array() };
		if (b->findings == NULL || b->methods == NULL || !str_line(&r->rest, &line))
			break;
		b->dump = triage_parse(line);
		if (b->dump != NULL && is_row(b->dump, "dump") && take_block_rows(&r->rest, b))
			return true;
		triage_drop(b);
		r->lost += rows_count_lines((struct str){ from.s, from.n - r->rest.n });
		/* If no complete line follows, the block was interrupted: it is torn, not damaged. */
		if (memchr(r->rest.s, '\n', r->rest.n) == NULL)
			r->torn = from.n;
	}
	r->lost += r->rest.n > 0;
	r->torn = r->torn > r->rest.n ? r->torn : r->rest.n;
	triage_drop(b);
	return false;
}
