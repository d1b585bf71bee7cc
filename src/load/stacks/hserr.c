/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of crashes of HotSpot, hs_err_pid.log: the thread that crashed with its frames, and all threads without.
 */
#include "config.h"

#include "icecore/name.h"
#include "icecore/scan.h"
#include "java.h"
#include "native.h"
#include "readers.h"
#include "text.h"

enum hserr_part { HSERR_NONE, HSERR_CAUSE, HSERR_FRAME, HSERR_TASK, HSERR_NATIVE, HSERR_JAVA, HSERR_THREADS };

struct hserr {
	struct dumps_in	*in;
	enum hserr_part	 part;
	struct str	 signal, frame;		/* why, and where */
	struct str	 vm, when;
	uint64_t	 pid, tid;
	bool		 listed;		/* the thread that crashed has a row */
	bool		 managed;		/* native frames have those of Java between them */
	bool		 parts, unended;	/* behind the heading of a part; that of a VM that ends with "END." */
};

static struct hserr
hserr_new(struct dumps_in *in)
{
	return (struct hserr){ .in = in, .signal = STR(""), .frame = STR(""), .vm = STR(""), .when = STR("") };
}

/* ---- frames ------------------------------------------------------------------------------------ */

/* "[libjvm.so+0x12]  f(int)+0x8  (f.cpp:7)" */
static void
hserr_native(struct dumps_in *in, struct str s)
{
	struct str module, f, place = STR(""), rest;

	if (!scan(&s, "[%t]%_", &module))
		return;
	module = str_until(module, '+');
	dumps_tell_name(in, module, "module");
	f = str_head(s, name_end(s));
	/* A function has an offset; other texts are none. */
	f.n = str_has(f, STR("+0x")) ? f.n : 0;
	rest = str_after(s, f.n);
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	if (f.n > 0 && scan(&rest, "  (%t)", &place))
		dumps_tell_name(in, place, "place");
	else
		place = STR("");
	s = f;
	if (scan(&s, "%l+0x%*x$", &rest))
		f = rest;
	if (f.n == 0)
		f = buf_set(&in->text_buf, STR("["), module, STR("]"));
	dumps_frame(in, f, place.n > 0 ? place : module, place.n == 0);
}

/* "12% c2 java.util.Map.get(I)V java.base@17 (3 bytes)", "java.util.Map.get(I)V+7" */
static void
hserr_managed(struct dumps_in *in, struct str s)
{
	struct str word, f;

	while (text_take_word(&s, &word)) {
		if (memchr(word.s, '(', word.n) == NULL && memchr(word.s, '.', word.n) == NULL)
			continue;
		f = str_until(word, '(');
		dumps_tell_name(in, f, "frame");
		dumps_frame(in, java_function(in, f), STR(""), false);
		return;
	}
}

/* A frame begins with its kind; false: another line. */
static bool
hserr_frame(struct hserr *h, struct str s)
{
	struct dumps_in *in = h->in;
	char kind = s.n > 1 && is_blank(s.s[1]) ? s.s[0] : '\0';
	struct str line = s;

	if (kind == '\0' || !is_one_of(kind, "VCvjJAa"))
		return false;
	s = str_skip_blanks(str_after(s, 1));
	dumps_tell_words(in, line);
	if (h->part == HSERR_JAVA && h->managed)
		return true;
	if (kind == 'V' || kind == 'C')
		hserr_native(in, s);
	else if (kind == 'v') {
		(void)scan(&s, "~");
		s = str_until(str_head(s, name_end(s)), ' ');
		dumps_frame(in, s, STR(""), false);
	} else {
		h->managed |= h->part == HSERR_NATIVE;
		hserr_managed(in, s);
	}
	return true;
}

/* ---- threads ------------------------------------------------------------------------------------ */

static enum dump_state
hserr_state(struct str s)
{
	static const struct dump_words states[] = {
		{ DSTATE_NATIVE, "_thread_in_native" }, { DSTATE_RUNNING, "_thread_in_vm|_thread_in_Java" },
		{ DSTATE_WAITING, "_thread_blocked" }, { DSTATE_NEW, "_thread_new|_thread_uninitialized" },
		{ DSTATE_UNKNOWN, NULL }
	};

	return dumps_state(s, str_has_prefix, states);
}

/* The dump of the report, with why it was made. */
static void
hserr_begin(struct hserr *h)
{
	struct dumps_in *in = h->in;

	dumps_begin(in, DUMP_HSERR);
	dumps_dump(in)->pid = h->pid;
	dumps_program(in, h->vm);
	if (h->when.n > 0)
		dumps_when(in, text_trim(h->when));
	dumps_reason(in, h->signal, false);
}

/* 'JavaThread "main" daemon [_thread_in_vm, id=7, stack(0x1,0x2)]', 'VMThread [stack: 0x1,0x2] [id=8]' */
static bool
hserr_thread(struct hserr *h, struct str s, const char *at)
{
	struct dumps_in *in = h->in;
	struct str line = s, name, state, raw = STR("");
	uint64_t tid = 0;
	bool daemon;

	if (!scan(&s, "%w%_", &name) || !str_has(s, STR("[")))
		return false;
	(void)scan(&s, "{\"%l\"}%_", &state);
	name = state.n > 0 ? state : name;
	if (!scan(&s, "%_{daemon }?%_[", &daemon))
		return false;
	state = str_head(s, str_until(s, ',').n);
	raw = str_begins(state, "_thread") ? state : STR("");
	(void)text_number_after(s, STR("id="), &tid);
	dumps_tell_words(in, line);
	/* The thread that crashed is listed again. */
	if (h->listed && tid == h->tid) {
		dumps_tell(in, name, MEANT_WHO, "thread");
		return true;
	}
	dumps_thread(in, name, at);
	in->t.tid = tid;
	in->t.flags |= daemon ? DUMP_DAEMON : 0;
	dumps_raw(in, raw);
	in->t.state = hserr_state(raw);
	return true;
}

