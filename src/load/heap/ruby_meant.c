/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_meant: the meaning of the bytes of a heap dump of Ruby, for copies without what is private.
 */
#include "config.h"

#include <string.h>

#include "icecore/lines.h"
#include "icecore/telling.h"
#include "ruby.h"

/* Names of files may have blanks. */
static const char ruby_file[] = "file";

struct ruby_piece {
	struct str	text;
	enum meaning	means;
	const char	*path;
};

/* A word of the name of a class.  Ruby itself names some with small letters: "fatal", "Time::tm". */
static bool
ruby_is_constant(struct str word, bool first)
{
	static const char *const others[] = { "fatal", "refinement" };

	if (word.n == 0 || is_digit(word.s[0]))
		return first && telling_is_address(word);
	return !first || (word.s[0] >= 'A' && word.s[0] <= 'Z') || (unsigned char)word.s[0] >= 0x80 ||
	    str_is_one(others, NELEM(others), word);
}

/*
 * "Shop::Order", "#<Class:Shop::Order>", "#<Class:0x000055>::Item", "#<refinement:Order@Shop>": other names are texts.
 */
static bool
ruby_is_class(struct str s)
{
	size_t open = 0, n;

	if (str_is(s, "ARGF.class"))
		return true;
	for (bool first = true; ; ) {
		for (; str_take(&s, STR("#<")); first = true)
			open++;
		for (n = 0; n < s.n && (is_word(s.s[n]) || (unsigned char)s.s[n] >= 0x80); n++)
			continue;
		if (!ruby_is_constant(str_head(s, n), first))
			return false;
		for (s = str_after(s, n); open > 0 && str_take(&s, STR(">")); open--)
			continue;
		if (s.n == 0)
			return open == 0;
		first = !str_take(&s, STR("::"));
		if (first && (open == 0 || (!str_take(&s, STR(":")) && !str_take(&s, STR("@")))))
			return false;
	}
}

/* Classes of Ruby stay, so that findings stay. */
static enum meaning
ruby_class_means(struct str name)
{
	return !ruby_is_class(name) ? MEANT_TEXT : str_glob_list(ruby_form.language->runtime, name) ? MEANT_FORM :
	    MEANT_NAME;
}

static void
ruby_piece_add(struct ruby_piece *pieces, size_t *n, struct str text, enum meaning means, const char *path)
{
	size_t i;

	if (text.n == 0)
		return;
	/* The end of a name without escapes may be that of another member. */
	if (means == MEANT_NAME && str_has(text, STR("\":")))
		means = MEANT_TEXT;
	for (i = (*n)++; i > 0 && pieces[i - 1].text.s > text.s; i--)
		pieces[i] = pieces[i - 1];
	pieces[i] = (struct ruby_piece){ text, means, path };
}

/* A word of Ruby, or the name of a method, a variable or a file: none of them is data. */
static void
ruby_word_add(struct ruby_piece *pieces, size_t *n, struct str text, enum meaning means, const char *path)
{
	bool blank = path != ruby_file && memchr(text.s, ' ', text.n) != NULL;
	size_t bytes;

	if (text.n > 0 && (blank || telling_is_data(text) || telling_personal(text, true, &bytes) < text.n))
		means = MEANT_TEXT;
	ruby_piece_add(pieces, n, text, means, path);
}

/* What a list of members is for, of those that are numbers. */
#define RUBY_IF_NUMBER_HEX(...) __VA_ARGS__
#define RUBY_IF_NUMBER_NUMBER(...) __VA_ARGS__
#define RUBY_IF_NUMBER_TEXT(...)
#define RUBY_IF_NUMBER_TRUE(...)
#define RUBY_IF_NUMBER_LIST(...)

/* ---- numbers ----------------------------------------------------------------------------------- */

/* In a line that is not JSON: whether the key in front is that of such a number. */
static bool
ruby_is_number(struct str line, struct str word)
{
#define RUBY_NAME(text, member, kind) RUBY_IF_NUMBER_##kind(text,)
	static const char *const names[] = { RUBY_MEMBERS(RUBY_NAME) };
	struct str before = { line.s, (size_t)(word.s - line.s) };
	size_t n;

	/* An address has quotes. */
	before.n -= str_ends(before, ":\"");
	if (!str_ends(before, "\":"))
		return false;
	before.n -= 2;
	for (n = before.n; n > 0 && is_word(before.s[n - 1]); n--)
		continue;
	return n > 0 && before.s[n - 1] == '"' && str_is_one(names, NELEM(names), str_after(before, n));
}

/* ---- lines ------------------------------------------------------------------------------------- */

/* The members that a reader took, by their place. */
static size_t
ruby_pieces(const struct ruby_line *l, const struct str *places, struct ruby_piece pieces[RUBY_MEMBER_COUNT])
{
#define RUBY_PLACE(text, member, kind) RUBY_IF_NUMBER_##kind(ruby_piece_add(pieces, &n, places[RUBY_IS_##member], \
    MEANT_FORM, "number");)
	size_t n = 0;

	/* Other numbers are data. */
	if (!l->salvaged) {
		RUBY_MEMBERS(RUBY_PLACE)
	}
	ruby_word_add(pieces, &n, l->type, MEANT_FORM, "type");
	ruby_piece_add(pieces, &n, l->references, MEANT_FORM, "references");
	ruby_piece_add(pieces, &n, l->value, MEANT_TEXT, "value");
	ruby_word_add(pieces, &n, l->encoding, MEANT_FORM, "encoding");
	ruby_word_add(pieces, &n, l->coderange, MEANT_FORM, "coderange");
	ruby_word_add(pieces, &n, l->imemo, MEANT_FORM, "imemo_type");
	ruby_word_add(pieces, &n, l->data, MEANT_FORM, "struct");
	ruby_word_add(pieces, &n, l->node, MEANT_FORM, "node_type");
	ruby_word_add(pieces, &n, l->root, MEANT_FORM, "root");
	ruby_word_add(pieces, &n, l->file, MEANT_NAME, ruby_file);
	ruby_word_add(pieces, &n, l->method, MEANT_NAME, "method");
	ruby_word_add(pieces, &n, l->mid, MEANT_NAME, "mid");
	ruby_word_add(pieces, &n, l->called, MEANT_NAME, "called_id");
	ruby_word_add(pieces, &n, l->edge, MEANT_NAME, "edge_name");
	ruby_piece_add(pieces, &n, l->name, ruby_class_means(l->name), "name");
	ruby_piece_add(pieces, &n, l->real_name, ruby_class_means(l->real_name), "real_class_name");
	return n;
}

