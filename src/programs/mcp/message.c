/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message: texts of messages: libjansson reads them, and writes none: answers are counted while they are made.
 */
#include "config.h"

#include <stdlib.h>

#include "mcp.h"

#define DEPTH_MOST 32

void
message_text(struct buf *b, struct str fitted)
{
	text_json(b, fitted, buf_str);
}

void
message_raw(struct buf *b, struct str raw)
{
	struct buf fitted = BUF_INIT;

	text_fit_buf(&fitted, raw);
	message_text(b, buf_view(&fitted));
	b->bad |= fitted.bad;
	buf_free(&fitted);
}

void
message_value(struct buf *b, const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

	if (text == NULL)
		b->bad = true;
	else
		buf_str(b, str_of(text));
	free(text);
}

struct str
message_str(const json_t *value)
{
	return json_is_string(value) ? (struct str){ json_string_value(value), json_string_length(value) } : STR("");
}

/* The library calls itself for nested values. */
static bool
is_deep(struct str s)
{
	unsigned depth = 0;
	bool text = false;

	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] == '"')
			text = !text;
		else if (text)
			i += s.s[i] == '\\';
		else if (s.s[i] == '[' || s.s[i] == '{') {
			if (++depth > DEPTH_MOST)
				return true;
		} else if (depth > 0)
			depth -= s.s[i] == ']' || s.s[i] == '}';
	return false;
}

json_t *
message_read(struct str line, bool *deep)
{
	*deep = is_deep(line);
	return *deep ? NULL : json_loadb(line.s, line.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}
