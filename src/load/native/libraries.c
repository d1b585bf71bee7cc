/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list "libs" at the start of a profile of Firefox or samply.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/chunk.h"
#include "icecore/inflate.h"
#include "native_room.h"

#define UNPACKED_LEAST CHUNK_OF((size_t)16 << 10)	/* bytes read first; then four times as many, and so on */
#define UNPACKED_MOST ((size_t)4 << 20)

static struct str
text_of(struct json j, struct buf *b)
{
	struct str word;

	return scan_peek(&j) == '"' && scan_word(&j, &word) ? scan_unescape(word, b) : STR("");
}

static void
take_library(struct json j, void (*take)(void *, const struct native_library *), void *to)
{
	static const char *const names[] = { "name", "path", "debugPath", "codeId", "breakpadId" };
	struct buf text[NELEM(names)] = { BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT };
	struct native_library l = { .name = STR("") };
	struct str *const field[] = { &l.name, &l.path, &l.debug_path, &l.code_id, &l.breakpad_id };
	struct str name;
	bool bad = false;

	scan_open(&j, '{');
	while (scan_member(&j, &name)) {
		for (size_t i = 0; i < NELEM(names); i++)
			if (str_eq(name, str_of(names[i])))
				*field[i] = text_of(j, &text[i]);
		if (!scan_skip(&j))
			break;
	}
	for (size_t i = 0; i < NELEM(names); i++)
		bad |= text[i].bad;
	if (!bad)
		take(to, &l);
	for (size_t i = 0; i < NELEM(names); i++)
		buf_free(&text[i]);
}

/* The profile is already symbolicated. */
static bool
libraries_is_named(struct json meta)
{
	struct str name, said = STR("");

	if (!scan_open(&meta, '{'))
		return false;
	while (scan_member(&meta, &name) && scan_plain(&meta, &said))
		if (str_is(name, "symbolicated"))
			return str_is(said, "true");
	return false;
}

/* Find the list of libraries; stop at a key of another kind of JSON. *cut: the text ends before the list. */
static bool
find_list(struct json *j, bool *cut)
{
	static const char *const others[] =
	    { "traceEvents", "nodes", "snapshot", "$schema", "threads", "samples" };
	struct str name;

	*cut = false;
	if (!scan_open(j, '{'))
		return false;
	while (scan_member(j, &name)) {
		if (str_is(name, "libs"))
			return scan_open(j, '[');
		if (str_is(name, "meta") && libraries_is_named(*j))
			return false;
		for (size_t i = 0; i < NELEM(others); i++)
			if (str_eq(name, str_of(others[i])))
				return false;
		if (!scan_skip(j))
			break;
	}
	*cut = j->bad;
	return false;
}

/* False: the text ends before or in the list, and more can be read. */
static bool
take_list(struct str text, bool last, void (*take)(void *, const struct native_library *), void *to)
{
	struct json j = { .base = text.s, .size = text.n }, item;
	uint64_t n = 0;
	bool cut;

	if (!find_list(&j, &cut))
		return !cut;
	for (item = j; scan_item(&item) && scan_skip(&item); )
		;
	if (item.bad && !last)
		return false;
	while (n++ < LIBRARIES_MOST && scan_item(&j)) {
		item = j;
		if (scan_peek(&j) != '{' || !scan_skip(&j))
			break;
		take_library(item, take, to);
	}
	return true;
}

bool
libraries_may_be_in(struct str head)
{
	struct str start = { head.s, head.n < LIBRARIES_PEEK ? head.n : LIBRARIES_PEEK };
	enum inflate_form form = inflate_form(head);
	struct inflated text = { .n = 0 };
	size_t i = 0;
	bool is;

	/* Only the confined child unpacks others. */
	if (form > INFLATE_GZIP)
		return inflate_lacks(form) == NULL;
	if (form == INFLATE_GZIP) {
		(void)inflate_all(start, INFLATE_GZIP, LIBRARIES_PEEK, LIBRARIES_PEEK, &text);
		start = (struct str){ (const char *)text.data, text.n };
	}
	while (i < start.n && is_blank(start.s[i]))
		i++;
	is = i < start.n && start.s[i] == '{';
	free(text.data);
	return is;
}

void
libraries_each(struct str head, void (*take)(void *to, const struct native_library *), void *to)
{
	enum inflate_form form = inflate_form(head);
	bool last = form == INFLATE_NONE, done = false;
	struct inflated text = { .n = 0 };

	if (last)
		take_list(head, true, take, to);
	for (size_t most = UNPACKED_LEAST; !last && !done; most *= 4) {
		(void)inflate_all(head, form, most, most, &text);
		last = text.n < most || most >= UNPACKED_MOST;
		done = text.n == 0 || take_list((struct str){ (const char *)text.data, text.n }, last, take, to);
	}
	free(text.data);
}
