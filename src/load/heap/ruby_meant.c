/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_meant: the meaning of the bytes of a heap dump of Ruby, for copies without what is private.
 */
#include "config.h"

#include "icecore/lines.h"
#include "icecore/telling.h"
#include "ruby.h"

struct ruby_piece {
	struct str	text;
	enum meaning	means;
	const char	*path;
};

/* Classes of Ruby stay, so that findings stay. */
static enum meaning
ruby_class_means(struct str name)
{
	return str_glob_list(ruby_form.language->runtime, name) ? MEANT_FORM : MEANT_NAME;
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

/* The members that a reader took, by their place. */
static size_t
ruby_pieces(const struct ruby_line *l, struct ruby_piece pieces[RUBY_MEMBER_COUNT])
{
	size_t n = 0;

	ruby_piece_add(pieces, &n, l->type, MEANT_FORM, "type");
	ruby_piece_add(pieces, &n, l->references, MEANT_FORM, "references");
	ruby_piece_add(pieces, &n, l->value, MEANT_TEXT, "value");
	ruby_piece_add(pieces, &n, l->encoding, MEANT_FORM, "encoding");
	ruby_piece_add(pieces, &n, l->coderange, MEANT_FORM, "coderange");
	ruby_piece_add(pieces, &n, l->imemo, MEANT_FORM, "imemo_type");
	ruby_piece_add(pieces, &n, l->data, MEANT_FORM, "struct");
	ruby_piece_add(pieces, &n, l->node, MEANT_FORM, "node_type");
	ruby_piece_add(pieces, &n, l->root, MEANT_FORM, "root");
	ruby_piece_add(pieces, &n, l->file, MEANT_NAME, "file");
	ruby_piece_add(pieces, &n, l->method, MEANT_NAME, "method");
	ruby_piece_add(pieces, &n, l->mid, MEANT_NAME, "mid");
	ruby_piece_add(pieces, &n, l->called, MEANT_NAME, "called_id");
	ruby_piece_add(pieces, &n, l->edge, MEANT_NAME, "edge_name");
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
		"flags", "true", "false", "wb_protected", "embedded", "fstring", "frozen", "ivars", "uncollectible", "marking", "pinned"
	};

	return str_digits(s) == s.n || telling_is_address(s) || str_is_one(words, NELEM(words), s);
}

/* A part of a line that is not JSON: only words of the format stay, as quotes may be missing. */
static void
ruby_tell_words(struct tells *t, struct str s)
{
	for (struct str part; s.n > 0; s = str_after(s, part.n)) {
		part = telling_word(s);
		if (part.n == 0)
			telling_whole(t, part = str_head(s, 1), MEANT_FORM, "mark");
		else
			telling_whole(t, part, is_word_of_ruby(part) ? MEANT_FORM : MEANT_TEXT, "damaged line");
	}
}

static void
ruby_tell_between(struct tells *t, struct str s, bool salvaged, bool *inside)
{
	if (salvaged)
		ruby_tell_words(t, s);
	else
		telling_json(t, s, MEANT_FORM, inside);
}

static void
ruby_tell_line(struct tells *t, struct str line, const struct ruby_line *l)
{
	struct ruby_piece pieces[RUBY_MEMBER_COUNT];
	size_t n = ruby_pieces(l, pieces);
	bool inside = false;

	for (size_t i = 0; i < n; i++) {
		if (pieces[i].text.s < line.s)
			continue;
		ruby_tell_between(t, str_head(line, (size_t)(pieces[i].text.s - line.s)), l->salvaged, &inside);
		telling_whole(t, pieces[i].text, pieces[i].means, pieces[i].path);
		line = str_after(line, (size_t)(pieces[i].text.s - line.s) + pieces[i].text.n);
	}
	ruby_tell_between(t, line, l->salvaged, &inside);
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
		ok = lines_look(&l, (uint64_t)(text.s - t.text.s), w, err);
		text = ruby_line_trim(text);
		if (text.n == 0)
			continue;
		if (ruby_line_read(&line, text, NULL) == RUBY_LOST)
			*lost += text.n;
		else
			ruby_tell_line(&t, text, &line);
	}
	telling_free(&t);
	return ok && !t.bad;
}
