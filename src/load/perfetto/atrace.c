/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atrace: marks that user space writes into the kernel's trace: "B|12|name", "E|12", "S|12|name|cookie", "C|12|name|5".
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

/* The spans of a name in a process, or of a track there. */
static uint64_t
async_key(char letter, uint32_t pid, struct str name, struct str cookie)
{
	return idmap_hash_text(name, idmap_hash_text(cookie, (uint64_t)pid << 8 | (unsigned char)letter));
}

static bool
bad_mark(struct perfetto *p)
{
	p->count[PF_BAD_MARK]++;
	return true;
}

bool
pf_play_call(struct perfetto *p, uint32_t tid, uint64_t time, char letter, struct str name, struct err *err)
{
	struct span span = { .start = PF_TIME(time), .cpu = SPAN_NO_CPU, .cpu_length = SPAN_NO_CPU };
	struct pf_task *t = pf_task(p, tid, err);
	struct pf_flow_end is;

	if (t == NULL || (span.thread = pf_call_thread(p, pf_task_row(p, t), PF_CALLS_MERGED, err)) == 0)
		return false;
	if (letter == 'E') {
		pf_call_ends(p, span.thread, time - p->first);
		return spans_in_end(&p->l->spans, &span, err);
	}
	name = name.n > 0 ? name : STR("[empty slice name]");
	span.frame = samples_frame(&p->l->samples, name, STR(""), 0, err);
	is = (struct pf_flow_end){ .time = time - p->first, .thread = span.thread, .frame = span.frame };
	if (span.frame == 0 || (p->arrows_in_calls && (!marks_word_of(&p->marks, name, &is.name, err) || !pf_call_begins(p, &is, UINT64_MAX, err))))
		return false;
	return spans_in_begin(&p->l->spans, &span, err);
}

/* The state of the screen belongs to no process.  A process that was killed for its memory is also an instant. */
static bool
add_counter(struct perfetto *p, uint32_t pid, uint64_t time, struct str name, int64_t value, struct err *err)
{
	struct pf_about a = { .pid = str_eq(name, STR("ScreenState")) ? 0 : pid }, killed = { .pid = (uint32_t)value };

	if (str_eq(name, STR("kill_one_process")) && killed.pid != 0 && (!marks_word_of(&p->marks, STR("mem.lmk"), &killed.name, err) ||
	    !pf_instant(p, time - p->first, &killed, 'p', err)))
		return false;
	return marks_word_of(&p->marks, name, &a.name, err) && pf_level(p, time - p->first, &a, (double)value, err);
}

static bool
take_counter(struct perfetto *p, uint32_t pid, uint64_t time, struct str rest, struct err *err)
{
	struct str name, number;
	int64_t v;

	if (!str_split(&rest, '|', &name) || name.n == 0 || !str_split(&rest, '|', &number) || !num_i64(number, 10, &v))
		return bad_mark(p);
	return add_counter(p, pid, time, name, v, err);
}

/* S and F: of a name and its cookie; G and H: of a track, a name and its cookie. */
static bool
atrace_take_async(struct perfetto *p, uint32_t pid, uint64_t time, char letter, struct str rest, struct err *err)
{
	struct pf_about a = { .pid = pid };
	struct str track = STR(""), name, cookie;
	uint32_t open = 0;
	bool tracked = letter == 'G' || letter == 'H', begins = letter == 'S' || letter == 'G';

	if (tracked && (!str_split(&rest, '|', &track) || track.n == 0))
		return bad_mark(p);
	if (!str_split(&rest, '|', &name) || (name.n == 0 && begins))
		return bad_mark(p);
	/* "H|12|track|cookie" has no name. */
	if (!str_split(&rest, '|', &cookie))
		cookie = letter == 'H' ? name : STR("");
	if (cookie.n == 0)
		return bad_mark(p);
	if (!marks_word_of(&p->marks, name, &a.name, err))
		return false;
	/* Slices that begin with S do not nest. */
	if (letter == 'S' && !marks_innermost(&p->marks, (uint32_t)(async_key('S', pid, name, cookie) >> 32), (uint32_t)async_key('S', pid, name,
	    cookie),
	    &open, err))
		return false;
	if (letter == 'S' && open != 0)
		return true;
	return begins ? pf_async_begin(p, async_key(tracked ? 'G' : 'S', pid, tracked ? track : name, cookie), time - p->first, &a, err) :
	    pf_async_end(p, async_key(tracked ? 'G' : 'S', pid, tracked ? track : name, cookie), time - p->first, err);
}

static bool
take_instant(struct perfetto *p, uint32_t tid, uint32_t pid, uint64_t time, char letter, struct str rest, struct err *err)
{
	struct pf_about a = { .pid = pid, .tid = letter == 'I' ? tid : 0 };
	struct str track = STR(""), name = rest;

	if (letter == 'N' && (!str_split(&rest, '|', &track) || track.n == 0 || (name = rest).n == 0))
		return bad_mark(p);
	if (name.n == 0)
		return bad_mark(p);
	/* The state of the device belongs to no process. */
	if (letter == 'N' && str_eq(track, STR("DeviceStateChanged")))
		a.pid = 0;
	return marks_word_of(&p->marks, name, &a.name, err) && pf_instant(p, time - p->first, &a, letter == 'I' ? 't' : 'p', err);
}

bool
pf_play_letter(struct perfetto *p, uint32_t tid, uint64_t time, char letter, uint32_t pid, struct str name, int64_t value, struct err *err)
{
	if (strchr("BEI", letter) != NULL && pf_task_in(p, tid, pid, err) == NULL)
		return false;
	if (letter == 'B' || letter == 'E')
		return pf_play_call(p, tid, time, letter, name, err);
	if (letter == 'I')
		return take_instant(p, tid, pid, time, letter, name, err);
	if (letter != 'C' || name.n == 0)
		return bad_mark(p);
	return add_counter(p, pid, time, name, value, err);
}

bool
pf_play_mark(struct perfetto *p, uint32_t tid, uint64_t time, struct str text, struct err *err)
{
	struct str rest, letter, number;
	uint64_t pid = 0;

	while (text.n > 0 && (text.s[text.n - 1] == '\n' || text.s[text.n - 1] == '\0'))
		text.n--;
	if (str_has_prefix(text, STR("trace_event_clock_sync:")))
		return true;
	if (text.n == 0 || (text.n > 1 && text.s[1] != '|'))
		return bad_mark(p);
	rest = text;
	str_split(&rest, '|', &letter);
	if ((!str_split(&rest, '|', &number) || !num_u64(number, 10, &pid) || pid > UINT32_MAX) && text.s[0] != 'E')
		return bad_mark(p);
	if (strchr("BEI", text.s[0]) != NULL && pf_task_in(p, tid, (uint32_t)pid, err) == NULL)
		return false;
	switch (text.s[0]) {
	case 'B': case 'E':
		return pf_play_call(p, tid, time, text.s[0], rest, err);
	case 'C':
		return take_counter(p, (uint32_t)pid, time, rest, err);
	case 'S': case 'F': case 'G': case 'H':
		return atrace_take_async(p, (uint32_t)pid, time, text.s[0], rest, err);
	case 'I': case 'N':
		return take_instant(p, tid, (uint32_t)pid, time, text.s[0], rest, err);
	default:
		return bad_mark(p);
	}
}
