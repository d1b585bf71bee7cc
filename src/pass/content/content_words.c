/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * content_words: the words that contents are made of: texts in quotes, values, names of classes.
 */
#include "config.h"

#include <string.h>

#include "contents.h"

void
content_quote(struct str text, bool cut, struct buf *b)
{
	static const char plain[] = "\"\\\n\r\t", letter[] = "\"\\nrt";
	const char *at;

	buf_chr(b, '"');
	for (size_t i = 0; i < text.n; i++) {
		at = text.s[i] == '\0' ? NULL : strchr(plain, text.s[i]);
		if (at != NULL)
			buf_printf(b, "\\%c", letter[at - plain]);
		else
			buf_chr(b, text.s[i]);
	}
	buf_text(b, cut ? "\xe2\x80\xa6\"" : "\"");
}

bool
content_text(struct contents *c, uint32_t object, size_t max, struct buf *b)
{
	const struct heap *h = &c->h;
	struct heap_text t;

	buf_clear(&c->text);
	if (heap_string(h, object, max, &c->text)) {
		content_quote(buf_view(&c->text), heap_text(h, object, &t) && t.length > max, b);
		return true;
	}
	if (!heap_chars(h, object, max, &c->text))
		return false;
	content_quote(buf_view(&c->text), heap_length(h, object) > max, b);
	return true;
}

void
class_simple_add(const struct heap *h, uint32_t class, struct buf *b)
{
	size_t from = b->n, end, at;

	heap_class_name(h, class, b);
	/* A / precedes the number of a hidden class. */
	for (end = from; end < b->n && b->s[end] != '/'; end++)
		continue;
	for (at = end; at > from && b->s[at - 1] != '.'; at--)
		continue;
	if (at > from && at < b->n) {
		memmove(b->s + from, b->s + at, b->n - at + 1);
		b->n -= at - from;
	}
}

void
content_value(uint8_t type, uint64_t bits, struct buf *b)
{
	struct heap_slot slot = { .type = type, .bits = bits };

	if (type == HEAP_CHAR)
		buf_chr(b, '\'');
	heap_value(&slot, b);
	if (type == HEAP_CHAR)
		buf_chr(b, '\'');
}
