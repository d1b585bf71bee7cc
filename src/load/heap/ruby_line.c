/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_line: lines of a heap dump of Ruby.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/bytes.h"
#include "ruby_line.h"

#define CHECKED (1u << 24)	/* bytes of a damaged line that are looked at more closely */

/* ---- values -------------------------------------------------------------------------- */

static inline unsigned
ruby_line_digit(char c)
{
	return is_digit(c) ? (unsigned)(c - '0') : is_hex(c) ? (unsigned)((c | 32) - 'a' + 10) : 16;
}

bool
ruby_line_hex(struct str *s, uint64_t *value)
{
	uint64_t v = 0;
	unsigned digit;
	size_t i = 2;

	if (s->n < 3 || s->s[0] != '0' || (s->s[1] | 32) != 'x')
		return false;
	for (; i < s->n && (digit = ruby_line_digit(s->s[i])) < 16; i++) {
		if (v >> 60 != 0)
			return false;
		v = v << 4 | digit;
	}
	assert(i <= s->n);
	*value = v;
	*s = (struct str){ s->s + i, s->n - i };
	return i > 2;
}

static bool
ruby_line_whole(struct str s, uint64_t *value)
{
	uint64_t v = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.s[i]) || v > (UINT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (unsigned)(s.s[i] - '0');
	}
	*value = v;
	return s.n > 0;
}

bool
ruby_line_next(struct str *list, uint64_t *addr)
{
	const char *p;

	while (list->n > 0 && (p = memchr(list->s, '0', list->n)) != NULL) {
		*list = str_after(*list, (size_t)(p - list->s));
		if (ruby_line_hex(list, addr))
			return true;
		*list = str_after(*list, 1);
	}
	return false;
}

/* Like text_decode, but "\xff" for a byte that is not UTF-8. */
static void
ruby_line_put(struct str s, struct buf *b)
{
	uint32_t cp;
	size_t n;

	for (; s.n > 0; s = str_after(s, n)) {
		n = text_decode(s, &cp);
		if (cp == 0xfffd && n == 1)
			buf_printf(b, "\\x%02x", (unsigned char)s.s[0]);
		else
			buf_str(b, str_head(s, n));
	}
}

static bool
ruby_line_plain(struct str s)
{
	uint64_t high = 0;
	size_t i = 0;

	for (; i + 8 <= s.n; i += 8)
		high |= le64((const uint8_t *)s.s + i);
	for (; i < s.n; i++)
		high |= (unsigned char)s.s[i];
	return (high & 0x8080808080808080) == 0;
}

struct str
ruby_line_text(struct str raw, bool escaped, struct buf *b)
{
	OWN_BUF text = BUF_INIT;

	if (escaped)
		raw = scan_unescape(raw, &text);
	if (text.n == 0 && ruby_line_plain(raw))
		return raw;
	buf_clear(b);
	ruby_line_put(raw, b);
	return buf_view(b);
}

/* ---- members ------------------------------------------------------------------------- */

/* All of the text is a number; otherwise *to is unchanged. */
static inline bool
ruby_line_address(struct str s, uint64_t *to)
{
	uint64_t v;

	if (!ruby_line_hex(&s, &v) || s.n > 0)
		return false;
	*to = v;
	return true;
}

static inline bool
ruby_line_take_HEX(struct json *j, uint64_t *to)
{
	struct str s;

	return scan_peek(j) == '"' && scan_word(j, &s) && ruby_line_address(s, to);
}

static inline bool
ruby_line_take_NUMBER(struct json *j, uint64_t *to)
{
	struct str s;

	return is_digit(scan_peek(j)) && scan_word(j, &s) && ruby_line_whole(s, to);
}

static inline bool
ruby_line_take_TEXT(struct json *j, struct str *to)
{
	return scan_peek(j) == '"' && scan_word(j, to);
}

static inline bool
ruby_line_take_TRUE(struct json *j, bool *to)
{
	struct str s;

	*to = scan_peek(j) == 't' && scan_word(j, &s) && str_is(s, "true");
	return *to;
}

/* Addresses contain no bracket. */
static inline bool
ruby_line_take_LIST(struct json *j, struct str *to)
{
	const char *from, *end;

	if (!scan_open(j, '['))
		return false;
	from = j->base + j->at;
	end = memchr(from, ']', (size_t)(j->size - j->at));
	if (end == NULL)
		return false;
	*to = (struct str){ from, (size_t)(end - from) };
	j->at += to->n + 1;
	assert(j->at <= j->size);
	return true;
}

/* The value between them, with its quotes or brackets. */
static struct str
ruby_line_place(const struct json *before, const struct json *behind)
{
	return str_skip_blanks((struct str){ before->base + before->at, (size_t)(behind->at - before->at) });
}

