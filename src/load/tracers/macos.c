/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call trees of the macOS tools sample and spindump.  A line has the samples of a frame and its callees.
 */
#include "config.h"

#include <assert.h>

#include "forms.h"

/* Leaves at which a thread waits. */
static const char *const waits[] = {
	"__psynch_cvwait", "__psynch_mutexwait", "__psynch_rw_rdlock", "__psynch_rw_wrlock", "mach_msg", "mach_msg_trap", "mach_msg2_trap",
	"kevent", "kevent_id", "kevent_qos", "__ulock_wait", "__ulock_wait2", "__workq_kernreturn", "__semwait_signal", "semaphore_wait_trap",
	"semaphore_timedwait_trap", "__select", "poll", "__sigwait", "__wait4", "start_wqthread"
};

/* The samples that end at a node; those at a wait have a state. */
static void
macos_close(struct tracers_in *in, const struct traced_level *l)
{
	const struct sample_name *name;
	struct str text;

	in->state = 0;
	if (l->frame != 0) {
		name = &SCRATCH(in->s.names, struct sample_name)[l->frame - 1];
		text = samples_text_at(&in->s, &in->s.own, name->ref, name->own);
		for (size_t i = 0; i < NELEM(waits) && in->state == 0 && !in->bad; i++)
			if (str_eq(text, str_of(waits[i])) && (in->state = samples_state(&in->s, STR("waiting"), in->err)) == 0)
				in->bad = true;
	}
	tracers_close_level(in, l);
	in->state = 0;
}

static void
macos_event(struct tracers_in *in, struct str name)
{
	tracers_event(in, (struct traced_event){ name, WEIGHT_COUNT, "samples" });
}

/* ---- sample ------------------------------------------------------------------------------- */

/* "Thread_1: name   DispatchQueue_1: label  (serial)": the name, the label, or the number. */
static void
sample_thread(struct tracers_in *in, struct str s, uint64_t value, const char *at)
{
	struct str id = s, name, label = STR(""), rest;
	uint64_t tid = 0;

	while (id.n > 0 && !is_blank(id.s[id.n - 1]) && id.s[id.n - 1] != ':' && id.n > sizeof "Thread_")
		id.n--;
	for (id.n = sizeof "Thread_" - 1; id.n < s.n && (is_hex(s.s[id.n]) || s.s[id.n] == '_'); id.n++)
		;
	rest = str_behind(s, id.n);
	if (str_divide(rest, STR("DispatchQueue_"), &name, &label)) {
		str_divide(label, STR(": "), &(struct str){ NULL, 0 }, &label);
		label = str_until(label, ' ');
	} else {
		name = rest;
	}
	name = text_trim(name);
	str_take(&name, STR(": "));
	rest = str_behind(id, sizeof "Thread_" - 1);
	tid = str_number(&rest, &tid) && rest.n == 0 && tid <= UINT32_MAX ? tid : 0;
	tracers_thread(in, 0, (uint32_t)tid, name.n > 0 ? name : label.n > 0 ? label : id);
	tracers_root(in, value, at);
}

/* "name  (in LIB) + 10  [0x1]  File.m:12" */
static struct traced_frame
sample_frame(struct str s)
{
	struct traced_frame f = { .kind = 0 };
	struct str rest, file, line;

	if (!str_divide(s, STR("  (in "), &f.name, &rest)) {
		f.name = s;
		return f;
	}
	f.module = str_until(rest, ')');
	rest = text_trim(text_behind_last(rest, ']'));
	if (str_divide_last(rest, ':', &file, &line) && text_all_digits(line) && memchr(file.s, ' ', file.n) == NULL && str_number(&line, &f.line))
		f.file = file;
	if (str_eq(f.name, STR("???"))) {
		f.name = f.module;
		f.library = true;
	}
	return f;
}

/* "    + !   60 name": blanks and marks, two for each level. */
static void
sample_node(struct tracers_in *in, struct str line)
{
	struct str s = line, rest, digits;
	size_t marks = 0;
	uint64_t value;

	if (!str_take(&s, STR("    "))) {
		in->count[TRACED_OTHER]++;
		return;
	}
	while (marks < s.n && is_one_of(s.s[marks], " +!:|"))
		marks++;
	s = str_behind(s, marks);
	digits = str_head(s, str_digits(s));
	rest = str_behind(s, digits.n);
	if (!str_take(&rest, STR(" ")) || !tracers_number(in, digits, &value)) {
		in->count[TRACED_OTHER]++;
		return;
	}
	in->count[TRACED_LEVELS] += marks % 2;
	tracers_level(in, marks / 2, macos_close);
	if (in->nlevels == 0)
		in->thread = 0;
	if (in->nlevels == 0 && str_has_prefix(rest, STR("Thread_")))
		sample_thread(in, rest, value, line.s);
	else
		tracers_node(in, sample_frame(rest), value, line.s);
}

