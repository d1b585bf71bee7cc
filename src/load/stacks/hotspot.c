/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thread dumps of HotSpot as text: jstack, jcmd Thread.print, kill -3, JMX; JRockit.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "load/decode.h"
#include "java.h"
#include "readers.h"
#include "text.h"

enum { NAME_LINES = 8 };	/* lines that the name of a thread may have */

enum part { PART_THREADS, PART_DEADLOCK, PART_AGAIN };

struct hotspot {
	struct dumps_in	*in;
	enum part	 part;
	struct str	 date, pid;	/* on lines before the dump */
	struct str	 lwp;		/* on a line before the thread, of jhsdb */
	uint32_t	 number;	/* number of the last deadlock in the dump */
	bool		 headed, closed;	/* the dump has a heading, an end mark */
	bool		 tids;			/* the dump has thread ids of the system */
	bool		 foreign;	/* frames are those of an exception in the log */
	bool		 relock, jhsdb;
	bool		 listing, heap;	/* lines are addresses of threads, or regions of the heap */
	uint64_t	 innermost;	/* jhsdb: last hold of the innermost frame, or UINT64_MAX */
};

/* ---- threads -------------------------------------------------------------------------------- */

static void
finish(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	struct hotspot *h = in->reader.state;

	jhsdb_finish(in, h->innermost);
	h->innermost = UINT64_MAX;
	if (t->want == WANT_WAIT || (t->want == WANT_LOCK && h->relock))
		dumps_gave_up(in);
	/* Old VMs: a notified thread wants its lock back. */
	if (t->want == WANT_WAIT && t->state == DSTATE_BLOCKED)
		t->want = WANT_LOCK;
	if ((dumps_marks(in, 1) & WAITING_SLEEPS) != 0)
		t->state = DSTATE_SLEEPING;
	java_truth(in);
	h->tids |= t->tid != 0;
	h->relock = false;
}

static void
end_dump(struct hotspot *h, bool last)
{
	struct dumps_in *in = h->in;
	bool open = in->in_thread && in->nstack > 0;

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
	struct str rest;
	size_t n = 0;

	end_dump(h, false);
	dumps_tell_words(in, head);
	dumps_begin(in, DUMP_HOTSPOT);
	dumps_when(in, h->date);
	h->headed = head.n > 0;
	h->closed = h->tids = false;
	h->part = PART_THREADS;
	h->number = 0;
	assert(in->bad || in->in_dump);
	str_number(&h->pid, &dumps_dump(in)->pid);
	h->date = h->pid = STR("");
	if (!scan(&head, "Full thread dump "))
		return;
	if (str_ends(head, ":"))
		head.n--;
	dumps_program(in, head);
	if (in->version.n > 0 || memchr(head.s, '(', head.n) == NULL)
		return;
	for (rest = text_after_last(head, '('); n < rest.n && (is_digit(rest.s[n]) || rest.s[n] == '.'); )
		n++;
	in->version = str_head(rest, n);
}

