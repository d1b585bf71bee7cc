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

static struct str
scan_literal(const char *p)
{
	return (struct str){ p, strcspn(p, "%{}$") };
}

/* The place of a text, which is not empty; NO_FIT: none. */
static size_t
scan_place(struct str s, struct str what, bool last)
{
	struct str before, after;
	size_t n = NO_FIT;

	if (!last)
		return str_divide(s, what, &before, &after) ? before.n : NO_FIT;
	for (size_t i = s.n < what.n ? 0 : s.n - what.n + 1; n == NO_FIT && i-- > 0; )
		n = memcmp(s.s + i, what.s, what.n) == 0 ? i : NO_FIT;
	return n;
}

/* The bytes that a conversion takes.  next: the literal text behind it. */
static size_t
scan_length(struct str s, char kind, struct str next)
{
	size_t n = 0;

	switch (kind) {
	case 'd': case 'u':
		n = str_digits(s);
		return n > 0 ? n : NO_FIT;
	case 'h': case 'i':
		if (str_has_prefix(s, STR("0x")))
			n = str_hexes(str_behind(s, 2));
		return n > 0 ? n + 2 : kind == 'i' ? scan_length(s, 'd', next) : NO_FIT;
	case 'w':
		while (n < s.n && !is_blank(s.s[n]))
			n++;
		return n > 0 ? n : NO_FIT;
	default:
		assert(kind == 't' || kind == 'l');
		return next.n == 0 ? s.n : scan_place(s, next, kind == 'l');
	}
}

/* Fill the argument of a conversion; an empty part is 0. */
static bool
scan_keep(char kind, struct str part, va_list *ap)
{
	uint64_t *v;

	if (kind != 'u' && kind != 'i') {
		*va_arg(*ap, struct str *) = part;
		return true;
	}
	v = va_arg(*ap, uint64_t *);
	*v = 0;
	return part.n == 0 || (str_take(&part, STR("0x")) ? num_u64(part, 16, v) : num_u64(part, 10, v));
}

/* A conversion at *p, which moves behind it; absent: it is of an optional part that is not there. */
static bool
scan_convert(struct str *in, const char **p, bool absent, va_list *ap)
{
	bool kept = *++*p != '*', ok;
	size_t n;
	char kind;

	*p += !kept;
	kind = *(*p)++;
	n = absent ? 0 : scan_length(*in, kind, scan_literal(*p));
	ok = n != NO_FIT;
	ok = (!kept || scan_keep(kind, str_head(*in, ok ? n : 0), ap)) && ok;
	if (ok)
		*in = str_behind(*in, n);
	return ok;
}

bool
scan_text(struct str *s, const char *p, ...)
{
	struct str in = *s, from = in, literal;
	const char *group = NULL;	/* the optional part around p */
	bool absent = false, ok = true;
	va_list ap, again;

	va_start(ap, p);
	va_copy(again, ap);
	while (*p != '\0' && ok) {
		if (*p == '{') {
			group = ++p;
			from = in;
			va_end(again);
			va_copy(again, ap);
		} else if (*p == '}') {
			group = NULL;
			absent = false;
			p++;
		} else if (*p == '$') {
			ok = absent || in.n == 0;
			p++;
		} else if (*p == '%')
			ok = scan_convert(&in, &p, absent, &ap);
		else {
			literal = scan_literal(p);
			ok = absent || str_take(&in, literal);
			p += literal.n;
		}
		if (!ok && group != NULL) {
			/* Go through it again to empty its arguments. */
			absent = ok = true;
			p = group;
			in = from;
			va_end(ap);
			va_copy(ap, again);
		}
	}
	va_end(again);
	va_end(ap);
	if (ok)
		*s = in;
	return ok;
}