void
sample_read(struct tracers_in *in)
{
	bool on = false;
	struct str line;

	macos_event(in, STR("samples"));
	while (tracers_line(in, &line)) {
		if (str_has_prefix(line, STR("Call graph:"))) {
			on = true;
		} else if (on && (text_trim(line).n == 0 || str_has_prefix(line, STR("Total number in stack")))) {
			on = false;
			tracers_level(in, 0, macos_close);
		} else if (on) {
			sample_node(in, line);
		} else {
			in->count[TRACED_MESSAGES] += text_trim(line).n > 0;
		}
	}
	tracers_level(in, 0, macos_close);
}

static bool
is_sample_line(struct str line)
{
	return str_eq(line, STR("Call graph:")) || str_has_prefix(line, STR("Analysis of sampling "));
}

bool
sample_is(struct str head)
{
	return tracers_has_line(head, is_sample_line);
}

/* ---- spindump ------------------------------------------------------------------------------ */

/* '  Thread 0x2f5   DispatchQueue "x"   1001 samples (1-1001)' */
static bool
take_spin_thread(struct str line, struct str *id, struct str *name, uint64_t *value)
{
	struct str s = line, before, rest, digits;

	if (!str_take(&s, STR("  Thread 0x")) || !str_divide(s, STR(" samples"), &before, &rest) ||
	    !str_divide_last(before, ' ', &before, &digits) || !text_all_digits(digits) || !str_number(&digits, value))
		return false;
	*id = str_until(s, ' ');
	*name = STR("");
	if (str_divide(before, STR("Thread name \""), &rest, &s) || str_divide(before, STR("DispatchQueue \""), &rest, &s))
		*name = str_until(s, '"');
	return true;
}

static void
spin_thread(struct tracers_in *in, struct str id, struct str name, uint64_t value, const char *at)
{
	uint64_t tid = 0;

	if (!num_u64(id, 16, &tid) || tid > UINT32_MAX)
		tid = 0;
	/* "0x" is before the digits. */
	tracers_thread(in, 0, (uint32_t)tid, name.n > 0 ? name : (struct str){ id.s - 2, id.n + 2 });
	tracers_root(in, value, at);
}

/* "name + 8 (module + 12) [0x1]", "name (module) [0x1]", "??? (module + 12)". */
static struct traced_frame
spin_frame(struct str s)
{
	struct traced_frame f = { .name = s };
	struct str before, after;

	if (str_divide(s, STR(" ("), &before, &after)) {
		f.name = before;
		f.module = str_until(after, ')');
		if (str_divide(f.module, STR(" + "), &before, &after))
			f.module = before;
	}
	if (str_divide(f.name, STR(" + "), &before, &after) && str_digits(after) > 0)
		f.name = before;
	if (str_has_prefix(f.name, STR("???")) && f.module.n > 0) {
		f.name = f.module;
		f.library = true;
	}
	return f;
}

/* "    *993  name": blanks, two for each level, and a star if it is of the kernel. */
static bool
spin_node(struct tracers_in *in, struct str line)
{
	struct str s = line, digits;
	struct traced_frame f;
	bool kernel;
	uint64_t value;
	size_t at;

	while (s.n > 0 && s.s[0] == ' ')
		s = str_behind(s, 1);
	kernel = str_take(&s, STR("*"));
	at = line.n - s.n;
	digits = str_head(s, str_digits(s));
	s = str_behind(s, digits.n);
	if (in->nlevels == 0 || digits.n == 0 || !str_take(&s, STR("  ")) || !tracers_number(in, digits, &value))
		return false;
	f = spin_frame(text_trim(s));
	f.kind = kernel ? 'k' : 0;
	tracers_level(in, at < 4 ? 1 : (at - 2) / 2 + 1, macos_close);
	tracers_node(in, f, value, line.s);
	return true;
}

void
spindump_read(struct tracers_in *in)
{
	struct str line, s, id, name, process = STR("processes");
	uint64_t value;

	while (tracers_line(in, &line)) {
		s = line;
		if (str_take(&s, STR("Process:")) && text_trim(s).n > 0) {
			tracers_level(in, 0, macos_close);
			process = text_trim(s);
		} else if (take_spin_thread(line, &id, &name, &value)) {
			tracers_level(in, 0, macos_close);
			macos_event(in, process);
			spin_thread(in, id, name, value, line.s);
		} else if (text_trim(line).n == 0) {
			tracers_level(in, 0, macos_close);
		} else if (!spin_node(in, line)) {
			in->count[TRACED_MESSAGES]++;
		}
	}
	tracers_level(in, 0, macos_close);
}

static bool
is_spin_thread(struct str line)
{
	struct str id, name;
	uint64_t value;

	return take_spin_thread(line, &id, &name, &value);
}

static bool
is_process_line(struct str line)
{
	return str_has_prefix(line, STR("Process: "));
}

bool
spindump_is(struct str head)
{
	return tracers_has_line(head, is_process_line) && tracers_has_line(head, is_spin_thread);
}
