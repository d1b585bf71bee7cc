/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stack dumps in JSON: Thread.dump_to_file, ThreadInfo (Spring), py-spy.
 *
 * The text is whole: the loader has checked its brackets.
 */
#include "config.h"

#include "java.h"
#include "native.h"
#include "readers.h"
#include "text.h"

/* ---- values --------------------------------------------------------------------------------- */

struct str
member_raw(const struct json *v)
{
	struct json j = *v;
	struct str s;
	char c = j.at < j.size ? scan_peek(&j) : '\0';

	return c == '\0' || c == '{' || c == '[' || !scan_word(&j, &s) || (c != '"' && str_is(s, "null")) ?
	    STR("") : s;
}

struct str
member_text(const struct json *v, struct buf *b)
{
	return scan_unescape(member_raw(v), b);
}

struct str
dumps_member(struct dumps_in *in, const struct json *v, enum meaning means, struct buf *b)
{
	dumps_tell_member(in, member_raw(v), means, means == MEANT_WHO ? "thread" : "name");
	return member_text(v, b);
}

/* "Class@hash" of a lock. */
static struct str
lock_text(struct dumps_in *in, const struct json *v, struct buf *b)
{
	dumps_tell_id(in, member_raw(v));
	dumps_tell_member(in, java_class(member_raw(v)), MEANT_WORDS, "class");
	return member_text(v, b);
}

bool
member_true(const struct json *v)
{
	struct json j = *v;
	struct str s;

	return j.at < j.size && scan_peek(&j) == 't' && scan_word(&j, &s) && str_is(s, "true");
}

bool
dumps_members(struct dumps_in *in, struct json *j, const char *const *names, struct json *values)
{
	struct str name;

	for (size_t i = 0; names[i] != NULL; i++)
		values[i] = (struct json){ .base = j->base, .size = j->size, .at = j->size };
	if (scan_peek(j) != '{')
		return scan_skip(j) && false;
	scan_open(j, '{');
	while (scan_member(j, &name)) {
		scan_peek(j);
		for (size_t i = 0; names[i] != NULL; i++)
			if (values[i].at == j->size && str_eq(name, str_of(names[i]))) {
				values[i] = *j;
				if (in != NULL)
					dumps_tell(in, name, MEANT_FORM, "name of a member");
			}
		if (!scan_skip(j))
			break;
	}
	return !j->bad;
}

bool
members_of(struct json *j, const char *const *names, struct json *values)
{
	return dumps_members(NULL, j, names, values);
}

bool
items_of(struct json *v)
{
	return v->at < v->size && scan_open(v, '[');
}

/* ---- Thread.dump_to_file ----------------------------------------------------------------------- */

static void
dumpfile_monitors(struct dumps_in *in, struct json v)
{
	static const char *const names[] = { "locks", NULL };
	struct json locks;
	struct str key;

	if (!items_of(&v))
		return;
	while (scan_item(&v)) {
		if (!dumps_members(in, &v, names, &locks) || !items_of(&locks))
			continue;
		while (scan_item(&locks)) {
			key = lock_text(in, &locks, &in->name_buf);
			if (key.n > 0)
				dumps_hold(in, key, java_class(key));
			else
				in->count[DROP_ELIMINATED]++;
			if (!scan_skip(&locks))
				return;
		}
	}
}

/* A park blocker is a text, or an object with an owner. */
static void
dumpfile_park(struct dumps_in *in, struct json v)
{
	static const char *const names[] = { "object", "owner", "exclusiveOwnerThreadId", NULL };
	struct json values[3];
	struct str key = lock_text(in, &v, &in->name_buf), owner;

	if (key.n == 0 && v.at < v.size && scan_peek(&v) == '{') {
		dumps_members(in, &v, names, values);
		key = lock_text(in, &values[0], &in->name_buf);
		owner = dumps_member(in, &values[1], MEANT_FORM, &in->other_buf);
		owner = owner.n > 0 ? owner : dumps_member(in, &values[2], MEANT_FORM, &in->other_buf);
		if (owner.n > 0)
			dumps_owner(in, OWNER_ID, owner);
	}
	if (key.n > 0)
		dumps_want(in, java_park(java_class(key)), key, java_class(key));
}

