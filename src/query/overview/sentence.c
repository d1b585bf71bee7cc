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

/* Take the packages off the names, then the end off the sentence, until it is short enough. */
void
story_shorten(struct overview_item *to)
{
	struct buf whole = to->words;
	struct str s = buf_view(&whole);
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
	for (at = LONGEST - strlen(CUT), comma = at; comma > 0 && to->words.s[comma] != ','; )
		comma--;
	while (at > 0 && ((unsigned char)to->words.s[at] & 0xc0) == 0x80)
		at--;
	to->words.n = comma > LONGEST / 2 ? comma : at;
	buf_text(&to->words, comma > LONGEST / 2 ? CUT : "...");
}
