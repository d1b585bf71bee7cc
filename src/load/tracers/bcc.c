/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks of tools of BCC and of libbpf-tools: profile, offcputime, stackcount, wakeuptime; and memleak.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "forms.h"

struct bcc {
	struct tracers_in *in;
	struct str	 target, waker, task;
	struct str	 event;
	const char	*unit;
	uint32_t	 pid;
	bool		 begun, kernel_first;	/* a line of a stack was read; "--" divides kernel and user */
	bool		 above;		/* the waker comes first: its stack is on top */
};

/* ---- lines -------------------------------------------------------------------------------- */

/* "    -                COMM (PID)" */
static bool
is_task(struct str line, struct str *name, uint32_t *pid)
{
	struct str s = line;

	if (line.n == 0 || !is_blank(line.s[0]) || !scan(&s, "%_- "))
		return false;
	s = line = text_trim(s);
	if (!scan(&s, "%l (%p)$", name, pid)) {
		*pid = 0;
		*name = line;
	}
	return line.n > 0;
}

/* "    COMM [PID]", not "    f+0x1 [lib]" */
static bool
is_counted_task(struct str line, struct str *name, uint32_t *pid)
{
	struct str s = text_trim(line);

	return str_begins(line, "    ") && !str_begins(s, "[unknown]") && !str_begins(s, "0x") &&
	    !str_has(s, STR("+0x")) && scan(&s, "%l [%p]$", name, pid);
}

/* "   12" */
static bool
is_value(struct str line)
{
	return line.n > 0 && is_blank(line.s[0]) && text_all_digits(text_trim(line));
}

/* ---- stacks --------------------------------------------------------------------------------- */

static void
forget(struct bcc *b)
{
	tracers_forget(b->in);
	b->target = b->waker = b->task = STR("");
	b->pid = 0;
	b->begun = b->kernel_first = b->above = false;
}

static void
bcc_value(struct bcc *b, struct str line)
{
	struct tracers_in *in = b->in;
	bool task = b->task.n > 0;
	uint64_t value;

	if (!tracers_number(in, text_trim(line), &value)) {
		forget(b);
		return;
	}
	tracers_event(in, b->event, str_is(b->event, "time") ? WEIGHT_TIME : WEIGHT_COUNT, b->unit);
	tracers_thread(in, b->pid, 0, task ? b->task : b->target);
	if (b->waker.n > 0)
		tracers_push_name(in, buf_set(&in->buf, str_head(b->waker, 1024), STR(" (waker)")));
	if (in->nkept == 0)
		tracers_push_name(in, STR("[no stack]"));
	tracers_join(in, b->kernel_first);
	tracers_add(in, tracers_stack(in), value, str_is(b->event, "samples") || str_is(b->event, "events") ?
	    value : 1, line.s);
	forget(b);
}

static void
bcc_message(struct bcc *b, struct str line)
{
	struct str s = line;
	uint64_t n;

	if (str_has(line, STR("(us)"))) {
		b->event = STR("time");
		b->unit = "us";
	} else if (str_has(line, STR("Sampling at "))) {
		if (scan(&s, "%*tSampling at %u Hertz", &n) && n > 0)
			tracers_period(b->in, STR("samples"), 1000000000 / n, 1);
		b->event = STR("samples");
		b->unit = "samples";
	} else if (scan(&s, "Tracing %*d functions")) {
		b->event = STR("events");
		b->unit = "events";
	}
	if (scan(&s, "WARNING: %u stack traces could not be displayed", &n) ||
	    scan(&s, "WARNING: %u stack traces lost and could not", &n))
		b->in->count[TRACED_LOST_STACKS] = num_add(b->in->count[TRACED_LOST_STACKS], n);
	else
		tracers_message(b->in, line);
}

static void
bcc_line(struct bcc *b, struct str line)
{
	struct str s = text_trim(line), name;
	uint32_t pid;

	if (s.n == 0) {
		b->in->count[TRACED_NO_VALUE] += b->begun;
		forget(b);
	} else if (scan(&s, "target: ")) {
		b->target = s = text_trim(s);
		if (b->above && scan(&s, "%l %p$", &name, &pid)) {
			b->target = text_trim(name);
			b->pid = pid;
		}
		b->begun = true;
	} else if (scan(&s, "waker: ")) {
		/* offwaketime: from the waker at the top down to the target, all with one path. */
		if (b->target.n == 0 && !b->begun)
			tracers_keep(b->in, text_trim(s));
		else
			b->waker = text_trim(s);
		b->above = b->target.n == 0;
		b->begun = true;
	} else if (b->above && s.s[0] == '-' && str_ends(s, "-")) {
		if (s.n > 1)
			tracers_keep(b->in, STR("--"));
	} else if (str_is(s, "-") || str_is(s, "--")) {
		tracers_part(b->in);
		b->kernel_first = true;
	} else if (is_task(line, &name, &pid) || is_counted_task(line, &name, &pid)) {
		b->task = name;
		b->pid = pid;
		b->begun = true;
	} else if (is_value(line)) {
		bcc_value(b, line);
	} else if (is_blank(line.s[0])) {
		tracers_keep(b->in, s);
		b->begun = true;
	} else {
		bcc_message(b, line);
	}
}

