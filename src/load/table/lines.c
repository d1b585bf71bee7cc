/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines: JSON lines, one object per line. Members of nested objects become columns named by path,
 * "user.name". An array with an object on each line is read the same way.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/lines.h"
#include "table.h"

#define DEPTH 8u	/* deeper objects stay JSON text */

#define PROBES 64	/* names crafted to collide become several columns, but cost no more than this */

struct str
sheet_name(const struct sheet_names *n, uint32_t column)
{
	return column >= n->n ? STR("") : str_of(n->text.s + SCRATCH(n->place, uint32_t)[column]);
}

/*
 * Return the column with that name, from 1, or 0 and its insertion key in *key; *key 0: cannot be inserted.
 */
static uint32_t
lines_find_name(const struct sheet_names *n, struct str name, uint64_t *key)
{
	uint32_t i;

	*key = idmap_hash_text(name, 0) | 1;
	for (int probe = 0; (i = idmap_get(&n->by_hash, *key)) != 0; *key += 2)
		/* Names of damaged lines are dropped, but their keys remain. */
		if (i <= n->n && str_eq(sheet_name(n, i - 1), name)) {
			return i;
		} else if (++probe == PROBES) {
			*key = 0;
			break;
		}
	return 0;
}

uint32_t
sheet_named(const struct sheet_names *n, struct str name)
{
	uint64_t key;

	return lines_find_name(n, name, &key);
}

bool
sheet_add_name(struct sheet_names *n, struct str name, bool again, uint32_t *column, struct err *err)
{
	uint64_t key;

	assert(n->n <= SHEET_COLUMNS);
	*column = lines_find_name(n, name, &key);
	if (*column != 0 && !again)
		return true;
	/* Searches find only the first of duplicate names. */
	key = *column != 0 ? 0 : key;
	*column = 0;
	if (n->n == SHEET_COLUMNS || n->text.n + name.n + 1 >= UINT32_MAX) {
		n->lost++;
		return true;
	}
	if (!scratch_array(&n->place, n->n + 1ull, sizeof(uint32_t), err) ||
	    (key != 0 && !idmap_put(&n->by_hash, key, n->n + 1, err)))
		return false;
	SCRATCH(n->place, uint32_t)[n->n] = (uint32_t)n->text.n;
	buf_str(&n->text, name);
	buf_add(&n->text, "", 1);
	*column = ++n->n;
	return !n->text.bad || fail(err, E_SYSTEM, "out of memory (names of columns)");
}

void
sheet_names_free(struct sheet_names *n)
{
	buf_free(&n->text);
	scratch_free(&n->place);
	idmap_free(&n->by_hash);
}

/* ---- lines --------------------------------------------------------------------------- */

/* Find the column of the member with path r->key; next: a guess from the previous object. *column 0: none. */
static bool
lines_column_of(struct sheet_reader *r, uint32_t next, uint32_t *column, struct err *err)
{
	struct str name = buf_view(&r->key);

	if (r->key.bad)
		return fail(err, E_SYSTEM, "out of memory (name)");
	if (str_eq(sheet_name(&r->sheet->names, next), name)) {
		*column = next + 1;
		return true;
	}
	*column = sheet_named(&r->sheet->names, name);
	return *column != 0 || r->grow == NULL || sheet_add_name(r->grow, name, false, column, err);
}

static bool
lines_is_number(struct str s)
{
	if (!is_digit(str_after(s, s.n > 1 && s.s[0] == '-').s[0]))
		return false;
	for (size_t i = 1; i < s.n; i++)
		if (!is_digit(s.s[i]) && memchr(".eE+-", s.s[i], 5) == NULL)
			return false;
	return true;
}

/* Take a scalar, or the text of an array or of a too deeply nested object; false: not a value. */
static bool
lines_take_value(struct json *j, struct sheet_field *f)
{
	char first = scan_peek(j);
	struct str s;
	uint64_t from = j->at;

	if (first == '[' || first == '{') {
		if (!scan_skip(j))
			return false;
		*f = (struct sheet_field){ j->base + from, j->base + j->at, FORM_PLAIN, 0 };
		return true;
	}
	if (!scan_word(j, &s))
		return false;
	*f = (struct sheet_field){ s.s, s.s + s.n, FORM_PLAIN, 0 };
	if (first == '"')
		f->form = memchr(s.s, '\\', s.n) != NULL ? FORM_ESCAPED : FORM_QUOTED;
	else if (str_is(s, "null"))
		f->end = f->from;
	else
		return str_is(s, "true") || str_is(s, "false") || lines_is_number(s);
	return true;
}

