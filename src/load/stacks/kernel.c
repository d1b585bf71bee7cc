/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linux: reports of hung tasks, SysRq-t and -w, /proc/PID/stack.
 */
#include "config.h"

#include "readers.h"
#include "text.h"

struct kernel {
	struct dumps_in	*in;
	struct str	 hung, seconds;		/* task of the last report, and for how long it hangs */
	struct str	 blocked, what, owner;	/* the last task that is blocked on what another one owns, until it is found */
	bool		 open;			/* frames belong to the task */
};

static enum dump_state
kernel_state(char c)
{
	static const enum dump_state states[128] = { ['R'] = DSTATE_RUNNING, ['S'] = DSTATE_WAITING, ['D'] = DSTATE_BLOCKED,
	    ['T'] = DSTATE_SUSPENDED, ['t'] = DSTATE_SUSPENDED, ['Z'] = DSTATE_ENDED, ['X'] = DSTATE_ENDED, ['I'] = DSTATE_WAITING };

	return states[(unsigned char)c & 127];
}

/* Without "<6>", the time "[   12.3]" and the caller "[ T12]" of a log. */
static struct str
kernel_text(struct str line)
{
	struct str s = line, before, rest;
	uint64_t v;

	if (str_divide(s, STR(" kernel: "), &before, &rest))
		s = rest;
	rest = s;
	if (str_take(&rest, STR("<")) && rest.n > 1 && is_digit(rest.s[0]) && rest.s[1] == '>')
		s = str_behind(rest, 2);
	rest = s;
	if (!str_take(&rest, STR("[")))
		return s;
	rest = str_skip_blanks(rest);
	if (!str_number(&rest, &v) || !str_take(&rest, STR(".")) || !text_take_digits(&rest) || !str_take(&rest, STR("]")))
		return s;
	s = rest;
	if (str_take(&rest, STR("[")) && (rest = str_skip_blanks(rest)).n > 0 && (rest.s[0] == 'T' || rest.s[0] == 'C')) {
		rest = str_behind(rest, 1);
		if (text_take_digits(&rest) && str_take(&rest, STR("]")))
			s = rest;
	}
	str_take(&s, STR(" "));
	return s;
}

/* The stamp of a line: the time stays, and "kernel" behind the name of a machine. */
static void
kernel_tell_stamp(struct dumps_in *in, struct str stamp)
{
	struct str before, rest = stamp;

	if (str_divide(stamp, STR(" kernel: "), &before, &rest))
		dumps_tell(in, str_head(str_behind(stamp, before.n), 9), MEANT_FORM, "stamp");
	dumps_tell(in, rest, MEANT_FORM, "stamp");
}

/* ---- owners ----------------------------------------------------------------------------------- */

/* The line of the owner comes before or after the task that waits. */
static void
kernel_owner(struct kernel *k)
{
	struct dumps_in *in = k->in;
	struct in_thread *t;

	if (k->blocked.n == 0)
		return;
	dumps_thread_end(in);
	if ((t = dumps_of_number(in, k->blocked)) == NULL)
		return;
	t->lock = dumps_lock(in, STR(""), k->what);
	t->want = WANT_LOCK;
	t->owner_kind = OWNER_TID;
	t->owner = dumps_owner_key(OWNER_TID, k->owner);
	in->owned = true;
	k->blocked = STR("");
}

/* ---- tasks ------------------------------------------------------------------------------------ */

static void
kernel_task(struct kernel *k, struct str name, struct str state, struct str pid, const char *at)
{
	struct dumps_in *in = k->in;
	struct str digits = pid;
	uint64_t v;

	kernel_owner(k);
	if (!in->in_dump || dumps_repeats(in, pid)) {
		dumps_begin(in, DUMP_KERNEL, STR(""));
		dumps_repeats(in, pid);
	}
	dumps_thread(in, name, at);
	dumps_tell_id(in, pid);
	if (!in->in_thread)
		return;
	str_number(&digits, &in->t.tid);
	if (state.n > 0) {
		dumps_raw(in, state);
		in->t.state = (uint8_t)kernel_state(state.s[0]);
	}
	if (str_eq(k->hung, pid) && str_number(&k->seconds, &v) && v < UINT32_MAX)
		in->t.elapsed = v * 1000000000;
	k->open = true;
}

