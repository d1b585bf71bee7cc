/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Common parts of dumps of Java VMs.
 */
#include "config.h"

#include "icecore/scan.h"
#include "java.h"
#include "text.h"

/* ---- states ---------------------------------------------------------------------------- */

enum dump_state
java_state(struct str s)
{
	static const struct dump_words states[] = {
		{ DSTATE_RUNNING, "RUNNABLE" }, { DSTATE_BLOCKED, "BLOCKED" }, { DSTATE_WAITING, "WAITING" },
		{ DSTATE_TIMED, "TIMED_WAITING" }, { DSTATE_NEW, "NEW" }, { DSTATE_ENDED, "TERMINATED" },
		{ DSTATE_UNKNOWN, NULL }
	};

	return dumps_state(s, str_eq, states);
}

void
java_truth(struct dumps_in *in)
{
	struct in_thread *t = &in->t;
	unsigned top = dumps_marks(in, 1);

	if (t->state != DSTATE_RUNNING)
		return;
	/* Internal threads, such as "VM Thread", are always runnable. */
	if (in->nstack == 0)
		t->state = DSTATE_NATIVE;
	else if (t->want == WANT_INIT || (top & WAITING_SIGNAL) != 0)
		t->state = DSTATE_WAITING;
	else if ((top & WAITING_IO) != 0)
		t->state = DSTATE_IO;
}

void
java_waits(struct dumps_in *in)
{
	if (in->t.want != WANT_WAIT)
		return;
	dumps_gave_up(in);
	/* ART sleeps on an object of the thread, which no other thread knows. */
	if (in->t.state == DSTATE_SLEEPING)
		dumps_want_not(in);
}

void
java_finish(struct dumps_in *in)
{
	java_waits(in);
	if ((dumps_marks(in, 4) & WAITING_NAPS) != 0)
		in->t.state = DSTATE_SLEEPING;
	java_truth(in);
}

/* ---- frames ------------------------------------------------------------------------------ */

/* "app//A$$Lambda$14/0x00007f.run" as "A$$Lambda.run". */
static struct str
hidden_class(struct dumps_in *in, struct str f)
{
	static const struct str lambda = STR("$$Lambda");
	struct str before, rest;
	uint64_t v;

	buf_clear(&in->text_buf);
	while (str_divide(f, lambda, &before, &f)) {
		buf_str(&in->text_buf, before);
		buf_str(&in->text_buf, lambda);
		/* "$14" or nothing, then "/0x00007f00" or "/1234". */
		rest = f;
		if (str_take(&rest, STR("$")) && !scan(&rest, "%*d"))
			continue;
		if (scan(&rest, "/%*i") || scan(&rest, "+%*h"))
			f = rest;
	}
	/* Other hidden classes have a number, too: "/0x00a1", "+0x00a1". */
	while (str_divide(f, STR("0x"), &before, &rest)) {
		struct str number = str_after(f, before.n);
		bool hidden = before.n > 0 && is_one_of(before.s[before.n - 1], "/+") && text_take_hex(&number, &v);

		buf_str(&in->text_buf, str_head(f, hidden ? before.n - 1 : before.n + 2));
		f = hidden ? number : rest;
	}
	buf_str(&in->text_buf, f);
	in->bad = in->bad || in->text_buf.bad;
	return text_after_last(buf_view(&in->text_buf), '/');
}

struct str
java_dots(struct buf *b, struct str s)
{
	buf_clear(b);
	for (size_t i = 0; i < s.n; i++)
		buf_chr(b, s.s[i] == '/' ? '.' : s.s[i]);
	return buf_view(b);
}

/* Module, loader and numbers of hidden classes differ between runs and do not belong to a name. */
struct str
java_function(struct dumps_in *in, struct str f)
{
	struct str head, rest, number;

	if (str_has(f, STR("+0x")))
		return hidden_class(in, f);
	if (!str_divide_last(f, '/', &head, &rest))
		return f;
	number = rest;
	if (scan(&number, "%*i."))
		return hidden_class(in, f);
	return memchr(head.s, '(', head.n) == NULL ? rest : f;
}

static bool
java_may_be_place(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (is_blank(s.s[i]) || is_one_of(s.s[i], "\"',;="))
			return false;
	return true;
}