void
bcc_read(struct tracers_in *in)
{
	struct bcc b = { .in = in, .event = STR("values"), .unit = "(as printed)" };
	struct str line;

	forget(&b);
	while (tracers_line(in, &line))
		bcc_line(&b, line);
	in->count[TRACED_NO_VALUE] += b.begun;
	tracers_forget(in);
}

static bool
is_bcc_line(struct str line)
{
	struct str s = text_trim(line), name;
	uint32_t pid = 0;

	if (str_begins(line, "Tracing "))
		return scan(&line, "Tracing %*d functions") || str_has(line, STR("time (us) "));
	return str_begins(s, "waker: ") || (is_task(line, &name, &pid) && pid != 0);
}

/* A task and a number, or two indented lines of which the second is a number. */
static bool
has_counted(struct str head)
{
	struct lines l = lines_of(head);
	struct str line, name;
	bool before = false;
	uint32_t pid;

	while (lines_next(&l, &line)) {
		if (before && is_value(line))
			return true;
		before = is_counted_task(line, &name, &pid);
	}
	return false;
}

bool
bcc_is(struct str head)
{
	return lines_have(head, is_bcc_line) || has_counted(head);
}

/* ---- memleak ---------------------------------------------------------------------------------- */

struct leaked {
	uint64_t	bytes, allocations;
	const char	*at;
	uint32_t	stack;
};

struct memleak {
	struct tracers_in *in;
	struct scratch	 rows;			/* rows of the snapshot */
	uint64_t	 nrows, snapshots;
	struct leaked	 open;			/* stack 0: its frames are being read */
	bool		 is_open;
};

/* "80 bytes in 5 allocations from stack" */
static bool
take_leak(struct str line, struct leaked *l)
{
	line = text_trim(line);
	return scan(&line, "%u bytes in %u allocations from stack", &l->bytes, &l->allocations);
}

/* "f+0x1a [lib]", after an address or not. */
static struct traced_frame
leak_frame(struct str line)
{
	struct str s = text_trim(line), rest = s, name, module = STR("");
	struct traced_frame f;

	if (scan(&rest, "%l [%l]$", &name, &module))
		s = name;
	else
		module = STR("");
	f = traced_frame_of(s);
	if (f.module.n == 0)
		f.module = module;
	if (f.name.n == 0 && module.n > 0) {
		f.name = module;
		f.library = true;
	}
	return f;
}

static void
leak_end(struct memleak *m)
{
	struct tracers_in *in = m->in;

	assert(m->is_open || m->in->nkept == 0);
	if (!m->is_open)
		return;
	m->is_open = false;
	for (uint64_t i = in->nkept; i-- > 0; )
		tracers_push(in, leak_frame(SCRATCH(in->kept, struct traced_line)[i].text));
	tracers_forget(in);
	m->open.stack = tracers_stack(in);
	in->count[TRACED_NO_STACK] += m->open.stack == 0;
	if (m->open.stack != 0 && !in->bad)
		in->bad = !make_add(&m->rows, &m->nrows, &m->open, sizeof m->open, UINT32_MAX, "stacks",
		    in->err);
}

static void
leak_line(struct memleak *m, struct str line)
{
	struct str s = text_trim(line);
	struct leaked l = { .at = line.s };

	if (str_begins(s, "addr = ")) {
		m->in->count[TRACED_ALLOCATIONS]++;
		return;
	}
	if (m->is_open && s.n > 0 && is_blank(line.s[0]) && !take_leak(line, &l)) {
		tracers_keep(m->in, line);
		return;
	}
	leak_end(m);
	if (take_leak(line, &l)) {
		m->open = l;
		m->is_open = true;
	} else if (str_has(line, STR("stacks with outstanding allocations"))) {
		m->in->count[TRACED_SNAPSHOTS] += m->snapshots++ > 0;
		m->nrows = 0;
	} else {
		tracers_message(m->in, line);
	}
}

void
memleak_read(struct tracers_in *in)
{
	struct memleak m = { .in = in };
	const struct leaked *l;
	struct str line;

	while (tracers_line(in, &line))
		leak_line(&m, line);
	leak_end(&m);
	tracers_event(in, STR("last snapshot"), WEIGHT_BYTES, "bytes");
	l = SCRATCH(m.rows, struct leaked);
	for (uint64_t i = 0; i < m.nrows && !in->bad; i++)
		tracers_add(in, l[i].stack, l[i].bytes, l[i].allocations, l[i].at);
	scratch_free(&m.rows);
}

bool
memleak_line(struct str line)
{
	struct leaked l;

	return take_leak(line, &l);
}
