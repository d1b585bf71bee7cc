/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thread dumps of HotSpot as text: jstack, jcmd Thread.print, kill -3, JMX; JRockit.
 */
#include "config.h"

#include <assert.h>

#include "java.h"
#include "readers.h"
#include "text.h"

enum { NAME_LINES = 8 };	/* lines that the name of a thread may have */

enum part { PART_THREADS, PART_DEADLOCK, PART_AGAIN };

struct hotspot {
	struct dumps_in	*in;
	enum part	 part;
	struct str	 date, pid;	/* on lines before the dump */
	uint32_t	 number;	/* of the last deadlock in the dump */
	bool		 headed, closed;	/* of the dump: it has a heading, its end mark */
	bool		 tids;			/* it has ids of the system */
	bool		 foreign;	/* frames are those of an exception in the log */
	bool		 relock;
};

/* ---- threads -------------------------------------------------------------------------------- */

static void
hotspot_finish(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	struct hotspot *h = in->reader;

	if (t->want == WANT_WAIT || (t->want == WANT_LOCK && h->relock))
		dumps_gave_up(in);
	/* Old VMs: a notified thread wants its lock back. */
	if (t->want == WANT_WAIT && t->state == DSTATE_BLOCKED)
		t->want = WANT_LOCK;
	if ((dumps_marks(in, 1) & FRAME_SLEEPS) != 0)
		t->state = DSTATE_SLEEPING;
	java_truth(in);
	h->tids |= t->tid != 0;
	h->relock = false;
}

static void
hotspot_end_dump(struct hotspot *h, bool last)
{
	struct dumps_in *in = h->in;
	bool open = in->in_thread && in->nopen > 0;

	if (!in->in_dump)
		return;
	if (h->headed && !h->closed && last && open)
		in->t.flags |= DUMP_CUT;
	dumps_thread_end(in);
	in->count[DROP_NO_END] += h->headed && !h->closed && h->tids && dumps_dump(in)->first < in->nthreads;
}

static void
hotspot_begin(struct hotspot *h, struct str head)
{
	struct dumps_in *in = h->in;
	struct str name, rest;
	uint64_t pid;

	hotspot_end_dump(h, false);
	dumps_tell_words(in, head);
	dumps_begin(in, DUMP_HOTSPOT, h->date);
	h->headed = head.n > 0;
	h->closed = h->tids = false;
	h->part = PART_THREADS;
	h->number = 0;
	assert(in->bad || in->in_dump);
	if (str_number(&h->pid, &pid))
		dumps_dump(in)->pid = pid;
	h->date = h->pid = STR("");
	if (!str_take(&head, STR("Full thread dump ")))
		return;
	if (str_has_suffix(head, STR(":")))
		head.n--;
	dumps_dump(in)->program = dumps_text(in, head).ref;
	if (in->version.n == 0 && str_divide_last(head, '(', &name, &rest)) {
		size_t n = 0;

		while (n < rest.n && (is_digit(rest.s[n]) || rest.s[n] == '.'))
			n++;
		in->version = str_head(rest, n);
	}
}

/* A header line; a name may have line ends. */
static bool
hotspot_take_thread(struct hotspot *h, struct str line)
{
	struct dumps_in *in = h->in;
	struct dump_lines ahead = in->lines;
	struct str next, full = line;

	if (!hotspot_is_head(line)) {
		/* Text that ends as a report of a deadlock does is joined with nothing. */
		dumps_join_begin(in);
		dumps_join(in, line);
		for (int i = 0; i < NAME_LINES && !hotspot_is_head(full); i++) {
			if (!dump_lines_next(&ahead, &next) || text_trim(next).n == 0 || next.s[0] == '"')
				return false;
			buf_chr(&in->name_buf, ' ');
			dumps_join(in, next);
			full = buf_view(&in->name_buf);
		}
		if (in->name_buf.bad || !hotspot_is_head(full))
			return false;
		in->lines = ahead;
	}
	if (!in->in_dump || h->closed)
		hotspot_begin(h, STR(""));
	h->part = PART_THREADS;
	h->foreign = false;
	return hotspot_head(in, full, line.s);
}

