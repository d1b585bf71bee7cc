/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forms of stack dumps, recognised by lines that may follow hours of a log.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "forms.h"
#include "java.h"
#include "native.h"
#include "readers.h"
#include "text.h"

/* Forms in the order in which they are tried: longer marks come before those that they contain. */
enum form {
	FORM_OPENJ9, FORM_ERLANG, FORM_LOGCAT, FORM_ART, FORM_HOTSPOT, FORM_TOFILE, FORM_HSERR, FORM_ART_PIECE,
	    FORM_HOTSPOT_PIECE,
	    FORM_GO_COUNTS, FORM_GO,
	FORM_COREDUMP, FORM_TOMBSTONE, FORM_SANITIZER, FORM_RUST, FORM_MAC, FORM_WINDBG, FORM_SOS,
	    FORM_PSTACKS, FORM_KOTLIN,
	    FORM_PHP, FORM_SIGDUMP, FORM_ASYNCIO, FORM_ASYNCIO_TABLE,
	FORM_LLDB, FORM_EU_STACK, FORM_DOTNET, FORM_FAULTHANDLER, FORM_PY_SPY, FORM_GDB, FORM_KERNEL,
	TEXT_FORMS,
	FORM_DUMPFILE_JSON = TEXT_FORMS, FORM_BEANS_JSON, FORM_PY_SPY_JSON, FORM_NODE, FORM_IPS, FORMS
};

static_assert((int)TEXT_FORMS == (int)STACK_TEXT_FORMS, "forms.h counts forms of text");

const struct stack_form stack_forms[FORMS] = {
	[FORM_OPENJ9] = { "OpenJ9", javacore_read }, [FORM_ERLANG] = { "Erlang", erlang_read },
	[FORM_LOGCAT] = { "Android log", logcat_read }, [FORM_HSERR] = { "HotSpot crash", hserr_read },
	[FORM_ART] = { "ART", art_read }, [FORM_HOTSPOT] = { "HotSpot", hotspot_read },
	[FORM_TOFILE] = { "HotSpot, Thread.dump_to_file", tofile_read },
	[FORM_ART_PIECE] = { "ART", art_read }, [FORM_HOTSPOT_PIECE] = { "HotSpot", hotspot_read },
	[FORM_GO_COUNTS] = { "Go, counts", go_counts_read }, [FORM_GO] = { "Go", go_read },
	[FORM_COREDUMP] = { "systemd-coredump", crash_read }, [FORM_TOMBSTONE] = { "tombstone", crash_read },
	[FORM_SANITIZER] = { "sanitizer", crash_read }, [FORM_RUST] = { "Rust panic", crash_read },
	[FORM_MAC] = { "macOS crash", crash_read }, [FORM_WINDBG] = { "WinDbg", crash_read },
	[FORM_SOS] = { ".NET SOS", sos_read }, [FORM_PSTACKS] = { ".NET parallelstacks", pstacks_read },
	[FORM_KOTLIN] = { "Kotlin coroutines", kotlin_read },
	[FORM_PHP] = { "php-fpm slow log", php_read }, [FORM_SIGDUMP] = { "sigdump", sigdump_read },
	[FORM_ASYNCIO] = { "asyncio pstree", asyncio_read },
	[FORM_ASYNCIO_TABLE] = { "asyncio ps", asyncio_table_read },
	[FORM_LLDB] = { "lldb", lldb_read }, [FORM_EU_STACK] = { "eu-stack", eustack_read },
	[FORM_DOTNET] = { ".NET", dotnet_read },
	[FORM_FAULTHANDLER] = { "Python faulthandler", faulthandler_read },
	[FORM_PY_SPY] = { "py-spy", pyspy_read }, [FORM_GDB] = { "gdb", gdb_read },
	[FORM_KERNEL] = { "Linux kernel", kernel_read },
	[FORM_DUMPFILE_JSON] = { "HotSpot, Thread.dump_to_file", dumpfile_json_read },
	[FORM_BEANS_JSON] = { "Java ThreadInfo", beans_json_read },
	[FORM_PY_SPY_JSON] = { "py-spy", pyspy_json_read }, [FORM_NODE] = { "Node.js", node_json_read },
	[FORM_IPS] = { "macOS crash", ips_read },
};

/* Marks in the lines so far. */
struct forms_seen {
	bool		 form[TEXT_FORMS];
	bool		 pid, dated;	/* lines of eu-stack; the first two lines of dump_to_file */
	bool		 crashed;	/* a line of a report of a crash, of macOS or Rust */
	bool		 stack;		/* a head of dumpasync */
	bool		 counts;	/* the line before is the head of a profile of Go */
	uint64_t	 lines;
};

/* ---- lines ------------------------------------------------------------------------------- */

