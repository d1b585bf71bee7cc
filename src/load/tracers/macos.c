/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call trees of the macOS tools sample and spindump.  A line has the samples of a frame and its callees.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "forms.h"

/* Leaves at which a thread waits. */
static const char *const waits[] = {
	"__psynch_cvwait", "__psynch_mutexwait", "__psynch_rw_rdlock", "__psynch_rw_wrlock", "mach_msg",
	    "mach_msg_trap", "mach_msg2_trap",
	"kevent", "kevent_id", "kevent_qos", "__ulock_wait", "__ulock_wait2", "__workq_kernreturn",
	    "__semwait_signal", "semaphore_wait_trap",
	"semaphore_timedwait_trap", "__select", "poll", "__sigwait", "__wait4", "start_wqthread"
};

/* The samples that end at a node; those at a wait have a state. */
static void
macos_close(struct tracers_in *in, const struct traced_level *l)
{
	struct str text;

	in->state = 0;
	if (l->frame != 0) {
		text = samples_frame_name(&in->s, l->frame);
		for (size_t i = 0; i < NELEM(waits) && in->state == 0 && !in->bad; i++)
			if (str_eq(text, str_of(waits[i])) &&
			    (in->state = samples_state(&in->s, STR("waiting"), in->err)) == 0)
				in->bad = true;
	}
	tracers_close_level(in, l);
	in->state = 0;
}

static void
macos_event(struct tracers_in *in, struct str name)
{
	tracers_event(in, name, WEIGHT_COUNT, "samples");
}

/* ---- sample ------------------------------------------------------------------------------- */

/* "Thread_1: name   DispatchQueue_1: label  (serial)": the name, the label, or the number. */
static void
sample_thread(struct tracers_in *in, struct str s, uint64_t value, const char *at)
{
	struct str id = s, name, label = STR(""), rest;
	uint32_t tid;

	while (id.n > 0 && !is_blank(id.s[id.n - 1]) && id.s[id.n - 1] != ':' && id.n > sizeof "Thread_")
		id.n--;
	for (id.n = sizeof "Thread_" - 1; id.n < s.n && (is_hex(s.s[id.n]) || s.s[id.n] == '_'); id.n++)
		;
	rest = str_after(s, id.n);
	if (scan(&rest, "%tDispatchQueue_", &name)) {
		(void)scan(&rest, "%*t: ");
		label = str_until(rest, ' ');
		name = text_trim(name);
	} else
		name = text_trim(rest);
	scan(&name, ": ");
	rest = id;
	if (!scan(&rest, "Thread_%p$", &tid))
		tid = 0;
	tracers_thread(in, 0, tid, name.n > 0 ? name : label.n > 0 ? label : id);
	tracers_root(in, value, at);
}

/* "name  (in LIB) + 10  [0x1]  File.m:12" */
static struct traced_frame
sample_frame(struct str s)
{
	struct traced_frame f = { .kind = 0 };
	struct str file;

	if (!scan(&s, "%t  (in ", &f.name)) {
		f.name = s;
		return f;
	}
	f.module = str_until(s, ')');
	s = text_trim(text_after_last(s, ']'));
	if (scan(&s, "%l:%u$", &file, &f.line) && memchr(file.s, ' ', file.n) == NULL)
		f.file = file;
	else
		f.line = 0;
	if (str_is(f.name, "???")) {
		f.name = f.module;
		f.library = true;
	}
	return f;
}

/* "    + !   60 name": blanks and marks, two for each level. */
static void
sample_node(struct tracers_in *in, struct str line)
{
	struct str s = line, digits;
	size_t marks = 0;
	uint64_t value;

	if (!scan(&s, "    ")) {
		in->count[TRACED_OTHER]++;
		return;
	}
	while (marks < s.n && is_one_of(s.s[marks], " +!:|"))
		marks++;
	s = str_after(s, marks);
	if (!scan(&s, "%d ", &digits) || !tracers_number(in, digits, &value)) {
		in->count[TRACED_OTHER]++;
		return;
	}
	in->count[TRACED_LEVELS] += marks % 2;
	tracers_level(in, marks / 2, macos_close);
	if (in->nlevels == 0)
		in->thread = 0;
	if (in->nlevels == 0 && str_begins(s, "Thread_"))
		sample_thread(in, s, value, line.s);
	else
		tracers_node(in, sample_frame(s), value, line.s);
}

