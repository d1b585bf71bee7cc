/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redact_look: what to look at in a redacted file before it is sent: the rarest of its texts that look like values.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/telling.h"
#include "redact.h"

enum {
	LOOKS = 10,	/* texts */
	SHOWN = 160,	/* bytes of each */
	HEAD = 256,	/* bytes of a file that tell whether it is text */
	WORDS = 3,
	DIGITS = 9
};

struct redact_looks {
	unsigned	n;
	struct buf	lines;
};

/* ---- what looks like a value ---------------------------------------------------------------------------- */

static bool
look_is_word(struct str s, size_t i)
{
	return i < s.n && s.s[i] != '_' && (is_word(s.s[i]) || (unsigned char)s.s[i] >= 0x80);
}

/*
 * "4111111111111111", and not a part of an address or a name; masked numbers consist of 1. Lambdas have numbers of the
 * JVM.
 */
static bool
look_has_digits(struct str s)
{
	if (str_has(s, STR("$$Lambda")))
		return false;
	for (size_t i = 0, n, ones; i < s.n; i += n) {
		for (n = ones = 0; look_is_word(s, i + n); n++)
			ones += s.s[i + n] == '1';
		if (n >= DIGITS && ones < n && str_digits(str_head(str_after(s, i), n)) == n)
			return true;
		n += n == 0;
	}
	return false;
}

/* "example.org", and no version: "17.0.9", "GLIBC_2.14" */
static bool
look_is_host(struct str s)
{
	size_t n = 0;

	while (look_is_word(s, n) || (n > 0 && n < s.n && s.s[n] == '-'))
		n++;
	return n > 0 && n < s.n && s.s[n] == '.' && look_is_word(s, n + 1) && !is_digit(s.s[n + 1]);
}

/* "user=alice", "alice@example.org" */
static bool
look_has_sign(struct str s)
{
	for (size_t i = 1; i + 1 < s.n; i++)
		if (look_is_word(s, i - 1) && (s.s[i] == '=' ? look_is_word(s, i + 1) || is_one_of(s.s[i + 1], "\"'/") :
		    s.s[i] == '@' && look_is_host(str_after(s, i + 1))))
			return true;
	return false;
}

/* "login of alice": words, and no brackets, which the types of a function have. */
static bool
look_is_prose(struct str s)
{
	size_t words = 0;

	for (size_t i = 0, n; i < s.n; i += n + 1) {
		for (n = 0; i + n < s.n && s.s[i + n] != ' '; n++)
			if (is_one_of(s.s[i + n], "()<>[]{}*&"))
				return false;
		words += n > 1 && look_is_word(s, i);
	}
	return words >= WORDS;
}

static bool
look_is_value(struct str s)
{
	size_t n;

	return look_has_digits(s) || look_has_sign(s) || look_is_prose(s) || telling_personal(s, false, &n) < s.n;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

/* "line 12" of a text file, "byte 4 096" of another one. */
static void
look_put_place(struct buf *b, const struct map *m, uint64_t place)
{
	const char *at = (const char *)m->data, *end = at + place;
	char number[NUM_TEXT];
	uint64_t lines = 1;
	bool text = memchr(at, '\0', m->size < HEAD ? (size_t)m->size : HEAD) == NULL;

	for (; text && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
		lines++;
	num_show_count(number, sizeof number, text ? lines : place);
	buf_printf(b, "%s %s", text ? "line" : "byte", number);
}

static void
look_take(void *arg, const struct map *m, const struct redact_text *t)
{
	struct redact_looks *l = arg;

	if (l->n == LOOKS || t->letters || !look_is_value(t->text))
		return;
	l->n++;
	buf_str(&l->lines, STR("icecore:   "));
	if (t->place < m->size) {
		look_put_place(&l->lines, m, t->place);
		buf_str(&l->lines, STR(", "));
	}
	buf_printf(&l->lines, "%.*s: ", (int)t->field.n, t->field.s);
	text_fit_buf(&l->lines, str_head(t->text, SHOWN));
	buf_str(&l->lines, t->more > 0 || t->text.n > SHOWN ? STR("...\n") : STR("\n"));
}

void
redact_look(const char *path, struct buf *said, struct work *work)
{
	struct redact_looks l = { .lines = BUF_INIT };
	struct err err = { .kind = E_NONE };
	char number[NUM_TEXT];
	uint64_t omitted;

	if (!redact_texts(path, look_take, &l, &omitted, work, &err) && err.kind == E_UNREADABLE)
		buf_printf(said, "icecore: %s: icecore cannot open this copy, and has not looked at its texts: "
		    "lines that the input is known by are masked, as icecore does not read them\n", path);
	else if (err.kind != E_NONE)
		buf_printf(said, "icecore: texts that are left were not looked at: %s\n", err.text);
	else {
		buf_str(said, l.n == 0 ? STR("icecore: no text that is left looks like a value\n") :
		    STR("icecore: look at these before you send the file (--list-text lists all that is left):\n"));
		buf_str(said, buf_view(&l.lines));
		if (omitted > 0) {
			num_show_count(number, sizeof number, omitted);
			buf_printf(said, "icecore: not looked at: %s more different texts\n", number);
		}
	}
	buf_free(&l.lines);
}
