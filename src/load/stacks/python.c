/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Python: py-spy dump as text, faulthandler, tasks of asyncio; and dotnet-stack, whose lines look alike.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/name.h"
#include "icecore/scan.h"
#include "native.h"
#include "readers.h"
#include "text.h"

/* ---- py-spy ------------------------------------------------------------------------------- */

void
pyspy_process(struct dumps_in *in, struct pyspy *p, uint64_t pid, struct str process)
{
	uint32_t label;

	p->pid = pid;
	p->labels = 0;
	snprintf(p->gil, sizeof p->gil, "GIL");
	if (process.n == 0 || in->bad)
		return;
	snprintf(p->gil, sizeof p->gil, "GIL of %ju", (uintmax_t)pid);
	label = label_number(&in->s.labels, STR("process"), process, in->err);
	in->bad = label == 0 || !label_set(&in->s.labels, &label, 1, &p->labels, in->err);
}

void
pyspy_finish(struct dumps_in *in)
{
	const struct pyspy *p = in->reader.state;

	in->t.labels = p->labels;
	native_gil(in, str_of(p->gil));
}

/* py-spy dump --subprocesses names the parent of each process but the first in its second or third line. */
static bool
pyspy_is_child(const struct dumps_in *in)
{
	struct lines ahead = in->lines;
	struct str line;

	for (int i = 0; i < 2 && lines_next(&ahead, &line); i++)
		if (str_begins(line, "Parent Process "))
			return true;
	return false;
}

/* "Python v3.11.2 (/usr/bin/python3.11)", and the line between two processes */
static bool
pyspy_is_banner(struct str line)
{
	return str_begins(line, "Python v") || (str_begins(line, "----") && str_ends(line, "----"));
}

static bool
pyspy_head(struct dumps_in *in, struct str line)
{
	struct str s = line, raw, name;
	uint64_t id;

	if (!scan(&s, "Thread %i (%t){: \"%l\"}$", &id, &raw, &name))
		return false;
	dumps_thread(in, name, line.s);
	dumps_raw(in, raw);
	in->t.tid = id;
	in->t.state = str_begins(raw, "active") ? DSTATE_RUNNING : str_begins(raw, "idle") ? DSTATE_WAITING :
	    DSTATE_UNKNOWN;
	if (str_has(raw, STR("+gil")))
		dumps_hold(in, str_of(((const struct pyspy *)in->reader.state)->gil), STR("GIL"));
	return true;
}

static bool
pyspy_frame(struct dumps_in *in, struct str s)
{
	struct str f, place;
	uint64_t key;

	if (!in->in_thread || !scan(&s, "    ") || s.n == 0 || is_blank(s.s[0]))
		return false;
	if (dumps_line_frame(in, s, &key))
		return true;
	f = str_head(s, name_end(s));
	s = str_after(s, f.n);
	if (f.n == 0 || !scan(&s, " (%t)", &place) || place.n == 0 || name_end_place(place) < place.n)
		return false;
	dumps_frame(in, f, place, false);
	dumps_line_is(in, key);
	dumps_tell(in, s, MEANT_TEXT, "text after a frame");
	return true;
}

/* "102: python3 worker.py", behind "Process " */
static void
pyspy_process_line(struct dumps_in *in, struct str process, uint64_t pid, struct str program)
{
	bool child = dumps_dump(in)->pid != 0 && pyspy_is_child(in);

	dumps_thread_end(in);
	/* A process that is no child: its threads are a dump of their own. */
	if (!child && dumps_dump(in)->pid != 0)
		dumps_begin(in, DUMP_PY_SPY);
	pyspy_process(in, in->reader.state, pid, child ? process : STR(""));
	if (!child) {
		dumps_dump(in)->pid = pid;
		dumps_program(in, program);
	}
	dumps_tell(in, program, MEANT_TEXT, "command");
}

