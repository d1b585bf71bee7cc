/*
 * The text of perf script: where samples begin and end, and what their headers say.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/perf.h"
#include "icecore/make.h"

#define HEAD 256		/* bytes of a line that the name and the ids stand in */
#define LOOK 65536

/* The line without blanks and carriage returns at its end. */
static struct str
trim_end(struct str s)
{
	while (s.n > 0 && (is_blank(s.s[s.n - 1]) || s.s[s.n - 1] == '\r'))
		s.n--;
	return s;
}

static size_t
word(struct str s)
{
	size_t i = 0;

	while (i < s.n && !is_blank(s.s[i]))
		i++;
	return i;
}

/* "4794564.109216:" as nanoseconds; its length, or 0. */
static size_t
seconds(struct str s, uint64_t *ns)
{
	size_t whole = str_digits(s), n, i;
	uint64_t sec, part = 0;

	if (whole == 0 || whole == s.n || s.s[whole] != '.' ||
	    !num_u64((struct str){ s.s, whole }, 10, &sec) || sec > UINT64_MAX / 1000000000 - 1)
		return 0;
	n = str_digits(str_behind(s, whole + 1));
	if (n == 0 || whole + 1 + n >= s.n || s.s[whole + 1 + n] != ':')
		return 0;
	for (i = 0; i < 9; i++)
		part = part * 10 + (i < n ? (uint64_t)(s.s[whole + 1 + i] - '0') : 0);
	*ns = sec * 1000000000 + part;
	return whole + n + 2;
}

/* ---- headers ----------------------------------------------------------------------- */

/* "25607 " or "24636/25607 " at the beginning of s; its length, or 0. */
static size_t
ids(struct str s, struct perf_sample *p)
{
	size_t n = str_digits(s), at = n, m;
	uint64_t a, b;

	while (n > 0 && at < s.n && s.s[at] == '/')
		at++;
	m = str_digits(str_behind(s, at));
	if (n == 0 || at + m >= s.n || !is_blank(s.s[at + m]) ||
	    !num_u64((struct str){ s.s, n }, 10, &a) || a > UINT32_MAX)
		return 0;
	p->has_pid = m > 0;
	p->pid = 0;
	p->tid = (uint32_t)a;
	if (m > 0) {
		if (!num_u64((struct str){ s.s + at, m }, 10, &b) || b > UINT32_MAX)
			return 0;
		p->pid = (uint32_t)a;
		p->tid = (uint32_t)b;
	}
	return at + m;
}

/* "-1 " or "-1/-1 ", what stands for the ids of a task that is gone; its length, or 0. */
static size_t
no_ids(struct str s, struct perf_sample *p)
{
	static const struct str one = { "-1 ", 3 }, two = { "-1/-1 ", 6 };

	if (!str_has_prefix(s, one) && !str_has_prefix(s, two))
		return 0;
	p->has_pid = false;
	p->pid = p->tid = 0;
	return (str_has_prefix(s, one) ? one.n : two.n) - 1;
}

/* Whether s, what follows the ids, begins like a CPU, a time or an event: a name may hold numbers as well. */
static bool
likely(struct str s)
{
	uint64_t ns;
	size_t n;

	s = trim_end(str_skip_blanks(s));
	n = str_digits(s);
	if (s.n > 0 && s.s[0] == '[' && str_digits(str_behind(s, 1)) > 0)
		return true;
	if (seconds(s, &ns) > 0)
		return true;
	if (n > 0 && n < s.n && is_blank(s.s[n]))
		s = str_skip_blanks(str_behind(s, n));
	n = word(s);
	return n > 1 && n == s.n && s.s[n - 1] == ':';
}

/* The shortest name with ids behind it that the rest fits; where none does, the shortest. */
static bool
name_and_ids(struct str line, bool exact, struct perf_sample *p, struct str *rest)
{
	struct perf_sample q = *p;
	/* Each blank is tried, so lines of megabytes would take for ever without the limit. */
	size_t i, n, most = line.n < HEAD ? line.n : HEAD;
	bool found = false;

	/* The scripts know no names of one byte. */
	for (i = exact ? 3 : 1; i < most; i++) {
		if (!is_blank(line.s[i - 1]))
			continue;
		n = ids(str_behind(line, i), &q);
		if (n == 0 && !exact)
			n = no_ids(str_behind(line, i), &q);
		if (n == 0)
			continue;
		q.comm = trim_end((struct str){ line.s, i });
		if (!found || likely(str_behind(line, i + n))) {
			*p = q;
			*rest = str_skip_blanks(str_behind(line, i + n));
		}
		if (exact || likely(str_behind(line, i + n)))
			return true;
		found = true;
	}
	return found;
}

/* "24636/25607 " or "25607 " where a name should be: what follows tells that there is none. */
static bool
only_ids(struct str line, struct perf_sample *p, struct str *rest)
{
	struct perf_sample q = *p;
	size_t n = ids(line, &q);
	uint64_t ns;

	if (n == 0)
		return false;
	*rest = str_skip_blanks(str_behind(line, n));
	if (q.has_pid ? !likely(*rest) : seconds(*rest, &ns) == 0)
		return false;
	*p = q;
	return true;
}

