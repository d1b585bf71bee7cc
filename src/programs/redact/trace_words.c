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

static bool
words_enter(struct trace_words *w, struct str name, struct err *err)
{
	uint32_t found;

	if (!idmap_enter(&w->by_text, word_key(name), (uint32_t)w->text.n + 1, &found, err))
		return false;
	if (found == w->text.n + 1) {
		buf_str(&w->text, name);
		buf_chr(&w->text, '\0');
	}
	return (!w->text.bad && w->text.n < UINT32_MAX / 2) ||
	    fail(err, E_SYSTEM, "out of memory (names of processes)");
}

/* A name without a dot, such as "main", could be any word. */
bool
trace_words_add(struct trace_words *w, struct str name, struct err *err)
{
	struct str whole = name;
	size_t n;

	/* "com.example.app:remote" is a process of that package. */
	for (n = 0; n < name.n && in_word(name.s[n]); n++)
		;
	name.n = n;
	if (n == 0 || memchr(name.s, '.', n) == NULL || (n < whole.n && whole.s[n] != ':'))
		return true;
	return words_enter(w, name, err);
}

bool
trace_words_add_user(struct trace_words *w, struct str name, struct err *err)
{
	w->users = true;
	return memchr(name.s, '\0', name.n) != NULL || words_enter(w, name, err);
}

static bool
words_have(const struct trace_words *w, struct str s)
{
	uint32_t at = idmap_get(&w->by_text, word_key(s));

	return at != 0 && w->text.n - (at - 1) > s.n && memcmp(w->text.s + at - 1, s.s, s.n) == 0 &&
	    w->text.s[at - 1 + s.n] == '\0';
}

/* A letter or digit: names of users end where these do. */
static bool
in_user(char c)
{
	return c != '.' && c != '_' && (in_word(c) || (unsigned char)c >= 0x80);
}

/* The longest name that begins at a byte, of a few words; 0: none does. */
static size_t
user_at(const struct trace_words *w, struct str text, size_t from)
{
	enum { WORDS = 4 };
	size_t end = from, found = 0;

	if (from > 0 && in_user(text.s[from - 1]))
		return 0;
	for (unsigned i = 0; i < WORDS && end < text.n; i++) {
		while (end < text.n && in_user(text.s[end]))
			end++;
		if (words_have(w, (struct str){ text.s + from, end - from }))
			found = end - from;
		end++;
	}
	return found;
}

/* A name of a user may be a part of a word: "alice_main".  end: where it begins at the latest. */
static bool
next_user(const struct trace_words *w, struct str text, size_t from, size_t end, size_t *at, size_t *n)
{
	for (; from < end; from++)
		if (in_user(text.s[from]) && (*n = user_at(w, text, from)) > 0) {
			*at = from;
			return true;
		}
	return false;
}

static bool
next_package(const struct trace_words *w, struct str text, size_t from, size_t *at, size_t *n)
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

bool
trace_words_next(const struct trace_words *w, struct str text, size_t from, size_t *at, size_t *n)
{
	size_t user, length;
	bool found = next_package(w, text, from, at, n);

	if (!w->users || !next_user(w, text, from, found ? *at : text.n, &user, &length))
		return found;
	*at = user;
	*n = length;
	return true;
}

void
trace_words_free(struct trace_words *w)
{
	buf_free(&w->text);
	idmap_free(&w->by_text);
}