/* A header line; a name may have line ends. */
static bool
hotspot_take_thread(struct hotspot *h, struct str line)
{
	struct dumps_in *in = h->in;
	struct lines ahead = in->lines;
	struct str next, full = line;

	if (!hotspot_is_head(line)) {
		/* Text that ends as a report of a deadlock does is joined with nothing. */
		dumps_join_begin(in);
		dumps_join(in, line);
		for (int i = 0; i < NAME_LINES && !hotspot_is_head(full); i++) {
			if (!lines_next(&ahead, &next) || text_trim(next).n == 0 || next.s[0] == '"')
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

/* A header line of jstack -F. */
static bool
forced_thread(struct hotspot *h, struct str line)
{
	if (!jhsdb_is_head(line))
		return false;
	if (!h->in->in_dump || h->closed)
		hotspot_begin(h, STR(""));
	return jhsdb_head(h->in, line);
}

/* "java.lang.Thread.State: WAITING on C@7 owned by: "x"" */
static void
hotspot_state(struct dumps_in *in, struct str s)
{
	struct str word = s = text_trim(s), key, class, owner;
	enum dump_state state;

	while (s.n > 0 && ((s.s[0] >= 'A' && s.s[0] <= 'Z') || s.s[0] == '_'))
		s = str_after(s, 1);
	word.n -= s.n;
	if (word.n == 0)
		return;
	dumps_raw(in, (struct str){ word.s, word.n + s.n });
	state = java_state(word);
	in->t.state = str_has(s, STR("sleeping")) ? DSTATE_SLEEPING : state;
	if (!scan(&s, " on %w%_", &key) || (class = java_class(key)).n == 0)
		return;
	dumps_want(in, state == DSTATE_BLOCKED || java_park(class) == WANT_LOCK ? WANT_LOCK : WANT_WAIT, key,
	    class);
	if (!scan(&s, "owned by{:}%_"))
		return;
	owner = s;
	if (scan(&owner, "\"") && memrchr(owner.s, '"', owner.n) != NULL)
		owner = text_before_last(owner, '"');
	if (owner.n > 0)
		dumps_owner(in, OWNER_NAME, owner);
}

/* A carrier and its virtual thread are two threads. */
static bool
hotspot_virtual(struct dumps_in *in, struct str s)
{
	struct str whole = s, carrier = dumps_str(in, in->t.id);

	if (scan(&s, "Carrying virtual thread #")) {
		dumps_raw(in, whole);
		in->t.state = in->t.state == DSTATE_UNKNOWN ? DSTATE_CARRYING : in->t.state;
		return true;
	}
	if (!scan(&s, "Mounted virtual thread #"))
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
	if (scan(&s, "java.lang.Thread.State: "))
		hotspot_state(in, s);
	else if (s.s[0] == 'a' && !h->foreign && scan(&s, "at ")) {
		if (!java_frame(in, s, true))
			dumps_other(in);
	}
	else if (s.s[0] == '-' && !h->foreign && jhsdb_frame(in, s))
		h->jhsdb = true;
	else if (s.s[0] == '-' && !h->foreign && str_begins(s, "- ")) {
		in->count[DROP_LOCKS] += !java_lock_line(in, s, &h->relock);
		if (h->jhsdb && in->nstack == 1 && in->nholds > in->thread_holds)
			h->innermost = in->nholds - 1;
	}
	else if (!hotspot_virtual(in, s) && !str_begins(s, "Locked ") && !str_is(s, "No compile task") &&
	    !str_begins(s, "Compiling:") && !str_begins(s, "JavaThread state")) {
		in->count[DROP_CUT] += str_is(s, "...");
		in->t.flags |= str_is(s, "...") ? DUMP_CUT : 0;
		dumps_other(in);
	} else
		dumps_tell_words(in, s);
}

/* ---- deadlocks ----------------------------------------------------------------------------- */

/* "waiting to lock monitor 0x1 (object 0x2, a C)," or "waiting for ownable synchronizer 0x2, (a C),". */
static void
report_lock(struct dumps_in *in, struct str s)
{
	struct str key, class;

	if (scan(&s, "waiting to lock monitor %*t (object %t, a{n} ", &key) ||
	    scan(&s, "waiting to lock Monitor@%*t (Object@%t, a{n} ", &key) ||
	    scan(&s, "waiting for ownable synchronizer %t, (a{n}{ }", &key)) {
		class = str_until(s, ')');
		dumps_tell_name(in, class, "class");
		dumps_report_lock(in, key, java_dots(&in->text_buf, class));
	}
}

static void
deadlock_line(struct hotspot *h, struct str line)
{
	struct dumps_in *in = h->in;
	struct str s = text_trim(line), name, rest = s;

	dumps_tell_words(in, s);
	if (str_begins(s, "Java stack information")) {
		h->part = PART_AGAIN;
	} else if (line.n > 2 && line.s[0] == '"' && str_ends(line, "\":")) {
		dumps_report(in, h->number, (struct str){ line.s + 1, line.n - 3 });
	} else if (scan(&rest, "%*twhich is held by")) {
		if (scan(&rest, " \"%l\"", &name))
			dumps_report_holder(in, name);
		else
			in->count[DROP_OUTSIDE]++;
	} else
		report_lock(in, s);
}

static bool
hotspot_found(struct hotspot *h, struct str s)
{
	struct dumps_in *in = h->in;

	if (!scan(&s, "Found ") || !str_has(s, STR("deadlock")))
		return false;
	dumps_thread_end(in);
	if (!in->in_dump)
		hotspot_begin(h, STR(""));
	if (str_begins(s, "one ") || (str_begins(s, "a ") && !str_begins(s, "a total "))) {
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
	return s.n == 19 && s.s[4] == '-' && s.s[13] == ':' && text_time(s) != UINT64_MAX;
}

/* "0x00007f1c, 0x00007f2c," */
static bool
hotspot_addresses(struct dumps_in *in, struct str s)
{
	struct str address;

	while (scan(&s, "%h{,}%_", &address))
		dumps_tell_id(in, address);
	return s.n == 0;
}

/* "_java_thread_list=0x00007f1c, length=2, elements={" */
static bool
hotspot_list(struct dumps_in *in, struct str s)
{
	struct str address;

	if ((!scan(&s, "_java_thread_list=%h", &address) && !scan(&s, "_to_delete_list=%h", &address) &&
	    !scan(&s, "next-> %h", &address)) || !scan(&s, ", length=%*d, elements=") || !str_is(s, "{"))
		return false;
	dumps_tell_id(in, address);
	return true;
}

static bool
is_exception(struct str s)
{
	struct str word = s;
	size_t n = 0;

	while (n < s.n && (is_word(s.s[n]) || is_one_of(s.s[n], ".$")))
		n++;
	word.n = n;
	return str_begins(s, "Caused by:") || str_ends(word, "Exception") || str_ends(word, "Error");
}

/* Lines that every dump of a kind has around its threads: the table of threads, regions of the heap, banners. */
static bool
hotspot_form(struct hotspot *h, struct str s)
{
	bool head = hotspot_list(h->in, s);

	if (!head && !(h->listing && (str_is(s, "}") || hotspot_addresses(h->in, s))) && !h->heap && !banner_of_dump(s))
		return false;
	h->listing = head || (h->listing && !str_is(s, "}"));
	if (h->heap)
		dumps_tell_other(h->in);
	else
		dumps_tell_words(h->in, s);
	return true;
}

/* Lines that belong to no thread. */
static void
hotspot_between(struct hotspot *h, struct str s)
{
	struct dumps_in *in = h->in;

	if (str_begins(s, "JNI global ref") || str_is(s, "Heap")) {
		h->closed = true;
		h->heap = str_is(s, "Heap");
		dumps_thread_end(in);
		return;
	}
	if (hotspot_form(h, s))
		return;
	if (counts_line(&in->counts, s, in->lines.cut)) {
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
		h->heap = h->listing = false;
		(void)counts_line(&in->counts, s, false);
		return;
	}
	if (is_date(s)) {
		h->date = s;
		histogram_when(&in->counts, s);
		dumps_thread_end(in);
		return;
	}
	if (str_begins(s, "Full thread dump") || str_begins(s, "===== FULL THREAD DUMP")) {
		hotspot_begin(h, s);
		return;
	}
	if (hotspot_found(h, s))
		return;
	if (h->part == PART_DEADLOCK) {
		deadlock_line(h, line);
		return;
	}
	if (h->part == PART_AGAIN && !hotspot_is_head(line) && !jhsdb_is_head(line))
		return;
	h->part = PART_THREADS;
	if ((line.s[0] == '"' && hotspot_take_thread(h, line)) || forced_thread(h, line))
		return;
	if ((line.s[0] == '0' || line.s[0] == '-') && jhsdb_mixed(in, line, &h->lwp))
		return;
	h->heap = h->heap && is_blank(line.s[0]);
	/* A histogram behind a dump without an end does not belong to its last thread. */
	if (is_blank(line.s[0]) && in->in_thread && !str_begins(s, "num "))
		hotspot_detail(h, s);
	else
		hotspot_between(h, s);
}

void
hotspot_read(struct dumps_in *in)
{
	struct hotspot h = { .in = in, .date = STR(""), .pid = STR(""), .lwp = STR(""),
	    .innermost = UINT64_MAX };
	struct str line;

	in->reader = (struct in_reader){ finish, &h };
	while (dumps_line(in, &line))
		hotspot_line(&h, line);
	end_dump(&h, true);
	dumps_end(in);
	in->reader.state = NULL;
}