/* "task:NAME state:D stack:0 pid:7 tgid:7 ppid:2" */
static bool
kernel_head(struct kernel *k, struct str line)
{
	struct str s = line, name, state, rest, pid;

	if (!str_take(&s, STR("task:")) || !str_divide(s, STR(" state:"), &name, &rest) || rest.n < 2)
		return false;
	state = str_head(rest, 1);
	if (!str_divide(rest, STR(" pid:"), &s, &pid))
		return false;
	pid = str_skip_blanks(pid);
	pid = str_head(pid, str_digits(pid));
	if (pid.n == 0 || !str_has(rest, STR("ppid:")))
		return false;
	kernel_task(k, text_trim(name), state, pid, line.s);
	return true;
}

/* "NAME   D 0000000000000000     0  7   2 0x00000000", before Linux 5. */
static bool
kernel_old_head(struct kernel *k, struct str line)
{
	enum { NAME = 16 };
	struct str s, word, pid, number;
	uint64_t v;

	for (size_t i = 1; i <= NAME && i + 2 < line.n; i++) {
		if (line.s[i] != ' ')
			continue;
		s = str_behind(line, i);
		while (s.n > 0 && s.s[0] == ' ')
			s = str_behind(s, 1);
		if (s.n < 2 || s.s[1] != ' ' || !is_one_of(s.s[0], "RSDTtZXIKWP") || is_blank(line.s[0]))
			continue;
		word = str_head(s, 1);
		s = str_skip_blanks(str_behind(s, 1));
		number = str_behind(s, str_hexes(s));
		if (s.n - number.n >= 8 && s.n - number.n <= 16)
			s = str_skip_blanks(number);
		if (!text_take_digits(&s))
			continue;
		pid = s = str_skip_blanks(s);
		if (!text_take_digits(&s))
			continue;
		pid.n -= s.n;
		s = str_skip_blanks(s);
		if (!text_take_digits(&s))
			continue;
		s = str_skip_blanks(s);
		if (!text_take_hex(&s, &v))
			continue;
		kernel_task(k, text_trim(str_head(line, i)), word, pid, line.s);
		dumps_tell(k->in, (struct str){ word.s, (size_t)(s.s - word.s) }, MEANT_FORM, "task");
		return true;
	}
	return false;
}

/* "NAME:7" at the last colon: names may have colons. */
static bool
take_task(struct dumps_in *in, struct str s, struct str *name, struct str *pid)
{
	if (!str_divide_last(s, ':', name, pid) || !text_all_digits(*pid))
		return false;
	dumps_tell(in, *name, MEANT_WHO, "task");
	dumps_tell_id(in, *pid);
	return true;
}

/* "INFO: task NAME:7 blocked for more than 120 seconds.", "... is blocked on a mutex likely owned by task B:2." */
static bool
kernel_info(struct kernel *k, struct str line)
{
	struct dumps_in *in = k->in;
	struct str before, s, task, rest, name, pid, what, owner;

	if (!str_divide(line, STR("INFO: task "), &before, &s))
		return false;
	if (str_divide(s, STR(" blocked for more than "), &task, &rest) && take_task(in, task, &name, &pid)) {
		k->hung = pid;
		k->seconds = str_head(rest, str_digits(rest));
		kernel_owner(k);
		dumps_thread_end(in);
		if (!in->in_dump)
			dumps_begin(in, DUMP_KERNEL, STR(""));
		dumps_reason(in, str_behind(line, before.n), dumps_of_number(in, pid) != NULL);
		k->open = false;
		return true;
	}
	if (!str_divide(s, STR(" is blocked on a"), &task, &rest))
		return false;
	if (str_divide(task, STR(" <"), &before, &owner))
		task = before;
	str_take(&rest, STR("n"));
	str_take(&rest, STR(" "));
	what = str_until(str_until(rest, ' '), ',');
	if (!take_task(in, task, &name, &pid) || (!str_has(rest, STR("likely")) && !str_has(rest, STR("but the owner"))) ||
	    !str_divide(str_behind(rest, what.n), STR("task "), &before, &owner))
		return true;
	while (owner.n > 0 && !is_digit(owner.s[owner.n - 1]))
		owner.n--;
	if (take_task(in, owner, &name, &owner))
		k->blocked = pid;
	k->what = what;
	k->owner = owner;
	k->open = false;
	kernel_owner(k);
	return true;
}

/* A file of /proc, as tools print its name. */
static bool
kernel_file(struct kernel *k, struct str s, const char *at)
{
	struct dumps_in *in = k->in;
	struct str pid, name = STR("");
	bool equals = str_take(&s, STR("== ")) || str_take(&s, STR("==> "));

	if (!str_take(&s, STR("/proc/")))
		return false;
	pid = str_head(s, str_digits(s));
	s = str_behind(s, pid.n);
	if (pid.n == 0 || !str_take(&s, STR("/")))
		return false;
	if (str_take(&s, STR("task/"))) {
		pid = str_head(s, str_digits(s));
		s = str_behind(s, pid.n);
		if (pid.n == 0)
			return false;
		str_take(&s, STR("/"));
	}
	if (equals && str_take(&s, STR(" ")))
		name = s;
	else if (!str_take(&s, STR("stack")) || (s.n > 0 && !str_eq(s, STR(" <=="))))
		return false;
	if (!in->in_dump)
		dumps_begin(in, DUMP_KERNEL, STR(""));
	k->hung = STR("");
	kernel_task(k, name, STR(""), pid, at);
	return true;
}

