/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Common parts of dumps of Java VMs.
 */
#include "config.h"

#include "java.h"
#include "text.h"

/* ---- states ---------------------------------------------------------------------------- */

enum dump_state
java_state(struct str s)
{
	static const struct { struct str word; enum dump_state state; } states[] = {
		{ STR("RUNNABLE"), DSTATE_RUNNING }, { STR("BLOCKED"), DSTATE_BLOCKED }, { STR("WAITING"), DSTATE_WAITING },
		{ STR("TIMED_WAITING"), DSTATE_TIMED }, { STR("NEW"), DSTATE_NEW }, { STR("TERMINATED"), DSTATE_ENDED },
	};

	for (size_t i = 0; i < NELEM(states); i++)
		if (str_eq(s, states[i].word))
			return states[i].state;
	return DSTATE_UNKNOWN;
}

/* Methods that a RUNNABLE thread is in while it waits in a system call. */
static bool
is_io(struct str f)
{
	static const char *const words[] = {
		"socketRead0", "socketAccept", "socketConnect", "accept0", "epollWait", "EPoll.wait", "WEPoll.wait", "KQueue.poll",
		"kevent0", "poll0", "Net.accept", "Net.poll", "Net.connect0", "FileInputStream.readBytes", "FileInputStream.read0",
		"waitForProcessExit", "waitForProcessExit0"
	}, *const classes[] = { "SocketDispatcher", "FileDispatcherImpl", "UnixFileDispatcherImpl", "DatagramDispatcher" };

	return text_ends_as(f, words, NELEM(words)) ||
	    (str_has(text_behind_last(f, '.'), STR("read")) && text_ends_as(text_before_last(f, '.'), classes, NELEM(classes)));
}

uint8_t
java_marks(struct str f)
{
	uint8_t marks = 0;

	if (str_has_suffix(f, STR("Thread.sleep")) || str_has_suffix(f, STR("Thread.sleep0")) || str_has_suffix(f, STR("Thread.sleepNanos0")))
		marks |= FRAME_SLEEPS;
	if (str_has_prefix(f, STR("java.lang.Thread.sleep")))
		marks |= FRAME_NAPS;
	if (str_has_suffix(f, STR("Reference.waitForReferencePendingList")))
		marks |= FRAME_WAITS;
	return marks | (is_io(f) ? FRAME_IO : 0);
}

void
java_truth(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	uint8_t top = dumps_marks(in, 1);

	if (t->state != DSTATE_RUNNING)
		return;
	if (t->want == WANT_INIT || (top & FRAME_WAITS) != 0)
		t->state = DSTATE_WAITING;
	else if ((top & FRAME_IO) != 0)
		t->state = DSTATE_IO;
}

void
java_waits(struct dumps_in *in)
{
	if (in->t.want == WANT_WAIT)
		dumps_gave_up(in);
}

void
java_finish(struct dumps_in *in)
{
	java_waits(in);
	if ((dumps_marks(in, 4) & FRAME_NAPS) != 0)
		in->t.state = DSTATE_SLEEPING;
	java_truth(in);
}

/* ---- frames ------------------------------------------------------------------------------ */

/* Skip "$14" or "" and "/0x00007f00" or "/1234" behind "$$Lambda"; false: these do not follow. */
static bool
skip_lambda(struct str *s)
{
	struct str in = *s;
	uint64_t v;

	if (str_take(&in, STR("$")) && !text_take_digits(&in))
		return false;
	if (!str_take(&in, STR("/")) || (!text_take_hex(&in, &v) && !text_take_digits(&in)))
		return false;
	*s = in;
	return true;
}

/* "app//A$$Lambda$14/0x00007f.run" as "A$$Lambda.run". */
static struct str
hidden_class(struct dumps_in *in, struct str f)
{
	struct str before, rest;
	uint64_t v;

	buf_clear(&in->text_buf);
	while (str_divide(f, STR("$$Lambda"), &before, &rest)) {
		buf_str(&in->text_buf, before);
		buf_str(&in->text_buf, STR("$$Lambda"));
		skip_lambda(&rest);
		f = rest;
	}
	/* Other hidden classes have a number, too. */
	while (str_divide(f, STR("/0x"), &before, &rest)) {
		buf_str(&in->text_buf, before);
		rest = str_behind(f, before.n + 1);
		if (!text_take_hex(&rest, &v))
			break;
		f = rest;
	}
	buf_str(&in->text_buf, f);
	in->bad = in->bad || in->text_buf.bad;
	return text_behind_last(buf_view(&in->text_buf), '/');
}

/* Module, loader and numbers of hidden classes differ between runs and do not belong to a name. */
static struct str
java_function(struct dumps_in *in, struct str f)
{
	struct str head, rest, number;
	uint64_t v;

	if (!str_divide_last(f, '/', &head, &rest))
		return f;
	number = rest;
	if ((text_take_hex(&number, &v) || text_take_digits(&number)) && str_has_prefix(number, STR(".")))
		return hidden_class(in, f);
	return memchr(head.s, '(', head.n) == NULL ? rest : f;
}

void
java_frame(struct dumps_in *in, struct str line)
{
	struct str f = line, place = STR("");
	uint64_t key;

	if (dumps_line_frame(in, line, &key))
		return;
	line = text_trim(line);
	dumps_tell_name(in, line, "frame");
	if (!text_cut_args(line, &f, &place))
		f = line;
	/* Dalvik marks native methods by this. */
	if (str_has_suffix(f, STR("!")))
		f.n--;
	dumps_frame(in, text_trim(java_function(in, text_trim(f))), text_trim(text_behind_last(place, '/')), false);
	dumps_line_is(in, key);
}

/* ---- locks -------------------------------------------------------------------------------- */

