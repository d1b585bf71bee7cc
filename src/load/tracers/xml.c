/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tags of XML.
 */
#include "config.h"

#include <assert.h>

#include "icecore/bytes.h"
#include "icecore/scan.h"
#include "load/stacks/text.h"
#include "xml.h"

/* The end of a tag: a '>' that is in no attribute. */
static size_t
tag_end(struct str s)
{
	char quote = '\0';
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (quote != '\0')
			quote = s.s[i] == quote ? '\0' : quote;
		else if (s.s[i] == '"' || s.s[i] == '\'')
			quote = s.s[i];
		else if (s.s[i] == '>')
			break;
	}
	return i;
}

static size_t
name_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && !is_blank(s.s[n]) && s.s[n] != '\n' && s.s[n] != '\r' && s.s[n] != '=' &&
	    s.s[n] != '/')
		n++;
	return n;
}

bool
xml_next(struct xml *x)
{
	struct str after, in;
	size_t end;

	for (;;) {
		if (!str_divide(x->rest, STR("<"), &x->text, &after))
			return false;
		if (!str_begins(after, "?") && !str_begins(after, "!"))
			break;
		in = after;
		x->bad |= str_begins(after, "!--") ? !scan(&in, "%*t-->") : !scan(&in, "%*t>");
		if (x->bad)
			return false;
		x->rest = in;
	}
	end = tag_end(after);
	if (end == after.n) {
		x->bad = true;
		return false;
	}
	in = str_head(after, end);
	x->rest = str_after(after, end + 1);
	x->closes = scan(&in, "/");
	x->opens = !x->closes;
	if (x->opens && str_ends(in, "/")) {
		x->closes = true;
		in.n--;
	}
	x->tag = str_head(in, name_length(in));
	x->attributes = str_after(in, x->tag.n);
	return true;
}

/* The character that "amp" or "#38" stands for; n: bytes written to out. */
static bool
entity(struct str s, char *out, size_t *n)
{
	static const struct { const char *name; char c; } names[] =
	    { { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "quot", '"' }, { "apos", '\'' } };
	uint64_t v;

	for (size_t i = 0; i < NELEM(names); i++)
		if (str_eq(s, str_of(names[i].name))) {
			out[0] = names[i].c;
			*n = 1;
			return true;
		}
	if (!scan(&s, "#") || !(scan(&s, "x") ? num_u64(s, 16, &v) : num_u64(s, 10, &v)) || v == 0 ||
	    v > 0x10ffff)
		return false;
	*n = text_encode((uint32_t)v, out);
	return true;
}

struct str
xml_text(struct str s, struct buf *b)
{
	struct str before, rest, name;
	char c[8];
	size_t n;

	if (s.n == 0 || memchr(s.s, '&', s.n) == NULL)
		return s;
	buf_clear(b);
	while (scan(&s, "%t&", &before)) {
		buf_str(b, before);
		rest = str_head(s, 12);
		if (scan(&rest, "%t;", &name) && entity(name, c, &n)) {
			buf_add(b, c, n);
			s = str_after(s, name.n + 1);
		} else {
			buf_chr(b, '&');
		}
	}
	buf_str(b, s);
	return buf_view(b);
}

struct str
xml_attribute(const struct xml *x, const char *name, struct buf *b)
{
	return xml_text(xml_raw(x, name), b);
}

struct str
xml_raw(const struct xml *x, const char *name)
{
	struct str s = x->attributes, key, value;
	size_t n;

	for (;;) {
		while (s.n > 0 && (is_blank(s.s[0]) || s.s[0] == '\n' || s.s[0] == '\r'))
			s = str_after(s, 1);
		n = name_length(s);
		key = str_head(s, n);
		s = str_after(s, n);
		if (n == 0 || s.n < 2 || s.s[0] != '=' || (s.s[1] != '"' && s.s[1] != '\''))
			return STR("");
		value = str_after(s, 2);
		for (n = 0; n < value.n && value.s[n] != s.s[1]; n++)
			;
		assert(n <= value.n);
		s = str_after(value, n + 1);
		if (str_eq(key, str_of(name)))
			return str_head(value, n);
	}
}