/* The text in the brackets of a frame: "A.java:12", "java.base@17/Native Method", "A.java:1(Compiled Code)". */
static bool
java_is_place(struct str s)
{
	static const char *const words[] = { "Native Method", "Native method", "Unknown Source" };
	struct str before;

	if (scan(&s, "%t(Compiled Code)", &before))
		s = before;
	if (str_is_one(words, NELEM(words), text_after_last(s, '/')) || str_begins(s, "Unknown Source:"))
		return true;
	return s.n > 0 && java_may_be_place(s);
}

/* Some languages allow blanks in the name of a method. */
static bool
java_has_blanks(struct str place)
{
	return str_has(place, STR(".kt:")) || str_has(place, STR(".groovy:")) || str_has(place, STR(".scala:"));
}

size_t
java_frame_length(struct str s, size_t *place)
{
	size_t depth = 0, open = 0, blank = str_until(s, ' ').n, dot = str_until(s, '.').n;

	for (size_t i = 0; i < s.n && dot < blank; i++) {
		struct str in;

		if (s.s[i] == '(' && depth++ == 0)
			open = i;
		if (s.s[i] != ')' || depth == 0 || --depth > 0)
			continue;
		in = (struct str){ s.s + open + 1, i - open - 1 };
		*place = open;
		if (dot < open && java_is_place(in) && (blank > open || java_has_blanks(in)))
			return i + 1;
	}
	*place = open;
	/* Lines that were cut in their place. */
	return depth > 0 && dot < open && memchr(s.s, ' ', s.n) == NULL &&
	    java_may_be_place(str_after(s, open + 1)) ? s.n : 0;
}

/* "com.acme.A.b" without a place. */
static bool
java_is_bare(struct str s)
{
	return s.n > 0 && str_digits(s) < s.n && java_may_be_place(s) && memchr(s.s, '@', s.n) == NULL;
}

/* The bytes of a directory, "java.base@17.0.1" or "app", or of a file. */
static size_t
java_part_length(struct str s, bool directory)
{
	size_t n = 0;

	while (n < s.n && (is_word(s.s[n]) || (unsigned char)s.s[n] >= 0x80 || is_one_of(s.s[n], ".-$+~#!%")))
		n++;
	if (directory && n > 0 && n + 1 < s.n && s.s[n] == '@' && is_digit(s.s[n + 1]))
		for (n++; n < s.n && (is_word(s.s[n]) || is_one_of(s.s[n], ".-+")); n++)
			continue;
	return n;
}

/* "4539148803436467", "4539148803436467.java": nothing of a program has such a name. */
static bool
java_is_long_number(struct str s)
{
	enum { NUMBER_LEAST = 9 };
	size_t digits = str_digits(s);

	return digits >= NUMBER_LEAST && (digits == s.n || s.s[digits] == '.');
}

/* What compilers and virtual machines write in place of a file. */
static bool
java_is_no_file(struct str s)
{
	static const char *const words[] = { "", "Native Method", "Native method", "Unknown Source", "SourceFile",
	    "Proguard", "ProGuard",
		"PG", "R8", "Unknown", "unknown", "unavailable", "NO_SOURCE_FILE" };
	struct str inside, end;

	return str_is_one(words, NELEM(words), s) || memchr(s.s, '$', s.n) != NULL ||
	    (str_take(&s, STR("<")) && str_divide(s, STR(">"), &inside, &end) && end.n == 0 &&
	    str_is_name(inside, "-"));
}

/*
 * The bytes in front of the slash of "/srv/a.groovy" and "jar:file:/srv/a.jar!/a.groovy"; s.n: the place is no address.
 */
static size_t
java_scheme_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && (is_letter(s.s[n]) || (n > 1 && s.s[n] == ':')))
		n++;
	return n < s.n && s.s[n] == '/' && (n == 0 || s.s[n - 1] == ':') ? n : s.n;
}

/* Without ":12", ":-1" where the line is unknown, and ":~10", a place in the code of Dalvik. */
static struct str
java_without_line(struct str s)
{
	enum { LINE_MOST = 8 };		/* digits */
	size_t n = s.n;

	while (n > 0 && is_digit(s.s[n - 1]))
		n--;
	if (n == s.n || s.n - n > LINE_MOST)
		return s;
	n -= n > 0 && is_one_of(s.s[n - 1], "-~");
	return n > 0 && s.s[n - 1] == ':' ? str_head(s, n - 1) : s;
}

