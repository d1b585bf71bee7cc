/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read JSON values one after the other.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/bytes.h"
#include "icecore/json.h"

#define WORDS_FIRST 4		/* words of 8 bytes searched for the closing quote before memchr is called */

static inline bool
space(char c)
{
	return (unsigned char)c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r');
}

static bool
wrong(struct json *j)
{
	j->bad = true;
	j->at = j->size;
	return false;
}

/* Most values follow without a space. */
static inline char
peek(struct json *j)
{
	uint64_t at = j->at;

	assert(at <= j->size);
	if (at < j->size && (unsigned char)j->base[at] > ' ')
		return j->base[at];
	while (at < j->size && space(j->base[at]))
		at++;
	j->at = at;
	return at < j->size ? j->base[at] : '\0';
}

char
scan_peek(struct json *j)
{
	return peek(j);
}

bool
scan_open(struct json *j, char bracket)
{
	if (peek(j) != bracket)
		return false;
	j->at++;
	return true;
}

bool
scan_item(struct json *j)
{
	char c = peek(j);

	/* Missing commas are accepted. */
	if (c == ',') {
		j->at++;
		c = peek(j);
	}
	if (c == ']' || c == '}') {
		j->at++;
		return false;
	}
	return c != '\0' || wrong(j);
}

/* Return the first quote before end, or NULL. Most strings are too short for memchr to be faster. */
static inline const char *
find_quote(const char *at, const char *end)
{
	uint64_t others, hits;

	for (int i = 0; i < WORDS_FIRST && end - at >= 8; i++, at += 8) {
		others = le64((const uint8_t *)at) ^ 0x2222222222222222;
		hits = (others - 0x0101010101010101) & ~others & 0x8080808080808080;
		if (hits != 0)
			return at + __builtin_ctzll(hits) / 8;
	}
	return memchr(at, '"', (size_t)(end - at));
}

/* The text between the quotes, still escaped. */
static inline bool
scan_string(struct json *j, struct str *raw)
{
	const char *from, *end, *to;
	size_t slashes;

	if (peek(j) != '"')
		return false;
	from = to = j->base + j->at + 1;
	end = j->base + j->size;
	while (to < end && (to = find_quote(to, end)) != NULL) {
		for (slashes = 0; to - slashes > from && to[-1 - (ptrdiff_t)slashes] == '\\'; slashes++)
			;
		if (slashes % 2 == 0) {
			*raw = (struct str){ from, (size_t)(to - from) };
			j->at = (uint64_t)(to + 1 - j->base);
			return true;
		}
		to++;
	}
	return wrong(j);
}

bool
scan_member(struct json *j, struct str *name)
{
	if (!scan_item(j))
		return false;
	if (!scan_string(j, name) || peek(j) != ':')
		return wrong(j);
	j->at++;
	return true;
}

bool
scan_word(struct json *j, struct str *s)
{
	static const bool ends[256] = { ['\0'] = true, [' '] = true, ['\t'] = true, ['\n'] = true,
	    ['\r'] = true, [','] = true,
	    [':'] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true, ['"'] = true };
	uint64_t from, at;

	if (peek(j) == '"')
		return scan_string(j, s);
	from = at = j->at;
	while (at < j->size && !ends[(unsigned char)j->base[at]])
		at++;
	j->at = at;
	*s = (struct str){ j->base + from, (size_t)(at - from) };
	return s->n > 0 || wrong(j);
}

/* Skip a nested value from its opening bracket on, without recursion: a file may consist of brackets only. */
static bool
skip_nested(struct json *j)
{
	enum { PLAIN, OPEN, CLOSE, QUOTE, END };
	static const uint8_t kinds[256] = { ['{'] = OPEN, ['['] = OPEN, ['}'] = CLOSE, [']'] = CLOSE,
	    ['"'] = QUOTE, ['\0'] = END };
	uint64_t depth = 0;
	struct str s;

	for (;;) {
		uint64_t at = j->at;

		while (at < j->size && kinds[(unsigned char)j->base[at]] == PLAIN)
			at++;
		j->at = at;
		if (at == j->size)
			return wrong(j);
		switch (kinds[(unsigned char)j->base[at]]) {
		case OPEN:
			depth++;
			j->at++;
			break;
		case CLOSE:
			j->at++;
			if (--depth == 0)
				return true;
			break;
		case QUOTE:
			if (!scan_string(j, &s))
				return false;
			break;
		default:
			return wrong(j);
		}
	}
}

