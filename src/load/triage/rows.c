/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows: parse rows of JSON, and blocks of rows.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/json.h"
#include "icecore/make.h"
#include "icecore/triage.h"

const char *const triage_states[TRIAGE_STATES] = {
	"empty", "toobig", "timeout", "oom", "crash", "system", "unreadable", "not read", "salvaged", "ok", "clean"
};

const struct triage_field triage_dump[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT }, { "path", TRIAGE_IS_NAME },
	{ "bytes", TRIAGE_IS_COUNT }, { "sum", TRIAGE_IS_TEXT }, { "state", TRIAGE_IS_TEXT },
	{ "exit", TRIAGE_IS_COUNT },
	{ "signal", TRIAGE_IS_COUNT }, { "reason", TRIAGE_IS_TEXT }, { "lost_bytes", TRIAGE_IS_COUNT },
	{ "format", TRIAGE_IS_TEXT },
	{ "unpacked", TRIAGE_IS_COUNT }, { "objects", TRIAGE_IS_COUNT }, { "live_objects", TRIAGE_IS_COUNT },
	{ "live_bytes", TRIAGE_IS_COUNT }, { "dumped_at", TRIAGE_IS_TEXT }, { "app", TRIAGE_IS_NAME },
	{ "build", TRIAGE_IS_NAME },
	{ "process", TRIAGE_IS_NAME }, { "findings", TRIAGE_IS_COUNT }, { "attempt", TRIAGE_IS_COUNT },
	{ "seconds", TRIAGE_IS_REAL },
	{ "rss", TRIAGE_IS_COUNT }, { "version", TRIAGE_IS_TEXT }, { "rule", TRIAGE_IS_COUNT },
	{ "weight", TRIAGE_IS_TEXT },
	{ "elapsed", TRIAGE_IS_COUNT }, { "hot_path", TRIAGE_IS_TEXT }, { "hot_share", TRIAGE_IS_REAL },
	{ "wait", TRIAGE_IS_COUNT },
	{ "wait_in", TRIAGE_IS_TEXT }, { "story", TRIAGE_IS_TEXT }, { "main_blocks", TRIAGE_IS_COUNT },
	{ "main_longest", TRIAGE_IS_COUNT }, { "methods", TRIAGE_IS_COUNT },
	{ NULL, TRIAGE_IS_TEXT }
};

const struct triage_field triage_finding[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT },
	{ "rank", TRIAGE_IS_COUNT },
	{ "severity", TRIAGE_IS_TEXT }, { "kind", TRIAGE_IS_TEXT }, { "sig", TRIAGE_IS_TEXT },
	{ "rule", TRIAGE_IS_COUNT },
	{ "holder", TRIAGE_IS_TEXT }, { "content", TRIAGE_IS_TEXT }, { "retained", TRIAGE_IS_COUNT },
	{ "percent", TRIAGE_IS_REAL },
	{ "count", TRIAGE_IS_COUNT }, { "signature", TRIAGE_IS_TEXT }, { "why", TRIAGE_IS_TEXT },
	    { "wall", TRIAGE_IS_COUNT }, { NULL, TRIAGE_IS_TEXT }
};

const struct triage_field triage_method[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT },
	{ "rank", TRIAGE_IS_COUNT },
	{ "method", TRIAGE_IS_TEXT }, { "self", TRIAGE_IS_REAL }, { "total", TRIAGE_IS_REAL }, { NULL, TRIAGE_IS_TEXT }
};