struct str
java_class(struct str key)
{
	return text_before_last(key, '@');
}

static bool
is_lock_name(struct str s, const char *name)
{
	struct str word = str_of(name);

	for (const char *p = s.s, *end = s.s + s.n; p < end && (p = memmem(p, (size_t)(end - p), word.s, word.n)) != NULL; p++)
		if ((p == s.s || p[-1] == '.' || p[-1] == '$') && (p + word.n == end || p[word.n] == '$'))
			return true;
	return false;
}

enum dump_want
java_park(struct str class)
{
	return class.n > 0 && (is_lock_name(class, "ReentrantLock") || is_lock_name(class, "ReentrantReadWriteLock") ||
	    is_lock_name(class, "StampedLock")) ? WANT_LOCK : WANT_PARK;
}

/* "<0x1> (a C) held by thread 3": the key is empty if the dump does not know it. */
static bool
take_lock(struct str *s, struct str *key, struct str *class)
{
	struct str in = *s, rest;

	*class = STR("");
	if (str_take(&in, STR("<"))) {
		*key = str_until(in, '>');
		if (key->n == in.n)
			return false;
		in = str_behind(in, key->n + 1);
		*class = java_class(*key);
	} else if (str_take(&in, STR("an unknown object")) || str_take(&in, STR("a unknown object"))) {
		*key = STR("");
	} else if (text_take_word(&in, key) && (*class = java_class(*key)).n > 0) {
		in = (struct str){ key->s + key->n, (size_t)(s->s + s->n - key->s - key->n) };
	} else
		return false;
	if (memchr(key->s, ' ', key->n) != NULL)
		*key = STR("");
	rest = str_skip_blanks(in);
	if ((str_take(&rest, STR("(a ")) || str_take(&rest, STR("(an "))) && str_divide(rest, STR(")"), class, &rest))
		in = rest;
	*s = in;
	return true;
}

/* "- <0x1> (a C)" and "- C@1" of locks other than monitors. */
static bool
owned_lock(struct dumps_in *in, struct str s)
{
	struct str key = s, class, rest = s;

	str_take(&rest, STR("<"));
	key = rest;
	while (rest.n > 0 && (is_hex(rest.s[0]) || rest.s[0] == 'x'))
		rest = str_behind(rest, 1);
	key.n -= rest.n;
	str_take(&rest, STR(">"));
	rest = str_skip_blanks(rest);
	dumps_tell_words(in, s);
	if (key.n > 0 && (str_take(&rest, STR("(a ")) || str_take(&rest, STR("(an "))) && rest.n > 0 && rest.s[rest.n - 1] == ')') {
		dumps_hold(in, key, str_head(rest, rest.n - 1));
		return true;
	}
	class = java_class(s);
	if (class.n > 0 && memchr(s.s, ' ', s.n) == NULL)
		dumps_hold(in, s, class);
	return class.n > 0 || str_eq_nocase(text_trim(s), STR("none"));
}

/* " held by thread 15" or " held by tid=11 (x)" at the end of a line: the number. */
static bool
lock_holder(struct str rest, struct str *number)
{
	*number = STR("");
	rest = str_skip_blanks(rest);
	if (rest.n == 0)
		return true;
	if (!str_take(&rest, STR("held by ")) || (!str_take(&rest, STR("thread ")) && !str_take(&rest, STR("tid="))))
		return false;
	*number = str_head(rest, str_digits(rest));
	return number->n > 0;
}

bool
java_lock_line(struct dumps_in *in, struct str s, bool *relock)
{
	enum { LOCKED, LOCK, RELOCK, PARK, WAIT, NO_LOCK };
	static const struct { struct str word; int what; } words[] = {
		{ STR("locked "), LOCKED }, { STR("waiting to lock "), LOCK }, { STR("waiting to re-lock in wait() "), RELOCK },
		{ STR("parking to wait for "), PARK }, { STR("waiting on "), WAIT }, { STR("sleeping on "), WAIT },
		{ STR("eliminated "), NO_LOCK }, { STR("blocked on "), LOCK },
	};
	struct str key, class, owner;
	size_t i = 0;

	s = str_skip_blanks(str_behind(s, 1));
	if (str_take(&s, STR("waiting on the Class initialization monitor for "))) {
		text_take_word(&s, &class);
		buf_clear(&in->text_buf);
		buf_printf(&in->text_buf, "class %.*s", (int)(class.n > 4096 ? 4096 : class.n), class.s);
		dumps_want(in, WANT_INIT, buf_view(&in->text_buf), class);
		dumps_tell_words(in, class);
		return true;
	}
	while (i < NELEM(words) && !str_take(&s, words[i].word))
		i++;
	s = str_skip_blanks(s);
	if (i == NELEM(words))
		return owned_lock(in, s);
	dumps_tell_words(in, s);
	if (!take_lock(&s, &key, &class) || !lock_holder(s, &owner)) {
		dumps_tell_other(in);
		return false;
	}
	dumps_tell_id(in, key);
	dumps_tell_name(in, class, "class");
	switch (words[i].what) {
	case LOCKED:
		if (key.n > 0)
			dumps_hold(in, key, class);
		break;
	case RELOCK: case LOCK:
		*relock |= words[i].what == RELOCK;
		dumps_want(in, WANT_LOCK, key, class);
		if (owner.n > 0)
			dumps_owner(in, OWNER_ID, owner);
		break;
	case NO_LOCK:
		in->count[DROP_ELIMINATED]++;
		break;
	default:
		if (in->t.want == WANT_NOTHING)
			dumps_want(in, words[i].what == PARK ? java_park(class) : WANT_WAIT, key, class);
		break;
	}
	return true;
}