/* "java.lang.Thread.State: WAITING on C@7 owned by: "x"" */
static void
hotspot_state(struct dumps_in *in, struct str s)
{
	struct in_thread *t = &in->t;
	size_t n = 0;
	struct str word, key, class;

	s = text_trim(s);
	while (n < s.n && ((s.s[n] >= 'A' && s.s[n] <= 'Z') || s.s[n] == '_'))
		n++;
	word = str_head(s, n);
	if (n == 0)
		return;
	dumps_raw(in, s);
	s = str_behind(s, n);
	t->state = (uint8_t)(str_has(s, STR("sleeping")) ? DSTATE_SLEEPING : java_state(word));
	if (!str_take(&s, STR(" on ")) || !text_take_word(&s, &key) || (class = java_class(key)).n == 0)
		return;
	dumps_want(in, java_state(word) == DSTATE_BLOCKED ? WANT_LOCK : java_park(class) == WANT_LOCK ? WANT_LOCK : WANT_WAIT, key, class);
	if (!str_take(&s, STR("owned by")))
		return;
	str_take(&s, STR(":"));
	s = str_skip_blanks(s);
	if (str_take(&s, STR("\"")) && memrchr(s.s, '"', s.n) != NULL)
		s = text_before_last(s, '"');
	if (s.n > 0)
		dumps_owner(in, OWNER_NAME, s);
}

/* A carrier and its virtual thread are two threads. */
static bool
hotspot_virtual(struct dumps_in *in, struct str s)
{
	struct str whole = s, carrier = dumps_str(in, in->t.id, in->t.id_own);

	if (str_take(&s, STR("Carrying virtual thread #"))) {
		dumps_raw(in, whole);
		in->t.state = in->t.state == DSTATE_UNKNOWN ? DSTATE_CARRYING : in->t.state;
		return true;
	}
	if (!str_take(&s, STR("Mounted virtual thread #")))
		return false;
	dumps_thread(in, STR(""), whole.s);
	dumps_id(in, str_head(s, str_digits(s)));
	dumps_raw(in, STR("mounted"));
	in->t.flags |= DUMP_VIRTUAL;
	in->t.state = DSTATE_RUNNING;
	in->t.parent = dumps_text(in, carrier).ref;
	return true;
}

static void
hotspot_detail(struct hotspot *h, struct str s)
{
	struct dumps_in *in = h->in;

	assert(in->in_thread && s.n > 0);
	if (str_take(&s, STR("java.lang.Thread.State: ")))
		hotspot_state(in, s);
	else if (s.s[0] == 'a' && !h->foreign && str_take(&s, STR("at ")))
		java_frame(in, s);
	else if (s.s[0] == '-' && !h->foreign && str_has_prefix(s, STR("- ")))
		in->count[DROP_LOCKS] += !java_lock_line(in, s, &h->relock);
	else if (!hotspot_virtual(in, s) && !str_has_prefix(s, STR("Locked ")) && !str_eq(s, STR("No compile task")) &&
	    !str_has_prefix(s, STR("Compiling:")) && !str_has_prefix(s, STR("JavaThread state"))) {
		in->count[DROP_CUT] += str_eq(s, STR("..."));
		in->t.flags |= str_eq(s, STR("...")) ? DUMP_CUT : 0;
		dumps_other(in);
	} else
		dumps_tell_words(in, s);
}

/* ---- deadlocks ----------------------------------------------------------------------------- */

/* "waiting to lock monitor 0x1 (object 0x2, a C)," or "waiting for ownable synchronizer 0x2, (a C),". */
static void
hotspot_told_lock(struct dumps_in *in, struct str s)
{
	struct str before, rest, key, class;

	if (str_take(&s, STR("waiting to lock monitor "))) {
		if (!str_divide(s, STR(" (object "), &before, &rest))
			return;
		key = str_until(rest, ',');
		rest = str_behind(rest, key.n);
		if (!str_take(&rest, STR(", a ")) && !str_take(&rest, STR(", an ")))
			return;
	} else if (str_take(&s, STR("waiting for ownable synchronizer "))) {
		if (!str_divide(s, STR(", (a"), &key, &rest))
			return;
		str_take(&rest, STR("n"));
		str_take(&rest, STR(" "));
	} else
		return;
	class = str_until(rest, ')');
	dumps_told_lock(in, key, class);
}

static void
hotspot_deadlock_line(struct hotspot *h, struct str line)
{
	struct dumps_in *in = h->in;
	struct str s = text_trim(line), before, name;

	dumps_tell_words(in, s);
	if (str_has_prefix(s, STR("Java stack information"))) {
		h->part = PART_AGAIN;
	} else if (line.n > 2 && line.s[0] == '"' && str_has_suffix(line, STR("\":"))) {
		dumps_told(in, h->number, (struct str){ line.s + 1, line.n - 3 });
	} else if (str_divide(s, STR("which is held by"), &before, &name)) {
		if (str_take(&name, STR(" \"")) && memrchr(name.s, '"', name.n) != NULL)
			dumps_told_holder(in, text_before_last(name, '"'));
		else
			in->count[DROP_OUTSIDE]++;
	} else
		hotspot_told_lock(in, s);
}