/*
 * Whether the place of a frame is a file, with or without a line, in a module or in directories; other texts are data.
 */
static bool
java_is_file(struct str s)
{
	struct str before;
	size_t n, lined;
	bool inside;

	if (scan(&s, "%t(Compiled Code)", &before))
		s = before;
	n = java_scheme_length(s);
	inside = n < s.n;
	for (s = inside ? str_after(s, n) : s; str_begins(s, "/"); )
		s = str_after(s, 1);
	if (str_begins(str_after(s, 1), ":\\"))
		s = str_after(s, 3);
	lined = s.n;
	s = java_without_line(s);
	for (; (n = java_part_length(s, true)) > 0 && n < s.n && is_one_of(s.s[n], "/\\"); inside = true,
	    s = str_after(s, n + 1))
		if (java_is_long_number(str_head(s, n)))
			return false;
	return java_is_no_file(s) || (java_part_length(s, false) == s.n && !java_is_long_number(s) &&
	    (inside || s.n < lined || memchr(s.s, '.', s.n) != NULL));
}

/*
 * Whether no data is in the name of a method or in its place, which is behind the bracket at that byte; s.n: there is
 * none.
 */
static bool
java_is_clean(struct str s, size_t place)
{
	bool file = place == s.n || java_is_file(str_head(str_after(s, place + 1), s.n - place - 1 - str_ends(s, ")")));

	return file && !java_is_long_number(text_after_last(str_head(s, place), '.'));
}

bool
java_is_told(struct str line)
{
	size_t place, n;

	line = text_trim(line);
	n = java_frame_length(line, &place);
	return n > 0 ? java_is_clean(str_head(line, n), place) : java_is_bare(line) && java_is_clean(line, line.n);
}

/* "tenant-7//com.acme.A.b(A.java:12)": return the frame without the name of a class loader, which somebody chose. */
static struct str
java_tell_loader(struct dumps_in *in, struct str s)
{
	struct str loader, rest;

	if (!str_divide(str_until(s, '('), STR("//"), &loader, &rest) || str_is(loader, "app") ||
	    str_is(loader, "platform"))
		return s;
	dumps_tell(in, loader, MEANT_WHO, "class loader");
	return str_after(s, loader.n);
}

bool
java_tell_frame(struct dumps_in *in, struct str s, size_t place)
{
	struct str name, rest, method;

	if (in->meaning.to == NULL || java_is_clean(s, place)) {
		dumps_tell_name(in, java_tell_loader(in, s), "frame");
		return true;
	}
	name = java_tell_loader(in, str_head(s, place));
	rest = str_after(s, place + (place < s.n));
	rest.n -= str_ends(rest, ")");
	if (java_is_long_number(method = text_after_last(name, '.'))) {
		dumps_tell(in, method, MEANT_TEXT, "number in a frame");
		name.n -= method.n;
	}
	dumps_tell_name(in, name, "frame");
	/* Data in addresses and paths has a place of its own there. */
	if (java_is_file(rest) || java_scheme_length(rest) < rest.n)
		dumps_tell_name(in, rest, "place");
	else
		dumps_tell(in, rest, MEANT_TEXT, "place");
	return false;
}

bool
java_frame(struct dumps_in *in, struct str line, bool marked)
{
	struct str f, place = STR("");
	uint64_t key;
	size_t n, at;
	bool bare;

	if (dumps_line_frame(in, line, &key))
		return true;
	line = text_trim(line);
	n = java_frame_length(line, &at);
	bare = n == 0 && marked && java_is_bare(line);
	if (bare)
		n = at = line.n;
	if (n == 0)
		return false;
	dumps_tell(in, str_after(line, n), MEANT_TEXT, "text after a frame");
	line = f = str_head(line, n);
	if (!java_tell_frame(in, line, at))
		line = f = STR("?");
	if (!text_cut_args(line, &f, &place))
		f = line;
	/* Dalvik marks native methods by this. */
	if (str_ends(f, "!"))
		f.n--;
	dumps_frame(in, text_trim(java_function(in, text_trim(f))), text_trim(text_after_last(place, '/')),
	    false);
	/* Without "at " the same line is none. */
	if (!bare)
		dumps_line_is(in, key);
	return true;
}