void
pyspy_read(struct dumps_in *in)
{
	struct str line, s, program;
	struct pyspy process = { .pid = 0 };
	uint64_t pid;

	in->reader.finish = pyspy_finish;
	in->reader.state = &process;
	pyspy_process(in, &process, 0, STR(""));
	dumps_begin(in, DUMP_PY_SPY);
	while (dumps_line(in, &line)) {
		s = line;
		if (scan(&s, "Process %u: %t", &pid, &program)) {
			pyspy_process_line(in, str_after(line, STR("Process ").n), pid, program);
		} else if (scan(&s, "Parent Process %u: %t", &pid, &program)) {
			dumps_tell(in, program, MEANT_TEXT, "command");
		} else if (pyspy_is_banner(line)) {
			dumps_tell_other(in);
		} else if (!pyspy_head(in, line) && !pyspy_frame(in, line)) {
			if (str_begins(line, "        "))
				in->count[DROP_LOCALS]++;
			else if (text_trim(line).n > 0)
				dumps_other(in);
		}
	}
	dumps_end(in);
}

/* ---- faulthandler ---------------------------------------------------------------------------- */

#define C_STACK "Current thread's C stack trace "

/* Why the text was written, if the line says it: behind what the program wrote, if that line was not ended. */
static struct str
faulthandler_cause(struct str line)
{
	struct str s = line, fatal = line, before;

	if (str_begins(line, "Timeout ("))
		return line;
	return scan(&s, "%tFatal Python error: ", &before) ||
	    scan(&fatal, "%tWindows fatal exception: ", &before) ? str_after(line, before.n) : STR("");
}

/* Static functions, and the code that returns from a signal, have no name; the rest writes the dump. */
static bool
faulthandler_is_told(struct str f)
{
	return f.n > 0 && !str_begins(f, "_Py_DumpStack") && !str_begins(f, "faulthandler_fatal_error") &&
	    !str_begins(f, "__restore_rt");
}

/* The current thread is in these functions of C, which its innermost function of Python called. */
static void
faulthandler_c_frames(struct dumps_in *in)
{
	struct lines ahead = in->lines;
	struct str line, file, f;
	bool found = false;

	while (lines_next(&ahead, &line) && !found) {
		if (str_begins(line, "Current thread 0x") || faulthandler_cause(line).n > 0)
			return;
		found = str_begins(line, C_STACK);
	}
	while (found && scan(&line, "  Binary file \"%t\", at %t+0x", &file, &f) &&
	    !str_begins(f, "_PyEval_EvalFrame")) {
		if (faulthandler_is_told(f)) {
			dumps_frame(in, f, text_after_last(file, '/'), true);
			(*(uint64_t *)in->reader.state)++;
		}
		found = lines_next(&ahead, &line);
	}
}

static bool
faulthandler_head(struct dumps_in *in, struct str line)
{
	struct str s = line, key, name;
	bool current = scan(&s, "Current thread %h{ [%l]} (most recent call first", &key, &name);

	if (!current && !scan(&s, "Thread %h{ [%l]} (most recent call first", &key, &name)) {
		if (!str_begins(line, "Stack (most recent call first"))
			return false;
		current = true;
		key = STR("");
		name = STR("current thread");
	}
	dumps_begin_for(in, DUMP_FAULTHANDLER, key);
	dumps_thread(in, name, line.s);
	in->t.flags |= current ? DUMP_REPORTED : 0;
	dumps_id(in, key);
	if (current)
		faulthandler_c_frames(in);
	return true;
}

static bool
faulthandler_frame(struct dumps_in *in, struct str s)
{
	struct str file, number, f;

	if (!in->in_thread || !scan(&s, "  File \"%t\", line %t in %t", &file, &number, &f) ||
	    (!text_all_digits(number) && !str_is(number, "???")))
		return false;
	dumps_tell_name(in, file, "place");
	file = text_after_last(text_after_last(file, '/'), '\\');
	dumps_frame(in, f, buf_set(&in->text_buf, file, STR(":"), number), false);
	return true;
}

/* What stands instead of a frame. */
static bool
faulthandler_mark(struct dumps_in *in, struct str line)
{
	struct str s = text_trim(line);

	if (!in->in_thread)
		return false;
	if (str_is(s, "Garbage-collecting"))
		dumps_frame(in, s, STR(""), true);
	else if (str_is(s, "...") || str_is(s, "<freed frame>") || str_is(s, "<invalid frame>") ||
	    (str_begins(s, "plus ") && str_ends(s, " frames"))) {
		in->t.flags |= DUMP_CUT;
		in->count[DROP_CUT]++;
	} else if (!str_is(s, "<no Python frame>") && !str_is(s, "<freed thread state>"))
		return false;
	dumps_tell_words(in, line);
	return true;
}

