/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atrace: marks that user space writes into the kernel's trace: "B|12|name", "E|12", "S|12|name|cookie", "C|12|name|5".
 */
#include "config.h"

#include <string.h>

#include "icecore/mark.h"
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

/* S and F: of a name and its cookie; G and H: of a track, a name and its cookie. */
static bool
atrace_take_async(struct perfetto *p, uint64_t time, const struct user_mark *m, struct err *err)
{
	struct pf_about a = { .pid = m->pid };
	bool tracked = m->track.n > 0, begins = m->letter == 'S' || m->letter == 'G';
	uint64_t key = async_key(tracked ? 'G' : 'S', m->pid, tracked ? m->track : m->name, m->cookie);
	uint32_t open = 0;

	if (!marks_word_of(&p->marks, m->name, &a.name, err) || (tracked && !marks_word_of(&p->marks, m->track, &a.path, err)))
		return false;
	/* Slices that begin with S do not nest. */
	if (m->letter == 'S' && !marks_innermost(&p->marks, (uint32_t)(key >> 32), (uint32_t)key, &open, err))
		return false;
	if (m->letter == 'S' && open != 0)
		return true;
	return begins ? pf_async_begin(p, key, time - p->first, &a, err) : pf_async_end(p, key, time - p->first, err);
}

static bool
take_instant(struct perfetto *p, uint32_t tid, uint64_t time, const struct user_mark *m, struct err *err)
{
	struct pf_about a = { .pid = m->pid, .tid = m->letter == 'I' ? tid : 0 };

	if (m->name.n == 0)
		return bad_mark(p);
	/* The state of the device belongs to no process. */
	if (m->letter == 'N' && str_eq(m->track, STR("DeviceStateChanged")))
		a.pid = 0;
	if (m->letter == 'N' && !marks_word_of(&p->marks, m->track, &a.path, err))
		return false;
	return marks_word_of(&p->marks, m->name, &a.name, err) && pf_instant(p, time - p->first, &a, m->letter == 'I' ? 't' : 'p', err);
}

/* A mark of the thread that wrote it. */
static bool
play_mark(struct perfetto *p, uint32_t tid, uint64_t time, const struct user_mark *m, struct err *err)
{
	if (memchr("BEI", m->letter, 3) != NULL && pf_task_in(p, tid, m->pid, err) == NULL)
		return false;
	switch (m->letter) {
	case 'B': case 'E':
		return pf_play_call(p, tid, time, m->letter, m->name, err);
	case 'C':
		return m->name.n == 0 ? bad_mark(p) : add_counter(p, m->pid, time, m->name, m->value, err);
	case 'I': case 'N':
		return take_instant(p, tid, time, m, err);
	case MARK_SYNC:
		return true;
	default:
		return atrace_take_async(p, time, m, err);
	}
}

bool
pf_play_letter(struct perfetto *p, uint32_t tid, uint64_t time, char letter, uint32_t pid, struct str name, int64_t value, struct err *err)
{
	struct user_mark m = { .letter = letter, .pid = pid, .name = name, .value = value };

	return memchr("BECI", letter, 4) == NULL ? bad_mark(p) : play_mark(p, tid, time, &m, err);
}

bool
pf_play_mark(struct perfetto *p, uint32_t tid, uint64_t time, struct str text, struct err *err)
{
	struct user_mark m;

	return mark_read(text, &m) ? play_mark(p, tid, time, &m, err) : bad_mark(p);
}
