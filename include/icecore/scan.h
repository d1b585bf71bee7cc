/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan: the head of a line against a pattern, for text formats.
 *
 * If the text begins as the pattern says, what fits is taken off its front and the arguments are filled.
 * Otherwise it stays as it is, and arguments have any values.
 *
 *	%d decimal digits	%x hexadecimal digits	%h "0x" and such digits	%w bytes up to a blank, at least one
 *	%t bytes up to the first place of the literal text that follows in the pattern; to the end if none follows
 *	%l bytes up to its last place: each fills a struct str *
 *	%u decimal digits	%i these, or as %h: each fills a uint64_t *; a number that is too large does not fit
 *	%p decimal digits of a number that fits into 32 bits, which fills a uint32_t *
 *	%*d, %*h ... fill nothing
 *	%_ blanks, which may be missing
 *	{...} an optional part; if it does not fit, its arguments are empty or 0.  Not nested
 *	{...}? the same; fills a bool *: whether it fits
 *	$ the end of the text
 *
 * Every other byte stands for itself; a conversion is none of those before a literal that begins with % { }
 * or $.
 */
#ifndef ICECORE_SCAN_H
#define ICECORE_SCAN_H

#include "icecore/str.h"

/*
 * Takes what the pattern says off the beginning of a text; false: the text stays as it is.  The comment
 * above has the patterns.
 */
bool	scan_text(struct str *, const char *pattern, ...);

/* A value that need not be used. */
static inline bool
scan_fits(bool fits)
{
	return fits;
}

#define SCAN_FIRST(pattern, ...) pattern
#define SCAN_PLAIN(...) ((struct str){ SCAN_FIRST(__VA_ARGS__, 0), strlen(SCAN_FIRST(__VA_ARGS__, 0)) })
/*
 * Text without conversions is compared as by str_take, and most lines differ from others in the first
 * byte.  The compiler decides for literals.
 */
#define scan(text, ...) \
	scan_fits(strpbrk(SCAN_FIRST(__VA_ARGS__, 0), "%{}$") == NULL ? str_take((text), SCAN_PLAIN(__VA_ARGS__)) : \
	(is_one_of(SCAN_FIRST(__VA_ARGS__, 0)[0], "%{$") || \
	    ((text)->n > 0 && (text)->s[0] == SCAN_FIRST(__VA_ARGS__, 0)[0])) && \
	scan_text((text), __VA_ARGS__))

#endif
