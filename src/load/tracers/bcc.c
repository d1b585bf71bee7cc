/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks of tools of BCC and of libbpf-tools: profile, offcputime, stackcount, wakeuptime; and memleak.
 */
#include "config.h"

#include <assert.h>

#include "forms.h"

struct bcc {
	struct tracers_in *in;
	struct str	 target, waker, task;
	struct traced_event event;
	uint32_t	 pid;
	bool		 begun, kernel_first;	/* a line of a stack was read; "--" divides kernel and user */
	bool		 above;		/* the waker comes first: its stack is on top */
};

/* ---- lines -------------------------------------------------------------------------------- */

/* "COMM (123)" or "COMM [123]": at the last bracket. */
static bool
bcc_take_id(struct str s, char open, char close, struct str *name, uint32_t *pid)
{
	struct str before, id;
	uint64_t v;

	if (s.n == 0 || s.s[s.n - 1] != close || !str_divide_last(s, open, &before, &id) || !str_has_suffix(before, STR(" ")))
		return false;
	id.n--;
	if (!text_all_digits(id) || !str_number(&id, &v) || v > UINT32_MAX)
		return false;
	*name = str_head(before, before.n - 1);
	*pid = (uint32_t)v;
	return true;
}

/* "COMM 123" */
static bool
take_trailing_id(struct str *name, uint32_t *pid)
{
	struct str before, id;
	uint64_t v;

	if (!str_divide_last(*name, ' ', &before, &id) || !text_all_digits(id) || !str_number(&id, &v) || v > UINT32_MAX)
		return false;
	*name = text_trim(before);
	*pid = (uint32_t)v;
	return true;
}

/* "    -                COMM (PID)" */
static bool
is_task(struct str line, struct str *name, uint32_t *pid)
{
	struct str s = str_skip_blanks(line);

	if (s.n == line.n || !str_take(&s, STR("- ")))
		return false;
	s = text_trim(s);
	*pid = 0;
	*name = s;
	return s.n > 0 && (bcc_take_id(s, '(', ')', name, pid) || true);
}

/* "    COMM [PID]", not "    f+0x1 [lib]" */
static bool
is_counted_task(struct str line, struct str *name, uint32_t *pid)
{
	struct str s = text_trim(line);

	return str_has_prefix(line, STR("    ")) && !str_has_prefix(s, STR("[unknown]")) && !str_has_prefix(s, STR("0x")) &&
	    !str_has(s, STR("+0x")) && bcc_take_id(s, '[', ']', name, pid);
}

/* "   12" */
static bool
bcc_is_value(struct str line)
{
	return line.n > 0 && is_blank(line.s[0]) && text_all_digits(text_trim(line));
}

/* ---- stacks --------------------------------------------------------------------------------- */

static void
bcc_forget(struct bcc *b)
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
		bcc_forget(b);
		return;
	}
	tracers_event(in, b->event);
	tracers_thread(in, b->pid, 0, task ? b->task : b->target);
	if (b->waker.n > 0 && !in->bad) {
		buf_clear(&in->buf);
		buf_printf(&in->buf, "%.*s (waker)", (int)str_head(b->waker, 1024).n, b->waker.s);
		tracers_push(in, (struct traced_frame){ .name = buf_view(&in->buf) });
	}
	if (in->nlines == 0)
		tracers_push(in, (struct traced_frame){ .name = STR("[no stack]") });
	tracers_join(in, b->kernel_first);
	tracers_add(in, tracers_stack(in), value, b->event.type == WEIGHT_COUNT && b->event.unit[0] != '(' ? value : 1, line.s);
	bcc_forget(b);
}

/* "WARNING: 2 stack traces could not be displayed": how many. */
static bool
lost_stacks(struct str line, uint64_t *n)
{
	return str_take(&line, STR("WARNING: ")) && str_number(&line, n) &&
	    (str_has_prefix(line, STR(" stack traces could not be displayed")) || str_has_prefix(line, STR(" stack traces lost and could not")));
}

static void
bcc_message(struct bcc *b, struct str line)
{
	struct str rest = line;
	uint64_t n;

	if (str_has(line, STR("(us)")))
		b->event = (struct traced_event){ STR("time"), WEIGHT_TIME, "us" };
	else if (str_has(line, STR("Sampling at ")))
		b->event = (struct traced_event){ STR("samples"), WEIGHT_COUNT, "samples" };
	else if (str_take(&rest, STR("Tracing ")) && text_take_digits(&rest) && str_has_prefix(rest, STR(" functions")))
		b->event = (struct traced_event){ STR("events"), WEIGHT_COUNT, "events" };
	if (lost_stacks(line, &n))
		b->in->count[TRACED_LOST_STACKS] = num_add(b->in->count[TRACED_LOST_STACKS], n);
	else
		b->in->count[TRACED_MESSAGES]++;
}