static void
dumpfile_thread(struct dumps_in *in, struct json *j, uint64_t container)
{
	enum { TID, NAME, STATE, VIRTUAL, STACK, MONITORS, BLOCKED, WAITING, PARK, N };
	static const char *const names[] =
	    { "tid", "name", "state", "virtual", "stack", "monitorsOwned", "blockedOn", "waitingOn",
	    "parkBlocker", NULL };
	const char *at = j->base + j->at;
	struct json v[N];
	struct str s;

	if (!dumps_members(in, j, names, v))
		return;
	dumps_thread(in, dumps_member(in, &v[NAME], MEANT_WHO, &in->name_buf), at);
	dumps_id(in, dumps_member(in, &v[TID], MEANT_FORM, &in->name_buf));
	s = member_text(&v[STATE], &in->name_buf);
	dumps_raw(in, s);
	in->t.state = java_state(s);
	in->t.flags |= member_true(&v[VIRTUAL]) ? DUMP_VIRTUAL : 0;
	in->t.parent = container;
	for (bool any = items_of(&v[STACK]); any && scan_item(&v[STACK]); any = scan_skip(&v[STACK])) {
		s = member_text(&v[STACK], &in->other_buf);
		dumps_tell_member(in, member_raw(&v[STACK]), java_is_told(s) ? MEANT_WORDS : MEANT_TEXT, "name");
		if (!java_frame(in, s, true))
			dumps_other(in);
	}
	dumpfile_monitors(in, v[MONITORS]);
	if ((s = lock_text(in, &v[BLOCKED], &in->name_buf)).n > 0)
		dumps_want(in, WANT_LOCK, s, java_class(s));
	else if ((s = lock_text(in, &v[WAITING], &in->name_buf)).n > 0)
		dumps_want(in, WANT_WAIT, s, java_class(s));
	else
		dumpfile_park(in, v[PARK]);
}

void
dumpfile_json_read(struct dumps_in *in)
{
	static const char *const tops[] = { "threadDump", NULL };
	static const char *const names[] =
	    { "processId", "time", "runtimeVersion", "threadContainers", NULL };
	static const char *const members[] = { "container", "threads", NULL };
	struct json j = { .base = in->text.s, .size = in->text.n }, dump, v[4], c[2];
	struct str pid, raw;

	in->reader = (struct in_reader){ java_finish, NULL };
	dumps_members(in, &j, tops, &dump);
	if (dump.at == dump.size || !dumps_members(in, &dump, names, v))
		return;
	dumps_begin(in, DUMP_HOTSPOT_JSON);
	dumps_when(in, member_text(&v[1], &in->name_buf));
	pid = dumps_member(in, &v[0], MEANT_FORM, &in->name_buf);
	str_number(&pid, &dumps_dump(in)->pid);
	raw = member_text(&v[2], &in->other_buf);
	dumps_tell_words(in, raw);
	dumps_program(in, raw);
	in->version = samples_has_text(&in->s, raw) ? str_until(str_until(raw, '-'), '+') : STR("");
	for (bool any = items_of(&v[3]); any && scan_item(&v[3]) && dumps_members(in, &v[3], members, c); ) {
		uint64_t container = dumps_text(in, dumps_member(in, &c[0], MEANT_WHO, &in->text_buf)).ref;

		for (bool more = items_of(&c[1]); more && scan_item(&c[1]) && !in->bad; more = !c[1].bad &&
		    dumps_tick(in, c[1].at))
			dumpfile_thread(in, &c[1], container);
	}
	dumps_end(in);
}

/* ---- ThreadInfo ------------------------------------------------------------------------------------ */

/* Return a member, which has two spellings, in the spelling that the text uses. */
static const struct json *
beans_member(const struct json *v, size_t i)
{
	return v[i].at < v[i].size ? &v[i] : &v[i + 1];
}