void
faulthandler_read(struct dumps_in *in)
{
	uint64_t ahead = 0;	/* frames of C that were read before their lines come */
	struct str line, cause;

	in->reader.state = &ahead;
	while (dumps_line(in, &line)) {
		if ((cause = faulthandler_cause(line)).n > 0) {
			dumps_tell_other(in);
			dumps_end(in);
			dumps_reason(in, cause, true);
		} else if (str_begins(line, "  Binary file ")) {
			in->count[DROP_NATIVE] += ahead == 0;
			ahead -= ahead > 0;
			dumps_tell_words(in, line);
			dumps_tell_other(in);
		} else if (str_begins(line, "Extension modules: ") ||
		    str_begins(line, C_STACK)) {
			dumps_tell_words(in, line);
			dumps_tell_other(in);
		} else if (!faulthandler_head(in, line) && !faulthandler_frame(in, line) &&
		    !faulthandler_mark(in, line) && text_trim(line).n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}

/* ---- asyncio pstree ------------------------------------------------------------------------------- */

/* The tree has the outermost frame first. */
static void
asyncio_finish(struct dumps_in *in)
{
	uint32_t *frame = SCRATCH(in->stack, uint32_t);

	for (uint64_t i = 0, k = in->nstack; k > i + 1; i++) {
		uint32_t first = frame[i];

		frame[i] = frame[--k];
		frame[k] = first;
	}
}

/* "f dir/a.py:12" */
static bool
asyncio_frame(struct dumps_in *in, struct str s)
{
	struct str f = str_head(s, name_end(s)), place, rest;

	place = text_place(str_skip_blanks(str_after(s, f.n)), &rest);
	if (!text_all_digits(text_after_last(place, ':')))
		return false;
	dumps_frame(in, f, text_after_last(place, '/'), false);
	dumps_tell(in, rest, MEANT_TEXT, "text after a frame");
	return true;
}

/* "(T) NAME" is a task; "f dir/a.py:12" a frame of the task above, which ends at the tasks below it. */
void
asyncio_read(struct dumps_in *in)
{
	struct str line, s, name;

	in->reader.finish = asyncio_finish;
	while (dumps_line(in, &line)) {
		for (s = line; s.n > 0 && (is_blank(s.s[0]) || (unsigned char)s.s[0] >= 0x80); )
			s = str_after(s, 1);
		name = s;
		dumps_tell(in, str_head(line, line.n - s.n), MEANT_FORM, "tree");
		if (scan(&name, "(T) ")) {
			if (!in->in_dump)
				dumps_begin(in, DUMP_ASYNCIO);
			dumps_thread(in, text_trim(name), line.s);
			dumps_tell_words(in, line);
		} else if (in->in_thread && s.s != line.s && asyncio_frame(in, text_trim(s))) {
			continue;
		} else if (s.n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}

/* ---- asyncio ps ----------------------------------------------------------------------------------- */

/* Widths of columns; longer texts move the next ones to the right. */
enum { TASK_ID = 20, TASK_NAME = 20, TASK_STACK = 50, AWAITER_NAME = 15 };

/* Cut off the text of a column, whose first n bytes are its own at least. */
static struct str
asyncio_cell(struct str *s, size_t width, size_t n)
{
	struct str cell;

	n = n > width ? n : width;
	while (n < s->n && s->s[n] != ' ')
		n++;
	cell = text_trim(str_head(*s, n));
	*s = str_after(*s, n < s->n ? n + 1 : s->n);
	return cell;
}

/* The length of "sleep -> play -> main". */
static size_t
chain_length(struct str s)
{
	struct str rest = s;

	do
		rest = str_after(rest, str_until(rest, ' ').n);
	while (scan(&rest, " -> "));
	return s.n - rest.n;
}

static bool
asyncio_row(struct dumps_in *in, struct str line)
{
	struct str s = text_trim(line), tid, id, name, stack, f, rest, awaiter;

	if (!scan(&s, "%d%_%h", &tid, &id))
		return false;
	if (!in->in_dump)
		dumps_begin(in, DUMP_ASYNCIO);
	dumps_tell_words(in, line);
	/* A task that several tasks await has a row for each. */
	if (dumps_repeats(in, id)) {
		in->count[DROP_REPEATED]++;
		return true;
	}
	s = (struct str){ id.s, (size_t)(s.s + s.n - id.s) };
	(void)asyncio_cell(&s, TASK_ID, id.n);
	name = asyncio_cell(&s, TASK_NAME, 0);
	dumps_thread(in, name, line.s);
	dumps_id(in, id);
	(void)str_number(&tid, &in->t.tid);
	for (stack = asyncio_cell(&s, TASK_STACK, chain_length(s)); stack.n > 0; stack = rest) {
		if (!scan(&stack, "%t -> ", &f)) {
			f = stack;
			stack.n = 0;
		}
		rest = stack;
		dumps_frame(in, f, STR(""), false);
	}
	(void)asyncio_cell(&s, TASK_STACK, chain_length(s));
	awaiter = asyncio_cell(&s, AWAITER_NAME, 0);
	dumps_tell(in, awaiter, MEANT_WHO, "awaiter");
	in->t.parent = dumps_text(in, awaiter).ref;
	return true;
}

/* A table with a row for each task, and its innermost frame first. */
void
asyncio_table_read(struct dumps_in *in)
{
	struct str line;

	while (dumps_line(in, &line)) {
		if (asyncio_row(in, line) || text_trim(line).n == 0)
			continue;
		if (str_begins(text_trim(line), "tid ") || str_begins(line, "-----"))
			dumps_tell_words(in, line);
		else
			dumps_other(in);
	}
	dumps_end(in);
}

/* ---- dotnet-stack ------------------------------------------------------------------------------ */

/*
 * "System.Private.CoreLib!System.Threading.Thread.Sleep(int32)", "[Native Frames]"; a method without a module has a
 * type.
 */
static bool
dotnet_is_frame(struct str s)
{
	struct str module, rest = s, name = str_until(s, '(');

	return str_begins(s, "[") || (scan(&rest, "%t!", &module) && rest.n > 0 &&
	    memchr(module.s, ' ', module.n) == NULL) ||
	    (str_ends(s, ")") && memchr(name.s, '.', name.n) != NULL && memchr(name.s, ' ', name.n) == NULL);
}

static void
dotnet_frame(struct dumps_in *in, struct str s)
{
	struct str f = s, module = STR(""), args;
	uint64_t key;

	assert(in->in_thread && s.n > 0);
	if (dumps_line_frame(in, s, &key))
		return;
	f = s = dumps_name(in, s, name_end);
	dumps_tell_name(in, s, "frame");
	(void)scan(&f, "{%t!}", &module);
	if (!str_is(s, "[Native Frames]"))
		text_cut_args(f, &f, &args);
	dumps_frame(in, f, module, true);
	dumps_line_is(in, key);
}

void
dotnet_finish(struct dumps_in *in)
{
	uint64_t i = 0;

	while (str_begins(dumps_top_name(in, i), "["))
		i++;
	if (in->t.state == DSTATE_UNKNOWN)
		in->t.state = native_state(dumps_marks(in, i + 2));
}

void
dotnet_read(struct dumps_in *in)
{
	struct str line, s;
	uint64_t tid;

	in->reader.finish = dotnet_finish;
	dumps_begin(in, DUMP_DOTNET);
	while (dumps_line(in, &line)) {
		s = line;
		if (scan(&s, "Thread (%i):", &tid)) {
			dumps_thread(in, STR(""), line.s);
			dumps_tell_words(in, line);
			in->t.tid = tid;
		} else if (in->in_thread && str_begins(line, "  ") && dotnet_is_frame(text_trim(line))) {
			dotnet_frame(in, text_trim(line));
		} else if (text_trim(line).n > 0)
			dumps_other(in);
	}
	dumps_end(in);
}
