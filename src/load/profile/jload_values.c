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
jload_each(struct jload *l, struct json j, bool (*take)(void *, struct json item, struct err *), void *arg,
    struct err *err)
{
	if (!scan_open(&j, '['))
		return true;
	while (scan_item(&j)) {
		if (!work_go(l->work, j.at, err) || !take(arg, j, err))
			return false;
		if (!scan_skip(&j))
			break;
	}
	l->cut |= j.bad;
	return true;
}

struct str
jload_word(struct json j)
{
	struct str s;

	return j.at < j.size && scan_word(&j, &s) ? s : STR("");
}

bool
jload_number(struct jload *l, struct json j, unsigned decimals, uint64_t *v)
{
	if (j.at == j.size)
		return false;
	if (scan_fixed(jload_word(j), decimals, v))
		return true;
	l->no_number++;
	return false;
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
static bool
jload_values_names_of(struct jload *l, struct str *name, struct str *file, uint64_t line, struct err *err)
{
	*file = scan_unescape(*file, &l->file);
	*name = scan_unescape(*name, &l->text);
	str_take(file, STR("file://"));
	if (name->n == 0)
		*name = STR("(anonymous)");
	if (file->n > 0 && (str_eq(*name, STR("(anonymous)")) || str_eq(*name, STR("anonymous"))))
		*name = name_by_place(&l->name, *file, line);
	return !(l->text.bad || l->file.bad || l->name.bad) || fail(err, E_SYSTEM, "out of memory (name)");
}

uint32_t
jload_function(struct jload *l, struct str name, struct str file, uint64_t line, struct err *err)
{
	return jload_values_names_of(l, &name, &file, line, err) ? samples_frame(&l->samples, name, file, 0, err) : 0;
}

uint32_t
jload_begun(struct jload *l, struct str name, struct str file, uint64_t line, uint64_t column, struct err *err)
{
	return jload_values_names_of(l, &name, &file, line, err) ? samples_begun(&l->samples, name, file, line, column, err) : 0;
}

/* In place: names are a few bytes long. */
static inline bool
jload_values_is(struct str name, const char *want)
{
	size_t i = 0;

	while (i < name.n && want[i] != '\0' && want[i] == name.s[i])
		i++;
	return i == name.n && want[i] == '\0';
}

static bool
has_content(struct str s)
{
	static const bool empty[256] = { ['['] = true, [']'] = true, ['{'] = true, ['}'] = true, [','] = true, [' '] = true, ['\t'] = true,
	    ['\n'] = true, ['\r'] = true, ['n'] = true, ['u'] = true, ['l'] = true };
	size_t i = 0;

	while (i < s.n && empty[(unsigned char)s.s[i]])
		i++;
	return i < s.n;
}

void
jload_unread(struct jload *l, const char *object, struct str name, struct str value, const char *const *known)
{
	char text[UNREAD_NAME + 1];
	int n;

	for (; *known != NULL; known++)
		if (jload_values_is(name, *known))
			return;
	if (!has_content(value))
		return;
	n = snprintf(text, sizeof text, "%s%s%.*s", object == NULL ? "" : object, object == NULL ? "" : ".", (int)str_head(name, UNREAD_NAME).n, name.s);
	unread_add(&l->unread, UNREAD_KEY, (struct str){ text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1 }, 1);
}

/* known: names of members that need no reader; all others are counted.  NULL: none is counted. */
static bool
take_members(struct jload *l, struct json *j, const char *const *names, struct json *values, const char *const *known)
{
	struct json from = *j;
	size_t n = 0, next = 0, tried, i;
	struct str name;
	uint64_t at;

	for (; names[n] != NULL; n++)
		values[n] = (struct json){ .base = j->base, .size = j->size, .at = j->size };
	if (!scan_open(j, '{'))
		return scan_skip(j);
	while (scan_member(j, &name)) {
		scan_peek(j);
		/* Writers keep an order, so the member after the previous match is the most likely one. */
		for (tried = 0, i = next; tried < n && !jload_values_is(name, names[i]); tried++)
			i = i + 1 < n ? i + 1 : 0;
		if (tried < n) {
			values[i] = *j;
			next = i + 1 < n ? i + 1 : 0;
		}
		at = j->at;
		if (!scan_skip(j))
			break;
		if (tried == n && known != NULL)
			jload_unread(l, NULL, name, (struct str){ j->base + at, (size_t)(j->at - at) }, known);
	}
	if (!j->bad)
		return true;
	l->cut = true;
	*j = from;
	return scan_skip(j);
}

bool
jload_take(struct jload *l, struct json *j, const char *const *names, struct json *values, const char *const *known)
{
	return take_members(l, j, names, values, known);
}

void
jload_members(struct jload *l, struct json j, const char *const *names, struct json *values)
{
	take_members(l, &j, names, values, NULL);
}

void
jload_top(struct jload *l, const char *const *names, struct json *values, const char *const *known)
{
	struct json j = l->doc;

	take_members(l, &j, names, values, known);
}
