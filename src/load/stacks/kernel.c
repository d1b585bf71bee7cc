/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linux: reports of hung tasks, oopses, lockups and stalls, backtraces of CPUs, SysRq-t and -w,
 * /proc/PID/stack.
 */
#include "config.h"

#include "icecore/scan.h"
#include "readers.h"
#include "text.h"

struct kernel {
	struct dumps_in	*in;
	struct str	 hung, seconds;		/* task of the last report, and for how long it hangs */
	/* The last task that is blocked on what another one owns, until it is found */
	struct str	 blocked, what, owner;
	struct str	 pc;			/* function of the last frame, if a register named it */
	bool		 open;			/* frames belong to the task */
	bool		 over;			/* a report that comes next is of another dump */
};

static enum dump_state
kernel_state(char c)
{
	static const enum dump_state states[128] =
	    { ['R'] = DSTATE_RUNNING, ['S'] = DSTATE_WAITING, ['D'] = DSTATE_BLOCKED,
	    ['T'] = DSTATE_SUSPENDED, ['t'] = DSTATE_SUSPENDED, ['Z'] = DSTATE_ENDED, ['X'] = DSTATE_ENDED,
	    ['I'] = DSTATE_WAITING };

	return states[(unsigned char)c & 127];
}

/* Without "<6>", the time "[   12.3]" and the caller "[ T12]" of a log. */
static struct str
kernel_text(struct str line)
{
	struct str s = line, before;

	(void)str_divide(s, STR(" kernel: "), &before, &s);
	if (str_begins(s, "<") && s.n > 2 && is_digit(s.s[1]) && s.s[2] == '>')
		s = str_after(s, 3);
	if (scan(&s, "[%_%*u.%*d]"))
		(void)scan(&s, "{[%_T%*d]}{[%_C%*d]}{ }");
	return s;
}

/* The stamp of a line: the time stays, and "kernel" behind the name of a machine. */
static void
tell_stamp(struct dumps_in *in, struct str stamp)
{
	if (scan(&stamp, "%*t kernel: "))
		dumps_tell(in, (struct str){ stamp.s - 9, 9 }, MEANT_FORM, "stamp");
	dumps_tell(in, stamp, MEANT_FORM, "stamp");
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
	if (k->over)
		dumps_end(in);
	k->over = false;
	k->pc = STR("");
	/* Each CPU has an idle task of its own, all with that number. */
	dumps_begin_for(in, DUMP_KERNEL, str_is(pid, "0") ? name : pid);
	dumps_thread(in, name, at);
	dumps_tell_id(in, pid);
	if (!in->in_thread)
		return;
	str_number(&digits, &in->t.tid);
	if (state.n > 0) {
		dumps_raw(in, state);
		in->t.state = kernel_state(state.s[0]);
	}
	if (str_eq(k->hung, pid) && str_number(&k->seconds, &v) && v < UINT32_MAX)
		in->t.elapsed = v * 1000000000;
	k->open = true;
}

/* "task:NAME state:D stack:0 pid:7 tgid:7 ppid:2" */
static bool
kernel_head(struct kernel *k, struct str line)
{
	struct str s = line, name, state, pid;

	if (!scan(&s, "task:%t state:", &name) || s.n < 2 || !str_has(s, STR("ppid:")))
		return false;
	state = str_head(s, 1);
	if (!scan(&s, "%*t pid:%_%d", &pid))
		return false;
	kernel_task(k, text_trim(name), state, pid, line.s);
	return true;
}