/* "  24636/25607 ", with blanks to fill its column. */
static bool
padded_ids(struct str line)
{
	size_t n;

	if (line.n == 0 || line.s[0] != ' ')
		return false;
	line = str_skip_blanks(line);
	n = str_digits(line);
	return n > 0 && n + 1 < line.n && line.s[n] == '/' && is_digit(line.s[n + 1]);
}

/* Behind the ids: "[002] 6544038.708352: 235 cpu-clock: ..." */
static void
cpu_to_event(struct str s, struct perf_sample *p)
{
	struct str rest;
	size_t n;

	if (s.n > 0 && s.s[0] == '[' && (n = str_digits(str_behind(s, 1))) > 0 && n + 1 < s.n && s.s[n + 1] == ']')
		s = str_skip_blanks(str_behind(s, n + 2));
	/* Flags may stand there: "U", "d..1.". */
	rest = str_skip_blanks(str_behind(s, word(s)));
	if (seconds(s, &p->time) == 0 && seconds(rest, &p->time) > 0)
		s = rest;
	n = seconds(s, &p->time);
	p->has_time = n > 0;
	s = str_skip_blanks(str_behind(s, n));
	n = str_digits(s);
	if (n > 0 && n < s.n && is_blank(s.s[n])) {
		p->has_period = num_u64((struct str){ s.s, n }, 10, &p->period);
		s = str_skip_blanks(str_behind(s, n));
	}
	n = word(s);
	if (n > 1 && s.s[n - 1] == ':') {
		p->event = (struct str){ s.s, n - 1 };
		s = str_skip_blanks(str_behind(s, n));
	}
	p->details = trim_end(s);
}

static bool
header(struct str line, bool exact, struct perf_sample *p)
{
	struct str rest = { NULL, 0 };
	size_t n;

	memset(p, 0, sizeof *p);
	/* One blank stays: there is always one behind the ids. */
	n = trim_end(line).n;
	line.n = n < line.n && is_blank(line.s[n]) ? n + 1 : n;
	if (n == 0 || ((exact || !only_ids(line, p, &rest)) && !name_and_ids(line, exact, p, &rest)))
		return false;
	cpu_to_event(rest, p);
	return true;
}

/* A header that leaves no doubt: it has an event or a time, and nothing that belongs to neither. */
static bool
sure_header(struct str line, struct perf_sample *p)
{
	return header(line, false, p) && (p->event.n > 0 || p->has_time) &&
	    (p->details.n == 0 || (p->event.n > 0 && p->has_time));
}

/* ---- samples ------------------------------------------------------------------------- */

/* The line at t->at without its end; moves behind it. */
static struct str
next_line(struct perf_text *t)
{
	const char *from = t->base + t->at;
	const char *nl = memchr(from, '\n', t->size - t->at);
	struct str line = { from, nl != NULL ? (size_t)(nl - from) : (size_t)(t->size - t->at) };

	t->at += line.n + (nl != NULL);
	assert(t->at <= t->size);
	return line;
}

/* It begins with a hexadecimal number, and more follows. */
static bool
hex_word(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_hex(s.s[n]))
		n++;
	return n > 0 && n < s.n && is_blank(s.s[n]);
}

/* "    7f01 main", as frames begin where no header says that it is one: a word of prose is no address. */
static bool
plain_frame(struct str line)
{
	size_t n = 0, digits = 0;

	if (line.n == 0 || !is_blank(line.s[0]))
		return false;
	line = str_skip_blanks(line);
	for (; n < line.n && is_hex(line.s[n]); n++)
		digits += is_digit(line.s[n]);
	return n >= 4 && digits > 0 && n < line.n && is_blank(line.s[n]);
}

/* Whether all of it is frames below names alone, with empty lines between: what perf script -F comm,ip,sym prints. */
static bool
only_names(struct perf_text look, bool whole)
{
	bool empty = true, any = false;
	struct str line;

	look.at = 0;
	while (look.at < look.size) {
		line = next_line(&look);
		/* The last one may be cut. */
		if ((line.n > 0 && line.s[0] == '#') || (look.at == look.size && !whole))
			continue;
		if (trim_end(line).n == 0) {
			empty = true;
			continue;
		}
		if (is_blank(line.s[0]) ? empty || !plain_frame(line) : !empty)
			return false;
		any |= is_blank(line.s[0]);
		empty = false;
	}
	return any;
}

bool
perf_open(struct perf_text *t, const char *base, uint64_t size)
{
	struct perf_text look = { .base = base, .size = size < LOOK ? size : LOOK };
	struct perf_sample p;
	struct str line;
	bool bare = false;

	*t = (struct perf_text){ .base = base, .size = size };
	while (look.at < look.size) {
		line = next_line(&look);
		/* Indented, as frames begin. */
		if (bare && line.n > 0 && is_blank(line.s[0]) && hex_word(str_skip_blanks(line)))
			return true;
		bare = false;
		if (line.n == 0 || line.s[0] == '#')
			continue;
		if (sure_header(str_skip_blanks(line), &p)) {
			t->one_line = is_blank(line.s[0]) && !padded_ids(line);
			return true;
		}
		bare = !is_blank(line.s[0]) && header(line, false, &p) && p.details.n == 0;
	}
	t->names = only_names(look, look.size == size);
	return t->names;
}

