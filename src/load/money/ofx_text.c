/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ofx_text: tokens of OFX, and values of its texts, amounts and dates.
 */
#include "config.h"

#include <string.h>

#include "icecore/scan.h"
#include "ofx.h"

/* ---- tokens --------------------------------------------------------------------------------- */

static bool
begins_name(char c)
{
	return is_letter(c) || c == '_';
}

static bool
is_name(char c)
{
	return begins_name(c) || is_digit(c) || c == '.' || c == '-' || c == ':';
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

/* A '<' here is not text. */
static bool
begins_tag(const struct ofx_tokens *t, uint64_t at)
{
	char c = at + 1 < t->n ? t->s[at + 1] : '\0';

	return begins_name(c) || c == '/' || c == '!' || c == '?';
}

/* Return the position of the terminator, or the end of the text. */
static uint64_t
text_behind(struct ofx_tokens *t, uint64_t from, struct str end)
{
	const char *hit = from >= t->n ? NULL : memmem(t->s + from, t->n - from, end.s, end.n);

	t->cut = t->cut || hit == NULL;
	return hit == NULL ? t->n : (uint64_t)(hit - t->s) + end.n;
}

/* Take the text in "<![CDATA[...]]>". */
static void
take_raw(struct ofx_tokens *t)
{
	uint64_t from = t->at + 9, end = text_behind(t, from, STR("]]>"));

	t->text = (struct str){ t->s + from, end - from };
	if (str_ends(t->text, "]]>"))
		t->text.n -= 3;
	t->at = end;
}

/* Take a tag.  A tag without an end is text. */
static bool
take_tag(struct ofx_tokens *t, bool close)
{
	uint64_t name = t->at + (close ? 2 : 1), at, end;

	while (close && name < t->n && is_space(t->s[name]))
		name++;
	for (at = name; at < t->n && is_name(t->s[at]); )
		at++;
	if (at < t->n && (at == name || !begins_name(t->s[name])))
		return false;
	for (end = at; end < t->n && t->s[end] != '>' && t->s[end] != '<' &&
	    (!close || is_space(t->s[end])); )
		end++;
	t->cut = t->cut || end == t->n;
	if (end == t->n || t->s[end] != '>')
		return false;
	t->text = (struct str){ t->s + name, at - name };
	t->closed = !close && t->s[end - 1] == '/';
	t->at = end + 1;
	return true;
}

static void
text_take_text(struct ofx_tokens *t)
{
	const char *hit;
	uint64_t at = t->at + 1;

	for (; at < t->n; at++) {
		hit = memchr(t->s + at, '<', t->n - at);
		at = hit == NULL ? t->n : (uint64_t)(hit - t->s);
		if (hit == NULL || begins_tag(t, at))
			break;
	}
	t->text = (struct str){ t->s + t->at, at - t->at };
	t->at = at;
}

enum ofx_kind
ofx_next(struct ofx_tokens *t)
{
	static const struct str raw = STR("<![CDATA["), comment = STR("<!--");
	struct str rest;

	t->closed = false;
	while (t->at < t->n) {
		rest = (struct str){ t->s + t->at, t->n - t->at };
		if (rest.s[0] != '<' || !begins_tag(t, t->at)) {
			text_take_text(t);
			return OFX_TEXT;
		}
		if (rest.s[1] == '!' || rest.s[1] == '?') {
			if (str_has_prefix(rest, raw)) {
				take_raw(t);
				return OFX_RAW;
			}
			t->at = str_has_prefix(rest, comment) ? text_behind(t, t->at, STR("-->")) :
			    text_behind(t, t->at, STR(">"));
			continue;
		}
		if (take_tag(t, rest.s[1] == '/'))
			return rest.s[1] == '/' ? OFX_CLOSE : OFX_OPEN;
		text_take_text(t);
		return OFX_TEXT;
	}
	return OFX_END;
}

/* ---- characters ------------------------------------------------------------------------------- */

/* Characters of Windows-1252 from 0x80 on; undefined codes map to themselves. */
static const uint16_t windows[32] = {
	0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152,
	    0x8d, 0x17d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153,
	    0x9d, 0x17e, 0x178
};

/* Take an entity at the front, "&lt;", "&#60;" or "&#x3c;"; false: the character is not an entity. */
static bool
take_entity(struct str *s, uint32_t *cp)
{
	static const struct { struct str name; char c; } names[] = {
		{ STR("&lt;"), '<' }, { STR("&gt;"), '>' }, { STR("&amp;"), '&' }, { STR("&nbsp;"), ' ' },
		{ STR("&quot;"), '"' }, { STR("&apos;"), '\'' },
	};
	struct str in = *s;
	uint64_t v;
	size_t n = 0, most;
	bool hex;

	for (size_t i = 0; i < NELEM(names); i++)
		if (str_take(s, names[i].name)) {
			*cp = (unsigned char)names[i].c;
			return true;
		}
	if (!scan(&in, "&#"))
		return false;
	hex = scan(&in, "x") || scan(&in, "X");
	for (most = hex ? 6 : 7; n < in.n && n < most && (hex ? is_hex(in.s[n]) : is_digit(in.s[n])); )
		n++;
	if (n == 0 || n == in.n || in.s[n] != ';' || !num_u64((struct str){ in.s, n }, hex ? 16 : 10, &v) ||
	    v == 0 || v >= 0x110000 || (v >= 0xd800 && v < 0xe000))
		return false;
	*cp = (uint32_t)v;
	*s = str_after(in, n + 1);
	return true;
}

static uint32_t
take_char(struct str *s, enum ofx_kind kind, bool single_bytes)
{
	uint8_t byte = (uint8_t)s->s[0];
	uint32_t cp = byte;
	size_t n = 1;

	if (byte == '&' && kind == OFX_TEXT && take_entity(s, &cp))
		return cp;
	if (byte >= 0x80 && single_bytes)
		cp = byte < 0xa0 ? windows[byte - 0x80] : byte;
	else if (byte >= 0x80)
		n = text_decode(*s, &cp);
	*s = str_after(*s, n);
	return cp;
}

static bool
is_space_char(uint32_t cp)
{
	return cp < 0x80 ? is_space((char)cp) : cp == 0x85 || cp == 0xa0 || cp == 0x1680 ||
	    (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 || cp == 0x2029 || cp == 0x202f || cp == 0x205f ||
	    cp == 0x3000;
}

bool
ofx_blank(struct str s, enum ofx_kind kind, bool single_bytes)
{
	while (s.n > 0)
		if (!is_space_char(take_char(&s, kind, single_bytes)))
			return false;
	return true;
}

/* ---- values -------------------------------------------------------------------------------------- */

static struct str
ofx_text_trim(struct str s)
{
	while (s.n > 0 && is_space(s.s[0]))
		s = str_after(s, 1);
	while (s.n > 0 && is_space(s.s[s.n - 1]))
		s.n--;
	return s;
}

/* Return whether a text needs no decoding, like nearly all texts. */
static bool
is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((uint8_t)s.s[i] >= 0x80 || s.s[i] == '<' || s.s[i] == '&' ||
		    (is_space(s.s[i]) && (s.s[i] != ' ' || s.s[i - 1] == ' ')))
			return false;
	return true;
}

struct str
money_value(struct str raw, bool single_bytes, struct buf *b)
{
	struct ofx_tokens t = { .s = raw.s, .n = raw.n };
	enum ofx_kind kind;
	bool blank = false;
	char bytes[4];
	uint32_t cp;

	raw = ofx_text_trim(raw);
	if (is_plain(raw))
		return raw;
	buf_clear(b);
	while ((kind = ofx_next(&t)) != OFX_END) {
		while ((kind == OFX_TEXT || kind == OFX_RAW) && t.text.n > 0) {
			cp = take_char(&t.text, kind, single_bytes);
			if (is_space_char(cp)) {
				blank = true;
				continue;
			}
			if (blank && b->n > 0)
				buf_chr(b, ' ');
			blank = false;
			buf_add(b, bytes, text_encode(cp, bytes));
		}
	}
	return buf_view(b);
}

/* Return the decimal mark: the later one of two, or the only one if it occurs once. False: not a number. */
static bool
decimal_mark(struct str s, char *mark)
{
	size_t points = 0, commas = 0;
	char last = '\0';

	for (size_t i = 0; i < s.n; i++) {
		points += s.s[i] == '.';
		commas += s.s[i] == ',';
		if (s.s[i] == '.' || s.s[i] == ',')
			last = s.s[i];
		else if (!is_digit(s.s[i]))
			return false;
	}
	*mark = (points > 0 && commas > 0) || points + commas == 1 ? last : '\0';
	return points + commas < s.n && (*mark == '\0' || (*mark == '.' ? points : commas) == 1);
}

/* Groups after the first one have three digits. */
static bool
take_groups(struct str s, struct decimal *d)
{
	size_t n = 0, groups = 0;

	for (size_t i = 0; i <= s.n; i++) {
		if (i < s.n && is_digit(s.s[i])) {
			n++;
			if (!decimal_digit(d, s.s[i]))
				return false;
			continue;
		}
		if (i < s.n || groups > 0) {
			if (n < 1 || n > 3 || (groups > 0 && n != 3))
				return false;
		}
		groups++;
		n = 0;
	}
	return true;
}

/* Return the decimals without trailing zeros. */
static bool
take_decimals(struct str s, struct decimal *d)
{
	while (s.n > 0 && s.s[s.n - 1] == '0')
		s.n--;
	for (size_t i = 0; i < s.n; i++, d->places++)
		if (d->places == DECIMAL_PLACES || !decimal_digit(d, s.s[i]))
			return false;
	return true;
}

bool
ofx_amount(struct str text, struct decimal *d)
{
	char digits[2 * DECIMAL_TEXT], mark;
	struct str s = { digits, 0 }, whole;
	bool minus = false, sign;

	*d = (struct decimal){ 0, 0 };
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] == ' ')
			continue;
		if (s.n == sizeof digits)
			return false;
		digits[s.n++] = text.s[i];
	}
	sign = s.n > 0 && (s.s[0] == '-' || s.s[0] == '+');
	if (sign) {
		minus = s.s[0] == '-';
		s = str_after(s, 1);
	} else if (s.n > 0 && (s.s[s.n - 1] == '-' || s.s[s.n - 1] == '+')) {
		minus = s.s[--s.n] == '-';
	}
	if (!decimal_mark(s, &mark))
		return false;
	whole = s;
	if (mark != '\0' && !str_divide_last(s, mark, &whole, &s))
		return false;
	if (!take_groups(whole, d) || (mark != '\0' && !take_decimals(s, d)))
		return false;
	if (minus)
		d->value = -d->value;
	return true;
}

uint32_t
ofx_day(struct str text)
{
	uint64_t day;

	if (text.n < 8 || !num_u64((struct str){ text.s, 8 }, 10, &day) || day / 100 % 100 < 1 ||
	    day / 100 % 100 > 12 || day % 100 < 1 || day % 100 > 31)
		return 0;
	return (uint32_t)day;
}