/* "NAME   D 0000000000000000  0  7   2 0x0" or "NAME   R  running task  0  7   2 0x0", before Linux 5.11. */
static bool
old_head(struct kernel *k, struct str line)
{
	enum { NAME = 16 };
	struct str s, word, pid, number;

	for (size_t i = 1; i <= NAME && i + 2 < line.n; i++) {
		if (line.s[i] != ' ' || is_blank(line.s[0]))
			continue;
		for (s = str_after(line, i); s.n > 0 && s.s[0] == ' '; )
			s = str_after(s, 1);
		word = str_head(s, 1);
		if (s.n < 2 || s.s[1] != ' ' || !is_one_of(s.s[0], "RSDTtZXIKWP"))
			continue;
		s = str_skip_blanks(str_after(s, 1));
		if (scan(&s, "running {task }"))
			s = str_skip_blanks(s);
		number = str_head(s, str_hexes(s));
		if (number.n >= 8 && number.n <= 16)
			s = str_skip_blanks(str_after(s, number.n));
		if (!scan(&s, "%*d%_%d%_%*d%_%*h", &pid))
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

/*
 * "INFO: task NAME:7 blocked for more than 120 seconds.", "... is blocked on a mutex likely owned by task
 * B:2."
 */
static bool
kernel_info(struct kernel *k, struct str line)
{
	struct dumps_in *in = k->in;
	struct str s, report, task, name, pid, what, owner;

	if (!str_divide(line, STR("INFO: task "), &report, &s))
		return false;
	report = str_after(line, report.n);
	owner = s;
	if (scan(&owner, "%t blocked for more than {%d}", &task, &k->seconds) &&
	    take_task(in, task, &name, &pid)) {
		k->hung = pid;
		kernel_owner(k);
		dumps_thread_end(in);
		if (!in->in_dump)
			dumps_begin(in, DUMP_KERNEL);
		dumps_reason(in, report, dumps_of_number(in, pid) != NULL);
		k->open = false;
		return true;
	}
	if (!scan(&s, "%t is blocked on a{n}{ }", &task))
		return false;
	owner = task;
	if (scan(&owner, "%t <", &name))
		task = name;
	if (!take_task(in, task, &name, &pid) ||
	    (!str_has(s, STR("likely")) && !str_has(s, STR("but the owner"))))
		return true;
	what = str_until(str_until(s, ' '), ',');
	owner = str_after(s, what.n);
	if (!scan(&owner, "%*ttask "))
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

/* "CPU: 3 UID: 0 PID: 7 Comm: NAME Tainted: G 6.1.0 #1", old "Pid: 7, comm: NAME Not tainted" */
static bool
kernel_cpu(struct kernel *k, struct str line)
{
	static const char *const ends[] = { " Not tainted", " Tainted:", " Kdump:" };
	struct dumps_in *in = k->in;
	struct str s = line, cpu = STR(""), pid, name, head, rest;

	if (!scan(&s, "Pid: %d, comm: ", &pid) &&
	    !scan(&s, "CPU{:} %d {UID: %*d }PID: %d Comm: ", &cpu, &pid))
		return false;
	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_divide(s, str_of(ends[i]), &head, &rest))
			s = head;
	name = text_trim(s);
	rest = (struct str){ s.s + s.n, (size_t)(line.s + line.n - s.s - s.n) };
	for (size_t i = 0; i < NELEM(ends); i++)
		if (str_take(&rest, str_of(ends[i])))
			break;
	kernel_task(k, name, STR(""), pid, line.s);
	dumps_tell(in, rest, MEANT_TEXT, "version");
	if (!in->in_thread)
		return true;
	in->t.state = DSTATE_RUNNING;
	if (cpu.n > 0)
		dumps_raw(in, (struct str){ line.s, (size_t)(cpu.s + cpu.n - line.s) });
	return true;
}

/* The first line of a report, or its last. */
static bool
kernel_report(struct kernel *k, struct str s)
{
	static const char *const heads[] = { "BUG: ", "watchdog: BUG: ", "NMI watchdog: ", "Oops",
	    "Unable to handle ", "Internal error: ", "WARNING: ", "Kernel panic ", "rcu: INFO: ", "INFO: rcu",
	    "general protection fault", "divide error: ", "kernel BUG at ", "watchdog: CPU" };

	if (str_begins(s, "---[ end ")) {
		dumps_tell_words(k->in, s);
		dumps_tell(k->in, str_after(s, strlen("---[ end ")), MEANT_TEXT, "end of a report");
		k->open = false;
		k->over = true;
		return true;
	}
	for (size_t i = 0; i < NELEM(heads); i++)
		if (str_has_prefix(s, str_of(heads[i]))) {
			dumps_reason(k->in, s, k->over);
			dumps_tell(k->in, str_after(s, strlen(heads[i])), MEANT_TEXT, "reason");
			return true;
		}
	return false;
}

/* A file of /proc, as tools print its name. */
static bool
kernel_file(struct kernel *k, struct str s, const char *at)
{
	struct dumps_in *in = k->in;
	struct str pid, name = STR("");
	bool equals = scan(&s, "== ") || scan(&s, "==> ");

	if (!scan(&s, "/proc/%*d/task/%d{/}", &pid) && !scan(&s, "/proc/%d/", &pid))
		return false;
	if (equals && scan(&s, " "))
		name = s;
	else if (!scan(&s, "stack{ <==}$"))
		return false;
	if (!in->in_dump)
		dumps_begin(in, DUMP_KERNEL);
	k->hung = STR("");
	kernel_task(k, name, STR(""), pid, at);
	return true;
}

static size_t
function_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && (is_word(s.s[n]) || is_one_of(s.s[n], ".$")))
		n++;
	return n;
}

