/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of jhsdb jstack and of jstack -F, which read the memory of a JVM from outside.
 */
#include "config.h"

#include "icecore/name.h"
#include "icecore/scan.h"
#include "java.h"
#include "text.h"

bool
jhsdb_is_head(struct str s)
{
	return scan(&s, "Thread %*d: (state = ");
}

bool
jhsdb_head(struct dumps_in *in, struct str line)
{
	static const struct dump_words states[] = {
		{ DSTATE_NATIVE, "IN_NATIVE" }, { DSTATE_RUNNING, "IN_JAVA|IN_VM" }, { DSTATE_NEW, "NEW" },
		{ DSTATE_WAITING, "BLOCKED" }, { DSTATE_UNKNOWN, NULL }
	};
	struct str s = line, number, state;

	if (!scan(&s, "Thread %d: (state = %t)", &number, &state))
		return false;
	dumps_thread(in, STR(""), line.s);
	dumps_id(in, number);
	(void)str_number(&number, &in->t.tid);
	dumps_raw(in, state);
	in->t.state = dumps_state(state, str_has_prefix, states);
	return true;
}

bool
jhsdb_frame(struct dumps_in *in, struct str s)
{
	struct str f, rest, number = STR(""), args, place = STR("");

	if (!scan(&s, "- %t @bci=", &f) || !in->in_thread)
		return false;
	rest = s;
	if (scan(&rest, "%*d, line=%d", &number))
		place = (struct str){ number.s - strlen("line="), number.n + strlen("line=") };
	dumps_tell_words(in, s);
	dumps_tell_name(in, f, "frame");
	text_cut_args(f, &f, &args);
	dumps_frame(in, java_function(in, f), place, false);
	return true;
}

bool
jhsdb_mixed(struct dumps_in *in, struct str line, struct str *lwp)
{
	struct str s = line, f, args, number, place = STR("");

	if (scan(&s, "----------------- %d -----------------$", &number)) {
		dumps_thread_end(in);
		dumps_tell_words(in, line);
		*lwp = number;
		return true;
	}
	if (!in->in_dump || (!in->in_thread && lwp->n == 0) || !scan(&s, "0x%*x\t"))
		return false;
	if (!in->in_thread) {
		/* Threads of the VM have no header. */
		dumps_thread(in, STR(""), line.s);
		dumps_id(in, *lwp);
		(void)str_number(lwp, &in->t.tid);
	}
	dumps_tell_words(in, line);
	if (!scan(&s, "* ")) {
		f = str_head(s, name_end(s));
		s = str_after(s, f.n);
		dumps_frame(in, f, place, false);
		(void)scan(&s, " + 0x%*x");
		dumps_tell(in, s, MEANT_TEXT, "text after a frame");
		return true;
	}
	if (!scan(&s, "%t bci:%*d{ line:%d}", &f, &number))
		return false;
	if (number.n > 0)
		place = (struct str){ number.s - strlen("line:"), number.n + strlen("line:") };
	dumps_tell_name(in, f, "frame");
	text_cut_args(f, &f, &args);
	dumps_frame(in, java_function(in, f), place, false);
	return true;
}

void
jhsdb_finish(struct dumps_in *in, uint64_t wanted)
{
	const struct in_lock *lock;

	if (in->t.state != DSTATE_BLOCKED || in->t.want != WANT_NOTHING || wanted >= in->nholds)
		return;
	lock = &SCRATCH(in->locks, struct in_lock)[SCRATCH(in->holds, struct in_hold)[wanted].lock - 1];
	dumps_want(in, WANT_LOCK, dumps_str(in, lock->key), dumps_str(in, lock->class));
	dumps_gave_up(in);
}
