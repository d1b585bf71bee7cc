/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf_meant: what the lines of perf script mean.
 */
#include "config.h"

#include <assert.h>

#include "icecore/kernel.h"
#include "icecore/name.h"
#include "head.h"
#include "pairs.h"

#define TICK 65536u		/* bytes between two looks at the clock */
/* Also modifiers of events. */
#define FRAME_WORDS " u k h G H p pp ppp P S D W uk uH kH upp uppp ukpp ukppp kernel kallsyms unknown inlined " \
    "deleted vdso guest "
#define RECORD_WORDS " PERF_RECORD_SWITCH PERF_RECORD_SWITCH_CPU_WIDE PERF_RECORD_LOST PERF_RECORD_LOST_SAMPLES " \
    "PERF_RECORD_MMAP PERF_RECORD_MMAP2 " \
	"PERF_RECORD_COMM PERF_RECORD_FORK PERF_RECORD_EXIT PERF_RECORD_THROTTLE PERF_RECORD_UNTHROTTLE " \
	    "PERF_RECORD_KSYMBOL PERF_RECORD_BPF_EVENT " \
	"PERF_RECORD_NAMESPACES PERF_RECORD_CGROUP IN OUT preempt prev next pid tid lost exec "

/* ---- frames ------------------------------------------------------------------------------ */

/* "  a.c:12" and "  [kernel][ffff80]", below a frame. */
static void
tell_place(struct tells *t, struct str line)
{
	struct str s = head_trim(line), rest = str_skip_blanks(s);
	size_t n, end;

	n = name_end_place(rest);
	telling_span(t, str_after(rest, n), MEANT_TEXT, "text after a place");
	s.n = (size_t)(rest.s - s.s) + n;
	if (s.n == 0)
		return;
	n = end = s.n - (s.s[s.n - 1] == ']');
	while (n > 0 && is_hex(s.s[n - 1]))
		n--;
	telling_span(t, str_skip_blanks(str_head(s, n)), MEANT_WORDS, "place");
	telling_span(t, (struct str){ s.s + n, end - n }, MEANT_FORM, "line");
}

static void
tell_frame(struct tells *t, struct str line)
{
	struct perf_frame f;
	uint64_t bad = 0;

	if (perf_frame(line, 0, &f, &bad)) {
		telling_span(t, f.address, MEANT_FORM, "address");
		telling_name(t, f.symbol, "function");
		if (perf_has_module(&f) || name_end(f.symbol) == f.symbol.n)
			telling_name(t, f.module, "module");
		else
			telling_span(t, str_after(line, (size_t)(f.symbol.s + name_end(f.symbol) - line.s)), MEANT_TEXT,
			    "text after a frame");
		telling_span(t, perf_tail(line), MEANT_TEXT, "text after a frame");
	} else if (bad == 0 && head_trim(line).n > 0)
		tell_place(t, line);
}

/* Lines beside samples; comments remain such. */
static bool
tell_aside(struct tells *t, struct str line)
{
	if (!head_is_aside(line))
		return false;
	telling_piece(t, str_head(line, line.s[0] == '#' ? 1 : 1 + str_digits(str_after(line, 1))), " ", 0);
	return true;
}

static void
tell_frames(struct tells *t, struct str frames)
{
	struct str line;

	while (str_split(&frames, '\n', &line)) {
		if (!tell_aside(t, line)) {
			tell_frame(t, line);
			telling_sort(t);
			if (t->n > 0)
				telling_piece(t, line, FRAME_WORDS, 0);
		}
		telling_drop(t);
	}
}

/* ---- headers ------------------------------------------------------------------------------ */

/* "cycles:u" */
static bool
perf_is_known(struct str event)
{
	struct str name = str_until(event, ':'), modifiers = str_after(event, name.n + 1);

	for (size_t i = 0; i < modifiers.n; i++)
		if (!is_one_of(modifiers.s[i], "ukhGHpPSDWeIb"))
			return false;
	return kernel_event_known(name);
}