static bool
is_word_of_ruby(struct str s)
{
	static const char *const words[] = {
#define RUBY_KEY(text, member, kind) text,
		RUBY_MEMBERS(RUBY_KEY)
		"flags", "true", "false", "wb_protected", "embedded", "fstring", "frozen", "ivars", "uncollectible",
		"marking", "pinned"
	};

	return str_is_one(words, NELEM(words), s);
}

/* A part of a line that is not JSON: only words of the format stay, as quotes may be missing. */
static void
ruby_tell_words(struct tells *t, struct str line, struct str s)
{
	bool digits, stays;

	for (struct str part; s.n > 0; s = str_after(s, part.n)) {
		part = telling_word(s);
		if (part.n == 0) {
			telling_whole(t, part = str_head(s, 1), MEANT_FORM, "mark");
			continue;
		}
		digits = str_digits(part) == part.n;
		stays = digits || telling_is_address(part) ? ruby_is_number(line, part) : is_word_of_ruby(part);
		telling_whole(t, part, stays ? MEANT_FORM : digits ? MEANT_DIGITS : MEANT_TEXT, "damaged line");
	}
}

static void
ruby_tell_between(struct tells *t, struct str line, struct str s, bool salvaged, bool *inside)
{
	if (salvaged)
		ruby_tell_words(t, line, s);
	else
		telling_json(t, s, MEANT_DIGITS, inside);
}

/* "https://alice:secret@host/x.rb?token=1": only scheme, host and path are the name of a file. */
static void
ruby_tell_file(struct tells *t, struct str s)
{
	struct script_address a;

	telling_script(s, &a);
	if (a.scheme)
		telling_address(t, s, &a, MEANT_NAME, "file");
	else
		telling_whole(t, s, MEANT_NAME, "file");
}

/* The bytes of addresses in quotes, commas and blanks at the front of a list. */
static size_t
ruby_addresses(struct str list)
{
	struct str rest = list, after;
	uint64_t addr;

	for (;; rest = after) {
		for (; rest.n > 0 && is_one_of(rest.s[0], ", \t"); rest = str_after(rest, 1))
			continue;
		after = rest;
		if (!str_take(&after, STR("\"")) || !ruby_line_hex(&after, &addr) || !str_take(&after, STR("\"")))
			return list.n - rest.n;
	}
}

/* What else is between the addresses is data. */
static void
ruby_tell_references(struct tells *t, struct str line, struct str list, bool salvaged)
{
	for (size_t n; list.n > 0; list = str_after(list, n)) {
		bool inside = false;

		n = ruby_addresses(list);
		telling_whole(t, str_head(list, n), MEANT_FORM, "references");
		list = str_after(list, n);
		for (n = 0; n < list.n && ruby_addresses(str_after(list, n)) == 0; n++)
			continue;
		ruby_tell_between(t, line, str_head(list, n), salvaged, &inside);
	}
}

static void
ruby_tell_line(struct tells *t, struct str line, const struct ruby_line *l, const struct str *places)
{
	struct ruby_piece pieces[RUBY_MEMBER_COUNT];
	size_t n = ruby_pieces(l, places, pieces);
	struct str rest = line;
	bool inside = false;

	for (size_t i = 0; i < n; i++) {
		if (pieces[i].text.s < rest.s)
			continue;
		ruby_tell_between(t, line, str_head(rest, (size_t)(pieces[i].text.s - rest.s)), l->salvaged, &inside);
		if (pieces[i].means == MEANT_NAME && pieces[i].text.s == l->file.s)
			ruby_tell_file(t, pieces[i].text);
		else if (pieces[i].text.s == l->references.s)
			ruby_tell_references(t, line, pieces[i].text, l->salvaged);
		else
			telling_whole(t, pieces[i].text, pieces[i].means, pieces[i].path);
		rest = str_after(rest, (size_t)(pieces[i].text.s - rest.s) + pieces[i].text.n);
	}
	ruby_tell_between(t, line, rest, l->salvaged, &inside);
}

bool
ruby_meant(const struct map *m, meant_take take, void *arg, uint64_t *lost, struct work *w, struct err *err)
{
	struct tells t = { .take = take, .arg = arg, .text = { (const char *)m->data, (size_t)m->size }, .err = err };
	struct lines l = lines_of(t.text);
	struct ruby_line line;
	struct str text;
	bool ok = true;

	while (ok && !t.bad && lines_next(&l, &text)) {
		struct str places[RUBY_MEMBER_COUNT] = { { .n = 0 } };

		ok = lines_look(&l, (uint64_t)(text.s - t.text.s), w, err);
		text = ruby_line_trim(text);
		if (text.n == 0)
			continue;
		if (ruby_line_read(&line, text, NULL, places) == RUBY_LOST)
			*lost += text.n;
		else
			ruby_tell_line(&t, text, &line, places);
	}
	telling_free(&t);
	return ok && !t.bad;
}