/* ---- frames ------------------------------------------------------------------------------------- */

static bool
take_address(struct dumps_in *in, struct str *s)
{
	struct str rest = *s, address;

	if (!str_take(&rest, STR("[<")))
		return false;
	address = str_head(rest, str_hexes(rest));
	rest = str_behind(rest, address.n);
	if (!str_take(&rest, STR(">] ")))
		return false;
	dumps_tell_id(in, address);
	*s = rest;
	return true;
}

/* "[<0>] f+0x1/0x2 [module]", "? f+0x1/0x2", "f a.c:9 [inline]" */
static bool
kernel_frame(struct kernel *k, struct str s, const char *at)
{
	struct dumps_in *in = k->in;
	struct str f, rest = s, module = STR("[kernel]"), before;
	bool addressed = take_address(in, &rest), unsure = str_take(&rest, STR("? "));
	uint64_t v;
	size_t n = 0;

	take_address(in, &rest);
	while (n < rest.n && (is_digit(rest.s[n]) || (unsigned char)((rest.s[n] | 32) - 'a') < 26 || rest.s[n] == '_' || rest.s[n] == '.'))
		n++;
	f = str_head(rest, n);
	rest = str_behind(rest, n);
	if (n == 0)
		return false;
	if (str_take(&rest, STR("+")) && text_take_hex(&rest, &v) && str_take(&rest, STR("/")) && text_take_hex(&rest, &v)) {
		if (!k->open && addressed && !in->in_dump) {
			/* A stack of /proc without the name of its file. */
			dumps_begin(in, DUMP_KERNEL, STR(""));
			kernel_task(k, STR(""), STR(""), STR(""), at);
		}
		if (!k->open)
			return false;
		if (str_take(&rest, STR(" [")) && str_divide(rest, STR("]"), &before, &rest))
			module = before;
		if (unsure) {
			dumps_tell_name(in, f, "function");
			dumps_tell_name(in, module, "place");
			in->count[DROP_UNRELIABLE]++;
		} else
			dumps_frame(in, f, module, true);
		return true;
	}
	if (!k->open || !str_has_suffix(s, STR(" [inline]")) || s.s != f.s)
		return false;
	dumps_frame(in, f, module, true);
	return true;
}

/* A line behind the frames of a task. */
static bool
kernel_ends(struct dumps_in *in, struct str s)
{
	static const struct str begins[] = { STR("</TASK>"), STR("RIP"), STR("RSP"), STR("Showing all locks") };

	for (size_t i = 0; i < NELEM(begins); i++)
		if (str_has_prefix(s, begins[i])) {
			dumps_tell(in, str_head(s, begins[i].n), MEANT_FORM, "end of a task");
			dumps_tell(in, str_behind(s, begins[i].n), MEANT_TEXT, "end of a task");
			return true;
		}
	return false;
}

static void
kernel_line(struct kernel *k, struct str line)
{
	struct dumps_in *in = k->in;
	struct str s, before, rest;

	s = kernel_text(line);
	if (s.n < line.n)
		kernel_tell_stamp(in, str_head(line, line.n - s.n));
	line = s;
	s = text_trim(line);
	if (s.n == 0)
		return;
	if (kernel_info(k, line))
		return;
	if (str_divide(line, STR("sysrq: Show "), &before, &rest) &&
	    (str_has_prefix(rest, STR("State")) || str_has_prefix(rest, STR("Blocked State")))) {
		dumps_tell_words(in, s);
		dumps_begin(in, DUMP_KERNEL, STR(""));
		k->open = false;
	} else if (kernel_head(k, line) || kernel_old_head(k, line) || kernel_file(k, s, line.s) || kernel_frame(k, s, line.s)) {
		return;
	} else if (kernel_ends(in, s))
		k->open = false;
	else
		dumps_other(in);
}

void
kernel_read(struct dumps_in *in)
{
	struct kernel k = { .in = in, .hung = STR(""), .seconds = STR("") };
	struct str line;

	while (dumps_line(in, &line))
		kernel_line(&k, line);
	kernel_owner(&k);
	dumps_end(in);
}