/* '"x" prio=5 tid=1 Native' */
static bool
is_art_head(struct str s)
{
	return scan(&s, "\"%*t\" {daemon }prio=%*d tid=%*d ") && s.n > 0 && s.s[0] >= 'A' && s.s[0] <= 'Z';
}

static bool
is_go_line(struct str s)
{
	return scan(&s, "goroutine %*d %*t[") &&
	    (str_ends(s, "]:") || (str_ends(s, "}:") && str_has(s, STR(" {"))));
}

static void
see_quoted(struct forms_seen *f, struct str s)
{
	if (is_art_head(s))
		f->form[FORM_ART_PIECE] = true;
	else if (hotspot_is_head(s) &&
	    (str_has(s, STR(" nid=")) || str_has(s, STR(" Id=")) || str_has(s, STR(" id=")) ||
	    str_has(s, STR("t@"))))
		f->form[FORM_HOTSPOT_PIECE] = true;
}

/* Lines that begin with "Thread" are of several forms. */
static void
forms_see_thread(struct forms_seen *f, struct str s)
{
	if (jhsdb_is_head(s))
		f->form[FORM_HOTSPOT_PIECE] = true;
	if (!scan(&s, "Thread "))
		return;
	if (scan(&s, "(")) {
		f->form[FORM_DOTNET] |= scan(&s, "%*h):");
		return;
	}
	if (!scan(&s, "%*i ("))
		return;
	if (str_begins(s, "idle") || str_begins(s, "active"))
		f->form[FORM_PY_SPY] = true;
	else if (str_begins(s, "Thread 0x") || str_begins(s, "LWP ") || str_begins(s, "process "))
		f->form[FORM_GDB] = true;
}

static bool
is_kernel_line(struct str s)
{
	struct str rest = s, in, before;

	while (str_divide(rest, STR("[<"), &before, &rest)) {
		in = rest;
		/* memleak of libbpf-tools writes such addresses, but no size of the function. */
		if (scan(&in, "%*x>] ") && scan(&in, "%*t+0x%*x/0x"))
			return true;
	}
	if (str_divide(s, STR("PID: "), &before, &rest) || str_divide(s, STR("Pid: "), &before, &rest))
		return scan(&rest, "%*d Comm: ") || scan(&rest, "%*d, comm: ");
	/* Both marks have this word, and few lines do. */
	if (!str_has(s, STR("task")))
		return false;
	return (str_divide(s, STR("INFO: task "), &before, &rest) && str_has(rest, STR(" blocked"))) ||
	    (str_divide(s, STR("task:"), &before, &rest) && str_has(rest, STR(" state:")));
}

/* A profile of Go of any name is known by the line below its head; that of goroutines may be empty. */
static void
see_counts(struct forms_seen *f, struct str s)
{
	struct str name, rest = s;
	uint64_t total;

	f->form[FORM_GO_COUNTS] |= (f->counts && scan(&rest, "%*d @ 0x%*x")) ||
	    str_begins(s, "goroutine profile: total ");
	f->counts = s.n > 0 && is_digit(s.s[s.n - 1]) && go_counts_line(s, &name, &total);
}

/* Behind an address gdb says "in"; tracers of libbpf-tools have such frames without. */
static bool
is_gdb_frame(struct str s)
{
	return str_begins(s, "#0  ") && str_has(s, STR(" (")) &&
	    (!str_begins(s, "#0  0x") || scan(&s, "#0  0x%*x in "));
}

