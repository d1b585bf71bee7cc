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

#define SAID(W, V, O) \
	V(detail) V(func_args) V(return_value) V(data) V(target) V(mnemonic) O("Input Dims", dims) O("Input dims", \
	    old_dims) \
	V(device) V(stream) V(grid) V(block) V(bytes)
#define DATA(W, V, O) V(functionName) V(url) V(scriptName) V(fileName) V(lineNumber) V(type)
JLOAD_SHAPE(said, SAID)
JLOAD_SHAPE(devtools, DATA)

/* A text being written. */
struct detail {
	struct jload	*l;
	struct buf	*b;		/* text */
	struct json	of[2];		/* args of the begin and of the end, which takes precedence */
};

/* ---- texts ------------------------------------------------------------------------------------ */

static bool
full(const struct detail *a)
{
	return a->b->n >= ENOUGH;
}

/* Append a text: runs of blanks become one blank, leading blanks are dropped. */
static void
chrome_detail_put(struct detail *a, struct str s)
{
	for (size_t i = 0, n; i < s.n && !full(a); i += n) {
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
put_nested(struct detail *a, struct json j)
{
	struct json end = j;
	bool quoted = false, escaped = false;

	scan_skip(&end);
	for (uint64_t at = j.at; at < end.at && !full(a); at++) {
		char c = j.base[at];

		if (quoted || (c != ' ' && (c < '\t' || c > '\r')))
			chrome_detail_put(a, (struct str){ &j.base[at], 1 });
		quoted = quoted != (c == '"' && !escaped);
		escaped = quoted && c == '\\' && !escaped;
	}
}

static void
chrome_detail_put_value(struct detail *a, struct json j)
{
	char c = json_is(j) ? scan_peek(&j) : '\0';

	if (c == '{' || c == '[')
		put_nested(a, j);
	else if (c != 'n')
		chrome_detail_put(a, scan_unescape(jload_word(j), &a->l->text));
}

static void
chrome_detail_put_key(struct detail *a, struct str key, struct json value)
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

	return json_is(j) && (scan_peek(&j) == '{' || scan_peek(&j) == '[' || (s.n > 0 && !str_eq(s, STR("null")) &&
	    !str_eq(s, STR("false")) && !str_eq(s, STR("0"))));
}

/* ---- habits ----------------------------------------------------------------------------------- */

/* viztracer: arguments and return value of a function. */
static void
put_function(struct detail *a, const struct said *s)
{
	struct json j = s->func_args;
	struct str key;
	bool first = true;

	if (json_is(j) && scan_open(&j, '{'))
		for (; !full(a) && scan_member(&j, &key); first = false) {
			chrome_detail_put(a, first ? STR("") : STR(", "));
			chrome_detail_put_key(a, key, j);
			if (!scan_skip(&j))
				break;
		}
	if (json_is(s->return_value)) {
		chrome_detail_put(a, STR(" -> "));
		chrome_detail_put_value(a, s->return_value);
	}
}

/* DevTools: a function and its location, otherwise the type of the event. */
static void
put_devtools(struct detail *a, struct json data)
{
	struct devtools at = devtools_read(a->l, data);
	struct json url = says(at.url) ? at.url : says(at.scriptName) ? at.scriptName : at.fileName;

	if (says(at.functionName))
		chrome_detail_put_value(a, at.functionName);
	if (says(url)) {
		chrome_detail_put(a, STR(" "));
		chrome_detail_put_value(a, url);
		if (json_is(at.lineNumber)) {
			chrome_detail_put(a, STR(":"));
			chrome_detail_put_value(a, at.lineNumber);
		}
	}
	if (a->b->n == 0 && says(at.type))
		chrome_detail_put_value(a, at.type);
}

/* Bazel: "CppCompile //a:b". */
static void
put_bazel(struct detail *a, const struct said *s)
{
	const struct json *const parts[] = { &s->mnemonic, &s->target };

	for (size_t i = 0; i < NELEM(parts); i++)
		if (says(*parts[i])) {
			chrome_detail_put(a, STR(" "));
			chrome_detail_put_value(a, *parts[i]);
		}
}

/* PyTorch: a kernel or a copy. */
static void
put_kernel(struct detail *a, const struct said *s)
{
	const struct { const char *key; struct json value; } parts[] = {
		{ "device", s->device }, { "stream", s->stream }, { "grid", s->grid }, { "block", s->block },
		{ "bytes", s->bytes },
	};

	for (size_t i = 0; i < NELEM(parts); i++)
		if (json_is(parts[i].value)) {
			chrome_detail_put(a, STR(" "));
			chrome_detail_put_key(a, str_of(parts[i].key), parts[i].value);
		}
}

/* Skip members that link events for programs and mean nothing to the reader.  A frame that is a number was drawn. */
static bool
is_bookkeeping(struct str key, struct json value)
{
	static const char *const keys[] = { "External id", "Ev Idx", "correlation", "Record function id",
	    "Sequence number", "Fwd thread id",
		"Python id", "Python parent id", "Python module id", "Collection depth", "sort_index", "snapshot",
		"beginEvent", "frame", "sampleTraceId", "ms_per_tick" };

	for (size_t i = 0; i < NELEM(keys); i++)
		if (key.n > 0 && key.s[0] == keys[i][0] && str_eq(key, str_of(keys[i])))
			return !str_eq(key, STR("frame")) || scan_peek(&value) == '"';
	return false;
}

/* Return whether an object has one of these members, and which. */
static bool
find(struct json object, struct str key, struct json *value)
{
	struct str name;

	if (!json_is(object) || !scan_open(&object, '{'))
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
put_scalars(struct detail *a, size_t of)
{
	struct json j = a->of[of], value;
	struct str key;

	if (!json_is(j) || !scan_open(&j, '{'))
		return;
	for (int n = 0; n < LOOK && !full(a) && scan_member(&j, &key); n++) {
		scan_peek(&j);
		value = j;
		if (!scan_skip(&j))
			break;
		if (is_bookkeeping(key, value) || (of == 1 && find(a->of[0], key, &value)))
			continue;
		if (of == 0)
			find(a->of[1], key, &value);
		if (value.base[value.at] == '{' || value.base[value.at] == '[')
			continue;
		chrome_detail_put(a, STR(" "));
		chrome_detail_put_key(a, key, value);
	}
}

/* Whether a value, if there is one, begins with this byte. */
static bool
opens(struct json j, char c)
{
	return json_is(j) && scan_peek(&j) == c;
}

static void
put_args(struct detail *a, const struct said *s)
{
	if (opens(s->detail, '"'))
		chrome_detail_put_value(a, s->detail);
	else if (json_is(s->return_value) || opens(s->func_args, '{'))
		put_function(a, s);
	else if (opens(s->data, '{'))
		put_devtools(a, s->data);
	else if (json_is(s->target) || json_is(s->mnemonic))
		put_bazel(a, s);
	else if (json_is(s->dims) || json_is(s->old_dims))
		chrome_detail_put_value(a, json_is(s->dims) ? s->dims : s->old_dims);
	else if (json_is(s->stream) && (json_is(s->grid) || json_is(s->bytes) || json_is(s->device)))
		put_kernel(a, s);
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
	struct detail a = { .l = l, .b = to, .of = { args[0], args[1] } };
	struct said begin, end;

	if (!json_is(args[0]) && !json_is(args[1]))
		return;
	begin = said_read(l, args[0]);
	end = said_read(l, args[1]);
#define OR_END(key) if (json_is(end.key)) begin.key = end.key;
#define OR_OTHER(text, member) OR_END(member)
	SAID(OR_END, OR_END, OR_OTHER)
	put_args(&a, &begin);
	chrome_detail_cut(to);
}
