/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describe the args of trace events in a short text.  Each program that writes such events has its own
 * conventions.
 */
#include "config.h"

#include <string.h>

#include "chrome_marks.h"

#define MOST 200		/* bytes of a text; longer texts end with an ellipsis */
#define ENOUGH (MOST + 8)	/* the text was longer, with or without a blank at its end */
#define LOOK 256		/* maximum members of args */

enum { DETAIL, FUNC_ARGS, RETURN_VALUE, DATA, TARGET, MNEMONIC, INPUT_DIMS, INPUT_DIMS_OLD, DEVICE, STREAM, GRID, BLOCK, BYTES, MEMBERS };

static const char *const members[] = { "detail", "func_args", "return_value", "data", "target", "mnemonic", "Input Dims", "Input dims",
	"device", "stream", "grid", "block", "bytes", NULL };

struct said {
	struct jload	*l;
	struct buf	*b;		/* text */
	struct json	of[2];		/* args of the begin and of the end, which takes precedence */
	struct json	at[MEMBERS];
};

static bool
there(struct json j)
{
	return j.at < j.size;
}

/* ---- texts ------------------------------------------------------------------------------------ */

static bool
chrome_detail_is_full(const struct said *a)
{
	return a->b->n >= ENOUGH;
}

/* Append a text: runs of blanks become one blank, leading blanks are dropped. */
static void
chrome_detail_put(struct said *a, struct str s)
{
	for (size_t i = 0, n; i < s.n && !chrome_detail_is_full(a); i += n) {
		size_t room = ENOUGH - a->b->n;
		char c = s.s[i];

		for (n = 0; i + n < s.n && n < room && (unsigned char)s.s[i + n] > ' '; n++)
			;
		if (n > 0) {
			buf_add(a->b, s.s + i, n);
			continue;
		}
		n = 1;
		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			if (a->b->n > 0 && a->b->s[a->b->n - 1] != ' ')
				buf_chr(a->b, ' ');
		} else
			buf_chr(a->b, c == '\0' ? '\1' : c);
	}
}

/* Append JSON as in the file, without its blanks. */
static void
put_nested(struct said *a, struct json j)
{
	struct json end = j;
	bool quoted = false, escaped = false;

	scan_skip(&end);
	for (uint64_t at = j.at; at < end.at && !chrome_detail_is_full(a); at++) {
		char c = j.base[at];

		if (quoted || (c != ' ' && (c < '\t' || c > '\r')))
			chrome_detail_put(a, (struct str){ &j.base[at], 1 });
		quoted = quoted != (c == '"' && !escaped);
		escaped = quoted && c == '\\' && !escaped;
	}
}

static void
chrome_detail_put_value(struct said *a, struct json j)
{
	char c = there(j) ? scan_peek(&j) : '\0';

	if (c == '{' || c == '[')
		put_nested(a, j);
	else if (c != 'n')
		chrome_detail_put(a, scan_unescape(jload_word(j), &a->l->text));
}

static void
chrome_detail_put_key(struct said *a, struct str key, struct json value)
{
	chrome_detail_put(a, scan_unescape(key, &a->l->text));
	chrome_detail_put(a, STR("="));
	chrome_detail_put_value(a, value);
}

/* Return whether a value is not null, empty, false or 0. */
static bool
says(struct json j)
{
	struct str s = jload_word(j);

	return there(j) && (scan_peek(&j) == '{' || scan_peek(&j) == '[' || (s.n > 0 && !str_eq(s, STR("null")) &&
	    !str_eq(s, STR("false")) && !str_eq(s, STR("0"))));
}

/* ---- habits ----------------------------------------------------------------------------------- */

/* viztracer: arguments and return value of a function. */
static void
put_function(struct said *a)
{
	struct json j = a->at[FUNC_ARGS];
	struct str key;
	bool first = true;

	if (there(j) && scan_open(&j, '{'))
		for (; !chrome_detail_is_full(a) && scan_member(&j, &key); first = false) {
			chrome_detail_put(a, first ? STR("") : STR(", "));
			chrome_detail_put_key(a, key, j);
			if (!scan_skip(&j))
				break;
		}
	if (there(a->at[RETURN_VALUE])) {
		chrome_detail_put(a, STR(" -> "));
		chrome_detail_put_value(a, a->at[RETURN_VALUE]);
	}
}

/* DevTools: a function and its location, otherwise the type of the event. */
static void
put_devtools(struct said *a)
{
	static const char *const names[] = { "functionName", "url", "scriptName", "fileName", "lineNumber", "type", NULL };
	struct json at[6], url;

	jload_members(a->l, a->at[DATA], names, at);
	if (says(at[0]))
		chrome_detail_put_value(a, at[0]);
	url = says(at[1]) ? at[1] : says(at[2]) ? at[2] : at[3];
	if (says(url)) {
		chrome_detail_put(a, STR(" "));
		chrome_detail_put_value(a, url);
		if (there(at[4])) {
			chrome_detail_put(a, STR(":"));
			chrome_detail_put_value(a, at[4]);
		}
	}
	if (a->b->n == 0 && says(at[5]))
		chrome_detail_put_value(a, at[5]);
}

