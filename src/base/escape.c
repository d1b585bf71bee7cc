/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * escape: names that are bytes, as text that can be read and turned back; escaped texts of TSV, HTML and JSON.
 */
#include "config.h"

#include <string.h>

#include "icecore/base.h"

void
text_escape(struct buf *b, struct str src)
{
	struct buf fitted = BUF_INIT;
	struct str shown;
	size_t n, m;
	uint32_t cp;

	/* Side by side: bytes that the gate leaves unchanged stay, except backslashes. */
	text_fit_buf(&fitted, src);
	shown = buf_view(&fitted);
	b->bad |= fitted.bad;
	for (; src.n > 0 && !b->bad; src = str_after(src, n), shown = str_after(shown, m)) {
		n = text_decode(src, &cp);
		m = text_decode(shown, &cp);
		if (n == m && memcmp(src.s, shown.s, n) == 0 && src.s[0] != '\\')
			buf_add(b, src.s, n);
		else
			for (size_t i = 0; i < n; i++)
				buf_printf(b, "\\x%02x", (unsigned char)src.s[i]);
	}
	buf_free(&fitted);
}

void
text_unescape(struct buf *b, struct str escaped)
{
	uint64_t byte;
	size_t n;

	for (; escaped.n > 0; escaped = str_after(escaped, n)) {
		n = 1;
		if (escaped.n >= 4 && str_has_prefix(escaped, STR("\\x")) &&
		    num_u64((struct str){ escaped.s + 2, 2 }, 16, &byte)) {
			buf_chr(b, (char)byte);
			n = 4;
		} else
			buf_chr(b, escaped.s[0]);
	}
}

void
text_backslash(struct buf *b, struct str s, const char *bytes, const char *letters,
    void (*put)(struct buf *, struct str))
{
	struct str part;
	int byte = s.n > 0 ? 0 : -1;

	while (byte >= 0) {
		byte = str_split_any(&s, bytes, &part);
		put(b, part);
		if (byte >= 0) {
			buf_chr(b, '\\');
			buf_chr(b, letters[byte]);
		}
	}
}

void
text_html(struct buf *b, struct str s)
{
	static const char marks[] = "&<>\"'";
	static const char *const forms[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	struct str part;
	int mark;

	do {
		mark = str_split_any(&s, marks, &part);
		buf_str(b, part);
		if (mark >= 0)
			buf_str(b, str_of(forms[mark]));
	} while (mark >= 0);
}

#define JSON_BYTES "\t\n\r\\\""

void
text_json(struct buf *b, struct str s, void (*put)(struct buf *, struct str))
{
	buf_chr(b, '"');
	text_backslash(b, s, JSON_BYTES, "tnr\\\"", put);
	buf_chr(b, '"');
}

size_t
text_json_size(struct str fitted)
{
	struct str part;
	size_t n = fitted.n;

	while (str_split_any(&fitted, JSON_BYTES, &part) >= 0)
		n++;
	return n;
}