static void
beans_frame(struct dumps_in *in, struct json *j)
{
	static const char *const names[] =
	    { "className", "class_name", "methodName", "method_name", "fileName", "file_name", "lineNumber",
	    "line_number", "nativeMethod", "native_method", NULL };
	struct json v[10];
	struct str file, line;

	if (!dumps_members(in, j, names, v))
		return;
	buf_clear(&in->text_buf);
	buf_str(&in->text_buf, dumps_member(in, beans_member(v, 0), MEANT_WORDS, &in->name_buf));
	buf_chr(&in->text_buf, '.');
	buf_str(&in->text_buf, dumps_member(in, beans_member(v, 2), MEANT_WORDS, &in->name_buf));
	file = dumps_member(in, beans_member(v, 4), MEANT_WORDS, &in->name_buf);
	line = dumps_member(in, beans_member(v, 6), MEANT_FORM, &in->other_buf);
	buf_chr(&in->text_buf, '\0');
	buf_str(&in->text_buf, file);
	buf_chr(&in->text_buf, ':');
	buf_str(&in->text_buf, line);
	in->bad = in->bad || in->text_buf.bad;
	if (!in->bad) {
		struct str all = buf_view(&in->text_buf), function = str_until(all, '\0');

		dumps_frame(in, function, member_true(beans_member(v, 8)) ? STR("Native Method") :
		    str_after(all, function.n + 1), false);
	}
}

static void
beans_locks(struct dumps_in *in, struct json v)
{
	static const char *const names[] = { "className", "identityHashCode", NULL };
	struct json m[2];
	struct str class, hash;
	uint64_t code;

	for (bool any = items_of(&v); any && scan_item(&v) && dumps_members(in, &v, names, m); ) {
		class = dumps_member(in, &m[0], MEANT_WORDS, &in->name_buf);
		hash = dumps_member(in, &m[1], MEANT_FORM, &in->other_buf);
		if (class.n == 0 || !str_number(&hash, &code))
			continue;
		(void)buf_set(&in->text_buf, class);
		buf_printf(&in->text_buf, "@%jx", (uintmax_t)code);
		dumps_hold(in, buf_view(&in->text_buf), class);
	}
}

static void
beans_thread(struct dumps_in *in, struct json *j)
{
	enum { NAME = 0, ID = 2, STATE = 4, DAEMON = 6, STACK = 7, LOCK = 9, OWNER = 11, MONITORS = 13,
	    SYNCHRONIZERS, N };
	static const char *const names[] =
	    { "threadName", "thread_name", "threadId", "thread_id", "threadState", "thread_state", "daemon",
	    "stackTrace", "stack_trace", "lockName", "lock_name", "lockOwnerId", "lock_owner_id",
	    "lockedMonitors", "lockedSynchronizers", NULL };
	const char *at = j->base + j->at;
	struct json v[N], stack;
	struct str s;

	if (!dumps_members(in, j, names, v))
		return;
	dumps_thread(in, dumps_member(in, beans_member(v, NAME), MEANT_WHO, &in->name_buf), at);
	dumps_id(in, dumps_member(in, beans_member(v, ID), MEANT_FORM, &in->name_buf));
	s = member_text(beans_member(v, STATE), &in->name_buf);
	dumps_raw(in, s);
	in->t.state = java_state(s);
	in->t.flags |= member_true(&v[DAEMON]) ? DUMP_DAEMON : 0;
	stack = *beans_member(v, STACK);
	for (bool any = items_of(&stack); any && scan_item(&stack) && !stack.bad; )
		beans_frame(in, &stack);
	if ((s = lock_text(in, beans_member(v, LOCK), &in->name_buf)).n > 0)
		dumps_want(in, in->t.state == DSTATE_BLOCKED || java_park(java_class(s)) == WANT_LOCK ?
		    WANT_LOCK : WANT_WAIT, s, java_class(s));
	s = dumps_member(in, beans_member(v, OWNER), MEANT_FORM, &in->name_buf);
	if (text_all_digits(s))
		dumps_owner(in, OWNER_ID, s);
	beans_locks(in, v[MONITORS]);
	beans_locks(in, v[SYNCHRONIZERS]);
}

