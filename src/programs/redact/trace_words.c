/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_words: names of processes and packages, which names of events repeat:
 * "launchingActivity#7:completed-cold:com.example.app".
 */
#include "config.h"

#include <string.h>

#include "icecore/store.h"
#include "hide.h"

/*
 * Letters, digits, dots and underscores: a name that is part of another one ends where these do, or at a
 * dot.
 */
static bool
in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
	    c == '_';
}

static uint64_t
word_key(struct str s)
{
	return hash_bytes(s.s, s.n, 0) | 1;
}

/* A name without a dot, such as "main", could be any word. */
bool
trace_words_add(struct trace_words *w, struct str name, struct err *err)
{
	struct str whole = name;
	uint32_t found;
	size_t n;

	/* "com.example.app:remote" is a process of that package. */
	for (n = 0; n < name.n && in_word(name.s[n]); n++)
		;
	name.n = n;
	if (n == 0 || memchr(name.s, '.', n) == NULL || (n < whole.n && whole.s[n] != ':'))
		return true;
	if (!idmap_enter(&w->by_text, word_key(name), (uint32_t)w->text.n + 1, &found, err))
		return false;
	if (found == w->text.n + 1) {
		buf_str(&w->text, name);
		buf_chr(&w->text, '\0');
	}
	return (!w->text.bad && w->text.n < UINT32_MAX / 2) ||
	    fail(err, E_SYSTEM, "out of memory (names of processes)");
}

static bool
words_have(const struct trace_words *w, struct str s)
{
	uint32_t at = idmap_get(&w->by_text, word_key(s));

	return at != 0 && w->text.n - (at - 1) > s.n && memcmp(w->text.s + at - 1, s.s, s.n) == 0 &&
	    w->text.s[at - 1 + s.n] == '\0';
}

bool
trace_words_next(const struct trace_words *w, struct str text, size_t from, size_t *at, size_t *n)
{
	size_t end;

	while (from < text.n) {
		for (; from < text.n && !in_word(text.s[from]); from++)
			;
		for (end = from; end < text.n && in_word(text.s[end]); end++)
			;
		*at = from;
		for (*n = end - from; *n > 0; ) {
			if (words_have(w, (struct str){ text.s + from, *n }))
				return true;
			/* The longest part in front of a dot. */
			while (--*n > 0 && text.s[from + *n] != '.')
				;
		}
		from = end;
	}
	return false;
}

void
trace_words_free(struct trace_words *w)
{
	buf_free(&w->text);
	idmap_free(&w->by_text);
}