/* ":u" and the like at the end: on lines of their own kind these tell no events apart. */
static struct str
without_modifiers(struct str event)
{
	size_t n = event.n;

	while (n > 0 && event.s[n - 1] != '\0' && strchr("ukhGHpPSDWeIb", event.s[n - 1]) != NULL)
		n--;
	if (n > 1 && n < event.n && event.s[n - 1] == ':')
		event.n = n - 1;
	return event;
}

static bool
is_header(const struct perf_text *t, struct str line, struct perf_sample *p)
{
	if (t->one_line) {
		if (!sure_header(str_skip_blanks(line), p))
			return false;
		p->event = without_modifiers(p->event);
		return true;
	}
	if (t->names) {
		*p = (struct perf_sample){ .comm = trim_end(line) };
		return !t->exact && p->comm.n > 0 && !is_blank(line.s[0]) && line.s[0] != '#';
	}
	if (!t->exact && padded_ids(line))
		line = str_skip_blanks(line);
	return line.n > 0 && !is_blank(line.s[0]) && line.s[0] != '#' && header(line, t->exact, p);
}

/* Lines up to an empty one, which is taken, or to the next header, which is not. */
static void
take_frames(struct perf_text *t, struct perf_sample *p)
{
	uint64_t from = t->at, end = from, start;
	struct perf_sample next;
	struct str line;

	while (t->at < t->size) {
		start = t->at;
		line = next_line(t);
		if (trim_end(line).n == 0)
			break;
		if ((t->one_line || !is_blank(line.s[0]) || line.s[0] == ' ') && is_header(t, line, &next)) {
			t->at = start;
			break;
		}
		end = t->at;
	}
	assert(from <= end && end <= t->size);
	p->frames = (struct str){ t->base + from, (size_t)(end - from) };
}

/* "PERF_RECORD_MMAP2 12/12: ...", "PERF_RECORD_LOST lost 12"; false: it is a sample. */
static bool
other_record(struct perf_text *t, struct str event, struct str details)
{
	static const struct str other = { "PERF_RECORD_", 12 };
	struct str s = str_has_prefix(event, other) ? event : details, kind;
	uint64_t n;

	if (!str_has_prefix(s, other))
		return false;
	t->others++;
	if (str_has_prefix(s, STR("PERF_RECORD_LOST")) && str_divide(s, STR(" lost "), &kind, &s) &&
	    str_number(&s, &n))
		t->lost = num_add(t->lost, n);
	return true;
}

/* Where the last address stands that perf printed with a symbol: blanks fill it up to 16 bytes; SIZE_MAX: nowhere. */
static size_t
last_address(struct str s, const char *least)
{
	const char *p, *from, *end = s.s + s.n;

	for (; end > s.s; end = from) {
		while (end > s.s && is_blank(end[-1]))
			end--;
		for (from = end; from > s.s && !is_blank(from[-1]); from--)
			;
		for (p = from; p > least && is_blank(p[-1]); p--)
			;
		if (end - p > 16 && p < from && plain_frame((struct str){ from - 1, (size_t)(s.s + s.n - from) + 1 }))
			return (size_t)(from - s.s);
	}
	return SIZE_MAX;
}

/*
 * "7fa68b1f2d84 _dl_start+0x4 (/usr/lib/ld-2.31.so)" behind the event: of what the line has before and behind it, an address of
 * data, where a branch went to, nothing is a frame.  The module may be missing.
 */
static struct str
frame_behind(struct str details, const char *line)
{
	struct str s = details, rest, module;
	const char *end;
	size_t from;

	str_divide(details, STR(" => "), &s, &rest);
	s = trim_end(s);
	from = s.n > 0 ? last_address(s, line) : SIZE_MAX;
	if (from == SIZE_MAX)
		return hex_word(s) && s.s[s.n - 1] == ')' ? s : STR("");
	s = str_behind(s, from);
	if (str_divide(s, STR(" ("), &rest, &module) && (end = memrchr(module.s, ')', module.n)) != NULL)
		s.n = (size_t)(end - s.s) + 1;
	return s;
}

void
perf_apart(struct perf_text *t)
{
	while (t->at < t->size && trim_end(next_line(t)).n > 0)
		;
}

bool
perf_next(struct perf_text *t, struct perf_sample *p)
{
	while (t->at < t->size) {
		uint64_t start = t->at;
		struct str line = next_line(t);

		if (!is_header(t, line, p)) {
			t->stray += trim_end(line).n > 0 && line.s[0] != '#';
			/* There was one at this place for others: the next one has a place of its own. */
			if (t->exact)
				return false;
			continue;
		}
		if (other_record(t, p->event, p->details))
			continue;
		p->offset = start;
		take_frames(t, p);
		if (p->frames.n == 0)
			p->frames = frame_behind(p->details, t->base + start);
		return true;
	}
	return false;
}