static void
bcc_line(struct bcc *b, struct str line)
{
	struct str s = text_trim(line);

	if (s.n == 0) {
		b->in->count[TRACED_NO_VALUE] += b->begun;
		bcc_forget(b);
	} else if (str_take(&s, STR("target: "))) {
		b->target = text_trim(s);
		if (b->above)
			(void)take_trailing_id(&b->target, &b->pid);
		b->begun = true;
	} else if (str_take(&s, STR("waker: "))) {
		/* offwaketime: from the waker at the top down to the target, all with one path. */
		if (b->target.n == 0 && !b->begun)
			tracers_keep(b->in, text_trim(s));
		else
			b->waker = text_trim(s);
		b->above = b->target.n == 0;
		b->begun = true;
	} else if (b->above && s.s[0] == '-' && str_has_suffix(s, STR("-"))) {
		if (s.n > 1)
			tracers_keep(b->in, STR("--"));
	} else if (str_eq(s, STR("-")) || str_eq(s, STR("--"))) {
		tracers_part(b->in);
		b->kernel_first = true;
	} else if (is_task(line, &b->task, &b->pid) || is_counted_task(line, &b->task, &b->pid)) {
		b->begun = true;
	} else if (bcc_is_value(line)) {
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
	struct bcc b = { .in = in, .event = { STR("values"), WEIGHT_COUNT, "(as printed)" } };
	struct str line;

	bcc_forget(&b);
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

	if (str_take(&line, STR("Tracing ")))
		return (text_take_digits(&line) && str_has_prefix(line, STR(" functions"))) || str_has(line, STR("time (us) "));
	return str_has_prefix(s, STR("waker: ")) || (is_task(line, &name, &pid) && pid != 0);
}

/* A task and a number, or two indented lines of which the second is a number. */
static bool
has_counted(struct str head)
{
	struct str line, name;
	bool before = false;
	uint32_t pid;

	while (str_line(&head, &line)) {
		if (before && bcc_is_value(line))
			return true;
		before = is_counted_task(line, &name, &pid);
	}
	return false;
}

bool
bcc_is(struct str head)
{
	return tracers_has_line(head, is_bcc_line) || has_counted(head);
}

/* ---- memleak ---------------------------------------------------------------------------------- */

struct leaked {
	uint64_t	bytes, allocations;
	const char	*at;
	uint32_t	stack;
};

struct memleak {
	struct tracers_in *in;
	struct scratch	 rows;			/* of the snapshot */
	uint64_t	 nrows, snapshots;
	struct leaked	 open;			/* stack 0: its frames are being read */
	bool		 is_open;
};

/* "80 bytes in 5 allocations from stack" */
static bool
take_leak(struct str line, struct leaked *l)
{
	struct str s = text_trim(line);

	return str_number(&s, &l->bytes) && str_take(&s, STR(" bytes in ")) && str_number(&s, &l->allocations) &&
	    str_has_prefix(s, STR(" allocations from stack"));
}

/* Without an address of at least 8 digits, and a number before it. */
static struct str
behind_address(struct str s)
{
	struct str rest = s, word;
	size_t n = str_digits(rest);

	if (n < rest.n && is_blank(rest.s[n]))
		rest = str_skip_blanks(str_behind(rest, n));
	word = rest;
	str_take(&word, STR("0x"));
	for (n = 0; n < word.n && is_hex(word.s[n]); n++)
		;
	return n >= 8 && n < word.n && is_blank(word.s[n]) ? str_skip_blanks(str_behind(word, n)) : s;
}

/* "f+0x1a [lib]", behind an address or not. */
static struct traced_frame
leak_frame(struct str line)
{
	struct str s = behind_address(text_trim(line)), module = STR(""), before;
	struct traced_frame f;

	if (str_has_suffix(s, STR("]")) && str_divide_last(s, '[', &before, &module) && str_has_suffix(before, STR(" "))) {
		module = str_head(module, module.n - 1);
		s = text_trim(before);
	} else {
		module = STR("");
	}
	f = traced_frame_of(s);
	if (f.module.n == 0)
		f.module = module;
	return f;
}

static void
leak_end(struct memleak *m)
{
	struct tracers_in *in = m->in;

	assert(m->is_open || m->in->nlines == 0);
	if (!m->is_open)
		return;
	m->is_open = false;
	for (uint64_t i = in->nlines; i-- > 0; )
		tracers_push(in, leak_frame(SCRATCH(in->lines, struct traced_line)[i].text));
	tracers_forget(in);
	m->open.stack = tracers_stack(in);
	in->count[TRACED_NO_STACK] += m->open.stack == 0;
	if (m->open.stack != 0)
		in->bad = in->bad || !make_add(&m->rows, &m->nrows, &m->open, sizeof m->open, UINT32_MAX, "stacks", in->err);
}

static void
leak_line(struct memleak *m, struct str line)
{
	struct str s = text_trim(line);
	struct leaked l = { .at = line.s };

	if (str_has_prefix(s, STR("addr = "))) {
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
		m->in->count[TRACED_MESSAGES] += s.n > 0;
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
	tracers_event(in, (struct traced_event){ STR("last snapshot"), WEIGHT_BYTES, "bytes" });
	l = SCRATCH(m.rows, struct leaked);
	for (uint64_t i = 0; i < m.nrows && !in->bad; i++)
		tracers_add(in, l[i].stack, l[i].bytes, l[i].allocations, l[i].at);
	scratch_free(&m.rows);
}

static bool
is_leak_line(struct str line)
{
	struct leaked l;

	return take_leak(line, &l);
}

bool
memleak_is(struct str head)
{
	return tracers_has_line(head, is_leak_line);
}
