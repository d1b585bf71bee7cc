/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record: read records one after the other. CSV follows RFC 4180 with repairs: an unclosed quote is a
 * character, and text after a closing quote belongs to the field.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "table.h"

#define QUOTED_MOST (64u << 20)		/* longer quoted fields count as unclosed */

static const char *
skip_nul(const char *p, const char *end)
{
	while (p < end && *p == '\0')
		p++;
	return p;
}

/* Mark the bytes from p on that end an unquoted field; p is before the end. */
static __attribute__((noinline)) void
record_mask(struct sheet_reader *r, const char *p)
{
	const char any[3] = { r->sheet->sep, '\n', '\r' };
	size_t n = (size_t)(r->sheet->end - p), most = SHEET_MASKS * MASK_BYTES;

	n = n < most ? n : most;
	masks_find((struct str){ p, n }, any, r->stop);
	r->masked = p;
	r->masks = (n + MASK_BYTES - 1) / MASK_BYTES;
}

/* The reading position: the 64 bytes of a mask, and the remaining bytes in it that end an unquoted field. */
struct stops {
	const char	*block;
	uint64_t	 left;
};

static inline void
record_go(struct sheet_reader *r, const char *p, struct stops *at)
{
	size_t n = (size_t)(p - r->masked);

	if (n / MASK_BYTES >= r->masks) {
		record_mask(r, p);
		n = 0;
	}
	at->block = p - n % MASK_BYTES;
	at->left = r->stop[n / MASK_BYTES] & ~UINT64_C(0) << n % MASK_BYTES;
}

/* Return the end of an unquoted field. */
static inline const char *
next_stop(struct sheet_reader *r, const char *end, struct stops *at)
{
	const char *stop;

	while (at->left == 0) {
		if (end - at->block <= (ptrdiff_t)MASK_BYTES)
			return end;
		record_go(r, at->block + MASK_BYTES, at);
	}
	stop = at->block + __builtin_ctzll(at->left);
	at->left &= at->left - 1;
	return stop;
}

/* Find the closing quote from p on; NULL: none. *doubled: the field contains doubled quotes. */
static const char *
closing_quote(const char *p, const char *end, bool *doubled)
{
	const char *next;

	if ((size_t)(end - p) > QUOTED_MOST)
		end = p + QUOTED_MOST;
	for (*doubled = false; (p = p < end ? memchr(p, '"', (size_t)(end - p)) : NULL) != NULL; p =
	    next + 1) {
		next = skip_nul(p + 1, end);
		if (next >= end || *next != '"')
			return p;
		*doubled = true;
	}
	return NULL;
}

/* Read a quoted field and return its end; NULL: the quote is not closed, so the field is unquoted. */
static const char *
take_quoted(struct sheet_reader *r, const char *quote, const char *end, struct stops *at,
    struct sheet_field *f)
{
	bool doubled;
	const char *close = closing_quote(quote + 1, end, &doubled), *tail;

	if (close == NULL) {
		r->unclosed++;
		return NULL;
	}
	tail = next_stop(r, end, at);
	if (tail <= close) {
		for (tail = quote + 1; (tail = memchr(tail, '\n', (size_t)(close - tail))) != NULL; tail++)
			r->next_line++;
		/*
		 * The separator may be the quote character, so the closing quote does not end the field here.
		 */
		record_go(r, close, at);
		at->left &= ~(UINT64_C(1) << (close - at->block));
		tail = next_stop(r, end, at);
	}
	if (skip_nul(close + 1, tail) < tail) {
		r->stray++;
		doubled = true;
	}
	*f = doubled ? (struct sheet_field){ quote, tail, FORM_PIECES, 0 } :
	    (struct sheet_field){ quote + 1, close, FORM_QUOTED, 0 };
	return tail;
}

/* Read the field at p and return its end. */
static inline const char *
take_field(struct sheet_reader *r, const char *p, const char *end, struct stops *at, struct sheet_field *f)
{
	const char *quote, *stop;

	if (p < end && (*p == '"' || *p == '\0')) {
		quote = skip_nul(p, end);
		if (quote < end && *quote == '"' && (stop = take_quoted(r, quote, end, at, f)) != NULL)
			return stop;
	}
	stop = next_stop(r, end, at);
	*f = (struct sheet_field){ p, stop, FORM_PLAIN, 0 };
	return stop;
}

/* Skip the end of a line: LF, CR LF or CR. */
static void
take_end(struct sheet_reader *r, const char *end)
{
	const char *next;

	assert(r->at <= end);
	if (r->at >= end)
		return;
	if (*r->at++ == '\r') {
		next = skip_nul(r->at, end);
		if (next < end && *next == '\n')
			r->at = next + 1;
	}
	r->next_line++;
}

static bool
more_fields(struct sheet_reader *r, uint32_t have, struct err *err)
{
	uint64_t n = have < 32 ? 64 : have * 2ull;

	return scratch_array(&r->field, n < SHEET_COLUMNS ? n : SHEET_COLUMNS, sizeof(struct sheet_field),
	    err);
}

static bool
next_csv(struct sheet_reader *r, struct err *err)
{
	const char *end = r->sheet->end, *p = r->at;
	struct sheet_field *f = SCRATCH(r->field, struct sheet_field), beyond;
	uint64_t room = r->field.size / sizeof *f;
	uint32_t n = 0, keep = r->keep;
	struct stops at;

	for (record_go(r, p, &at);; p++) {
		if (n >= keep) {
			p = take_field(r, p, end, &at, &beyond);
			n += n <= SHEET_COLUMNS;
		} else {
			if (n >= room) {
				if (!more_fields(r, n, err))
					return false;
				f = SCRATCH(r->field, struct sheet_field);
				room = r->field.size / sizeof *f;
			}
			p = take_field(r, p, end, &at, &f[n++]);
		}
		if (p >= end || *p != r->sheet->sep)
			break;
	}
	r->n = n;
	r->at = p;
	take_end(r, end);
	return true;
}

