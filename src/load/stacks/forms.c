/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forms of stack dumps, recognised by lines that may follow hours of a log.
 */
#include "config.h"

#include <assert.h>

#include "forms.h"
#include "java.h"
#include "readers.h"
#include "text.h"

/* Forms in the order in which they are tried: longer marks come before those that they contain. */
enum form {
	FORM_OPENJ9, FORM_ERLANG, FORM_ART, FORM_HOTSPOT, FORM_TOFILE, FORM_ART_PIECE, FORM_HOTSPOT_PIECE, FORM_GO_COUNTS, FORM_GO,
	FORM_LLDB, FORM_EU_STACK, FORM_DOTNET, FORM_FAULTHANDLER, FORM_PY_SPY, FORM_GDB, FORM_KERNEL, TEXT_FORMS,
	FORM_DUMPFILE_JSON = TEXT_FORMS, FORM_BEANS_JSON, FORM_PY_SPY_JSON, FORM_NODE, FORMS
};

static_assert((int)TEXT_FORMS == (int)STACK_TEXT_FORMS, "forms.h counts forms of text");

const struct stack_form stack_forms[FORMS] = {
	[FORM_OPENJ9] = { "OpenJ9", javacore_read }, [FORM_ERLANG] = { "Erlang", erlang_read }, [FORM_ART] = { "ART", art_read },
	[FORM_HOTSPOT] = { "HotSpot", hotspot_read }, [FORM_TOFILE] = { "HotSpot, Thread.dump_to_file", tofile_read },
	[FORM_ART_PIECE] = { "ART", art_read }, [FORM_HOTSPOT_PIECE] = { "HotSpot", hotspot_read },
	[FORM_GO_COUNTS] = { "Go, counts of goroutines", go_counts_read }, [FORM_GO] = { "Go", go_read }, [FORM_LLDB] = { "lldb", lldb_read },
	[FORM_EU_STACK] = { "eu-stack", eustack_read }, [FORM_DOTNET] = { ".NET", dotnet_read },
	[FORM_FAULTHANDLER] = { "Python faulthandler", faulthandler_read }, [FORM_PY_SPY] = { "py-spy", pyspy_read },
	[FORM_GDB] = { "gdb", gdb_read }, [FORM_KERNEL] = { "Linux kernel", kernel_read },
	[FORM_DUMPFILE_JSON] = { "HotSpot, Thread.dump_to_file", dumpfile_json_read },
	[FORM_BEANS_JSON] = { "Java ThreadInfo", beans_json_read }, [FORM_PY_SPY_JSON] = { "py-spy", pyspy_json_read },
	[FORM_NODE] = { "Node.js", node_json_read },
};

/* Marks in the lines so far. */
struct forms_seen {
	bool		 form[TEXT_FORMS];
	bool		 pid, dated;	/* lines of eu-stack; the first two lines of dump_to_file */
	uint64_t	 lines;
};

/* ---- lines ------------------------------------------------------------------------------- */

/* '"x" prio=5 tid=1 Native' */
static bool
is_art_head(struct str s)
{
	s = str_behind(s, 1);
	s = str_behind(s, str_until(s, '"').n);
	if (!str_take(&s, STR("\" ")))
		return false;
	str_take(&s, STR("daemon "));
	return str_take(&s, STR("prio=")) && text_take_digits(&s) && str_take(&s, STR(" tid=")) && text_take_digits(&s) &&
	    str_take(&s, STR(" ")) && s.n > 0 && s.s[0] >= 'A' && s.s[0] <= 'Z';
}

static bool
is_go_line(struct str s)
{
	return str_take(&s, STR("goroutine ")) && text_take_digits(&s) && str_has_prefix(s, STR(" ")) && memchr(s.s, '[', s.n) != NULL &&
	    (str_has_suffix(s, STR("]:")) || (str_has_suffix(s, STR("}:")) && str_has(s, STR(" {"))));
}

static void
see_quoted(struct forms_seen *f, struct str s)
{
	if (is_art_head(s))
		f->form[FORM_ART_PIECE] = true;
	else if (hotspot_is_head(s) && (str_has(s, STR(" nid=")) || str_has(s, STR(" Id=")) || str_has(s, STR(" id=")) || str_has(s, STR("t@"))))
		f->form[FORM_HOTSPOT_PIECE] = true;
}

/* Lines that begin with "Thread" are of several forms. */
static void
forms_see_thread(struct forms_seen *f, struct str s)
{
	struct str rest = s;
	uint64_t v;

	if (!str_take(&rest, STR("Thread ")))
		return;
	if (str_take(&rest, STR("("))) {
		f->form[FORM_DOTNET] |= text_take_hex(&rest, &v) && str_has_prefix(rest, STR("):"));
		return;
	}
	if (!str_number_any(&rest, &v) || !str_take(&rest, STR(" (")))
		return;
	if (str_has_prefix(rest, STR("idle")) || str_has_prefix(rest, STR("active")))
		f->form[FORM_PY_SPY] = true;
	else if (str_has_prefix(rest, STR("Thread 0x")) || str_has_prefix(rest, STR("LWP ")) || str_has_prefix(rest, STR("process ")))
		f->form[FORM_GDB] = true;
}

static bool
is_kernel_line(struct str s)
{
	struct str rest = s, before;

	while (str_divide(rest, STR("[<"), &before, &rest)) {
		struct str in = str_behind(rest, str_hexes(rest));

		if (str_take(&in, STR(">] ")) && str_has(str_until(in, ' '), STR("+0x")))
			return true;
	}
	return (str_divide(s, STR("INFO: task "), &before, &rest) && str_has(rest, STR(" blocked"))) ||
	    (str_divide(s, STR("task:"), &before, &rest) && str_has(rest, STR(" state:")));
}