static void
see_line(struct forms_seen *f, struct str s)
{
	struct str rest = s;

	f->lines++;
	see_counts(f, s);
	if (f->lines == 1)
		f->dated = text_all_digits(s);
	else if (f->lines == 2)
		f->dated = f->dated && text_time(s) != UINT64_MAX && is_digit(s.s[0]);
	if (s.n == 0)
		return;
	switch (s.s[0]) {
	case '0': case '3':
		f->form[FORM_OPENJ9] |= str_begins(s, "3XMTHREADINFO ") ||
		    scan(&rest, "0SECTION %_TITLE");
		break;
	case '=':
		f->form[FORM_ERLANG] |= f->lines <= 3 && str_begins(s, "=erl_crash_dump");
		f->form[FORM_HOTSPOT] |= str_begins(s, "===== FULL THREAD DUMP");
		f->form[FORM_LOGCAT] |= str_begins(s, "== dumpstate: ");
		break;
	case '-': case 'D':
		f->form[FORM_ART] |= str_begins(s, "DALVIK THREADS") || scan(&rest, "----- pid %*d at ");
		break;
	case 'F':
		f->form[FORM_HOTSPOT] |= str_begins(s, "Full thread dump");
		break;
	case '#':
		f->form[FORM_TOFILE] |= f->dated && scan(&rest, "#%*d") && str_has(rest, STR(" \""));
		f->form[FORM_GDB] |= is_gdb_frame(s);
		f->form[FORM_HSERR] |= str_begins(s, "# A fatal error has been detected by the Java") ||
		    str_begins(s, "# There is insufficient memory for the Java");
		break;
	case '"':
		see_quoted(f, s);
		break;
	case 'g':
		f->form[FORM_GO] |= is_go_line(s);
		break;
	case '(': case ' ':
		f->form[FORM_LLDB] |= str_begins(s, "(lldb)") || str_begins(s, "  * frame #0: 0x") ||
		    str_begins(s, "    frame #0: 0x");
		/* Reports of tests indent dumps. */
		f->form[FORM_GO] |= is_go_line(str_skip_blanks(s));
		break;
	case 'f':
		f->form[FORM_LLDB] |= str_begins(s, "frame #0: 0x");
		break;
	case 'P': case 'T':
		f->pid |= scan(&rest, "PID %*d - ");
		f->form[FORM_EU_STACK] |= f->pid && scan(&rest, "TID %*d");
		forms_see_thread(f, s);
		break;
	default:
		break;
	}
}

/* Lines of reports, which logs and mails indent. */
static void
see_report(struct forms_seen *f, struct str s)
{
	/* Lines of logs of Android begin with a time, a priority, a quote or nothing.  Few lines have an X. */
	if (s.n > strlen("FATAL EXCEPTION: ") && (is_digit(s.s[0]) || is_one_of(s.s[0], "EF>")))
		f->form[FORM_LOGCAT] |= memchr(s.s, 'X', s.n) != NULL && str_has(s, STR("FATAL EXCEPTION")) &&
		    str_has(s, STR(": "));
	switch (s.n == 0 ? 0 : s.s[0]) {
	case 'S':
		f->form[FORM_COREDUMP] |= scan(&s, "Stack trace of thread %*d:$");
		f->form[FORM_SIGDUMP] |= str_begins(s, "Sigdump at ");
		f->form[FORM_SANITIZER] |= str_begins(s, "SUMMARY: UndefinedBehaviorSanitizer: ");
		f->stack = scan(&s, "STACK %*d$");
		break;
	case 'p':
		f->form[FORM_TOMBSTONE] |= scan(&s, "pid: %*u, tid: %*d, name: ");
		break;
	case '=': case 'W':
		f->form[FORM_SANITIZER] |= str_has(s, STR("Sanitizer: ")) &&
		    (scan(&s, "WARNING: ") || scan(&s, "==%*d==ERROR: ") || scan(&s, "==%*d==WARNING: "));
		break;
	case 't':
		f->form[FORM_ASYNCIO_TABLE] |= str_begins(s, "tid ") && str_has(s, STR(" task id ")) &&
		    str_has(s, STR(" coroutine stack "));
		f->crashed |= str_begins(s, "thread '") && str_has(s, STR("panicked at "));
		break;
	case 's':
		f->form[FORM_RUST] |= f->crashed && str_is(s, "stack backtrace:");
		break;
	case 'E':
		f->crashed |= str_begins(s, "Exception Type: ");
		break;
	case 'T':
		f->form[FORM_MAC] |= f->crashed && scan(&s, "Thread %*d{ Crashed}:");
		break;
	case (char)0xe2:
		f->form[FORM_ASYNCIO] |= str_has(s, STR("\xe2\x94\x80 (T) "));
		break;
	case '~':
		f->form[FORM_PSTACKS] |= scan(&s, "~~~~ %*x{,}");
		break;
	case 'O':
		f->form[FORM_SOS] |= scan(&s, "OS Thread Id: 0x%*x");
		break;
	case 'C':
		f->form[FORM_KOTLIN] |= scan(&s, "Coroutine {\"%*t\":}%*t, state: ");
		break;
	case '[':
		f->form[FORM_PHP] |= scan(&s, "[%*t]%_[pool %*t] pid %*d");
		break;
	default:
		f->form[FORM_SOS] |= f->stack && scan(&s, "%*x %*x (%*t) ");
		f->form[FORM_WINDBG] |= scan(&s, "{.}{#}%_%*d%_Id: %*x.%*x Suspend: ");
		break;
	}
}

