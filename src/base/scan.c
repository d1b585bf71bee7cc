/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan: the head of a line against a pattern.
 */
#include "config.h"

#include <assert.h>
#include <stdarg.h>

#include "icecore/base.h"
#include "icecore/scan.h"

#define NO_FIT SIZE_MAX

/* Bytes that end the literal text of a pattern. */
static const bool special[256] = { ['\0'] = true, ['%'] = true, ['{'] = true, ['}'] = true, ['$'] = true };

static inline bool
is_special(char c)
{
	return special[(unsigned char)c];
}

/* The place of the literal text that a pattern begins with, or the end if there is none; NO_FIT: the text lacks it. */
static size_t
scan_place(struct str s, const char *p, bool last)
{
	const char *hit;
	size_t n = 0;

	while (!is_special(p[n]))
		n++;
	if (n == 0 || s.n < n)
		return n == 0 ? s.n : NO_FIT;
	if (!last) {
		hit = n == 1 ? memchr(s.s, *p, s.n) : memmem(s.s, s.n, p, n);
		return hit == NULL ? NO_FIT : (size_t)(hit - s.s);
	}
	for (s.n -= n - 1; s.n > 0 && (hit = memrchr(s.s, *p, s.n)) != NULL; ) {
		s.n = (size_t)(hit - s.s);
		if (n == 1 || memcmp(hit, p, n) == 0)
			return s.n;
	}
	return NO_FIT;
}

/* The bytes that a conversion takes.  p: the pattern after it. */
static inline size_t
scan_length(struct str s, char kind, const char *p)
{
	uint64_t number;
	size_t n = 0;

	switch (kind) {
	case 't': case 'l':
		return scan_place(s, p, kind == 'l');
	case '_':
		while (n < s.n && is_blank(s.s[n]))
			n++;
		return n;
	case 'w':
		while (n < s.n && !is_blank(s.s[n]))
			n++;
		break;
	case 'x':
		n = str_hexes(s);
		break;
	case 'h': case 'i':
		if (s.n > 2 && s.s[0] == '0' && s.s[1] == 'x' && is_hex(s.s[2]))
			return 2 + str_hexes(str_after(s, 2));
		n = kind == 'i' ? str_digits(s) : 0;
		break;
	default:
		assert(kind == 'd' || kind == 'u' || kind == 'p');
		n = str_digits(s);
		if (kind == 'p' && (!num_u64(str_head(s, n), 10, &number) || number > UINT32_MAX))
			return NO_FIT;
		break;
	}
	return n > 0 ? n : NO_FIT;
}

/* Convert digits, or those after 0x; false: the number is too large. */
static bool
scan_number(struct str part, uint64_t *v)
{
	*v = 0;
	return part.n == 0 || (part.n > 2 && part.s[1] == 'x' ? num_u64(str_after(part, 2), 16, v) :
	    num_u64(part, 10, v));
}

/* The literal text at *p, which moves after it; absent: it is in an optional part that is not there. */
static inline bool
scan_literal(struct str *in, const char **p, bool absent)
{
	bool ok = true;

	for (; !is_special(**p) && ok; ++*p) {
		ok = absent || (in->n > 0 && in->s[0] == **p);
		in->s += ok && !absent;
		in->n -= ok && !absent;
	}
	return ok;
}

/* Fill the argument of a conversion; false: the number is too large. */
static inline bool
scan_keep(char kind, struct str part, va_list *ap)
{
	uint64_t number;
	bool fits = true;

	if (kind == 'u' || kind == 'i')
		fits = scan_number(part, va_arg(*ap, uint64_t *));
	else if (kind == 'p') {
		(void)scan_number(part, &number);
		*va_arg(*ap, uint32_t *) = (uint32_t)number;
	} else
		*va_arg(*ap, struct str *) = part;
	return fits;
}

bool
scan_text(struct str *s, const char *p, ...)
{
	struct str in = *s, from = in, part;
	const char *group = NULL;	/* the optional part around p */
	bool absent = false, ok = true;
	va_list ap, again;
	size_t n;
	char kind;

	va_start(ap, p);
	va_start(again, p);
	while (*p != '\0' && ok) {
		switch (*p) {
		case '{':
			group = ++p;
			from = in;
			va_end(again);
			va_copy(again, ap);
			break;
		case '}':
			if (p[1] == '?')
				*va_arg(ap, bool *) = !absent;
			p += 1 + (p[1] == '?');
			group = NULL;
			absent = false;
			break;
		case '$':
			ok = absent || in.n == 0;
			p++;
			break;
		case '%':
			kind = *++p == '*' ? *++p : *p;
			n = absent ? 0 : scan_length(in, kind, p + 1);
			ok = n != NO_FIT;
			part = str_head(in, ok ? n : 0);
			in = str_after(in, part.n);
			if (p++[-1] != '*' && kind != '_')
				ok = scan_keep(kind, part, &ap) && ok;
			break;
		default:
			ok = scan_literal(&in, &p, absent);
			break;
		}
		if (ok || group == NULL)
			continue;
		/* Go through it again to empty its arguments. */
		absent = ok = true;
		p = group;
		in = from;
		va_end(ap);
		va_copy(ap, again);
	}
	va_end(again);
	va_end(ap);
	if (ok)
		*s = in;
	return ok;
}
