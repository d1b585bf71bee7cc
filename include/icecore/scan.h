/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan: the head of a line against a pattern, for text formats.
 *
 * If the text begins as the pattern says, what fits is taken off its front and the arguments are filled.  Otherwise it stays as it is, and
 * arguments have any values.
 *
 *	%d decimal digits	%h "0x" and hexadecimal digits	%w bytes up to a blank, at least one
 *	%t bytes up to the first place of the literal text that follows in the pattern; to the end if none follows
 *	%l bytes up to its last place: each fills a struct str *
 *	%u decimal digits	%i these, or as %h: each fills a uint64_t *; a number that is too large does not fit
 *	%*d, %*h ... fill nothing
 *	{...} an optional part; if it does not fit, its arguments are empty or 0.  Not nested
 *	$ the end of the text
 *
 * Every other byte stands for itself; a conversion is none of those before a literal that begins with % { } or $.
 */
#ifndef ICECORE_SCAN_H
#define ICECORE_SCAN_H

#include "icecore/str.h"

bool	scan_text(struct str *, const char *pattern, ...);

/* Most lines differ in the first byte. */
#define scan(text, pattern, ...) \
	((strchr("%{", (pattern)[0]) != NULL || ((text)->n > 0 && (text)->s[0] == (pattern)[0])) && scan_text((text), (pattern), __VA_ARGS__))

#endif