bool
scan_skip(struct json *j)
{
	char c = peek(j);
	struct str s;

	if (c == '{' || c == '[')
		return skip_nested(j);
	return c == '\0' || is_one_of(c, "}],:") ? wrong(j) : scan_word(j, &s);
}

bool
scan_plain(struct json *j, struct str *s)
{
	char c = peek(j);

	if (c != '{' && c != '[')
		return scan_word(j, s);
	*s = STR("");
	return scan_skip(j);
}

/* Read an escape such as "\u0041", or a pair of surrogates; return its length, 0 if it is invalid. */
static size_t
read_escape(struct str s, uint32_t *cp)
{
	uint64_t v, low;

	if (s.n < 6 || !num_u64((struct str){ s.s + 2, 4 }, 16, &v))
		return 0;
	*cp = (uint32_t)v;
	if (v < 0xd800 || v >= 0xdc00 || s.n < 12 || s.s[6] != '\\' || s.s[7] != 'u' ||
	    !num_u64((struct str){ s.s + 8, 4 }, 16, &low) || low < 0xdc00 || low >= 0xe000)
		return 6;
	*cp = (uint32_t)(0x10000 + ((v - 0xd800) << 10) + (low - 0xdc00));
	return 12;
}

static size_t
scan_put_unit(struct str s, struct buf *b)
{
	uint32_t cp;
	size_t n = read_escape(s, &cp);
	char c[4];

	if (n > 0)
		buf_add(b, c, text_encode(cp, c));
	return n;
}

/* The length of the escape at the start of a text, *cp: of one with digits; 0: JSON has no such escape. */
static size_t
escape_length(struct str s, uint32_t *cp)
{
	*cp = 0;
	if (s.n < 2 || s.s[1] == 'u')
		return s.n < 2 ? 0 : read_escape(s, cp);
	return is_one_of(s.s[1], "\"\\/bfnrt") ? 2 : 0;
}

static bool
escapes_known(struct str raw)
{
	const char *hit;
	uint32_t cp;
	size_t n;

	while ((hit = raw.n > 0 ? memchr(raw.s, '\\', raw.n) : NULL) != NULL) {
		raw = str_after(raw, (size_t)(hit - raw.s));
		n = escape_length(raw, &cp);
		if (n == 0)
			return false;
		raw = str_after(raw, n);
	}
	return true;
}

static _Thread_local uint64_t plain_read;

uint64_t
scan_plain_read(void)
{
	uint64_t n = plain_read;

	plain_read = 0;
	return n;
}

/* The writer escaped nothing but quotes, which would have ended the string. */
static void
put_plain(struct str raw, struct buf *b)
{
	for (size_t i = 0; i < raw.n; i++)
		if (raw.s[i] != '\\' || i + 1 == raw.n || raw.s[i + 1] != '"')
			buf_chr(b, raw.s[i]);
}

struct str
scan_unescape(struct str raw, struct buf *b)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *hit;

	if (raw.n == 0 || memchr(raw.s, '\\', raw.n) == NULL)
		return raw;
	buf_clear(b);
	if (!escapes_known(raw)) {
		plain_read++;
		put_plain(raw, b);
		return buf_view(b);
	}
	for (size_t i = 0, n; i < raw.n; i += n) {
		n = 1;
		if (raw.s[i] != '\\') {
			buf_chr(b, raw.s[i]);
		} else if (raw.s[i + 1] == 'u') {
			n = scan_put_unit((struct str){ raw.s + i, raw.n - i }, b);
		} else {
			hit = strchr(from, raw.s[i + 1]);
			buf_chr(b, hit != NULL ? to[hit - from] : raw.s[i + 1]);
			n = 2;
		}
	}
	return buf_view(b);
}

/* ---- one whole value -------------------------------------------------------- */