/* The file wchan of a task: the function in which it waits, which is on its stack, too; 0: it runs, or is not shown. */
static bool
kernel_wchan(struct kernel *k, struct str s)
{
	struct dumps_in *in = k->in;
	bool named = scan(&s, "wchan:");

	s = str_skip_blanks(s);
	if (!k->open || s.n == 0 || function_length(s) < s.n || (!named && (in->nstack == 0 ||
	    (!str_is(s, "0") && !str_eq(s, dumps_top_name(in, 0))))))
		return false;
	dumps_tell_name(in, s, "function");
	dumps_tell_other(in);
	return true;
}

/* ---- frames ------------------------------------------------------------------------------------- */

static bool
take_address(struct dumps_in *in, struct str *s)
{
	struct str address;

	if (!scan(s, "[<%x>] ", &address))
		return false;
	dumps_tell_id(in, address);
	return true;
}

/* "f+0x1/0x2 [module]", at the start of a text */
static bool
take_function(struct str *s, struct str *f, struct str *module)
{
	struct str rest = *s;
	size_t n = function_length(rest);

	*f = str_head(rest, n);
	rest = str_after(rest, n);
	if (n == 0 || !scan(&rest, "+%*h/%*h{ [%t]}", module))
		return false;
	if (module->n == 0)
		*module = STR("[kernel]");
	*s = rest;
	return true;
}

/* Frames belong to a task; those without one open an unnamed task. */
static bool
kernel_opens(struct kernel *k, bool alone, const char *at)
{
	if (!k->open && alone && !k->in->in_dump) {
		dumps_begin(k->in, DUMP_KERNEL);
		kernel_task(k, STR(""), STR(""), STR(""), at);
	}
	return k->open;
}

/* The innermost frame may be in a register as well as in the trace. */
static void
kernel_push(struct kernel *k, struct str f, struct str module)
{
	if (k->pc.n == 0 || !str_eq(k->pc, f))
		dumps_frame(k->in, f, module, true);
	else {
		dumps_tell_name(k->in, f, "function");
		dumps_tell_name(k->in, module, "place");
	}
	k->pc = STR("");
}

/* "[<0>] f+0x1/0x2 [module]", "? f+0x1/0x2", "f a.c:9 [inline]" */
static bool
kernel_frame(struct kernel *k, struct str s, const char *at)
{
	struct dumps_in *in = k->in;
	struct str f, rest = s, module;
	bool addressed, unsure;

	(void)scan(&rest, "{<IRQ>%_}{<EOI>%_}{<NMI>%_}{<<EOE>>%_}");
	addressed = take_address(in, &rest);
	/* PowerPC has the stack and the code. */
	if (scan(&rest, "[%x] [%x] ", &f, &module)) {
		dumps_tell_id(in, f);
		dumps_tell_id(in, module);
	}
	unsure = scan(&rest, "? ") || str_ends(s, " (unreliable)");
	take_address(in, &rest);
	if (!take_function(&rest, &f, &module)) {
		f = str_until(rest, ' ');
		if (!k->open || !str_ends(s, " [inline]") || rest.s != s.s)
			return false;
		dumps_frame(in, f, STR("[kernel]"), true);
		return true;
	}
	if (!kernel_opens(k, addressed, at))
		return false;
	if (unsure) {
		dumps_tell_name(in, f, "function");
		dumps_tell_name(in, module, "place");
		in->count[DROP_UNRELIABLE]++;
	} else
		kernel_push(k, f, module);
	return true;
}

