/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of Node.js (process.report): the main thread and workers.
 *
 * Environment, network interfaces, command line and directory are not read.
 */
#include "config.h"

#include "icecore/scan.h"
#include "readers.h"
#include "text.h"

static uint64_t
count_items(struct json v)
{
	uint64_t n = 0;

	for (bool any = items_of(&v); any && scan_item(&v); any = scan_skip(&v))
		n++;
	return n;
}

/* "at f (/a/b.js:1:2)" or "at /a/b.js:1:2" */
static void
node_frame(struct dumps_in *in, struct str raw)
{
	struct str f = STR("(anonymous)"), s, place, before, rest;

	raw = text_trim(raw);
	if (str_is(raw, "Unavailable.")) {
		dumps_tell_words(in, raw);
		in->count[DROP_UNAVAILABLE]++;
		return;
	}
	if (!scan(&raw, "at "))
		return;
	s = raw;
	if (scan(&s, "%t (%t)", &before, &rest)) {
		dumps_tell_member(in, before, MEANT_WORDS, "function");
		dumps_tell_member(in, rest, MEANT_WORDS, "place");
		raw.n -= s.n;
	} else
		dumps_tell_member(in, raw, MEANT_WORDS, "frame");
	s = place = scan_unescape(raw, &in->name_buf);
	if (scan(&s, "%l (%l)$", &before, &rest)) {
		f = before;
		place = rest;
	}
	/* Code is no file. */
	dumps_frame(in, f, str_begins(place, "data:") ? STR("data:") : text_after_last(place, '/'), false);
}

static void
node_thread(struct dumps_in *in, struct json *j, bool worker)
{
	enum { HEADER, STACK, NATIVE, HANDLES, N };
	static const char *const names[] = { "header", "javascriptStack", "nativeStack", "libuv", NULL };
	static const char *const headers[] = { "threadId", "trigger", NULL };
	static const char *const stacks[] = { "stack", NULL };
	const char *at = j->base + j->at;
	struct json v[N], h[2], stack;
	struct str id;

	if (!dumps_members(in, j, names, v) || !dumps_members(in, &v[HEADER], headers, h))
		return;
	id = dumps_member(in, &h[0], MEANT_FORM, &in->other_buf);
	dumps_thread(in, worker ? buf_set(&in->text_buf, STR("worker "), id) : STR("main"), at);
	dumps_id(in, id);
	dumps_raw(in, member_text(&h[1], &in->name_buf));
	in->count[DROP_NATIVE] += count_items(v[NATIVE]);
	in->count[DROP_HANDLES] += count_items(v[HANDLES]);
	if (v[STACK].at == v[STACK].size || !dumps_members(in, &v[STACK], stacks, &stack))
		return;
	for (bool any = items_of(&stack); any && scan_item(&stack); any = scan_skip(&stack))
		node_frame(in, member_raw(&stack));
}

void
node_json_read(struct dumps_in *in)
{
	static const char *const names[] = { "header", "workers", NULL };
	static const char *const headers[] =
	    { "dumpEventTime", "processId", "nodejsVersion", "trigger", "event", NULL };
	struct json j = { .base = in->text.s, .size = in->text.n }, all = j, v[2], h[5];
	struct str pid, version;

	if (!dumps_members(in, &j, names, v) || v[0].at == v[0].size || !dumps_members(in, &v[0], headers, h))
		return;
	dumps_begin(in, DUMP_NODE);
	dumps_when(in, member_text(&h[0], &in->name_buf));
	pid = dumps_member(in, &h[1], MEANT_FORM, &in->name_buf);
	str_number(&pid, &dumps_dump(in)->pid);
	version = member_text(&h[2], &in->other_buf);
	dumps_program(in, version);
	if (scan(&version, "v"))
		dumps_tell(in, (struct str){ version.s - 1, 1 }, MEANT_FORM, "version");
	dumps_tell_words(in, version);
	in->version = samples_has_text(&in->s, version) ? version : STR("");
	/* Other reports were asked for. */
	if (str_has(member_text(&h[3], &in->other_buf), STR("Error")) ||
	    str_is(member_text(&h[3], &in->other_buf), "Exception"))
		dumps_reason(in, dumps_member(in, &h[4], MEANT_TEXT, &in->name_buf), false);
	node_thread(in, &all, false);
	for (bool any = items_of(&v[1]); any && scan_item(&v[1]) && !in->bad && !v[1].bad; )
		node_thread(in, &v[1], true);
	dumps_end(in);
}