/* Bazel: "CppCompile //a:b". */
static void
put_bazel(struct said *a)
{
	for (int i = MNEMONIC; i >= TARGET; i--)
		if (says(a->at[i])) {
			chrome_detail_put(a, STR(" "));
			chrome_detail_put_value(a, a->at[i]);
		}
}

/* PyTorch: a kernel or a copy. */
static void
put_kernel(struct said *a)
{
	static const int shown[] = { DEVICE, STREAM, GRID, BLOCK, BYTES };

	for (size_t i = 0; i < NELEM(shown); i++)
		if (there(a->at[shown[i]])) {
			chrome_detail_put(a, STR(" "));
			chrome_detail_put_key(a, str_of(members[shown[i]]), a->at[shown[i]]);
		}
}

/* Skip members that link events for programs and mean nothing to the reader. */
static bool
is_bookkeeping(struct str key)
{
	static const char *const keys[] = { "External id", "Ev Idx", "correlation", "Record function id", "Sequence number", "Fwd thread id",
		"Python id", "Python parent id", "Python module id", "Collection depth", "sort_index", "snapshot", "beginEvent", "frame",
		"sampleTraceId", "ms_per_tick" };

	for (size_t i = 0; i < NELEM(keys); i++)
		if (key.n > 0 && key.s[0] == keys[i][0] && str_eq(key, str_of(keys[i])))
			return true;
	return false;
}

/* Return whether an object has one of these members, and which. */
static bool
chrome_detail_find(struct json object, struct str key, struct json *value)
{
	struct str name;

	if (!there(object) || !scan_open(&object, '{'))
		return false;
	for (int n = 0; n < LOOK && scan_member(&object, &name); n++) {
		if (str_eq(name, key)) {
			scan_peek(&object);
			*value = object;
			return true;
		}
		if (!scan_skip(&object))
			break;
	}
	return false;
}

/* Default: append the numbers and texts of the begin, then those that only the end has. */
static void
put_scalars(struct said *a, size_t of)
{
	struct json j = a->of[of], value;
	struct str key;

	if (!there(j) || !scan_open(&j, '{'))
		return;
	for (int n = 0; n < LOOK && !chrome_detail_is_full(a) && scan_member(&j, &key); n++) {
		scan_peek(&j);
		value = j;
		if (!scan_skip(&j))
			break;
		if (is_bookkeeping(key) || (of == 1 && chrome_detail_find(a->of[0], key, &value)))
			continue;
		if (of == 0)
			chrome_detail_find(a->of[1], key, &value);
		if (value.base[value.at] == '{' || value.base[value.at] == '[')
			continue;
		chrome_detail_put(a, STR(" "));
		chrome_detail_put_key(a, key, value);
	}
}

static void
put_args(struct said *a)
{
	const struct json *at = a->at;
	struct json detail = at[DETAIL], function = at[FUNC_ARGS], data = at[DATA];

	if (there(detail) && scan_peek(&detail) == '"')
		chrome_detail_put_value(a, detail);
	else if (there(at[RETURN_VALUE]) || (there(function) && scan_peek(&function) == '{'))
		put_function(a);
	else if (there(data) && scan_peek(&data) == '{')
		put_devtools(a);
	else if (there(at[TARGET]) || there(at[MNEMONIC]))
		put_bazel(a);
	else if (there(at[INPUT_DIMS]) || there(at[INPUT_DIMS_OLD]))
		chrome_detail_put_value(a, there(at[INPUT_DIMS]) ? at[INPUT_DIMS] : at[INPUT_DIMS_OLD]);
	else if (there(at[STREAM]) && (there(at[GRID]) || there(at[BYTES]) || there(at[DEVICE])))
		put_kernel(a);
	else {
		put_scalars(a, 0);
		put_scalars(a, 1);
	}
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Truncate at the boundary of a character. */
static void
chrome_detail_cut(struct buf *b)
{
	if (b->n > 0 && b->s[b->n - 1] == ' ')
		b->n--;
	if (b->n <= MOST)
		return;
	b->n = MOST;
	while (b->n > 0 && ((unsigned char)b->s[b->n] & 0xc0) == 0x80)
		b->n--;
	buf_str(b, STR("\342\200\246"));
}

void
chrome_detail_add(struct jload *l, const struct json args[2], struct buf *to)
{
	struct said a = { .l = l, .b = to, .of = { args[0], args[1] } };
	struct json end[MEMBERS];

	if (!there(args[0]) && !there(args[1]))
		return;
	jload_members(l, args[0], members, a.at);
	jload_members(l, args[1], members, end);
	for (size_t i = 0; i < MEMBERS; i++)
		a.at[i] = there(end[i]) ? end[i] : a.at[i];
	put_args(&a);
	chrome_detail_cut(to);
}

bool
chrome_detail(struct chrome_marks *m, const uint64_t places[2], uint32_t *word, struct err *err)
{
	struct jload *l = m->in.l;
	const struct json args[] = { chrome_args_at(l->doc, places[0]), chrome_args_at(l->doc, places[1]) };

	buf_clear(&l->file);
	chrome_detail_add(l, args, &l->file);
	return l->file.bad || l->text.bad ? fail(err, E_SYSTEM, "out of memory (args)") : marks_word_of(&m->in, buf_view(&l->file), word, err);
}
