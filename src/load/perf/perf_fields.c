/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields in the headers of a perf script text.
 *
 * They are a property of the text, as set by perf script -F; only the CPU depends on the event. Fields are
 * separated by blanks, which names contain as well, so a line alone does not distinguish "worker 1" without
 * an id from "worker" with id 1.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/lines.h"
#include "icecore/make.h"
#include "head.h"

/* bytes of a text that is examined completely; of a longer text, this many in windows */
#define LOOK_WHOLE (4u << 20)
#define WINDOWS 64u
#define WINDOW (LOOK_WHOLE / WINDOWS)

struct look {
	struct perf_fields *f;
	const char	*base;
	struct lines	 lines;		/* lines of the window */
	bool		 in_frames, after_empty;
	/* odd: number of lines that are neither header nor frame, and of uncertain frames */
	uint64_t	 headers, frames, odd;
	uint64_t	 framed;	/* headers with frames below */
	uint64_t	 timed, named, after, late, misc, numbered, wide, bare;
	size_t		 least;		/* number of trailing numbers in headers without a pair */
};

static bool
next_header(struct look *l, struct str *line)
{
	struct head_halves h;

	while (lines_next(&l->lines, line)) {
		if (head_is_aside(*line) || l->lines.cut)
			continue;
		if (head_trim(*line).n == 0) {
			l->in_frames = false;
			l->after_empty = true;
		} else if (head_divide_time(*line, &h.left, &h.time, &h.right) ||
		    (!l->in_frames && line->s[0] != '\t' && (l->after_empty || !head_is_frame(*line)))) {
			l->in_frames = l->after_empty = false;
			return true;
		} else if (head_is_frame(*line)) {
			l->framed += !l->in_frames;
			l->frames++;
			l->odd += !head_plain_frame(*line);
			l->in_frames = true;
			l->after_empty = false;
		} else
			l->odd++;
	}
	return false;
}

static void
look_time(struct look *l, struct str line)
{
	struct head_halves h;

	l->headers++;
	l->timed += head_divide_time(line, &h.left, &h.time, &h.right);
	l->named += head_divide_event(line, false, &h.left, &h.right);
	l->after += head_divide_event(line, true, &h.left, &h.right);
}

/*
 * The header without its time, or without its event and the period after flags, and without the part right of
 * them.
 */
static bool
left_of(const struct perf_fields *f, struct str line, struct str *left, struct perf_sample *p)
{
	struct head_halves h;

	memset(p, 0, sizeof *p);
	if (!head_divide(f, line, &h))
		return false;
	head_right(h.right, p);
	if (f->period_behind)
		head_take_period(&h.left, p);
	*left = h.left;
	return true;
}

static void
look_period(struct look *l, struct str line)
{
	struct perf_sample p;
	struct str left;

	l->late += left_of(l->f, line, &left, &p) && head_take_period(&left, &p);
}

static void
look_cpu(struct look *l, struct str line)
{
	struct perf_fields *f = l->f;
	struct perf_sample p;
	struct str left, flags;
	uint64_t key;
	uint32_t i;

	if (!left_of(f, line, &left, &p))
		return;
	key = head_event(&p);
	for (i = 0; i < f->nevents && f->events[i].key != key; i++)
		;
	if (i == NELEM(f->events))
		return;
	if (i == f->nevents)
		f->events[f->nevents++] = (struct perf_event){ .key = key };
	f->events[i].headers++;
	flags = head_trim(left);
	if (head_take_cpu(&left, true)) {
		f->events[i].with_cpu++;
		f->flags |= flags.s[flags.n - 1] != ']';
	}
	f->period |= p.has_period;
	f->named |= p.event.n > 0;
}

static void
look_misc(struct look *l, struct str line)
{
	struct perf_sample p;
	struct str left;

	if (left_of(l->f, line, &left, &p) && !head_take_cpu(&left, head_has_cpu(l->f, head_event(&p))))
		l->misc += head_take_misc(&left);
}