/* ---- locks -------------------------------------------------------------------------------- */

struct str
java_class(struct str key)
{
	struct str class = text_before_last(key, '@'), hash = str_after(key, class.n + 1);

	/* "alice@example.org" is none. */
	return hash.n > 0 && str_hexes(hash) == hash.n ? class : STR("");
}

static bool
is_lock_name(struct str s, const char *name)
{
	struct str word = str_of(name);

	for (const char *p = s.s, *end = s.s + s.n; p < end &&
	    (p = memmem(p, (size_t)(end - p), word.s, word.n)) != NULL; p++)
		if ((p == s.s || p[-1] == '.' || p[-1] == '$') && (p + word.n == end || p[word.n] == '$'))
			return true;
	return false;
}

enum dump_want
java_park(struct str class)
{
	return class.n > 0 && (is_lock_name(class, "ReentrantLock") ||
	    is_lock_name(class, "ReentrantReadWriteLock") || is_lock_name(class, "StampedLock")) ? WANT_LOCK :
	    WANT_PARK;
}

/* "(a C)" or "(an A)", after blanks. */
static bool
take_class(struct str *s, struct str *class)
{
	return scan(s, "%_(a %t)", class) || scan(s, "%_(an %t)", class);
}

/* "<0x1> (a C) held by thread 3": the key is empty if the dump does not know it. */
static bool
take_lock(struct str *s, struct str *key, struct str *class)
{
	struct str in = *s, named;

	*class = STR("");
	if (scan(&in, "<")) {
		if (!scan(&in, "%t>", key))
			return false;
		*class = java_class(*key);
	} else if (scan(&in, "an unknown object") || scan(&in, "a unknown object")) {
		*key = STR("");
	} else if (!scan(&in, "%w", key) || (*class = java_class(*key)).n == 0)
		return false;
	if (memchr(key->s, ' ', key->n) != NULL)
		*key = STR("");
	if (take_class(&in, &named))
		*class = named;
	*s = in;
	return true;
}

/* "- <0x1> (a C)" and "- C@1" of locks other than monitors. */
static bool
owned_lock(struct dumps_in *in, struct str s)
{
	struct str key, class = java_class(s), rest = s;

	(void)scan(&rest, "<");
	key = rest;
	while (rest.n > 0 && (is_hex(rest.s[0]) || rest.s[0] == 'x'))
		rest = str_after(rest, 1);
	key.n -= rest.n;
	dumps_tell_words(in, s);
	if (key.n > 0 && (scan(&rest, "{>}%_(a %t)", &class) || scan(&rest, "{>}%_(an %t)", &class))) {
		dumps_tell(in, rest, MEANT_TEXT, "text after a lock");
		dumps_hold(in, key, class);
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
	return rest.n == 0 || scan(&rest, "%_$") || scan(&rest, "%_held by thread %d", number) ||
	    scan(&rest, "%_held by tid=%d", number);
}

bool
java_lock_line(struct dumps_in *in, struct str s, bool *relock)
{
	enum { LOCKED, LOCK, RELOCK, PARK, WAIT, NO_LOCK };
	static const struct { const char *word; int what; } words[] = {
		{ "locked ", LOCKED }, { "waiting to lock ", LOCK },
		{ "waiting to re-lock in wait() ", RELOCK }, { "parking to wait for ", PARK },
		{ "waiting on ", WAIT }, { "sleeping on ", WAIT }, { "eliminated ", NO_LOCK },
		{ "blocked on ", LOCK },
	};
	struct str key, class, owner;
	size_t i = 0;

	s = str_skip_blanks(str_after(s, 1));
	if (scan(&s, "waiting on the Class initialization monitor for ")) {
		class = str_until(s, ' ');
		dumps_want(in, WANT_INIT, buf_set(&in->text_buf, STR("class "), str_head(class, 4096)),
		    class);
		dumps_tell_words(in, class);
		return true;
	}
	while (i < NELEM(words) && !str_take(&s, str_of(words[i].word)))
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
	if (memchr(class.s, '/', class.n) != NULL)
		class = java_dots(&in->text_buf, class);
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
