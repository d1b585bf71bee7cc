/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Crash reports of macOS and iOS as JSON (.ips): a line with a header, then an object with the threads.
 */
#include "config.h"

#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

struct ips {
	struct dumps_in	*in;
	struct scratch	 images;	/* struct str: their names, still escaped */
	uint64_t	 nimages;
};

static void
ips_images(struct ips *p, struct json v)
{
	static const char *const names[] = { "name", NULL };
	struct dumps_in *in = p->in;
	struct json m;
	struct str name;

	for (bool any = items_of(&v); any && scan_item(&v) && dumps_members(in, &v, names, &m); ) {
		if (in->bad)
			return;
		name = member_raw(&m);
		dumps_tell_member(in, name, MEANT_WORDS, "module");
		in->bad = !make_add(&p->images, &p->nimages, &name, sizeof name, UINT32_MAX, "images", in->err);
	}
}

static void
ips_frame(struct ips *p, struct json *j)
{
	static const char *const names[] = { "symbol", "imageIndex", "sourceFile", "sourceLine", NULL };
	struct dumps_in *in = p->in;
	struct json v[4];
	struct str f, place, index, module = STR("");
	uint64_t i;

	if (!dumps_members(in, j, names, v))
		return;
	index = dumps_member(in, &v[1], MEANT_FORM, &in->name_buf);
	if (str_number(&index, &i) && i < p->nimages)
		module = SCRATCH(p->images, struct str)[i];
	place = dumps_member(in, &v[2], MEANT_WORDS, &in->name_buf);
	index = dumps_member(in, &v[3], MEANT_FORM, &in->other_buf);
	if (place.n > 0)
		place = buf_set(&in->text_buf, place, STR(":"), index);
	f = dumps_member(in, &v[0], MEANT_WORDS, &in->name_buf);
	if (f.n == 0)
		f = buf_set(&in->name_buf, STR("["), module.n > 0 ? module : STR("??"), STR("]"));
	dumps_frame(in, f, place.n > 0 ? place : module, place.n == 0);
}

static void
ips_thread(struct ips *p, struct json *j, uint64_t number)
{
	enum { NAME, QUEUE, ID, TRIGGERED, FRAMES, N };
	static const char *const names[] = { "name", "queue", "id", "triggered", "frames", NULL };
	struct dumps_in *in = p->in;
	const char *at = j->base + j->at;
	char digits[24];
	struct json v[N];
	struct str s;

	if (!dumps_members(in, j, names, v))
		return;
	s = dumps_member(in, &v[NAME], MEANT_WHO, &in->name_buf);
	dumps_thread(in, s.n > 0 ? s : dumps_member(in, &v[QUEUE], MEANT_WHO, &in->name_buf), at);
	dumps_id(in, (struct str){ digits,
	    (size_t)snprintf(digits, sizeof digits, "%ju", (uintmax_t)number) });
	s = dumps_member(in, &v[ID], MEANT_FORM, &in->name_buf);
	(void)str_number(&s, &in->t.tid);
	if (member_true(&v[TRIGGERED])) {
		dumps_raw(in, STR("Crashed"));
		in->t.flags |= DUMP_REPORTED;
	}
	for (bool any = items_of(&v[FRAMES]); any && scan_item(&v[FRAMES]) && !v[FRAMES].bad && !in->bad; )
		ips_frame(p, &v[FRAMES]);
}

void
ips_read(struct dumps_in *in)
{
	enum { THREADS, IMAGES, PID, PROCESS, TIME, EXCEPTION, TYPE, N };
	static const char *const names[] =
	    { "threads", "usedImages", "pid", "procName", "captureTime", "exception", "bug_type", NULL };
	static const char *const types[] = { "type", NULL };
	struct json j = { .base = in->text.s, .size = in->text.n }, whole, v[N], type;
	struct ips p = { .in = in };
	struct str s;

	in->reader.finish = native_finish;
	whole = j;
	if (!dumps_members(in, &whole, names, v))
		return;
	if (v[THREADS].at == v[THREADS].size) {
		/* That was the header. */
		j = whole;
		if (!scan_skip(&whole)) {
			in->bad = !fail(in->err, E_UNREADABLE, "a crash report in JSON that is truncated");
			return;
		}
		if (!dumps_members(in, &j, names, v))
			return;
	}
	dumps_begin(in, DUMP_MAC);
	s = dumps_member(in, &v[PID], MEANT_FORM, &in->name_buf);
	(void)str_number(&s, &dumps_dump(in)->pid);
	dumps_program(in, dumps_member(in, &v[PROCESS], MEANT_TEXT, &in->name_buf));
	dumps_when(in, member_text(&v[TIME], &in->name_buf));
	if (v[EXCEPTION].at < v[EXCEPTION].size && dumps_members(in, &v[EXCEPTION], types, &type))
		dumps_reason(in, member_text(&type, &in->name_buf), false);
	ips_images(&p, v[IMAGES]);
	for (uint64_t n = 0; (n > 0 || items_of(&v[THREADS])) && scan_item(&v[THREADS]) && !v[THREADS].bad &&
	    dumps_tick(in, v[THREADS].at); n++)
		ips_thread(&p, &v[THREADS], n);
	dumps_end(in);
	SCRATCH_FREE(&p.images);
}