static bool
take_digits(struct str *s)
{
	size_t n = str_digits(*s);

	*s = str_after(*s, n);
	return n > 0;
}

static bool
is_number(struct str s)
{
	bool ok;

	str_take(&s, STR("-"));
	ok = str_take(&s, STR("0")) || take_digits(&s);
	if (str_take(&s, STR(".")))
		ok = ok && take_digits(&s);
	if (str_take(&s, STR("e")) || str_take(&s, STR("E"))) {
		(void)(str_take(&s, STR("+")) || str_take(&s, STR("-")));
		ok = ok && take_digits(&s);
	}
	return ok && s.n == 0;
}

/* The content of a string: UTF-8 without control characters, and escapes without half a pair. */
static bool
is_text(struct str s)
{
	uint32_t cp;
	size_t n;

	for (; s.n > 0; s = str_after(s, n)) {
		n = text_decode(s, &cp);
		if (cp < ' ' || (cp == 0xfffd && !str_has_prefix(s, STR("\xef\xbf\xbd"))))
			return false;
		if (cp != '\\')
			continue;
		n = escape_length(s, &cp);
		if (n == 0 || (cp >= 0xd800 && cp < 0xe000))
			return false;
	}
	return true;
}

static bool
is_scalar(struct json *j)
{
	bool quoted = scan_peek(j) == '"';
	struct str s;

	if (!scan_word(j, &s))
		return false;
	return quoted ? is_text(s) : is_number(s) || str_eq(s, STR("true")) || str_eq(s, STR("false")) ||
	    str_eq(s, STR("null"));
}

bool
scan_strict(struct str text, bool *deep)
{
	struct json j = { .base = text.s, .size = text.n };
	char ends[SCAN_DEPTH], c;
	size_t depth = 0;

	*deep = false;
	do {
		if (depth > 0 && ends[depth - 1] == '}' &&
		    (scan_peek(&j) != '"' || !is_scalar(&j) || !scan_open(&j, ':')))
			return false;
		c = scan_peek(&j);
		if (c == '{' || c == '[') {
			*deep = depth == SCAN_DEPTH;
			if (*deep)
				return false;
			ends[depth++] = c == '{' ? '}' : ']';
			j.at++;
			if (scan_peek(&j) != ends[depth - 1])
				continue;
		} else if (!is_scalar(&j))
			return false;
		while (depth > 0 && scan_open(&j, ends[depth - 1]))
			depth--;
		if (depth > 0 && !scan_open(&j, ','))
			return false;
	} while (depth > 0);
	scan_peek(&j);
	return j.at == j.size;
}

/* ---- numbers ---------------------------------------------------------------- */

/* Multiply or divide v by 10^power. */
static uint64_t
scan_shift(uint64_t v, int64_t power)
{
	for (; power > 0 && v > 0; power--) {
		if (v > UINT64_MAX / 10)
			return UINT64_MAX;
		v *= 10;
	}
	for (; power < 0 && v > 0; power++)
		v /= 10;
	return v;
}

bool
scan_fixed(struct str s, unsigned decimals, uint64_t *v)
{
	int64_t power = decimals, e = 0;
	uint64_t digits = 0;
	bool point = false;
	size_t i;

	for (i = 0; i < s.n && s.s[i] != 'e' && s.s[i] != 'E'; i++) {
		unsigned d = (unsigned char)s.s[i] - (unsigned)'0';

		if (s.s[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (d > 9)
			return false;
		/* Digits that do not fit only change the exponent. */
		if (digits <= (UINT64_MAX - 9) / 10) {
			digits = digits * 10 + d;
			power -= point;
		} else
			power += !point;
	}
	if (i == 0)
		return false;
	if (i < s.n) {
		struct str exponent = { s.s + i + 1, s.n - i - 1 };

		if (exponent.n > 0 && exponent.s[0] == '+') {
			exponent.s++;
			exponent.n--;
		}
		/* Beyond that, every number is 0 or too large, and shift would overflow. */
		if (!num_i64(exponent, 10, &e) || e > 400 || e < -400)
			return false;
	}
	*v = scan_shift(digits, power + e);
	return true;
}
