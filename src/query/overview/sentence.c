/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sentence: parts of stories that are about a function of the program, and their length.
 */
#include "config.h"

#include <string.h>

#include "overview.h"

#define LONGEST 120		/* characters of a sentence */
#define CUT ", ..."

void
story_add_share(struct answering *a, struct overview_item *to)
{
	struct cell share = { .type = CELL_PERCENT, .f = to->share }, name;

	cell_show(&share, &to->words);
	buf_text(&to->words, " of ");
	if (answering_given(a, STR("name"), &name) != NULL && name.type == CELL_TEXT)
		buf_str(&to->words, name.text);
	else
		buf_text(&to->words, a->session->clock == CLOCK_CPU ? "the CPU time" : "the time");
}

/*
 * The length of the packages before a class: "com.example." of "com.example.Pool.get"; or of the path before a package
 * of Go.
 */
static size_t
sentence_package(struct str s)
{
	size_t at = 0, end = 0, word = 0;

	while (word < s.n && s.s[word] != ' ' && s.s[word] != ',' && s.s[word] != '(')
		if (s.s[word++] == '/')
			end = word;
	/* A task of the kernel is called "kworker/0:1". */
	if (end > 0)
		return memchr(s.s + end, '.', word - end) != NULL ? end : 0;
	while (at < word && ((s.s[at] >= 'a' && s.s[at] <= 'z') || (s.s[at] >= '0' && s.s[at] <= '9') ||
	    s.s[at] == '_' || s.s[at] == '.'))
		if (s.s[at++] == '.')
			end = at;
	return end > 0 && end < word && s.s[end] >= 'A' && s.s[end] <= 'Z' ? end : 0;
}

/* Cut words at a byte, or before the character that it is in; dots and a rest, which may be part of them, follow. */
static void
sentence_cut(struct buf *words, size_t at, struct str dots, struct str rest)
{
	OWN_BUF end = BUF_INIT;

	buf_str(&end, rest);
	while (at > 0 && ((unsigned char)words->s[at] & 0xc0) == 0x80)
		at--;
	words->n = at;
	buf_str(words, dots);
	buf_str(words, buf_view(&end));
}

/* The ", in FUNCTION" of a reason, without who called it; empty: it has none. */
static struct str
sentence_where(struct str s)
{
	struct str before, rest = s, where = STR("");

	while (str_divide(rest, STR(", in "), &before, &rest))
		where = (struct str){ rest.s - 5, rest.n + 5 };
	(void)str_divide(where, STR(", called by "), &where, &rest);
	return where;
}

/*
 * Take the packages off the names, then words out of the reason before its function or the end off the sentence, until
 * it is short enough.
 */
void
story_shorten(struct overview_item *to)
{
	struct buf whole = to->words;
	struct str s = buf_view(&whole), where;
	size_t at = 0, comma;

	if (text_width(s) <= LONGEST)
		return;
	to->words = (struct buf)BUF_INIT;
	to->name_n = 0;
	while (at < s.n) {
		if (at == 0 || s.s[at - 1] == ' ' || s.s[at - 1] == '(')
			at += sentence_package(str_after(s, at));
		buf_chr(&to->words, s.s[at++]);
	}
	buf_free(&whole);
	if (text_width(buf_view(&to->words)) <= LONGEST)
		return;
	at = LONGEST - strlen(CUT);
	where = sentence_where(buf_view(&to->words));
	if (where.n > 0 && where.n <= LONGEST / 2 && where.s + where.n > to->words.s + at) {
		sentence_cut(&to->words, LONGEST - strlen("...") - where.n, STR("..."), where);
		return;
	}
	for (comma = at; comma > 0 && to->words.s[comma] != ','; )
		comma--;
	if (comma > LONGEST / 2)
		sentence_cut(&to->words, comma, STR(CUT), STR(""));
	else
		sentence_cut(&to->words, at, STR("..."), STR(""));
}