/* "OS Version", "Physical footprint (peak)", "Date/Time" */
static bool
macos_is_key(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_letter(s.s[i]) && !is_one_of(s.s[i], " /()"))
			return false;
	return s.n > 0 && s.s[0] != ' ';
}

/*
 * Count a line that is not of a tree, unless it is blank, of the head of the report or of a process, such as
 * "OS Version: macOS 15.1", or in a part that sums up the trees or lists images: *part, up to the next blank line.
 */
static void
macos_other(struct tracers_in *in, struct str line, bool *part)
{
	struct str s = text_trim(line), key = str_until(line, ':');

	if (s.n == 0)
		*part = false;
	else if (str_begins(s, "Heaviest stack ") || str_begins(s, "Total number in stack") ||
	    str_begins(s, "Sort by top of stack") || str_begins(s, "Binary Images:"))
		*part = true;
	else if (!*part && !str_begins(s, "----") && (key.n == line.n || !macos_is_key(key)))
		tracers_message(in, line);
}

void
sample_read(struct tracers_in *in)
{
	bool on = false, part = false;
	struct str line, s;
	uint64_t ms;

	macos_event(in, STR("samples"));
	while (tracers_line(in, &line)) {
		s = line;
		if (!on && scan(&s, "Analysis of sampling %*t every %u millisecond", &ms))
			tracers_period(in, STR("samples"), ms, 1000000);
		else if (str_begins(line, "Call graph:")) {
			on = true;
		} else if (on && (text_trim(line).n == 0 || str_begins(line, "Total number in stack"))) {
			on = false;
			tracers_level(in, 0, macos_close);
		} else if (on) {
			sample_node(in, line);
		} else {
			macos_other(in, line, &part);
		}
	}
	tracers_level(in, 0, macos_close);
}

bool
sample_line(struct str line)
{
	return str_is(line, "Call graph:") || str_begins(line, "Analysis of sampling ");
}

/* ---- spindump ------------------------------------------------------------------------------ */

/* '  Thread 0x2f5   DispatchQueue "x"   1001 samples (1-1001)' */
static bool
take_spin_thread(struct str line, struct str *id, struct str *name, uint64_t *value)
{
	struct str words, s;

	if (!scan(&line, "  Thread 0x%t samples", &s) || !scan(&s, "%l %u$", &words, value))
		return false;
	*id = str_until(words, ' ');
	*name = scan(&words, "%*tThread name \"") || scan(&words, "%*tDispatchQueue \"") ?
	    str_until(words, '"') : STR("");
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
	struct str rest, name;

	if (scan(&s, "%t (", &f.name)) {
		rest = f.module = str_until(s, ')');
		if (scan(&rest, "%t + ", &name))
			f.module = name;
	} else
		f.name = s;
	rest = f.name;
	if (scan(&rest, "%t + %*d", &name))
		f.name = name;
	if (str_begins(f.name, "???") && f.module.n > 0) {
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
		s = str_after(s, 1);
	kernel = scan(&s, "*");
	at = line.n - s.n;
	if (in->nlevels == 0 || !scan(&s, "%d  ", &digits) || !tracers_number(in, digits, &value))
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
	uint64_t value, ms = 0;
	bool part = false;

	while (tracers_line(in, &line)) {
		s = line;
		if (!scan(&s, "Steps: %*t(%ums sampling interval)", &ms))
			s = line;
		else
			tracers_period(in, process, ms, 1000000);
		if (scan(&s, "Process:") && text_trim(s).n > 0) {
			tracers_level(in, 0, macos_close);
			part = false;
			process = text_trim(s);
			tracers_period(in, process, ms, 1000000);
		} else if (take_spin_thread(line, &id, &name, &value)) {
			tracers_level(in, 0, macos_close);
			part = false;
			macos_event(in, process);
			spin_thread(in, id, name, value, line.s);
		} else if (text_trim(line).n == 0) {
			tracers_level(in, 0, macos_close);
			macos_other(in, line, &part);
		} else if (part || !spin_node(in, line)) {
			macos_other(in, line, &part);
		}
	}
	tracers_level(in, 0, macos_close);
}

bool
spindump_line(struct str line)
{
	struct str id, name;
	uint64_t value;

	return take_spin_thread(line, &id, &name, &value);
}