const struct triage_field triage_measure[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT },
	{ "value", TRIAGE_IS_REAL },
	{ "unit", TRIAGE_IS_TEXT }, { "clock", TRIAGE_IS_TEXT }, { "why", TRIAGE_IS_TEXT }, { NULL, TRIAGE_IS_TEXT }
};
const struct triage_field triage_page[] = {
	{ "row", TRIAGE_IS_TEXT }, { "schema", TRIAGE_IS_COUNT }, { "key", TRIAGE_IS_TEXT },
	{ "parts", TRIAGE_IS_PARTS },
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

/* ---- members -------------------------------------------------------------------------- */

enum kind { IS_NULL, IS_TEXT, IS_COUNT, IS_REAL };

struct triage_member {
	const char	*name;
	enum kind	 kind;
	union {
		struct { size_t from, n; } text;
		int64_t		 count;
		double		 real;
	};
};

static const struct triage_member *
member_of(const struct triage_row *row, struct str name)
{
	for (size_t i = 0; row != NULL && i < row->n; i++)
		if (str_eq(str_of(row->member[i].name), name))
			return &row->member[i];
	return NULL;
}

static void
set_member(struct triage_row *row, struct triage_member m)
{
	const struct triage_member *old = member_of(row, str_of(m.name));
	size_t at = old != NULL ? (size_t)(old - row->member) : row->n;

	row->bad |= at == row->n && !mem_grow(&row->member, &row->cap, at + 1, sizeof m);
	if (row->bad)
		return;
	row->member[at] = m;
	row->n += at == row->n;
}

void
triage_put_text(struct triage_row *row, const char *field, struct str text)
{
	set_member(row, (struct triage_member){ field, IS_TEXT, .text = { row->text.n, text.n } });
	buf_str(&row->text, text);
	row->bad |= row->text.bad;
}

void
triage_put_count(struct triage_row *row, const char *field, int64_t count)
{
	set_member(row, (struct triage_member){ field, IS_COUNT, .count = count });
}

void
triage_put_real(struct triage_row *row, const char *field, double real)
{
	set_member(row, (struct triage_member){ field, isfinite(real) ? IS_REAL : IS_NULL, .real = real });
}

void
triage_put_null(struct triage_row *row, const char *field)
{
	set_member(row, (struct triage_member){ field, IS_NULL, .count = 0 });
}

static struct str
rows_text_of(const struct triage_row *row, const struct triage_member *m)
{
	return m->text.n > 0 && !row->bad ? (struct str){ row->text.s + m->text.from, m->text.n } : STR("");
}

struct str
triage_text(const struct triage_row *row, const char *field)
{
	const struct triage_member *m = member_of(row, str_of(field));

	return m != NULL && m->kind == IS_TEXT ? rows_text_of(row, m) : STR("");
}

int64_t
triage_count(const struct triage_row *row, const char *field)
{
	const struct triage_member *m = member_of(row, str_of(field));

	return m != NULL && m->kind == IS_COUNT && m->count >= 0 ? m->count : -1;
}

double
triage_real(const struct triage_row *row, const char *field)
{
	const struct triage_member *m = member_of(row, str_of(field));

	return m == NULL ? NAN : m->kind == IS_REAL ? m->real : m->kind == IS_COUNT ? (double)m->count : NAN;
}

void
triage_row_free(struct triage_row *row)
{
	free(row->member);
	buf_free(&row->text);
	*row = (struct triage_row){ .n = 0 };
}

/* ---- single rows ---------------------------------------------------------------------- */

/* Sanitize a text and limit its length. */
static void
put_fit_text(struct triage_row *row, const char *field, struct str text, size_t most)
{
	struct buf fitted = BUF_INIT;
	size_t n;

	text_fit_buf(&fitted, str_head(text, most));
	for (n = fitted.n < most ? fitted.n : most; n < fitted.n && n > 0 && (fitted.s[n] & 0xc0) == 0x80; )
		n--;
	triage_put_text(row, field, str_head(buf_view(&fitted), n));
	row->bad |= fitted.bad;
	buf_free(&fitted);
}

void
triage_fill(struct triage_row *row, const struct triage_field *f, const struct triage_row *own,
    const struct triage_row *from)
{
	const struct triage_member *m;
	const struct triage_row *in;

	*row = (struct triage_row){ .bad = (own != NULL && own->bad) || (from != NULL && from->bad) };
	for (; f->name != NULL; f++) {
		in = member_of(own, str_of(f->name)) != NULL ? own : from;
		m = member_of(in, str_of(f->name));
		if (m != NULL && m->kind == IS_TEXT && (f->type == TRIAGE_IS_TEXT || f->type == TRIAGE_IS_NAME))
			put_fit_text(row, f->name, rows_text_of(in, m),
			    f->type == TRIAGE_IS_NAME ? TRIAGE_NAME : TRIAGE_TEXT);
		else if (m != NULL && m->kind == IS_TEXT && f->type == TRIAGE_IS_PARTS &&
		    triage_parts_fit(rows_text_of(in, m)))
			triage_put_text(row, f->name, rows_text_of(in, m));
		else if (f->type == TRIAGE_IS_COUNT && triage_count(in, f->name) >= 0)
			triage_put_count(row, f->name, triage_count(in, f->name));
		else
			triage_put_real(row, f->name, f->type == TRIAGE_IS_REAL ? triage_real(in, f->name) : NAN);
	}
}

/* The name of a field of any row that has this name, or NULL. */
static const char *
field_named(struct str name)
{
	static const struct triage_field *const all[] = { triage_dump, triage_finding, triage_method, triage_page,
	    triage_measure };

	for (size_t i = 0; i < NELEM(all); i++)
		for (const struct triage_field *f = all[i]; f->name != NULL; f++)
			if (str_eq(str_of(f->name), name))
				return f->name;
	return NULL;
}

/* A number without a point or exponent is a count.  False: it does not fit. */
static bool
parse_value(struct triage_row *row, const char *field, struct json *j, struct buf *plain)
{
	bool quoted = scan_peek(j) == '"';
	struct str word;
	int64_t count;
	double real;

	if (!scan_plain(j, &word))
		return false;
	if (quoted) {
		word = scan_unescape(word, plain);
		/* Texts of columns end with NUL. */
		if (word.n > 0 && memchr(word.s, '\0', word.n) != NULL)
			return false;
		triage_put_text(row, field, word);
	} else if (word.n == 0 || !(word.s[0] == '-' || is_digit(word.s[0])))
		triage_put_null(row, field);
	else if (str_digits(str_after(word, word.s[0] == '-')) == word.n - (word.s[0] == '-')) {
		if (!num_i64(word, 10, &count))
			return false;
		triage_put_count(row, field, count);
	} else {
		if (!num_f64(word, &real))
			return false;
		triage_put_real(row, field, real);
	}
	return !plain->bad && !row->bad;
}

static bool
parse_members(struct triage_row *row, struct json *j, struct buf *plain)
{
	const struct triage_member *key;
	const char *field;
	struct str name;

	if (!scan_open(j, '{'))
		return false;
	while (scan_member(j, &name)) {
		field = field_named(scan_unescape(name, plain));
		if (field == NULL ? !scan_skip(j) : member_of(row, str_of(field)) != NULL ||
		    !parse_value(row, field, j, plain))
			return false;
	}
	key = member_of(row, STR("key"));
	return !plain->bad && key != NULL && key->kind == IS_TEXT;
}

bool
triage_parse(struct str line, struct triage_row *row)
{
	struct json j = { .base = line.s, .size = line.n };
	struct buf plain = BUF_INIT;
	bool deep, ok;

	*row = (struct triage_row){ .n = 0 };
	ok = scan_strict(line, &deep) && parse_members(row, &j, &plain);
	buf_free(&plain);
	if (!ok)
		triage_row_free(row);
	return ok;
}

/* Parts of pages may have any bytes but NUL. */
static void
put_controls(struct buf *b, struct str s)
{
	size_t n;

	for (; s.n > 0; s = str_after(s, n + (n < s.n))) {
		for (n = 0; n < s.n && (unsigned char)s.s[n] >= ' '; )
			n++;
		buf_add(b, s.s, n);
		if (n < s.n)
			buf_printf(b, "\\u%04X", (unsigned char)s.s[n]);
	}
}

/* Print a number with a point or exponent, so that it is read again as such: 1.0, 2.5e-7. */
static void
print_real(struct buf *b, double real)
{
	char text[40], *e;

	snprintf(text, sizeof text, "%.9g", real);
	e = strchr(text, 'e');
	if (e == NULL) {
		buf_printf(b, strchr(text, '.') == NULL ? "%s.0" : "%s", text);
		return;
	}
	buf_printf(b, "%.*se%d", (int)(e - text), text, atoi(e + 1));
}

bool
triage_print(const struct triage_row *row, struct buf *b)
{
	for (const struct triage_member *m = row->member; m < row->member + row->n; m++) {
		buf_printf(b, "%s\"%s\":", m == row->member ? "{" : ",", m->name);
		if (m->kind == IS_TEXT)
			text_json(b, rows_text_of(row, m), put_controls);
		else if (m->kind == IS_COUNT)
			buf_printf(b, "%lld", (long long)m->count);
		else if (m->kind == IS_REAL)
			print_real(b, m->real);
		else
			buf_str(b, STR("null"));
	}
	buf_str(b, STR("}\n"));
	return !row->bad && row->n > 0 && !b->bad;
}

struct triage_row *
triage_add(struct triage_rows *rows)
{
	if (!mem_grow(&rows->row, &rows->cap, rows->n + 1, sizeof *rows->row))
		return NULL;
	rows->row[rows->n] = (struct triage_row){ .n = 0 };
	return &rows->row[rows->n++];
}

void
triage_rows_free(struct triage_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		triage_row_free(&rows->row[i]);
	free(rows->row);
	*rows = (struct triage_rows){ .n = 0 };
}

/* ---- blocks --------------------------------------------------------------------------- */

static bool
is_row(const struct triage_row *row, const char *kind)
{
	return str_eq(triage_text(row, "row"), str_of(kind));
}

void
triage_drop(struct triage_block *b)
{
	triage_row_free(&b->dump);
	triage_rows_free(&b->findings);
	triage_rows_free(&b->methods);
	triage_row_free(&b->page);
}

/* Take n rows of a kind that belong to a dump off rest; false: some are missing. Other lines stay in rest. */
static bool
take_rows_of(struct str *rest, const struct triage_row *dump, const char *kind, int64_t n, struct triage_rows *to)
{
	struct triage_row *row;
	struct str from, line;

	for (int64_t i = 1; i <= n; i++) {
		from = *rest;
		row = triage_add(to);
		if (row == NULL || !str_line(rest, &line))
			return false;
		if (!triage_parse(line, row) || !is_row(row, kind) || triage_count(row, "rank") != i ||
		    !str_eq(triage_text(row, "key"), triage_text(dump, "key"))) {
			*rest = from;
			return false;
		}
	}
	return true;
}

static bool
take_block_rows(struct str *rest, struct triage_block *b)
{
	int64_t findings = triage_count(&b->dump, "findings");

	return findings >= 0 && take_rows_of(rest, &b->dump, "finding", findings, &b->findings) &&
	    take_rows_of(rest, &b->dump, "method", triage_count(&b->dump, "methods"), &b->methods);
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
		*b = (struct triage_block){ .dump.n = 0 };
		if (!str_line(&r->rest, &line))
			break;
		if (triage_parse(line, &b->dump) && is_row(&b->dump, "dump") && take_block_rows(&r->rest, b))
			return true;
		triage_drop(b);
		r->lost += rows_count_lines((struct str){ from.s, from.n - r->rest.n });
		/* If no complete line follows, the block was interrupted: it is torn, not damaged. */
		if (memchr(r->rest.s, '\n', r->rest.n) == NULL)
			r->torn = from.n;
	}
	r->lost += r->rest.n > 0;
	r->torn = r->torn > r->rest.n ? r->torn : r->rest.n;
	return false;
}