/* "[<80776938>] (f) from [<8014ac8c>] (g+0x20/0x40 [module])", since 5.18 "f from g+0x20/0x40" */
static bool
arm_frame(struct kernel *k, struct str s, const char *at)
{
	struct dumps_in *in = k->in;
	struct str f, callee, caller, module, own, named, first = STR(""), second = STR("");

	if (!scan(&s, "[<%x>] (%t) from [<%x>] (", &first, &callee, &second) &&
	    !scan(&s, "%t from ", &callee))
		return false;
	if (!take_function(&s, &caller, &module) || !kernel_opens(k, true, at))
		return false;
	dumps_tell_id(in, first);
	dumps_tell_id(in, second);
	f = str_until(callee, ' ');
	own = str_after(callee, f.n);
	if (!scan(&own, " [%t]", &named))
		named = STR("[kernel]");
	if (!str_eq(dumps_top_name(in, in->nstack - 1), f))
		dumps_frame(in, f, named, true);
	else {
		dumps_tell_name(in, f, "function");
		dumps_tell_name(in, named, "place");
	}
	dumps_frame(in, caller, module, true);
	return true;
}

/* "RIP: 0010:f+0x1/0x2 [module]": where the CPU was, before or inside of the trace. */
static bool
kernel_register(struct kernel *k, struct str s)
{
	struct str f, module;

	if (!k->open || (!scan(&s, "RIP: {%*x:}") && !scan(&s, "EIP: {%*x:}") && !scan(&s, "NIP [%*x] ")))
		return false;
	s = str_skip_blanks(s);
	take_address(k->in, &s);
	s = str_skip_blanks(s);
	take_address(k->in, &s);
	if (!take_function(&s, &f, &module))
		return false;
	dumps_frame(k->in, f, module, true);
	k->pc = f;
	return true;
}

/* A line after the frames of a task. */
static bool
kernel_ends(struct dumps_in *in, struct str s)
{
	struct str rest = s;

	if (!scan(&rest, "</TASK>") && !scan(&rest, "RIP") && !scan(&rest, "RSP <") &&
	    !scan(&rest, "Allocated by task ") && !scan(&rest, "Freed by task ") &&
	    !scan(&rest, "Showing all locks"))
		return false;
	dumps_tell(in, str_head(s, s.n - rest.n), MEANT_FORM, "end of a task");
	dumps_tell(in, rest, MEANT_TEXT, "end of a task");
	return true;
}

static void
kernel_line(struct kernel *k, struct str line)
{
	struct dumps_in *in = k->in;
	struct str text = kernel_text(line), s = text_trim(text), before, rest;

	if (text.n < line.n)
		tell_stamp(in, str_head(line, line.n - text.n));
	if (s.n == 0 || kernel_info(k, text))
		return;
	if (str_divide(text, STR("sysrq: Show "), &before, &rest) && scan(&rest, "{Blocked }State")) {
		dumps_tell_words(in, s);
		dumps_begin(in, DUMP_KERNEL);
		k->open = false;
	} else if (kernel_head(k, text) || old_head(k, text) || kernel_cpu(k, s) ||
	    kernel_file(k, s, text.s) || kernel_report(k, s) || kernel_register(k, s) ||
	    arm_frame(k, s, text.s) || kernel_frame(k, s, text.s) || kernel_wchan(k, s)) {
		return;
	} else if (kernel_ends(in, s))
		k->open = false;
	else
		dumps_between(in, s);
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