static void
look_ids(struct look *l, struct str line)
{
	struct perf_fields *f = l->f;
	uint64_t pid, tid, number;
	struct perf_sample p;
	struct str left, s;
	size_t n, width, first = 0;

	if (!left_of(f, line, &left, &p))
		return;
	head_take_flags(f, &p, &left);
	s = left;
	if (head_take_pair(&s, &pid, &tid)) {
		f->pair = true;
		return;
	}
	s = left;
	if (head_take_number(&s, &number, &width) && head_take_pair(&s, &pid, &tid)) {
		l->numbered++;
		f->pair = true;
	}
	for (n = 0, s = left; head_take_number(&s, &number, &width); n++)
		first = n == 0 ? width : first;
	l->bare++;
	l->wide += n > 0 && first >= 10;
	l->least = n < l->least ? n : l->least;
}

static void
each_header(struct look *l, uint64_t size, void (*look)(struct look *, struct str))
{
	uint64_t n = size <= LOOK_WHOLE ? 1 : WINDOWS;
	struct str line;

	for (uint64_t i = 0; i < n; i++) {
		assert(n == 1 || size / n * i + WINDOW <= size);
		l->lines = lines_of((struct str){ l->base + size / n * i, n == 1 ? size : WINDOW });
		/* Other windows begin in the middle of a line, most likely of a frame. */
		l->in_frames = i > 0;
		l->after_empty = i == 0;
		if (i > 0)
			(void)lines_next(&l->lines, &line);
		while (next_header(l, &line))
			look(l, line);
	}
}

static enum perf_ids
choose_ids(const struct look *l)
{
	if (!l->f->time && head_most(l->numbered, l->headers))
		return PERF_IDS_PERIOD;
	if (l->bare == 0 || l->least == 0)
		return PERF_IDS_NONE;
	if (l->f->time)
		return PERF_IDS_TID;
	if (l->least >= 2)
		return PERF_IDS_BOTH;
	return 2 * l->wide > l->bare ? PERF_IDS_PERIOD : PERF_IDS_TID;
}

bool
perf_fields_find(struct perf_fields *f, const char *base, uint64_t size)
{
	struct look l = { .f = f, .base = base, .least = SIZE_MAX };
	uint64_t frames, odd, framed;

	memset(f, 0, sizeof *f);
	each_header(&l, size, look_time);
	frames = l.frames;
	odd = l.odd;
	framed = l.framed;
	/* In a short text one line may have another form. */
	f->time = head_most(l.timed, l.headers - (l.headers > 2 && l.timed < l.headers));
	f->event = !f->time && head_most(l.named, l.headers);
	f->event_behind = head_most(l.after, l.headers);
	if (!f->time)
		each_header(&l, size, look_period);
	f->period_behind = head_most(l.late, l.headers);
	each_header(&l, size, look_cpu);
	each_header(&l, size, look_misc);
	f->misc = head_most(l.misc, l.headers);
	each_header(&l, size, look_ids);
	f->ids = choose_ids(&l);
	f->one_line = frames == 0;
	/*
	 * Without times a text may be anything. Then most headers must have frames below with unmistakable
	 * addresses.
	 */
	f->sure = f->time || f->event || odd == 0;
	return f->time ? frames > 0 || f->named : framed > 0 && head_most(framed, l.headers);
}

void
perf_fields_text(const struct perf_fields *f, struct buf *b)
{
	bool cpu = false;

	for (uint32_t i = 0; i < f->nevents; i++)
		cpu |= head_has_cpu(f, f->events[i].key);
	buf_str(b, STR("comm"));
	buf_str(b, f->pair ? STR(" pid tid") : f->ids == PERF_IDS_TID || f->ids == PERF_IDS_BOTH ?
	    STR(" tid") : STR(""));
	buf_str(b, cpu ? STR(" cpu") : STR(""));
	buf_str(b, f->misc || (cpu && f->flags) ? STR(" misc") : STR(""));
	buf_str(b, f->time ? STR(" time") : STR(""));
	buf_str(b, f->period || f->ids == PERF_IDS_PERIOD || f->ids == PERF_IDS_BOTH ? STR(" period") :
	    STR(""));
	buf_str(b, f->named ? STR(" event") : STR(""));
}