/* A value that is not as it should be is skipped. */
#define RUBY_TAKE(text, member, kind) \
	if (key.n == sizeof text - 1 && memcmp(key.s, text, sizeof text - 1) == 0) { \
		struct json value = *j; \
		if (ruby_line_take_##kind(&value, &l->member)) { \
			l->has |= UINT64_C(1) << RUBY_IS_##member; \
			if (places != NULL) \
				places[RUBY_IS_##member] = ruby_line_place(j, &value); \
			*j = value; \
		} else \
			scan_skip(j); \
	} else

/* The members of an object and those of its member "flags", up to damage. */
static bool
ruby_line_members(struct ruby_line *l, struct json *j, struct str *places)
{
	struct json outer = { .base = NULL };
	struct str key;

	if (!scan_open(j, '{'))
		return false;
	for (;;) {
		if (!scan_member(j, &key)) {
			if (outer.base == NULL || j->bad)
				return !j->bad;
			outer.base = NULL;
			continue;
		}
		if (scan_peek(j) == '{' && outer.base == NULL && str_is(key, "flags") && scan_open(j, '{')) {
			outer = *j;
			continue;
		}
		RUBY_MEMBERS(RUBY_TAKE)
			scan_skip(j);
	}
}

bool
ruby_line_capitals(struct str s)
{
	size_t i = 0;

	while (i < s.n && ((s.s[i] >= 'A' && s.s[i] <= 'Z') || s.s[i] == '_'))
		i++;
	return s.n > 0 && i == s.n;
}

bool
ruby_line_begins(struct str line)
{
	struct ruby_line l = { .has = 0 };
	struct json j = { .base = line.s, .size = line.n };

	ruby_line_members(&l, &j, NULL);
	return ruby_line_capitals(l.type) && (RUBY_HAS(&l, address) || RUBY_HAS(&l, root));
}

/* ---- lines that are not JSON ------------------------------------------------------------ */

/* The text after a key, to the first of these ends, of the first or the last place of the key that has one. */
static bool
ruby_line_find(struct str line, struct str key, const char *const *ends, bool last, struct str *value)
{
	struct str before, after, text, rest;
	bool found = false;

	while ((last || !found) && str_divide(line, key, &before, &after)) {
		size_t least = SIZE_MAX;

		for (size_t i = 0; ends[i] != NULL; i++)
			if (str_divide(after, str_of(ends[i]), &text, &rest) && text.n < least)
				least = text.n;
		if (least != SIZE_MAX) {
			*value = str_head(after, least);
			found = true;
		}
		line = after;
	}
	return found;
}

static const char *const after_file[] = { "\", \"line\":", "\", \"method\":", "\", \"generation\":", NULL };
static const char *const after_name[] = { "\", \"references\"", "\", \"singleton\"", "\", \"file\"", "\", \"line\"",
    "\", \"generation\"", "\", \"memsize\"", "\", \"superclass\"", "\"}", NULL };
static const char *const after_method[] = { "\", \"generation\":", NULL };
static const char *const after_struct[] = { "\", \"", NULL };
static const char *const after_word[] = { "\"", NULL };
static const char *const after_list[] = { "]", NULL };

static void
ruby_line_text_of(struct ruby_line *l, struct str line, const char *key, const char *const *ends, bool last,
    unsigned bit, struct str *to)
{
	if (ruby_line_find(line, str_of(key), ends, last, to))
		l->has |= UINT64_C(1) << bit;
}

static void
ruby_line_number_of(struct ruby_line *l, struct str line, const char *key, bool last, unsigned bit, uint64_t *to)
{
	struct str before, after;
	uint64_t v;

	while (str_divide(line, str_of(key), &before, &after)) {
		line = after;
		after.n = str_digits(after);
		if (!ruby_line_whole(after, &v))
			continue;
		*to = v;
		l->has |= UINT64_C(1) << bit;
		if (!last)
			return;
	}
}

static void
ruby_line_hex_of(struct ruby_line *l, struct str line, const char *key, unsigned bit, uint64_t *to)
{
	struct str value;

	if (ruby_line_find(line, str_of(key), after_word, false, &value) && ruby_line_address(value, to))
		l->has |= UINT64_C(1) << bit;
}

#define RUBY_FIND_TEXT(key, member, ends, last) \
	ruby_line_text_of(l, line, "\"" key "\":\"", ends, last, RUBY_IS_##member, &l->member)
#define RUBY_FIND_NUMBER(key, member, last) \
	ruby_line_number_of(l, line, "\"" key "\":", last, RUBY_IS_##member, &l->member)
#define RUBY_FIND_HEX(key, member) ruby_line_hex_of(l, line, "\"" key "\":\"", RUBY_IS_##member, &l->member)

static bool
ruby_line_salvage(struct ruby_line *l, struct str line)
{
	*l = (struct ruby_line){ .salvaged = true };
	if (str_begins(line, "{\"address\":"))
		RUBY_FIND_HEX("address", address);
	RUBY_FIND_TEXT("type", type, after_word, false);
	RUBY_FIND_TEXT("root", root, after_word, false);
	RUBY_FIND_HEX("class", class);
	RUBY_FIND_HEX("superclass", superclass);
	RUBY_FIND_NUMBER("slot_size", slot_size, false);
	RUBY_FIND_NUMBER("memsize", memsize, true);
	RUBY_FIND_NUMBER("generation", generation, true);
	RUBY_FIND_NUMBER("line", line, true);
	RUBY_FIND_TEXT("file", file, after_file, true);
	RUBY_FIND_TEXT("method", method, after_method, true);
	RUBY_FIND_TEXT("name", name, after_name, false);
	RUBY_FIND_TEXT("imemo_type", imemo, after_word, false);
	RUBY_FIND_TEXT("struct", data, after_struct, false);
	ruby_line_text_of(l, line, "\"references\":[", after_list, true, RUBY_IS_references, &l->references);
	return ruby_line_capitals(l->type) && (RUBY_HAS(l, address) || RUBY_HAS(l, root));
}

struct str
ruby_line_trim(struct str s)
{
	while (s.n > 0 && (is_blank(s.s[s.n - 1]) || s.s[s.n - 1] == '\r'))
		s.n--;
	while (s.n > 0 && (is_blank(s.s[0]) || s.s[0] == '\r'))
		s = str_after(s, 1);
	return s;
}

/* ---- lines --------------------------------------------------------------------------- */

/* No escapes, control characters and bytes above 0x7e: what is read is what is there. */
static bool
ruby_line_simple(struct str s)
{
	const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
	uint64_t found = 0, v, slashes;
	size_t i = 0;

	for (; i + 8 <= s.n; i += 8) {
		v = le64((const uint8_t *)s.s + i);
		slashes = v ^ ones * '\\';
		found |= v | (v - ones * ' ') | (slashes - ones);
	}
	for (; i < s.n; i++)
		found |= (unsigned char)s.s[i] < ' ' || (unsigned char)s.s[i] > 0x7e || s.s[i] == '\\' ? highs : 0;
	return (found & highs) == 0;
}

/* Whether it is JSON apart from control characters and bytes that are not UTF-8, which it reports. */
static bool
ruby_line_nearly(struct str line, struct ruby_flaws *flaws)
{
	OWN_BUF clean = BUF_INIT;
	uint32_t cp;
	bool deep;
	size_t n;

	if (scan_strict(line, &deep))
		return true;
	if (line.n > CHECKED)
		return false;
	for (struct str s = line; s.n > 0; s = str_after(s, n)) {
		n = text_decode(s, &cp);
		flaws->bytes |= cp == 0xfffd && n == 1;
		flaws->control |= cp < ' ';
		buf_str(&clean, cp < ' ' || (cp == 0xfffd && n == 1) ? STR("?") : str_head(s, n));
	}
	return !clean.bad && scan_strict(buf_view(&clean), &deep);
}

/* Names of files have no escapes: "C:\new" contains no line end.  A longer one with a key in it is several members. */
static void
ruby_line_file(struct ruby_line *l, struct str line)
{
	struct str file = l->file;

	if (!RUBY_HAS(l, file) || memchr(line.s, '\\', line.n) == NULL)
		return;
	RUBY_FIND_TEXT("file", file, after_file, true);
	if (str_has(l->file, STR("\":")))
		l->file = file;
}

enum ruby_line_is
ruby_line_read(struct ruby_line *l, struct str line, struct ruby_flaws *flaws, struct str *places)
{
	struct json j = { .base = line.s, .size = line.n };
	struct ruby_flaws none = { false, false };
	bool whole;

	flaws = flaws != NULL ? flaws : &none;
	*l = (struct ruby_line){ .has = 0 };
	whole = ruby_line_members(l, &j, places) && scan_peek(&j) == '\0' && j.at == j.size;
	if ((!whole || !ruby_line_simple(line)) && !ruby_line_nearly(line, flaws)) {
		flaws->control = false;
		return ruby_line_salvage(l, line) ? RUBY_NO_JSON : RUBY_LOST;
	}
	ruby_line_file(l, line);
	return whole && RUBY_HAS(l, type) && (RUBY_HAS(l, address) || RUBY_HAS(l, root)) ? RUBY_JSON : RUBY_OTHER;
}
