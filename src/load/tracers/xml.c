/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tags of XML.
 */
#include "config.h"

#include <assert.h>

#include "icecore/bytes.h"
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

	while (n < s.n && !is_blank(s.s[n]) && s.s[n] != '\n' && s.s[n] != '\r' && s.s[n] != '=' && s.s[n] != '/')
		n++;
	return n;
}

bool
xml_next(struct xml *x)
{
	struct str after, before, in;
	size_t end;

	for (;;) {
		if (!str_divide(x->rest, STR("<"), &x->text, &after))
			return false;
		if (str_has_prefix(after, STR("!--"))) {
			x->bad |= !str_divide(after, STR("-->"), &before, &x->rest);
		} else if (str_has_prefix(after, STR("?")) || str_has_prefix(after, STR("!"))) {
			x->bad |= !str_divide(after, STR(">"), &before, &x->rest);
		} else {
			break;
		}
		if (x->bad)
			return false;
	}
	end = tag_end(after);
	if (end == after.n) {
		x->bad = true;
		return false;
	}
	in = str_head(after, end);
	x->rest = str_behind(after, end + 1);
	x->closes = str_take(&in, STR("/"));
	x->opens = !x->closes;
	if (x->opens && str_has_suffix(in, STR("/"))) {
		x->closes = true;
		in.n--;
	}
	x->tag = str_head(in, name_length(in));
	x->attributes = str_behind(in, x->tag.n);
	return true;
}

/* The character that "amp" or "#38" stands for; n: bytes written to out. */
static bool
entity(struct str s, char *out, size_t *n)
{
	static const struct { const char *name; char c; } names[] = { { "amp", '&' }, { "lt", '<' }, { "gt", '>' }, { "quot", '"' },
	    { "apos", '\'' } };
	uint64_t v;

	for (size_t i = 0; i < NELEM(names); i++)
		if (str_eq(s, str_of(names[i].name))) {
			out[0] = names[i].c;
			*n = 1;
			return true;
		}
	if (!str_take(&s, STR("#")) || !(str_take(&s, STR("x")) ? num_u64(s, 16, &v) : num_u64(s, 10, &v)) || v == 0 || v > 0x10ffff)
		return false;
	*n = text_encode((uint32_t)v, out);
	return true;
}

static struct str
xml_unescape(struct str s, struct buf *b)
{
	struct str before, after, name, rest;
	char c[8];
	size_t n;

	if (s.n == 0 || memchr(s.s, '&', s.n) == NULL)
		return s;
	buf_clear(b);
	while (str_divide(s, STR("&"), &before, &after)) {
		buf_str(b, before);
		s = after;
		if (str_divide(str_head(after, 12), STR(";"), &name, &rest) && entity(name, c, &n)) {
			buf_add(b, c, n);
			s = str_behind(after, name.n + 1);
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
	struct str s = x->attributes, key, value;
	size_t n;

	for (;;) {
		while (s.n > 0 && (is_blank(s.s[0]) || s.s[0] == '\n' || s.s[0] == '\r'))
			s = str_behind(s, 1);
		n = name_length(s);
		key = str_head(s, n);
		s = str_behind(s, n);
		if (n == 0 || s.n < 2 || s.s[0] != '=' || (s.s[1] != '"' && s.s[1] != '\''))
			return STR("");
		value = str_behind(s, 2);
		for (n = 0; n < value.n && value.s[n] != s.s[1]; n++)
			;
		assert(n <= value.n);
		s = str_behind(value, n + 1);
		if (str_eq(key, str_of(name)))
			return xml_unescape(str_head(value, n), b);
	}
}
