/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers of the JSON readers: members by name, words, numbers, times, functions.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "jload.h"

bool
jload_next(struct jload *l, struct json *rest, struct json *item)
{
	if (into_go(&l->to, rest->at) && json_next(rest, item))
		return true;
	l->cut |= rest->bad;
	return false;
}

struct str
jload_word(struct json j)
{
	struct str s;

	return json_is(j) && scan_word(&j, &s) ? s : STR("");
}

bool
jload_number(struct jload *l, struct str s, unsigned decimals, uint64_t *v)
{
	bool is = scan_fixed(s, decimals, v);

	l->no_number += !is;
	return is;
}

uint64_t
jload_whole(struct str s, uint64_t other)
{
	uint64_t v;

	return scan_fixed(s, 0, &v) ? v : other;
}

bool
jload_is_weight(struct str s)
{
	return str_digits(s) > 0 && memchr(s.s, 'e', s.n) == NULL && memchr(s.s, 'E', s.n) == NULL;
}

struct str
jload_text(struct jload *l, struct str raw)
{
	struct str s = scan_unescape(raw, &l->text);

	into_made(&l->to, &l->text);
	return s;
}

bool
jload_time(struct jload *l, struct str s, unsigned decimals, uint64_t *time)
{
	bool below = str_take(&s, STR("-"));
	uint64_t v;

	if (!scan_fixed(s, decimals, &v))
		return false;
	l->beyond += v > TIME_MOST;
	v = v < TIME_MOST ? v : TIME_MOST;
	*time = below ? TIME_ZERO - v : TIME_ZERO + v;
	return true;
}

uint64_t
jload_step(struct jload *l, uint64_t time, uint64_t step)
{
	bool back = step < TIME_ZERO;
	uint64_t by = back ? TIME_ZERO - step : step - TIME_ZERO;
	uint64_t room = back ? time - (TIME_ZERO - TIME_MOST) : TIME_ZERO + TIME_MOST - time;

	l->beyond += by > room;
	by = by < room ? by : room;
	return back ? time - by : time + by;
}

/* "(anonymous) (file.js:12)" */
static struct str
name_by_place(struct buf *b, struct str file, uint64_t line)
{
	struct str folder, last;

	if (str_divide_last(file, '/', &folder, &last) && last.n > 0)
		file = last;
	buf_clear(b);
	buf_str(b, STR("(anonymous) ("));
	buf_str(b, file);
	if (line > 0)
		buf_printf(b, ":%llu", (unsigned long long)line);
	buf_chr(b, ')');
	return buf_view(b);
}

/* Unescape name and file of a function.  An anonymous function is named after its place in the file. */
static void
jload_values_find_names(struct jload *l, struct str *name, struct str *file, uint64_t line)
{
	*file = scan_unescape(*file, &l->file);
	*name = jload_text(l, *name);
	str_take(file, STR("file://"));
	if (name->n == 0)
		*name = STR("(anonymous)");
	if (file->n > 0 && (str_eq(*name, STR("(anonymous)")) || str_eq(*name, STR("anonymous"))))
		*name = name_by_place(&l->name, *file, line);
	into_made(&l->to, &l->file);
	into_made(&l->to, &l->name);
}

uint32_t
jload_function(struct jload *l, struct str name, struct str file, uint64_t line)
{
	jload_values_find_names(l, &name, &file, line);
	return INTO_ID(&l->to, samples_frame(&l->samples, name, file, 0, l->to.err));
}

uint32_t
jload_begun(struct jload *l, struct str name, struct str file, uint64_t line, uint64_t column)
{
	jload_values_find_names(l, &name, &file, line);
	return INTO_ID(&l->to, samples_begun(&l->samples, name, file, line, column, l->to.err));
}

static bool
has_content(struct str s)
{
	static const bool empty[256] = { ['['] = true, [']'] = true, ['{'] = true, ['}'] = true, [','] = true,
	    [' '] = true, ['\t'] = true,
	    ['\n'] = true, ['\r'] = true, ['n'] = true, ['u'] = true, ['l'] = true };
	size_t i = 0;

	while (i < s.n && empty[(unsigned char)s.s[i]])
		i++;
	return i < s.n;
}

void
jload_unread(struct jload *l, enum unread_level level, const char *object, struct str name, struct str value,
    const char *const *known)
{
	char text[UNREAD_NAME + 1];
	int n;

	for (; *known != NULL; known++)
		if (str_eq(name, str_of(*known)))
			return;
	if (!has_content(value))
		return;
	n = snprintf(text, sizeof text, "%s%s%.*s", object == NULL ? "" : object, object == NULL ? "" : ".",
	    (int)str_head(name, UNREAD_NAME).n, name.s);
	unread_add(&l->unread, level, (struct str){ text,
	    (size_t)n < sizeof text ? (size_t)n : sizeof text - 1 }, 1);
}

void
jload_pass(struct jload *l, struct json *value, struct str key, bool count)
{
	static const char *const known[] = { NULL };
	uint64_t at = value->at;

	assert(at <= value->size);
	if (scan_skip(value) && count)
		jload_unread(l, UNREAD_KEY, NULL, key, (struct str){ value->base + at, (size_t)(value->at - at) },
		    known);
}

void
jload_end(struct jload *l, struct json *j, const struct json *at)
{
	l->cut |= at->bad;
	if (at->bad)
		scan_skip(j);
	else
		*j = *at;
}
