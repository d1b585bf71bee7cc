/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for OFX: bank, card and investment statements, version 1 (SGML) and 2 (XML); QFX and QBO are the
 * same.
 */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "icecore/facts.h"
#include "icecore/lines.h"
#include "icecore/scan.h"

#include "ofx_tree.h"

#define HEAD 4096u	/* maximum length of a header */

static bool
ofx_same(struct str s, struct str word)
{
	return s.n >= word.n && strncasecmp(s.s, word.s, word.n) == 0;
}

/*
 * Only lines with a key and a colon, such as "OFXHEADER:100", or blank lines; all of them may be in one line.
 */
static bool
is_header(struct str head)
{
	struct lines l = lines_of(head);
	struct str line;
	size_t n;

	while (lines_next(&l, &line)) {
		for (line = str_skip_blanks(line); line.n > 0 && (line.s[0] == '\r' || line.s[0] == '\f'); )
			line = str_skip_blanks(str_after(line, 1));
		for (n = 0; n < line.n && is_letter(line.s[n]); )
			n++;
		line = str_skip_blanks(str_after(line, n));
		if ((n > 0 || line.n > 0) && (n == 0 || line.n == 0 || line.s[0] != ':'))
			return false;
	}
	return true;
}

/* A header with its first key, or an OFX tag. Other tags may precede it, but not HTML. */
static bool
ofx_sniff(const uint8_t *head, size_t n)
{
	struct ofx_tokens t = { .s = (const char *)head, .n = n < HEAD ? n : HEAD };
	const char *tag = memchr(t.s, '<', t.n);
	struct str before = { t.s, tag == NULL ? t.n : (size_t)(tag - t.s) };
	enum ofx_kind kind;

	scan(&before, "\xef\xbb\xbf");
	if (!is_header(before))
		return false;
	while (before.n > 0 && is_one_of(before.s[0], " \t\r\n\f"))
		before = str_after(before, 1);
	if (ofx_same(before, STR("OFXHEADER")))
		return true;
	for (t.at = tag == NULL ? t.n : (uint64_t)(tag - t.s); (kind = ofx_next(&t)) != OFX_END; ) {
		if (kind == OFX_OPEN && t.text.n == 3 && ofx_same(t.text, STR("OFX")))
			return true;
		if (kind == OFX_OPEN && (ofx_same(t.text, STR("HTML")) || ofx_same(t.text, STR("BODY"))))
			return false;
	}
	return false;
}

/* Return whether all bytes above ASCII are UTF-8. */
static bool
is_utf8(const struct map *m, struct work *w)
{
	struct str s = { (const char *)m->data, m->size };
	uint64_t word;
	uint32_t cp;
	size_t n;

	for (size_t at = 0, ticks = 0; at < s.n; at += n) {
		n = 1;
		if (at >> 16 > ticks) {
			map_forget(m, ticks << 16, at);
			ticks = at >> 16;
			work_tick(w, 0);
		}
		if (s.n - at >= sizeof word) {
			memcpy(&word, s.s + at, sizeof word);
			if ((word & 0x8080808080808080u) == 0) {
				n = sizeof word;
				continue;
			}
		}
		if ((s.s[at] & 0x80) != 0 && (n = text_decode(str_after(s, at), &cp)) == 1)
			return false;
	}
	return true;
}

/* Return the number after the first "VERSION" of the header that is not XML's. */
static struct str
version_of(struct str s)
{
	struct str word = STR("VERSION"), rest;
	size_t n;

	for (s.n = s.n < HEAD ? s.n : HEAD; s.n >= word.n; s = str_after(s, 1)) {
		if (ofx_same(s, STR("<OFX>")))
			break;
		if (!ofx_same(s, word))
			continue;
		for (rest = str_after(s, word.n); rest.n > 0 && is_one_of(rest.s[0], " \t=:\"'"); )
			rest = str_after(rest, 1);
		for (n = 0; n < rest.n && is_digit(rest.s[n]); )
			n++;
		if (n == 3)
			return (struct str){ rest.s, n };
	}
	return STR("");
}

static struct str
format_of(const struct ofx *x)
{
	return x->nstatements > x->nlist ? STR("OFX bank statement") : x->nlist > 0 ?
	    STR("OFX list of accounts") : x->requests.n > 0 ? STR("OFX request") :
	    STR("OFX response without statements");
}

static bool
ofx_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct str all = { (const char *)m->data, m->size };
	struct ofx x = { .st = st, .work = w, .err = err, .tokens = { .s = all.s, .n = all.n },
	    .single_bytes = !is_utf8(m, w) };
	struct samples s;
	bool ok;

	samples_open(&s, st, w);
	s.most_decimals = MONEY_DECIMALS;
	ofx_tree_open(&x);
	ofx_tree_read(&x);
	ok = !x.bad && (x.read > x.unknown ||
	    fail(err, E_UNREADABLE, "not OFX: no OFX element in this file")) &&
	    (!x.requests.bad || fail(err, E_SYSTEM, "out of memory (requests)")) &&
	    fact_set_text(st, FACT_FORMAT, format_of(&x), err) &&
	    store_fact_text(st, fact_name(FACT_VERSION), version_of(all), err) && ofx_samples(&x, &s) &&
	    ofx_put_rows(&x);
	/* The transactions were already copied to columns. */
	scratch_free(&x.moneys);
	ok = ok && ofx_facts(&x) && samples_columns(&s, err);
	samples_close(&s);
	ofx_tree_close(&x);
	return ok;
}

const struct loader load_ofx = {
	"ofx", "bank statements: OFX 1 and 2, QFX, QBO",
	SHAPE_SAMPLES | SHAPE_MONEY | SHAPE_ROWS, ofx_sniff, ofx_load
};
