/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message: values of messages, in place.
 */
#include "config.h"

#include "mcp.h"

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

bool
message_is_object(struct str value)
{
	return value.n > 0 && value.s[0] == '{';
}

bool
message_is_string(struct str value)
{
	return value.n > 0 && value.s[0] == '"';
}

bool
message_is_integer(struct str value)
{
	struct str rest = value;

	str_take(&rest, STR("-"));
	return value.n > 0 && str_digits(rest) == rest.n;
}

bool
message_next(struct json *object, struct str *name, struct str *value)
{
	if (!scan_member(object, name))
		return false;
	scan_peek(object);
	value->s = object->base + object->at;
	scan_skip(object);
	value->n = (size_t)(object->base + object->at - value->s);
	return true;
}

struct str
message_member(struct str object, const char *name)
{
	struct json j = { .base = object.s, .size = object.n };
	struct str key, value, found = { NULL, 0 };
	struct buf b = BUF_INIT;

	if (message_is_object(object) && scan_open(&j, '{'))
		while (message_next(&j, &key, &value))
			if (str_eq(scan_unescape(key, &b), str_of(name)))
				found = value;
	buf_free(&b);
	return found;
}

struct str
message_string(struct str value, struct buf *b)
{
	return message_is_string(value) ? scan_unescape((struct str){ value.s + 1, value.n - 2 }, b) :
	    STR("");
}

bool
message_equal(struct str a, struct str b)
{
	struct buf in_a = BUF_INIT, in_b = BUF_INIT;
	bool equal = message_is_string(a) ? message_is_string(b) &&
	    str_eq(message_string(a, &in_a), message_string(b, &in_b)) : str_eq(a, b);

	buf_free(&in_a);
	buf_free(&in_b);
	return equal;
}