static bool
put_value(struct sheet_reader *r, uint32_t column, const struct sheet_field *f, struct err *err)
{
	uint32_t place = column - 1;
	struct sheet_field *to;

	if (column == 0)
		return true;
	assert(column <= SHEET_COLUMNS);
	if (!scratch_array(&r->field, column, sizeof *f, err))
		return false;
	r->n = r->n < column ? column : r->n;
	to = &SCRATCH(r->field, struct sheet_field)[place];
	if (to->stamp != r->stamp && !scratch_add(&r->given, &r->ngiven, &place, sizeof place, err))
		return false;
	*to = *f;
	to->stamp = r->stamp;
	return true;
}

/* Append the name of a member to the path of its object. */
static void
put_key(struct sheet_reader *r, size_t path, struct str name)
{
	r->key.n = path;
	if (path > 0)
		buf_chr(&r->key, '.');
	name = scan_unescape(name, &r->unescaped);
	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] != '\0')
			buf_chr(&r->key, name.s[i]);
	/* Allocate the buffer even if the key is empty. */
	buf_add(&r->key, "", 0);
}

/* Read an object from j on; *good: it is complete. */
static bool
take_object(struct sheet_reader *r, struct json *j, bool *good, struct err *err)
{
	size_t path[DEPTH + 1] = { 0 };
	uint32_t depth = 0, column = 0;
	struct sheet_field f;
	struct str name;

	*good = false;
	r->key.n = 0;
	if (!scan_open(j, '{'))
		return true;
	for (;;) {
		if (!scan_member(j, &name)) {
			if (j->bad || depth-- == 0)
				break;
			continue;
		}
		assert(depth < DEPTH);
		put_key(r, path[depth], name);
		if (depth < DEPTH - 1 && scan_open(j, '{')) {
			path[++depth] = r->key.n;
			continue;
		}
		if (!lines_take_value(j, &f))
			return true;
		if (!lines_column_of(r, column, &column, err) || !put_value(r, column, &f, err))
			return false;
	}
	*good = !j->bad && scan_peek(j) == '\0' && j->at == j->size;
	return true;
}

/* Trim white space and the comma of an array around an object on its line. */
static struct str
lines_line_of(struct str line)
{
	line = sheet_trim(line);
	if (line.n > 0 && line.s[line.n - 1] == ',')
		line = sheet_trim((struct str){ line.s, line.n - 1 });
	return line;
}

/* No column has a value yet. */
static bool
begin_record(struct sheet_reader *r, struct err *err)
{
	r->n = r->sheet->names.n;
	r->ngiven = 0;
	if (!scratch_array(&r->field, r->n, sizeof(struct sheet_field), err))
		return false;
	if (++r->stamp == 0) {
		memset(r->field.data, 0, r->field.size);
		r->stamp = 1;
	}
	return true;
}

bool
sheet_next_line(struct sheet_reader *r, struct err *err)
{
	struct lines l = lines_of((struct str){ r->at, (size_t)(r->sheet->end - r->at) });
	struct json j = { .base = r->at };
	struct str line;
	bool good = false;
	uint32_t known;
	size_t bytes;

	while (!good) {
		r->record = r->at;
		if (!lines_next(&l, &line))
			return false;
		r->line = r->next_line++;
		r->at = l.rest.s;
		line = lines_line_of(line);
		if (line.n == 0 || str_is(line, "[") || str_is(line, "]"))
			continue;
		if (!begin_record(r, err))
			return false;
		j = (struct json){ .base = line.s, .size = line.n };
		known = r->grow == NULL ? 0 : r->grow->n;
		bytes = r->grow == NULL ? 0 : r->grow->text.n;
		if (!take_object(r, &j, &good, err))
			return false;
		r->bad += !good;
		if (!good && r->grow != NULL) {
			r->grow->n = known;
			r->grow->text.n = bytes;
		}
	}
	return true;
}
