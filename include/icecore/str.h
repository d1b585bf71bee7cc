/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * str: slices of bytes and growing buffers.
 */
#ifndef ICECORE_STR_H
#define ICECORE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "icecore/mem.h"

/* Bytes owned elsewhere, any value, no closing NUL. */
struct str {
	const char	*s;
	size_t		 n;
};

#define STR(lit) ((struct str){ "" lit, sizeof(lit) - 1 })
/* Copy a string to an array of char, truncated.  Needs stdio.h. */
#define TEXT_COPY(array, s) ((void)snprintf((array), sizeof (array), "%s", (s)))

struct str	str_of(const char *);		/* NULL gives the empty slice */
int		str_cmp(struct str, struct str);	/* byte order, as memcmp, shorter first */
/* Glob: * any bytes, ? one byte; no classes, no escapes.  Linear in practice, never exponential. */
bool		str_glob(struct str pattern, struct str);
/* Ignores the case of the letters a to z. */
bool		str_glob_nocase(struct str pattern, struct str);
bool		str_eq_nocase(struct str, struct str);
bool		str_has(struct str, struct str part);	/* an empty part is in every text */
bool		str_has_nocase(struct str, struct str part);
bool		str_has_capital(struct str);
bool		str_glob_any(const char *const *patterns, size_t n, struct str);
/* patterns end with NULL; NULL itself: no patterns. */
bool		str_glob_list(const char *const *patterns, struct str);
bool		str_is_one(const char *const *texts, size_t n, struct str);
struct str	str_trim(struct str);	/* without the blanks (' ') at both ends */
/*
 * Takes the part before the first sep from *rest and moves *rest after it; false, with an empty part,
 * when *rest has no bytes left: "a,,b," gives a, nothing, b.
 */
bool		str_split(struct str *rest, char sep, struct str *part);
/* Takes the part before the first of those bytes, and that byte; its index among them, or -1: none. */
int		str_split_any(struct str *rest, const char *bytes, struct str *part);

/* Inline: compared with a literal it compiles without a call. */
static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, b.n) == 0);
}

/* Return whether s is that text, usually a literal. */
static inline bool
str_is(struct str s, const char *text)
{
	return s.n == strlen(text) && (s.n == 0 || memcmp(s.s, text, s.n) == 0);
}

static inline bool
str_has_prefix(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.s, prefix.s, prefix.n) == 0);
}

/* ASCII only, independent of the locale. */
static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool
is_hex(char c)
{
	return is_digit(c) || (unsigned char)((c | 32) - 'a') < 6;
}

static inline bool
is_letter(char c)
{
	return (unsigned char)((c | 32) - 'a') < 26;
}

/* A letter, a digit or _. */
static inline bool
is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

/* set: a string; NUL is in none, unlike for strchr. */
static inline bool
is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* Whether s is an identifier: letters, digits, _ and those of more, and no digit in front. */
bool		str_is_name(struct str s, const char *more);

/* How many decimal, or hexadecimal, digits s begins with. */
static inline size_t
str_digits(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_digit(s.s[n]))
		n++;
	return n;
}

static inline size_t
str_hexes(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_hex(s.s[n]))
		n++;
	return n;
}

static inline struct str
str_skip_blanks(struct str s)
{
	for (; s.n > 0 && is_blank(s.s[0]); s.n--)
		s.s++;
	return s;
}

/* Return what is after the first n bytes; empty when there are fewer: a buffer that is bad may have fewer. */
static inline struct str
str_after(struct str s, size_t n)
{
	n = n < s.n ? n : s.n;
	/* A zeroed text has no place to add to. */
	return n == 0 ? s : (struct str){ s.s + n, s.n - n };
}

/* Return the first n bytes, or all if there are fewer. */
static inline struct str
str_head(struct str s, size_t n)
{
	return (struct str){ s.s, n < s.n ? n : s.n };
}

static inline bool
str_has_suffix(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_eq(str_after(s, s.n - suffix.n), suffix);
}

/* Takes a prefix from the front; false: s does not begin with it. */
static inline bool
str_take(struct str *s, struct str prefix)
{
	if (!str_has_prefix(*s, prefix))
		return false;
	*s = str_after(*s, prefix.n);
	return true;
}

/* Comparisons with a literal. */
#define str_begins(s, literal) str_has_prefix((s), STR(literal))
#define str_ends(s, literal) str_has_suffix((s), STR(literal))

/* The parts before and after the first occurrence of what; false, and both unchanged: none. */
bool		str_divide(struct str s, struct str what, struct str *before, struct str *after);
/* str_divide at the last byte c. */
bool		str_divide_last(struct str s, char c, struct str *before, struct str *after);

/* A growing byte string.  Start from BUF_INIT; after a failed growth bad is set and later adds do nothing. */
struct buf {
	char	*s;		/* NUL-terminated once anything was added */
	size_t	 n, cap;
	bool	 bad;
};

#define BUF_INIT ((struct buf){ NULL, 0, 0, false })
#define OWN_BUF CLOSED_BY(buf_free) struct buf		/* a local one, freed at the end of its block */

/*
 * Append bytes, a text, a letter, and what printf makes of its arguments.  Without memory a buffer is
 * failed: see buf_view.
 */
void		buf_add(struct buf *, const void *, size_t);
void		buf_str(struct buf *, struct str);
void		buf_chr(struct buf *, char);
void		buf_printf(struct buf *, const char *, ...)
		    __attribute__((format(printf, 2, 3)));
/*
 * Replace the text by other texts, none of which is in it: buf_set(&b, STR("["), name, STR("]")).  Returns
 * buf_view.
 */
#define buf_set(b, ...) \
	buf_set_parts((b), (const struct str[]){ __VA_ARGS__ }, \
	    sizeof (const struct str[]){ __VA_ARGS__ } / sizeof(struct str))
struct str	buf_set_parts(struct buf *, const struct str *, size_t n);
/* Append a text to a list: after the separator, unless the buffer is empty. */
void		buf_list(struct buf *, const char *separator, struct str);
void		buf_base64(struct buf *, struct str);
void		buf_clear(struct buf *);	/* empty, memory kept */
void		buf_free(struct buf *);
struct str	buf_view(const struct buf *);

/* Append a text, usually a literal; NULL is empty. */
static inline void
buf_text(struct buf *b, const char *text)
{
	if (text != NULL)
		buf_add(b, text, strlen(text));
}

#endif
