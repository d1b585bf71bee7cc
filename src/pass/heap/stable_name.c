/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stable_name: names of classes without what differs from run to run.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "heap.h"

/* Return the first occurrence of s in text, or NULL. */
static const char *
stable_name_find(struct str text, const char *s)
{
	return text.n == 0 ? NULL : memmem(text.s, text.n, s, strlen(s));
}

static bool
is_lower_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Return the length of a generated number or address at p: "12", "/0x0000000800066840". */
static size_t
numbered(const char *from, const char *p, const char *end)
{
	static const char *const before[] = { "$Proxy", "Accessor", "jdk.proxy", "class@" };
	size_t n = 0, k;

	if (end - p > 3 && is_one_of(p[0], "./+") && p[1] == '0' && p[2] == 'x') {
		for (n = 3; p + n < end && is_lower_hex(p[n]); n++)
			continue;
		return n;
	}
	for (size_t i = 0; i < NELEM(before) && n == 0; i++) {
		k = strlen(before[i]);
		if ((size_t)(p - from) >= k && memcmp(p - k, before[i], k) == 0)
			while (p + n < end && (i == 3 ? is_lower_hex(p[n]) : is_digit(p[n])))
				n++;
	}
	return n;
}

/* The first place from p on where such a thing may begin. */
static const char *
maybe_numbered(const char *from, const char *p, const char *end)
{
	for (; p < end; p++)
		if (is_digit(*p) || (p > from && p[-1] == '@') || (p + 1 < end && p[1] == '0'))
			break;
	return p;
}

/* Return the end of the stable name: the text after these marks is made up by a generator of classes. */
static const char *
made_up(struct str name)
{
	static const char *const marks[] = { "$$Lambda", "ByCGLIB$$", "ByMockitoWithCGLIB$$",
	    "$$SpringCGLIB$$",
	    "$$EnhancerBy", "$MockitoMock$", "$ByteBuddy$", "$HibernateProxy$", "_$$_jvst" };
	const char *at = name.n == 0 ? NULL : memchr(name.s, '$', name.n);

	/* All marks have two '$'. */
	if (at == NULL || memchr(at + 1, '$', (size_t)(name.s + name.n - at - 1)) == NULL)
		return name.s + name.n;
	for (size_t i = 0; i < NELEM(marks); i++) {
		at = stable_name_find(name, marks[i]);
		/* Android has "-$$Lambda$Class$...", which a build makes the same each time. */
		if (at != NULL && (at == name.s || at[-1] != '-'))
			return at + strlen(marks[i]);
	}
	return name.s + name.n;
}

void
heap_stable_name(const struct heap *h, uint32_t class, struct buf *b)
{
	OWN_BUF raw = BUF_INIT;
	const char *end, *p, *from;
	struct str name;
	size_t n, depth = 0;

	heap_class_name(h, class, &raw);
	name = buf_view(&raw);
	for (; name.n > 2 && memcmp(name.s + name.n - 2, "[]", 2) == 0; name.n -= 2)
		depth++;
	end = made_up(name);
	/* from: the part not yet copied. */
	for (p = from = name.s; (p = maybe_numbered(name.s, p, end)) < end; p += n == 0 ? 1 : n) {
		n = numbered(name.s, p, end);
		if (n == 0)
			continue;
		buf_str(b, (struct str){ from, (size_t)(p - from) });
		from = p + n;
	}
	assert(from <= end);
	buf_str(b, (struct str){ from, (size_t)(end - from) });
	while (depth-- > 0)
		buf_text(b, "[]");
}
