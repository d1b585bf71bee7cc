/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mark: the one reader of marks of user space.  Its grammar is that of Perfetto's trace processor, except
 * that the part before the first | is a single letter.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/ids.h"
#include "icecore/mark.h"
#include "icecore/name.h"

static struct str
mark_without_end(struct str text)
{
	while (text.n > 0 && (text.s[text.n - 1] == '\n' || text.s[text.n - 1] == '\r' || text.s[text.n - 1] == '\0'))
		text.n--;
	return text;
}

/* A part between | that is not empty. */
static bool
mark_take_name(struct str *rest, struct str *part)
{
	return str_split(rest, '|', part) && part->n > 0;
}

static bool
mark_take_number(struct str *rest, struct str *part, int64_t *value)
{
	return str_split(rest, '|', part) && num_i64(str_trim(*part), 10, value);
}

/* "H|12|track|cookie" has no name. */
static bool
read_tracked_end(struct user_mark *m, struct str rest)
{
	struct str first, second;

	if (!str_split(&rest, '|', &first))
		return false;
	m->cookie = first;
	if (str_split(&rest, '|', &second) && second.n > 0) {
		m->name = first;
		m->cookie = second;
	}
	m->extra = str_trim(rest);
	return num_i64(str_trim(m->cookie), 10, &m->id);
}

/* The parts after the number of the process. */
static bool
read_parts(struct user_mark *m, struct str rest)
{
	if (memchr("GHN", m->letter, 3) != NULL && !mark_take_name(&rest, &m->track))
		return false;
	switch (m->letter) {
	case 'B': case 'I': case 'N':
		m->name = rest;
		return rest.n > 0 || m->letter == 'B';
	case 'E':
		m->extra = rest.n == 0 ? rest : str_trim(rest);
		return true;
	case 'H':
		return read_tracked_end(m, rest);
	case 'C':
		if (!mark_take_name(&rest, &m->name) || !mark_take_number(&rest, &m->cookie, &m->value))
			return false;
		m->cookie = STR("");
		m->group = rest;
		return true;
	default:
		if (!mark_take_name(&rest, &m->name) || !mark_take_number(&rest, &m->cookie, &m->id))
			return false;
		m->extra = str_trim(rest);
		return true;
	}
}

/* "parent_ts=136924.328125" in seconds, "realtime_ts=1551399234135" in milliseconds. */
static void
read_sync(struct user_mark *m, struct str rest)
{
	uint64_t ms;
	double seconds;

	m->letter = MARK_SYNC;
	m->extra = rest = str_trim(rest);
	if (str_take(&rest, STR("parent_ts="))) {
		m->synced = num_f64(str_trim(rest), &seconds) && seconds >= 0 && seconds < 72e6;
		m->time = m->synced ? (uint64_t)(seconds * 1e9 + 0.5) : 0;
	} else if (str_take(&rest, STR("realtime_ts="))) {
		m->realtime = true;
		m->synced = num_u64(str_trim(rest), 10, &ms) && ms < UINT64_MAX / 1000000;
		m->time = m->synced ? ms * 1000000 : 0;
	}
	if (m->synced)
		m->extra = STR("");
}

/* The number of a process; nearly all are digits alone. */
static bool
mark_take_pid(struct str *rest, uint32_t *pid)
{
	struct str number;
	uint64_t v = 0;
	size_t n;

	for (n = 0; n < rest->n && n < 10 && is_digit(rest->s[n]); n++)
		v = v * 10 + (uint64_t)(rest->s[n] - '0');
	if (n > 0 && (n == rest->n || rest->s[n] == '|'))
		*rest = str_after(*rest, n + 1);
	else if (!str_split(rest, '|', &number) || !num_u64(str_trim(number), 10, &v))
		return false;
	if (v > UINT32_MAX)
		return false;
	*pid = (uint32_t)v;
	return true;
}

bool
mark_read(struct str text, struct user_mark *m)
{
	struct str rest = mark_without_end(text);

	memset(m, 0, sizeof *m);
	if (str_take(&rest, STR("trace_event_clock_sync:"))) {
		read_sync(m, rest);
		return true;
	}
	if (rest.n == 0 || memchr("BECSFGHIN", rest.s[0], 9) == NULL)
		return false;
	m->letter = rest.s[0];
	/* Some programs write E without a process. */
	if (m->letter == 'E' && (rest.n == 1 || rest.s[1] == ' '))
		return read_parts(m, str_after(rest, 1));
	if (rest.n == 1 || rest.s[1] != '|')
		return false;
	rest = str_after(rest, 2);
	text = rest;
	if (!mark_take_pid(&rest, &m->pid)) {
		if (m->letter != 'E')
			return false;
		rest = text;
	}
	return read_parts(m, rest);
}

uint64_t
mark_key(const struct user_mark *m)
{
	return idmap_hash_text(m->track.n > 0 ? m->track : m->name,
	    idmap_hash((uint64_t)m->id) ^ ((uint64_t)m->pid << 1 | (m->track.n > 0)));
}

/*
 * A name ends at |, behind which Chromium writes arguments, "B|12|name|user=alice|category", and at the end of
 * its line: programs write several lines at once.
 */
static size_t
mark_name_length(struct str name)
{
	size_t n = 0;

	while (n < name.n && name.s[n] != '|' && name.s[n] != '\n' && name.s[n] != '\r')
		n++;
	return n;
}

/* "gfx", "disabled-by-default-v8.gc": a word of the program; "hunter2pw" and "4711081500" are none. */
static bool
mark_is_category(struct str s)
{
	enum { WORD_LEAST = 8, NUMBER_LEAST = 6 };
	size_t n, digits, word = 0;
	bool inside = false;

	if (!str_is_name(s, ".-") || name_is_token(s))
		return false;
	for (size_t i = 0; i < s.n; i += n) {
		digits = str_digits(str_after(s, i));
		n = digits > 0 ? digits : 1;
		if (is_one_of(s.s[i], ".-_")) {
			inside = false;
			word = 0;
			continue;
		}
		word += n;
		inside |= digits > 0 && i + n < s.n && is_letter(s.s[i + n]);
		if (digits >= NUMBER_LEAST || (inside && word >= WORD_LEAST))
			return false;
	}
	return true;
}

size_t
mark_private(struct str text, struct mark_piece pieces[MARK_PIECES])
{
	struct user_mark m;
	bool is = mark_read(text, &m);
	const struct mark_piece none = { mark_without_end(text), MEANT_TEXT, "print text" }, all[] = {
		{ m.track, MEANT_NAME, "mark track" }, { m.name, MEANT_NAME, "mark name" },
		{ m.group, mark_is_category(str_head(m.group, mark_name_length(m.group))) ? MEANT_NAME : MEANT_TEXT,
		    "mark group" },
		{ m.extra, MEANT_TEXT, "mark rest" }
	};
	size_t n = 0, length;

	for (size_t i = 0; i < (is ? NELEM(all) : 1); i++) {
		struct mark_piece p = is ? all[i] : none;

		length = p.means == MEANT_NAME ? mark_name_length(p.text) : p.text.n;
		if (length > 0)
			pieces[n++] = (struct mark_piece){ str_head(p.text, length), p.means, p.path };
		/* The | between stays. */
		if (length + 1 < p.text.n)
			pieces[n++] = (struct mark_piece){ str_after(p.text, length + 1), MEANT_TEXT, "mark rest" };
	}
	assert(n <= MARK_PIECES);
	return n;
}