static void
see_line(struct forms_seen *f, struct str s)
{
	struct str rest = s;

	f->lines++;
	if (f->lines == 1)
		f->dated = text_all_digits(s);
	else if (f->lines == 2)
		f->dated = f->dated && dumps_time(s) != UINT64_MAX && is_digit(s.s[0]);
	if (s.n == 0)
		return;
	switch (s.s[0]) {
	case '0': case '3':
		f->form[FORM_OPENJ9] |= str_has_prefix(s, STR("3XMTHREADINFO ")) ||
		    (str_take(&rest, STR("0SECTION ")) && str_has_prefix(str_skip_blanks(rest), STR("TITLE")));
		break;
	case '=':
		f->form[FORM_ERLANG] |= f->lines <= 3 && str_has_prefix(s, STR("=erl_crash_dump"));
		f->form[FORM_HOTSPOT] |= str_has_prefix(s, STR("===== FULL THREAD DUMP"));
		break;
	case '-': case 'D':
		f->form[FORM_ART] |= str_has_prefix(s, STR("DALVIK THREADS")) || (str_take(&rest, STR("----- pid ")) &&
		    text_take_digits(&rest) && str_has_prefix(rest, STR(" at ")));
		break;
	case 'F':
		f->form[FORM_HOTSPOT] |= str_has_prefix(s, STR("Full thread dump"));
		break;
	case '#':
		f->form[FORM_TOFILE] |= f->dated && text_take_digits(&(struct str){ s.s + 1, s.n - 1 }) && str_has(s, STR(" \""));
		f->form[FORM_GDB] |= str_has_prefix(s, STR("#0  ")) && str_has(s, STR(" ("));
		break;
	case '"':
		see_quoted(f, s);
		break;
	case 'g':
		f->form[FORM_GO_COUNTS] |= str_has_prefix(s, STR("goroutine profile: total "));
		f->form[FORM_GO] |= is_go_line(s);
		break;
	case '(': case ' ':
		f->form[FORM_LLDB] |= str_has_prefix(s, STR("(lldb)")) || str_has_prefix(s, STR("  * frame #0: 0x")) ||
		    str_has_prefix(s, STR("    frame #0: 0x"));
		break;
	case 'P': case 'T':
		f->pid |= str_take(&rest, STR("PID ")) && text_take_digits(&rest) && str_has_prefix(rest, STR(" - "));
		f->form[FORM_EU_STACK] |= f->pid && str_take(&rest, STR("TID ")) && str_digits(rest) > 0;
		forms_see_thread(f, s);
		break;
	default:
		break;
	}
}

/* Marks that need not begin a line. */
static void
see_inside(struct forms_seen *f, struct str s)
{
	f->form[FORM_FAULTHANDLER] |= str_has(s, STR("(most recent call first)")) && str_has(s, STR("hread 0x"));
	f->form[FORM_KERNEL] |= is_kernel_line(s);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static bool
is_json(struct str s)
{
	char c;

	while (s.n > 0 && (is_blank(s.s[0]) || s.s[0] == '\n' || s.s[0] == '\r'))
		s = str_behind(s, 1);
	c = s.n > 0 ? s.s[0] : '\0';
	if (c != '{' && c != '[')
		return false;
	do
		s = str_behind(s, 1);
	while (s.n > 0 && (is_blank(s.s[0]) || s.s[0] == '\n' || s.s[0] == '\r'));
	return s.n > 0 && is_one_of(s.s[0], c == '{' ? "\"}" : "{\"[");
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

/* The names come early in an object; a cut one shows them, too. */
static enum form
form_of_json(struct str text)
{
	static const char *const names[] = { "threadDump", "threads", "header", "javascriptStack", NULL };
	struct json j = { .base = text.s, .size = text.n }, v[4];

	if (scan_peek(&j) == '[')
		return form_of_rows(j);
	members_of(&j, names, v);
	if (v[0].at < v[0].size && scan_peek(&v[0]) == '{')
		return FORM_DUMPFILE_JSON;
	if (v[1].at < v[1].size)
		return form_of_rows(v[1]) == FORM_BEANS_JSON ? FORM_BEANS_JSON : FORMS;
	return v[2].at < v[2].size && v[3].at < v[3].size ? FORM_NODE : FORMS;
}

/* ---- all -------------------------------------------------------------------------------------- */

const struct stack_form *
stack_form_of(struct str text, size_t size, struct unread *unread)
{
	struct forms_seen f = { .lines = 0 };
	struct dump_lines l = { .rest = text };
	const struct stack_form *found = NULL;
	struct str line;

	str_take(&text, STR("\xef\xbb\xbf"));
	if (is_json(text)) {
		enum form form = form_of_json(text);

		return form == FORMS ? NULL : &stack_forms[form];
	}
	text = str_head(text, size);
	l.rest = text;
	dump_lines_prefix(&l);
	while (dump_lines_next(&l, &line)) {
		see_line(&f, line);
		see_inside(&f, line);
	}
	/* Heads of one form may look like pieces of another. */
	f.form[FORM_ART_PIECE] &= !f.form[FORM_ART] && !f.form[FORM_HOTSPOT];
	f.form[FORM_HOTSPOT_PIECE] &= !f.form[FORM_ART] && !f.form[FORM_HOTSPOT] && !f.form[FORM_ART_PIECE];
	f.form[FORM_GDB] &= !f.form[FORM_EU_STACK];
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
