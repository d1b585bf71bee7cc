/*
 * Decoding systrace pages: the trace is the text of scripts with class trace-data, or, in pages of 2012, a string
 * of JavaScript.
 */
#include "config.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "decode.h"

#define STRING "linuxPerfData = \"\\"
#define LOOK_FOR_TAG 1024	/* bytes: blanks and a comment may come first */

static bool
begins(const uint8_t *p, uint64_t left, const char *word)
{
	size_t n = strlen(word);

	return left >= n && strncasecmp((const char *)p, word, n) == 0;
}

static const uint8_t *
find(const uint8_t *p, const uint8_t *end, const char *word)
{
	return p < end ? memmem(p, (size_t)(end - p), word, strlen(word)) : NULL;
}

bool
decode_is_html(const struct map *m)
{
	const uint8_t *end = m->data + m->size;
	uint64_t i;

	for (i = 0; i < m->size && i < LOOK_FOR_TAG; i++)
		if (memchr(" \t\r\n", m->data[i], 4) == NULL)
			break;
	if (!begins(m->data + i, m->size - i, "<!doctype html") && !begins(m->data + i, m->size - i, "<html"))
		return false;
	return find(m->data, end, "trace-data") != NULL || find(m->data, end, STRING) != NULL;
}

/* What stands for a backslash and that byte; no bytes for the end of a line that goes on. */
static bool
put_escape(struct decode *d, uint8_t c, struct err *err)
{
	static const char from[] = "ntrbf", to[] = "\n\t\r\b\f";
	const char *hit = c != 0 ? strchr(from, c) : NULL;

	if (c == '\n' || c == '\r')
		return true;
	return decode_put(d, hit != NULL ? (const void *)&to[hit - from] : &c, 1, err);
}

/* A string up to its closing quote. */
static bool
put_string(struct decode *d, const uint8_t *p, const uint8_t *end, struct err *err)
{
	const uint8_t *from;

	while (p < end && *p != '"') {
		for (from = p; p < end && *p != '\\' && *p != '"'; p++)
			;
		if (!decode_copy(d, from, p, err))
			return false;
		if (p + 1 < end && *p == '\\') {
			if (!put_escape(d, p[1], err))
				return false;
			/* The end of the line may be of two bytes. */
			p += 2 + (p[1] == '\r' && p + 2 < end && p[2] == '\n');
		} else if (p < end && *p == '\\')
			p++;
	}
	d->done->cut[d->kind] |= p >= end;
	return true;
}

/* The text of one script, which is data if its tag says so. */
static bool
put_script(struct decode *d, const uint8_t *tag, const uint8_t *text, const uint8_t *end, struct err *err)
{
	const uint8_t *p;

	assert(tag <= text && text <= end);
	if (find(tag, text, "trace-data") != NULL) {
		p = text < end && *text == '\n' ? text + 1 : text;
		return decode_copy(d, p, end, err) && (end == text || end[-1] == '\n' || decode_put(d, "\n", 1, err));
	}
	if ((p = find(text, end, STRING)) == NULL)
		return true;
	/* The backslash that ends the first line belongs to the string. */
	return put_string(d, p + strlen(STRING) - 1, end, err);
}

bool
decode_html(struct decode *d, struct err *err)
{
	const uint8_t *p = d->in->data, *end = p + d->in->size;
	const uint8_t *tag, *text, *close;

	for (; (tag = find(p, end, "<script")) != NULL; p = close) {
		if ((text = find(tag, end, ">")) == NULL)
			break;
		text++;
		close = find(text, end, "</script>");
		if (close == NULL) {
			d->done->cut[d->kind] = true;
			close = end;
		}
		if (!work_tick(d->work, (uint64_t)(tag - d->in->data)))
			return fail_cancel(err);
		if (!put_script(d, tag, text, close, err))
			return false;
	}
	return true;
}