/* "=>0x00007f0 JavaThread ..." in a list. */
static bool
hserr_listed(struct hserr *h, struct str line)
{
	struct str s = str_skip_blanks(line);

	(void)scan(&s, "{=>}");
	return scan(&s, "0x%*x ") && hserr_thread(h, s, line.s);
}

/* "Current thread (0x1):  JavaThread "main" [_thread_in_vm, id=7, ...]" */
static bool
hserr_current(struct hserr *h, struct str line)
{
	struct str s = line;

	if (!scan(&s, "Current thread "))
		return false;
	hserr_begin(h);
	if (!scan(&s, "(0x%*x):%_") || !hserr_thread(h, s, line.s)) {
		dumps_thread(h->in, STR(""), line.s);
		h->in->t.tid = h->tid;
		dumps_tell_words(h->in, line);
	}
	h->tid = h->in->t.tid;
	h->listed = true;
	return true;
}

/* ---- lines --------------------------------------------------------------------------------------- */

/* Another report may follow. */
static void
hserr_close(struct hserr *h)
{
	dumps_end(h->in);
	h->in->count[DROP_NO_END] += h->unended;
	*h = hserr_new(h->in);
}

/* "#  SIGSEGV (0xb) at pc=0x1, pid=7, tid=8" and what follows in the head. */
static bool
hserr_head(struct hserr *h, struct str line)
{
	struct str s = line, rest;

	if (!scan(&s, "#"))
		return false;
	s = text_trim(s);
	if (str_begins(s, "A fatal error has been detected by the Java")) {
		hserr_close(h);
		h->part = HSERR_CAUSE;
	} else if (str_begins(s, "There is insufficient memory for the Java")) {
		hserr_close(h);
		h->signal = s;
	} else if (h->part == HSERR_CAUSE && s.n > 0) {
		h->signal = scan(&s, "%t at pc=", &rest) ? rest : s;
		h->part = HSERR_NONE;
	} else if (str_is(s, "Problematic frame:"))
		h->part = HSERR_FRAME;
	else if (h->part == HSERR_FRAME && s.n > 0) {
		h->frame = s;
		h->part = HSERR_NONE;
	} else if (scan(&s, "Java VM: "))
		h->vm = s;
	(void)text_number_after(line, STR(" pid="), &h->pid);
	(void)text_number_after(line, STR(" tid="), &h->tid);
	dumps_tell_words(h->in, line);
	return true;
}

/* Headings of the parts; false: another line. */
static bool
hserr_part(struct hserr *h, struct str line)
{
	static const struct { const char *word; enum hserr_part part; } parts[] = {
		{ "Current CompileTask:", HSERR_TASK }, { "Native frames:", HSERR_NATIVE },
		{ "Java frames:", HSERR_JAVA }, { "Java Threads:", HSERR_THREADS },
		{ "Other Threads:", HSERR_THREADS },
	};
	struct str s = line;

	for (size_t i = 0; i < NELEM(parts); i++)
		if (str_has_prefix(line, str_of(parts[i].word))) {
			h->part = parts[i].part;
			dumps_tell_words(h->in, line);
			return true;
		}
	if (scan(&s, "Time: %t elapsed", &h->when) || scan(&s, "time: %t", &h->when)) {
		dumps_tell_words(h->in, line);
		/* Old VMs write it at the end. */
		if (h->in->in_dump)
			dumps_when(h->in, text_trim(h->when));
		return true;
	}
	if (!scan(&s, "VM_Operation (0x%*x): ") || !h->in->in_thread)
		return false;
	dumps_raw(h->in, s);
	dumps_tell_words(h->in, line);
	return true;
}

static void
hserr_line(struct hserr *h, struct str line)
{
	struct str s = text_trim(line);
	bool frames = h->part == HSERR_NATIVE || h->part == HSERR_JAVA;

	/* The method that the thread compiled. */
	if (h->part == HSERR_TASK && s.n > 0 && h->in->in_thread) {
		dumps_raw(h->in, s);
		h->part = HSERR_NONE;
		return;
	}
	if (s.n == 0 || hserr_head(h, line) || hserr_current(h, s) || hserr_part(h, s) ||
	    (frames && h->in->in_thread && hserr_frame(h, s)) ||
	    (h->part == HSERR_THREADS && hserr_listed(h, line)))
		return;
	if (h->part == HSERR_THREADS)
		dumps_thread_end(h->in);
	if (frames || h->part == HSERR_THREADS)
		h->part = HSERR_NONE;
	if (str_has_prefix(s, STR("---------------  "))) {
		h->parts = true;
		h->unended |= str_has(s, STR("S U M M A R Y"));	/* from JDK 9 on */
	}
	if (h->parts)
		dumps_context(h->in);
	else
		dumps_other(h->in);
	if (str_is(s, "END."))
		h->parts = h->unended = false;
}

/* A log has the head alone: one thread with the frame in it. */
static void
hserr_end(struct hserr *h)
{
	struct str s = h->frame;

	if (h->in->in_dump || h->signal.n == 0)
		return;
	hserr_begin(h);
	dumps_thread(h->in, STR(""), h->signal.s);
	h->in->t.tid = h->tid;
	h->part = HSERR_NATIVE;
	(void)hserr_frame(h, s);
}

void
hserr_read(struct dumps_in *in)
{
	struct hserr h = hserr_new(in);
	struct str line;

	while (dumps_line(in, &line))
		hserr_line(&h, line);
	hserr_end(&h);
	hserr_close(&h);
}
