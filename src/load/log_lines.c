/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log_lines: decode logs to the text in them: a JSON object on each line, as containers and services write it, and
 * exports of the journal of systemd. Only logs with a stack dump are decoded, because other JSON has loaders of its
 * own.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/json.h"
#include "icecore/lines.h"

#include "decode.h"

#define LOG_LOOK (1u << 20)	/* bytes in which a dump must show */
#define FIRST_LINE (64u << 10)	/* bytes of the first line, at most */

/*
 * The text of a line, still escaped: the first one, or the longest if another one may be a stack.  False: the line is
 * not an object with a text.
 */
static bool
entry_text(struct str line, struct str *text)
{
	static const char *const names[] = { "log", "msg", "message", "MESSAGE", "@message", "textPayload",
	    "event", "line", "text", "body", "stack_trace", "stacktrace" };
	struct json j = { .base = line.s, .size = line.n };
	struct str name, s;
	bool found = false;

	if (line.n == 0 || line.s[0] != '{' || !scan_open(&j, '{'))
		return false;
	while (scan_member(&j, &name)) {
		if (!str_is_one(names, NELEM(names), name) || scan_peek(&j) != '"') {
			if (!scan_skip(&j))
				return found;
			continue;
		}
		if (!scan_word(&j, &s))
			return found;
		if (!found || s.n > text->n)
			*text = s;
		found = true;
		if (!str_has(str_after(line, (size_t)(s.s - line.s)), STR("\"stack")))
			return true;
	}
	return found;
}

/* A field of the export format: NAME=text, or NAME, the size of the data and the data. False: it is not a message. */
static bool
export_text(struct lines *l, struct str line, struct str *text)
{
	uint64_t size;

	*text = line;
	if (line.n == 0 || memchr(line.s, '=', line.n) != NULL || l->rest.n < 8)
		return str_take(text, STR("MESSAGE="));
	size = le64((const uint8_t *)l->rest.s);
	l->rest = str_after(l->rest, 8);
	*text = str_head(l->rest, size < l->rest.n ? (size_t)size : l->rest.n);
	l->rest = str_after(l->rest, text->n + (l->rest.n > text->n));
	return str_eq(line, STR("MESSAGE"));
}

static bool
is_export(struct str text)
{
	return str_has_prefix(text, STR("__CURSOR=")) || str_has_prefix(text, STR("__REALTIME_TIMESTAMP="));
}

bool
decode_is_log(const struct map *m)
{
	static const char *const marks[] = { "Full thread dump", "goroutine ", "(most recent call first)", "----- pid ",
	    "DALVIK THREADS", "#0  0x", " tid=0x", "blocked for more than", "3XMTHREADINFO", "=erl_crash_dump",
	    "* thread #" };
	struct str text = { (const char *)m->data, m->size < LOG_LOOK ? (size_t)m->size : LOG_LOOK }, line, first;
	struct lines l = lines_of(str_head(text, FIRST_LINE));

	if (!is_export(text) && (text.n == 0 || text.s[0] != '{' || !lines_next(&l, &line) ||
	    !entry_text(line, &first)))
		return false;
	for (size_t i = 0; i < NELEM(marks); i++)
		if (str_has(text, str_of(marks[i])))
			return true;
	return false;
}

/* In a log of objects, lines that are none stay as they are. Docker ends each text with a line end, others do not. */
bool
decode_log(struct decode *d, struct err *err)
{
	struct lines l = lines_of((struct str){ (const char *)d->in->data, (size_t)d->in->size });
	struct buf plain = BUF_INIT;
	struct str line, text;
	bool ok = true, ends = false, first = true, export = is_export(l.rest);

	while (ok && lines_next(&l, &line)) {
		buf_clear(&plain);
		if (export) {
			if (!export_text(&l, line, &text))
				continue;
		} else if (!entry_text(line, &text))
			text = line;
		else {
			text = scan_unescape(text, &plain);
			ends |= first && str_ends(text, "\n");
			first = false;
		}
		ok = lines_look(&l, lines_at(&l), d->work, err) && decode_put(d, text.s, text.n, err) &&
		    ((ends && text.s != line.s) || str_ends(text, "\n") || decode_put(d, "\n", 1, err));
		if (plain.bad)
			ok = fail(err, E_SYSTEM, "out of memory (log)");
	}
	buf_free(&plain);
	return ok;
}