static bool
hotspot_found(struct hotspot *h, struct str s)
{
	struct dumps_in *in = h->in;

	if (!str_take(&s, STR("Found ")) || !str_has(s, STR("deadlock")))
		return false;
	dumps_thread_end(in);
	if (!in->in_dump)
		hotspot_begin(h, STR(""));
	if (str_has_prefix(s, STR("one ")) || str_has_prefix(s, STR("a "))) {
		h->part = PART_DEADLOCK;
		h->number++;
	} else
		h->part = PART_THREADS;
	return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool
is_date(struct str s)
{
	return s.n == 19 && s.s[4] == '-' && s.s[13] == ':' && dumps_time(s) != UINT64_MAX;
}

static bool
is_exception(struct str s)
{
	struct str word = s;
	size_t n = 0;

	while (n < s.n && (is_digit(s.s[n]) || (unsigned char)((s.s[n] | 32) - 'a') < 26 || is_one_of(s.s[n], "_.$")))
		n++;
	word.n = n;
	return str_has_prefix(s, STR("Caused by:")) || str_has_suffix(word, STR("Exception")) || str_has_suffix(word, STR("Error"));
}

static bool
is_histogram(struct str s)
{
	struct str row = s;

	if (str_take(&row, STR("num")))
		return str_has_prefix(row, STR(" ")) && str_has_prefix(str_skip_blanks(row), STR("#instances"));
	if (s.s[0] == '-') {
		while (row.n > 0 && row.s[0] == '-')
			row = str_behind(row, 1);
		return row.n == 0 && s.n >= 20;
	}
	for (int i = 0; i < 3; i++) {
		if (!text_take_digits(&row) || (i == 0 && !str_take(&row, STR(":"))) || row.n == 0 || row.s[0] != ' ')
			return false;
		row = str_skip_blanks(row);
	}
	return row.n > 0;
}

/* Lines that belong to no thread. */
static void
hotspot_between(struct hotspot *h, struct str s)
{
	struct dumps_in *in = h->in;

	if (str_has_prefix(s, STR("JNI global ref")) || str_eq(s, STR("Heap"))) {
		h->closed = true;
		dumps_thread_end(in);
		return;
	}
	if (is_histogram(s)) {
		in->count[DROP_HISTOGRAM] += in->in_dump && is_digit(s.s[0]);
		dumps_tell_words(in, s);
		dumps_thread_end(in);
		return;
	}
	h->foreign |= is_exception(s);
	if (s.n > 1 && s.s[s.n - 1] == ':' && text_all_digits(str_head(s, s.n - 1)))
		h->pid = str_head(s, s.n - 1);
	else
		dumps_other(in);
}

static void
hotspot_line(struct hotspot *h, struct str line)
{
	struct dumps_in *in = h->in;
	struct str s = text_trim(line);

	if (s.n == 0) {
		h->foreign = h->part == PART_THREADS ? false : h->foreign;
		return;
	}
	if (is_date(s)) {
		h->date = s;
		dumps_thread_end(in);
		return;
	}
	if (str_has_prefix(s, STR("Full thread dump")) || str_has_prefix(s, STR("===== FULL THREAD DUMP"))) {
		hotspot_begin(h, s);
		return;
	}
	if (hotspot_found(h, s))
		return;
	if (h->part == PART_DEADLOCK) {
		hotspot_deadlock_line(h, line);
		return;
	}
	if (h->part == PART_AGAIN && !hotspot_is_head(line))
		return;
	h->part = PART_THREADS;
	if (line.s[0] == '"' && hotspot_take_thread(h, line))
		return;
	if (is_blank(line.s[0]) && in->in_thread)
		hotspot_detail(h, s);
	else
		hotspot_between(h, s);
}

void
hotspot_read(struct dumps_in *in)
{
	struct hotspot h = { .in = in, .date = STR(""), .pid = STR("") };
	struct str line;

	in->reader = &h;
	in->marks = java_marks;
	in->finish = hotspot_finish;
	while (dumps_line(in, &line))
		hotspot_line(&h, line);
	hotspot_end_dump(&h, true);
	dumps_end(in);
	in->reader = NULL;
}
