/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atrace: marks that user space writes into the kernel's trace, with the tasks and processes of the packets.
 */
#include "config.h"

#include <string.h>

#include "load/kernel/kernel.h"
#include "perfetto.h"

/* The thread that writes a mark. */
struct writer {
	struct perfetto	*p;
	uint32_t	 tid;
};

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
	name = mark_call_name(name);
	span.frame = samples_frame(&p->l->samples, name, STR(""), 0, err);
	is = (struct pf_flow_end){ .time = time - p->first, .thread = span.thread, .frame = span.frame };
	if (span.frame == 0 || (p->flow.arrows_in_calls && (!marks_word_of(&p->marks, name, &is.name, err) ||
	    !pf_call_begins(p, &is, UINT64_MAX, err))))
		return false;
	return spans_in_begin(&p->l->spans, &span, err);
}

static bool
writer_calls(void *arg, uint64_t time, char letter, uint32_t pid, struct str name, struct err *err)
{
	const struct writer *w = arg;

	return pf_task_in(w->p, w->tid, pid, err) != NULL && pf_play_call(w->p, w->tid, w->p->first + time, letter, name, err);
}

static bool
writer_thread(void *arg, uint32_t pid, uint32_t *thread, struct err *err)
{
	const struct writer *w = arg;

	return pf_task_in(w->p, w->tid, pid, err) != NULL && (*thread = pf_span_thread(w->p, w->tid, err)) != 0;
}

static uint32_t
writer_process(void *arg, uint32_t pid, struct err *err)
{
	struct perfetto *p = ((const struct writer *)arg)->p;
	uint32_t process = pid == 0 ? 0 : pf_process(p, pid, err);

	return pid != 0 && process == 0 ? 0 : pf_mark_process(p, process, err);
}

static bool
play_mark(struct perfetto *p, uint32_t tid, uint64_t time, const struct user_mark *m, struct err *err)
{
	struct writer w = { p, tid };
	struct mark_player player = { &p->marks, writer_calls, writer_thread, writer_process, &w, 0 };
	bool ok = mark_play(&player, time - p->first, m, err);

	p->count[PF_BAD_MARK] += player.bad;
	return ok;
}

bool
pf_play_letter(struct perfetto *p, uint32_t tid, uint64_t time, char letter, uint32_t pid, struct str name, int64_t value, struct err *err)
{
	struct user_mark m = { .letter = letter, .pid = pid, .name = name, .value = value };

	if (memchr("BECI", letter, 4) != NULL)
		return play_mark(p, tid, time, &m, err);
	p->count[PF_BAD_MARK]++;
	return true;
}

bool
pf_play_mark(struct perfetto *p, uint32_t tid, uint64_t time, struct str text, struct err *err)
{
	struct user_mark m;

	if (mark_read(text, &m))
		return play_mark(p, tid, time, &m, err);
	p->count[PF_BAD_MARK]++;
	return true;
}