static bool
is_blank_record(struct sheet_reader *r)
{
	const struct sheet_field *f = SCRATCH(r->field, struct sheet_field);

	return r->n == 1 && f->form == FORM_PLAIN &&
	    (f->from == f->end || sheet_trim(sheet_text(r, 0)).n == 0);
}

bool
sheet_next(struct sheet_reader *r, struct err *err)
{
	if (err != NULL)
		err->kind = E_NONE;
	do {
		if (r->at >= r->sheet->end)
			return false;
		r->record = r->at;
		r->line = r->next_line;
		if (!(r->sheet->json ? sheet_next_line(r, err) : next_csv(r, err)))
			return false;
		assert(r->at > r->record && r->at <= r->sheet->end);
	} while (!r->sheet->json && is_blank_record(r));
	return true;
}

bool
sheet_reader_open(struct sheet_reader *r, const struct sheet *s, uint64_t at, uint64_t line, struct err *err)
{
	assert(at <= (uint64_t)(s->end - s->data));
	memset(r, 0, sizeof *r);
	r->field = r->given = SCRATCH_INIT;
	r->sheet = s;
	r->at = s->data + at;
	r->masked = r->at;
	r->next_line = line;
	r->keep = SHEET_COLUMNS;
	return more_fields(r, 0, err);
}

void
sheet_reader_close(struct sheet_reader *r)
{
	SCRATCH_FREE(&r->field, &r->given);
	buf_free(&r->text);
	buf_free(&r->key);
	buf_free(&r->unescaped);
}

/* ---- texts ----------------------------------------------------------------------------- */

/* Windows-1252 from 0x80 on; undefined codes are the control character with that number. */
static const uint16_t latin[32] = {
	0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152,
	    0x8d, 0x17d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153,
	    0x9d, 0x17e, 0x178
};

/* Append UTF-8 of Windows-1252, without NULs. */
static void
sheet_latin(struct str s, struct buf *b)
{
	char text[4];
	unsigned char c;

	for (size_t i = 0; i < s.n; i++) {
		c = (unsigned char)s.s[i];
		if (c >= 0x80)
			buf_add(b, text, text_encode(c < 0xa0 ? latin[c - 0x80] : c, text));
		else if (c != 0)
			buf_chr(b, (char)c);
	}
}

static void
record_add_piece(const struct sheet_reader *r, const char *from, const char *end, struct buf *b)
{
	const char *stop;

	if (r->sheet->latin) {
		sheet_latin((struct str){ from, (size_t)(end - from) }, b);
		return;
	}
	for (; from < end; from = skip_nul(stop, end)) {
		stop = memchr(from, '\0', (size_t)(end - from));
		stop = stop == NULL ? end : stop;
		buf_add(b, from, (size_t)(stop - from));
	}
}

/* Append a quoted field: doubled quotes become one, the closing quote is dropped, text after it is kept. */
static void
add_pieces(const struct sheet_reader *r, const struct sheet_field *f, struct buf *b)
{
	const char *p = f->from + 1, *quote, *next;

	while (p < f->end && (quote = memchr(p, '"', (size_t)(f->end - p))) != NULL) {
		next = skip_nul(quote + 1, f->end);
		if (next >= f->end || *next != '"') {
			record_add_piece(r, p, quote, b);
			p = quote + 1;
			break;
		}
		record_add_piece(r, p, quote + 1, b);
		p = next + 1;
	}
	record_add_piece(r, p, f->end, b);
}

/* Return whether a field needs no decoding. */
static bool
is_itself(const struct sheet_reader *r, const struct sheet_field *f)
{
	size_t n = (size_t)(f->end - f->from);

	if (f->form > FORM_QUOTED)
		return false;
	if (r->sheet->latin)
		for (size_t i = 0; i < n; i++)
			if ((unsigned char)f->from[i] >= 0x80)
				return false;
	return !r->sheet->nuls || memchr(f->from, '\0', n) == NULL;
}

struct str
sheet_cut(struct sheet_reader *r)
{
	const struct sheet_field *f = SCRATCH(r->field, struct sheet_field);
	const char *end = r->at;

	if (r->sheet->json || r->n <= r->sheet->names.n || r->sheet->names.n >= SHEET_COLUMNS)
		return STR("");
	while (end > r->record && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	f += r->sheet->names.n;
	buf_clear(&r->text);
	/* Including the quote at its start. */
	record_add_piece(r, f->from - (f->form == FORM_QUOTED), end, &r->text);
	return buf_view(&r->text);
}

struct str
sheet_field_text(struct sheet_reader *r, const struct sheet_field *f)
{
	struct str raw = { f->from, (size_t)(f->end - f->from) };

	if (raw.n == 0 || is_itself(r, f))
		return raw;
	buf_clear(&r->text);
	if (f->form == FORM_PIECES) {
		add_pieces(r, f, &r->text);
	} else if (f->form == FORM_ESCAPED) {
		raw = scan_unescape(raw, &r->unescaped);
		record_add_piece(r, raw.s, raw.s + raw.n, &r->text);
	} else {
		record_add_piece(r, f->from, f->end, &r->text);
	}
	return buf_view(&r->text);
}

struct str
sheet_text(struct sheet_reader *r, uint32_t column)
{
	const struct sheet_field *f = sheet_field(r, column);

	return f == NULL ? STR("") : sheet_field_text(r, f);
}