void
beans_json_read(struct dumps_in *in)
{
	static const char *const tops[] = { "threads", NULL };
	struct json j = { .base = in->text.s, .size = in->text.n }, rows;

	in->reader = (struct in_reader){ java_finish, NULL };
	rows = j;
	if (scan_peek(&j) == '{')
		dumps_members(in, &j, tops, &rows);
	dumps_begin(in, DUMP_THREADINFO_JSON);
	for (bool any = items_of(&rows); any && scan_item(&rows) && !in->bad; any = !rows.bad &&
	    dumps_tick(in, rows.at))
		beans_thread(in, &rows);
	dumps_end(in);
}

/* ---- py-spy ------------------------------------------------------------------------------------------ */

static void
pyspy_json_frame(struct dumps_in *in, struct json *j)
{
	static const char *const names[] = { "name", "short_filename", "filename", "line", NULL };
	struct json v[4];
	struct str file, place;

	if (!dumps_members(in, j, names, v))
		return;
	file = dumps_member(in, &v[1], MEANT_WORDS, &in->name_buf);
	file = file.n > 0 ? file : dumps_member(in, &v[2], MEANT_WORDS, &in->name_buf);
	place = buf_set(&in->text_buf, file, STR(":"), dumps_member(in, &v[3], MEANT_FORM, &in->other_buf));
	in->bad = in->bad || in->text_buf.bad;
	if (!in->bad)
		dumps_frame(in, dumps_member(in, &v[0], MEANT_WORDS, &in->name_buf), place, false);
}

static void
pyspy_json_thread(struct dumps_in *in, struct json *j)
{
	enum { PID, NAME, OS_ID, ID, ACTIVE, GIL, FRAMES, N };
	static const char *const names[] =
	    { "pid", "thread_name", "os_thread_id", "thread_id", "active", "owns_gil", "frames", NULL };
	const char *at = j->base + j->at;
	struct pyspy *process = in->reader.state;
	struct json v[N];
	struct str s, digits;
	uint64_t pid = 0;

	if (!dumps_members(in, j, names, v))
		return;
	dumps_thread(in, dumps_member(in, &v[NAME], MEANT_WHO, &in->name_buf), at);
	s = dumps_member(in, &v[OS_ID], MEANT_FORM, &in->name_buf);
	s = s.n > 0 ? s : dumps_member(in, &v[ID], MEANT_FORM, &in->name_buf);
	str_number(&s, &in->t.tid);
	s = dumps_member(in, &v[PID], MEANT_FORM, &in->name_buf);
	digits = s;
	if (str_number(&digits, &pid) && dumps_dump(in)->pid == 0)
		dumps_dump(in)->pid = pid;
	if (pid != process->pid)
		pyspy_process(in, process, pid, pid == dumps_dump(in)->pid ? STR("") : s);
	in->t.state = member_true(&v[ACTIVE]) ? DSTATE_RUNNING : DSTATE_WAITING;
	if (member_true(&v[GIL]))
		dumps_hold(in, str_of(process->gil), STR("GIL"));
	for (bool any = items_of(&v[FRAMES]); any && scan_item(&v[FRAMES]) && !v[FRAMES].bad; )
		pyspy_json_frame(in, &v[FRAMES]);
}

void
pyspy_json_read(struct dumps_in *in)
{
	struct json j = { .base = in->text.s, .size = in->text.n };
	struct pyspy process;

	in->reader.finish = pyspy_finish;
	in->reader.state = &process;
	pyspy_process(in, &process, 0, STR(""));
	dumps_begin(in, DUMP_PY_SPY_JSON);
	for (bool any = items_of(&j); any && scan_item(&j) && !in->bad; any = !j.bad && dumps_tick(in, j.at))
		pyspy_json_thread(in, &j);
	dumps_end(in);
}