/* Marks that need not begin a line. */
static void
see_inside(struct forms_seen *f, struct str s)
{
	f->form[FORM_FAULTHANDLER] |= str_has(s, STR("(most recent call first)")) &&
	    (str_has(s, STR("hread 0x")) || str_has(s, STR("Stack (most")));
	f->form[FORM_KERNEL] |= is_kernel_line(s);
	see_report(f, crash_text(s));
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Return the next byte that is not white space, and move behind it; NUL: none. */
static char
next_mark(struct str *s)
{
	while (s->n > 0 && is_one_of(s->s[0], " \t\n\r"))
		*s = str_after(*s, 1);
	if (s->n == 0)
		return '\0';
	*s = str_after(*s, 1);
	return s->s[-1];
}

static bool
is_json(struct str s)
{
	char c = next_mark(&s);

	return (c == '{' && is_one_of(next_mark(&s), "\"}")) ||
	    (c == '[' && is_one_of(next_mark(&s), "{\"["));
}

/* The form by the members of an array's first object. */
static enum form
form_of_rows(struct json rows)
{
	static const char *const names[] = { "threadName", "thread_name", "stack_trace", "owns_gil", NULL };
	struct json v[4];

	if (!items_of(&rows) || !scan_item(&rows))
		return FORMS;
	members_of(&rows, names, v);
	if (v[0].at < v[0].size || (v[1].at < v[1].size && v[2].at < v[2].size))
		return FORM_BEANS_JSON;
	return v[3].at < v[3].size ? FORM_PY_SPY_JSON : FORMS;
}

/* A report of macOS: a line with an object, then another one with threads. */
static bool
ips_has_threads(struct json second)
{
	static const char *const names[] = { "threads", NULL };
	struct json v;

	if (second.bad || scan_peek(&second) != '{')
		return false;
	members_of(&second, names, &v);
	return v.at < v.size;
}

/* The names come early in an object; a cut one shows them, too. */
static enum form
form_of_json(struct str text)
{
	static const char *const names[] =
	    { "threadDump", "threads", "header", "javascriptStack", "bug_type", "usedImages", NULL };
	struct json j = { .base = text.s, .size = text.n }, v[6];

	if (scan_peek(&j) == '[')
		return form_of_rows(j);
	members_of(&j, names, v);
	if (v[0].at < v[0].size && scan_peek(&v[0]) == '{')
		return FORM_DUMPFILE_JSON;
	if ((v[4].at < v[4].size && ips_has_threads(j)) || (v[1].at < v[1].size && v[5].at < v[5].size))
		return FORM_IPS;
	if (v[1].at < v[1].size)
		return form_of_rows(v[1]) == FORM_BEANS_JSON ? FORM_BEANS_JSON : FORMS;
	return v[2].at < v[2].size && v[3].at < v[3].size ? FORM_NODE : FORMS;
}

/* Older reports of iOS: a line with an object, then text. */
static bool
json_heads_text(struct str text)
{
	struct str line;

	while (text.n > 0 && is_one_of(text.s[0], " \t\n\r"))
		text = str_after(text, 1);
	return str_split(&text, '\n', &line) && str_begins(line, "{\"") && str_has(line, STR("\"bug_type\"")) &&
	    str_ends(text_trim(line), "}") && next_mark(&text) != '{';
}

/* ---- all -------------------------------------------------------------------------------------- */

const struct stack_form *
stack_form_of(struct str text, size_t size, struct unread *unread)
{
	struct forms_seen f = { .lines = 0 };
	struct lines l;
	const struct stack_form *found = NULL;
	struct str line;

	scan(&text, "\xef\xbb\xbf");
	if (is_json(text) && !json_heads_text(text)) {
		enum form form = form_of_json(text);

		return form == FORMS ? NULL : &stack_forms[form];
	}
	text = str_head(text, size);
	l = lines_of(text);
	dump_lines_prefix(&l);
	while (lines_next(&l, &line)) {
		see_line(&f, line);
		see_inside(&f, line);
	}
	/* Logs of Android have dumps of several forms. */
	f.form[FORM_ART] &= !f.form[FORM_LOGCAT];
	f.form[FORM_ART_PIECE] &= !f.form[FORM_LOGCAT];
	f.form[FORM_TOMBSTONE] &= !f.form[FORM_LOGCAT];
	/* Heads of one form may look like pieces of another. */
	f.form[FORM_ART_PIECE] &= !f.form[FORM_ART] && !f.form[FORM_HOTSPOT];
	f.form[FORM_HOTSPOT_PIECE] &= !f.form[FORM_ART] && !f.form[FORM_HOTSPOT] && !f.form[FORM_ART_PIECE];
	f.form[FORM_GDB] &= !f.form[FORM_EU_STACK] && !f.form[FORM_COREDUMP];
	for (enum form i = 0; i < TEXT_FORMS; i++) {
		if (!f.form[i])
			continue;
		if (found == NULL)
			found = &stack_forms[i];
		else if (unread != NULL)
			unread_add(unread, UNREAD_FORM, str_of(stack_forms[i].name), 1);
	}
	return found;
}