/* "kmem:mm_page_alloc" */
static bool
perf_is_in_group(struct str event)
{
	struct str group, name;

	return str_divide(event, STR(":"), &group, &name) && kernel_event_known(name = str_until(name, ':')) &&
	    !kernel_event_is_free(name);
}

static void
tell_sample(struct tells *t, struct str line, const struct perf_sample *p)
{
	struct str details = p->details, event = p->event.n > 0 ? p->event : details;
	size_t head = event.n > 0 ? (size_t)(event.s - line.s) : line.n;
	bool record = str_begins(event, "PERF_RECORD_"), pair = false, own = false;

	telling_span(t, p->comm, MEANT_WHO, "task");
	if (!record) {
		pair = pairs_tell(t, p);
		if (!pair) {
			own = !perf_is_known(p->event);
			if (own)
				telling_name(t, p->event, "event");
			else
				telling_span(t, p->event, MEANT_FORM, "event");
			own = own && !perf_is_in_group(p->event);
			sched_tell_fields(t, details, own);
		}
		/* A frame in the same line. */
		if (p->frames.n > 0 && p->frames.s >= line.s && p->frames.s < line.s + line.n)
			tell_frame(t, p->frames);
	}
	telling_sort(t);
	telling_piece(t, str_head(line, head), " ", TELL_LOOSE | TELL_FLAGS | TELL_SHORT);
	t->counted = record ? " tid lost " : NULL;
	telling_piece(t, str_after(line, head), record ? RECORD_WORDS : pair ? FRAME_WORDS PAIR_WORDS :
	    FRAME_WORDS, record ? TELL_LOOSE | TELL_SHORT : own ? TELL_NO_NUMBERS : TELL_SHORT);
	t->counted = NULL;
	telling_drop(t);
}

/* Switches and wakeups are read as scheduler text, too. */
static void
tell_header(struct tells *t, struct str line, const struct perf_sample *p)
{
	if (pairs_known(p->event) || !sched_tell_line(t, line))
		tell_sample(t, line, p);
}

/* Lines outside of samples. */
static void
tell_between(struct tells *t, struct str s)
{
	struct str line;

	while (str_split(&s, '\n', &line))
		(void)tell_aside(t, line);
}

bool
perf_meant(const struct map *m, meant_take take, void *arg, uint64_t *lost, struct work *w, struct err *err)
{
	struct tells t = { .take = take, .arg = arg, .text = { (const char *)m->data, (size_t)m->size },
	    .err = err };
	struct perf_text text, look;
	struct perf_sample p;
	uint64_t at = 0, tick = 0;
	struct str line;

	*lost = perf_cut(t.text.s, m->size);
	if (!perf_open(&text, t.text.s, m->size - *lost))
		return fail(err, E_UNREADABLE, "not output of perf script: no sample in this file");
	/* The loader decides in the same way: numbers that are not ids belong to names. */
	for (look = text; perf_next(&look, &p); )
		;
	if (look.misfit)
		text.fields.ids = PERF_IDS_NONE;
	text.all = true;
	while (!t.bad && perf_next(&text, &p)) {
		if (text.at >= tick) {
			tick = text.at + TICK;
			t.bad = !work_go(w, text.at, err);
		}
		assert(at <= p.offset && p.offset < m->size);
		tell_between(&t, (struct str){ t.text.s + at, (size_t)(p.offset - at) });
		line = str_until(str_after(t.text, (size_t)p.offset), '\n');
		tell_header(&t, line, &p);
		at = p.offset + line.n + (line.n < t.text.n - p.offset);
		if (p.record == PERF_SAMPLE && p.frames.n > 0 && p.frames.s >= t.text.s + at) {
			tell_frames(&t, p.frames);
			at = (uint64_t)(p.frames.s - t.text.s) + p.frames.n;
		}
	}
	if (!t.bad)
		tell_between(&t, str_after(t.text, (size_t)at));
	telling_free(&t);
	return !t.bad;
}
