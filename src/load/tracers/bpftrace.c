/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Maps of bpftrace, as text and as JSON.  Each map is an event.  A key has stacks and plain parts; the plain
 * parts become frames below the stacks.  Maps that are printed several times: if they only grow, the last
 * time counts, otherwise all of them do.
 */
#include "config.h"

#include "icecore/scan.h"
#include "bpftrace.h"
#include "forms.h"

#define LISTED 20u		/* values without a stack that are listed */
#define LISTED_BYTES 64u	/* maximum bytes of each part of a listed value */

/* ---- values ------------------------------------------------------------------------------- */

/* "12", or "count 3, average 45, total 135": the total. */
static bool
bpf_value(struct bpftrace *b, struct str s, uint64_t *value, uint64_t *samples)
{
	struct str count;
	bool negative;

	*samples = 0;
	if (scan(&s, "count %t, average %*t, total ", &count) && !tracers_number(b->in, count, samples))
		return false;
	negative = s.n > 1 && s.s[0] == '-' && is_digit(s.s[1]);
	if (negative)
		b->in->count[TRACED_NEGATIVE]++;
	return !negative && tracers_number(b->in, s, value);
}

/* A value of a key: the frames and plain parts were added. */
static void
bpf_put_value(struct bpftrace *b, struct str map, struct str text, const char *at)
{
	uint64_t value, samples, large = b->in->count[TRACED_LARGE], negative = b->in->count[TRACED_NEGATIVE];

	if (bpf_value(b, text, &value, &samples)) {
		if (str_eq(map, STR(BPF_OFFCPU)))
			b->waited = num_add(b->waited, samples);
		bpf_put(b, map, value, samples, at);
		return;
	}
	if (large == b->in->count[TRACED_LARGE] && negative == b->in->count[TRACED_NEGATIVE])
		b->in->count[text.n == 0 ? TRACED_STACK_HISTOGRAMS : TRACED_TEXTS]++;
	b->in->npath = 0;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Add plain parts with ", " between them as frames; *empty: a part without text, an empty stack. */
static void
push_plain(struct tracers_in *in, struct str parts, bool *empty)
{
	struct str part;
	bool more;

	do {
		more = scan(&parts, "%t, ", &part);
		part = text_trim(more ? part : parts);
		if (!more && str_ends(part, ","))
			part = text_trim(str_head(part, part.n - 1));
		if (part.n > 0)
			tracers_push_name(in, part);
		else
			*empty = true;
	} while (more && !in->bad);
}

/* A line of a key that has several. */
static void
key_line(struct tracers_in *in, struct str line, bool first)
{
	bool empty = false;

	if (!first && !str_begins(line, ",")) {
		if (text_trim(line).n > 0)
			tracers_keep(in, line);
		return;
	}
	tracers_part(in);
	push_plain(in, first ? line : str_after(line, 1), &empty);
}

/* The frames of the key were kept, the plain parts added. */
static void
key_end(struct tracers_in *in)
{
	if (in->nkept == 0)
		tracers_push_name(in, STR("[no stack]"));
	tracers_join(in, false);
}

/* "]: 12", or ", comm]: 12": the end of a key. */
static bool
ends_key(struct str line, struct str *key, struct str *value)
{
	*value = line;
	if ((!str_begins(line, "]") && !str_begins(line, ",")) || !scan(value, "%l]:", key))
		return false;
	*value = text_trim(*value);
	return true;
}

/* ", 12, 13, name": the process, the thread and its name. */
static bool
key_thread(struct tracers_in *in, struct str key)
{
	uint32_t pid, tid;

	if (!scan(&key, ", %p, %p, ", &pid, &tid))
		return false;
	tracers_thread(in, pid, tid, key);
	return true;
}

/* A key that begins in the line before. */
static void
long_key(struct bpftrace *b, struct str map, struct str first)
{
	struct tracers_in *in = b->in;
	struct str line, key, value;

	key_line(in, first, true);
	for (;;) {
		if (!tracers_peek(in, &line) || str_begins(line, "@")) {
			in->count[TRACED_CUT]++;
			in->npath = 0;
			tracers_forget(in);
			return;
		}
		if (!tracers_line(in, &line))
			return;
		if (ends_key(line, &key, &value))
			break;
		key_line(in, line, false);
	}
	if (key.n > 0 && !(str_eq(map, STR(BPF_OFFCPU)) && key_thread(in, key)))
		key_line(in, key, false);
	key_end(in);
	bpf_put_value(b, map, value, map.s);
}

static bool
is_indented(struct str line)
{
	return line.n > 0 && is_blank(line.s[0]) && text_trim(line).n > 0;
}

/* The value of a key is a stack: one sample. */
static void
stack_value(struct bpftrace *b, struct str map)
{
	struct tracers_in *in = b->in;
	struct str line;

	while (tracers_peek(in, &line) && is_indented(line) && tracers_line(in, &line))
		tracers_keep(in, line);
	tracers_join(in, false);
	bpf_put(b, map, 1, 1, map.s);
	b->stack_value = true;
}

/* "[2, 4)   3 |@@@  |", "[1]   2 |@@@|", "(..., 0)   1 |@@@|". */
static bool
take_bar(struct str line, struct str *range, uint64_t *count)
{
	struct str before, digits;

	if (line.n == 0 || !is_one_of(line.s[0], "[(") || !scan(&line, "%t|", &before) ||
	    !str_divide_last(text_trim(before), ' ', range, &digits) || !scan(&digits, "%u$", count))
		return false;
	*range = text_trim(*range);
	while (line.n > 0 && is_one_of(line.s[0], "@ "))
		line = str_after(line, 1);
	return str_is(text_trim(line), "|") && (str_ends(*range, "]") || str_ends(*range, ")"));
}

/* The unit that the name of a map ends with: "@usecs", "@read_us"; empty: none. */
static struct str
map_unit(struct str map)
{
	static const char *const units[] = {
		"secs", "msecs", "usecs", "nsecs", "s", "ms", "us", "ns", "bytes", "kbytes", "pages"
	};
	struct str unit = text_after_last(str_after(map, 1), '_');

	return str_is_one(units, NELEM(units), unit) ? unit : STR("");
}

/* The value of a map or key is a histogram on the next lines: a range is a frame. */
static void
histogram_value(struct bpftrace *b, struct str map, struct str key)
{
	struct tracers_in *in = b->in;
	struct str line, range, unit = map_unit(map);
	uint64_t count, n = 0;
	bool empty;

	if (b->hist_block == b->block + 1 && str_eq(map, b->hist_map) && str_eq(key, b->hist_key))
		b->block++;
	if (b->hist_block != b->block + 1) {
		b->hist_map = map;
		b->hist_key = key;
		b->hist_block = b->block + 1;
	}
	b->hist = true;
	for (; tracers_peek(in, &line) && take_bar(line, &range, &count) && tracers_line(in, &line); n++) {
		if (count == 0)
			continue;
		if (key.n > 0)
			push_plain(in, key, &empty);
		tracers_push_name(in, unit.n > 0 ? buf_set(&in->buf, range, STR(" "), unit) : range);
		bpf_put(b, map, count, count, line.s);
	}
	b->hist = false;
	b->stack_value = true;
	in->count[TRACED_HISTOGRAMS] += n == 0;
}

/* A value without a stack: the first ones are listed.  key: empty if there is none. */
static void
list_value(struct tracers_in *in, enum traced_count kind, struct str map, struct str key, struct str value)
{
	in->count[kind]++;
	if (in->count[TRACED_SINGLE] + in->count[TRACED_PLAIN] > LISTED)
		return;
	map = str_head(map, LISTED_BYTES);
	key = str_head(key, LISTED_BYTES);
	value = str_head(value, LISTED_BYTES);
	buf_printf(&in->others, "%s%.*s%s%.*s%s: %.*s", in->others.n > 0 ? ", " : "", (int)map.n, map.s,
	    key.n > 0 ? "[" : "", (int)key.n, key.s, key.n > 0 ? "]" : "", (int)value.n, value.s);
}

/* A key on one line with its value. */
static void
short_key(struct bpftrace *b, struct str map, struct str key, struct str value)
{
	struct tracers_in *in = b->in;
	bool empty = false;
	struct str line;

	if (value.n == 0 && !(tracers_peek(in, &line) && is_indented(line))) {
		histogram_value(b, map, key);
		return;
	}
	push_plain(in, key, &empty);
	if (value.n == 0) {
		stack_value(b, map);
		return;
	}
	if (empty) {
		tracers_push_name(in, STR("[no stack]"));
		bpf_put_value(b, map, value, map.s);
	} else if (text_all_digits(value)) {
		list_value(in, TRACED_PLAIN, map, key, value);
	} else {
		in->count[TRACED_TEXTS]++;
	}
	in->npath = 0;
}

/* A map without a key; a value on the next lines is a histogram or a stack. */
static void
single_value(struct bpftrace *b, struct str map, struct str value)
{
	struct str line;

	if (value.n == 0 && tracers_peek(b->in, &line) && is_indented(line))
		stack_value(b, map);
	else if (value.n == 0)
		histogram_value(b, map, STR(""));
	else if (!str_eq(map, STR(BPF_WAITS)) || !tracers_number(b->in, value, &b->waits))
		list_value(b->in, TRACED_SINGLE, map, STR(""), value);
}

/* Take "@name" off the front of a line. */
static bool
take_map(struct str *line, struct str *map)
{
	*map = *line;
	if (!scan(line, "@"))
		return false;
	while (line->n > 0 && is_word(line->s[0]))
		*line = str_after(*line, 1);
	map->n -= line->n;
	return true;
}

/* The text after the map in a line. */
static void
map_line(struct bpftrace *b, struct str map, struct str rest)
{
	struct str key;

	if (scan(&rest, ":"))
		single_value(b, map, text_trim(rest));
	else if (!scan(&rest, "["))
		b->in->count[TRACED_OTHER]++;
	else if (scan(&rest, "%l]:", &key))
		short_key(b, map, key, text_trim(rest));
	else
		long_key(b, map, rest);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

/* A key of a map in JSON, whose lines end with "\n", and its value. */
static void
json_key(struct bpftrace *b, struct str map, struct str raw, struct json v)
{
	struct tracers_in *in = b->in;
	struct str key = scan_unescape(raw, &in->buf), line, value;
	bool first = true;

	if (in->buf.bad && !in->bad)
		in->bad = !fail(in->err, E_SYSTEM, "out of memory (key)");
	if (scan_peek(&v) == '{' || scan_peek(&v) == '[' || !scan_word(&v, &value)) {
		in->count[TRACED_TEXTS]++;
		return;
	}
	if (key.n == 0 || memchr(key.s, '\n', key.n) == NULL) {
		list_value(in, TRACED_PLAIN, map, key, value);
		return;
	}
	for (; str_split(&key, '\n', &line) && !in->bad; first = false)
		key_line(in, line, first);
	key_end(in);
	bpf_put_value(b, map, value, raw.s);
}

static void
json_map(struct bpftrace *b, struct json j)
{
	struct str map, key, value;

	if (!scan_open(&j, '{'))
		return;
	while (scan_member(&j, &map)) {
		if (scan_peek(&j) != '{') {
			if (!scan_plain(&j, &value))
				break;
			list_value(b->in, TRACED_SINGLE, map, STR(""), value);
			continue;
		}
		scan_open(&j, '{');
		while (tracers_tick(b->in, (uint64_t)(j.base + j.at - b->in->text.s)) &&
		    scan_member(&j, &key)) {
			scan_peek(&j);
			json_key(b, map, key, j);
			if (!scan_skip(&j))
				break;
		}
		if (b->in->bad || j.bad)
			break;
	}
	b->in->count[TRACED_JSON] += j.bad;
	b->block++;
}

/* What a line that is not of a map has: a banner, what the script printed, or lost events. */
static void
json_message(struct bpftrace *b, struct str type, struct json data)
{
	struct str text = STR(""), rest;
	uint64_t lost;

	if (str_is(type, "lost_events") && text_number_after((struct str){ data.base + data.at, data.size - data.at },
	    STR("\"events\": "), &lost))
		b->in->count[TRACED_LOST_EVENTS] = num_add(b->in->count[TRACED_LOST_EVENTS], lost);
	else if (str_is(type, "printf") && scan_word(&data, &text))
		for (text = scan_unescape(text, &b->in->buf); str_split(&text, '\n', &rest); )
			tracers_message(b->in, rest);
	else
		b->in->count[TRACED_MESSAGES] += !str_is(type, "attached_probes") && !str_is(type, "time");
}

static void
json_line(struct bpftrace *b, struct str line)
{
	static const char *const names[] = { "type", "data", NULL };
	struct json j = { .base = line.s, .size = line.n }, v[2];
	struct str type = STR("");

	b->in->count[TRACED_JSON] += !members_of(&j, names, v);
	if (v[0].at >= v[0].size || !scan_word(&v[0], &type) || v[1].at >= v[1].size)
		b->in->count[TRACED_MESSAGES]++;
	else if (str_is(type, "map"))
		json_map(b, v[1]);
	else
		json_message(b, type, v[1]);
}

/* ---- all --------------------------------------------------------------------------------------- */

/* "[2, 4)   3 |@@@", "[1]   2 |@@@", "(..., 0)   1 |@@@". */
static bool
is_bar(struct str line)
{
	struct str before;

	return line.n > 0 && is_one_of(line.s[0], "[(") && scan(&line, "%t|", &before) &&
	    (str_has(before, STR(") ")) || str_has(before, STR("] ")));
}

static void
other_line(struct bpftrace *b, struct str line)
{
	struct str rest = line;
	uint64_t lost;

	if (is_bar(line))
		return;
	b->block += !b->stack_value || text_trim(line).n > 0;
	if (scan(&rest, "Lost %u events", &lost))
		b->in->count[TRACED_LOST_EVENTS] = num_add(b->in->count[TRACED_LOST_EVENTS], lost);
	else
		tracers_message(b->in, line);
}

static bool
is_json_line(struct str line)
{
	return str_begins(line, "{\"type\"");
}

bool
bpftrace_line(struct str line)
{
	struct str map;
	uint64_t count;

	if (is_json_line(line))
		return str_has(str_head(line, 64), STR("\"map\"")) ||
		    str_has(str_head(line, 64), STR("\"attached_probes\""));
	if (take_bar(line, &map, &count))
		return true;
	return take_map(&line, &map) && (str_begins(line, "[") || str_begins(line, ": "));
}

void
bpftrace_read(struct tracers_in *in)
{
	struct bpftrace b = { .in = in };
	struct str line, rest, map;

	in->values = "values are added, which is right for count() and sum() only";
	while (tracers_line(in, &line)) {
		if (text_trim(line).n > 0)
			b.stack_value = false;
		rest = line;
		if (take_map(&rest, &map))
			map_line(&b, map, rest);
		else if (is_json_line(line))
			json_line(&b, line);
		else
			other_line(&b, line);
	}
	/* A table of the kernel was full. */
	if (b.waits > b.waited)
		in->count[TRACED_LOST_EVENTS] = num_add(in->count[TRACED_LOST_EVENTS], b.waits - b.waited);
	bpf_all_rows(&b);
	SCRATCH_FREE(&b.rows, &b.sums);
	texts_free(&b.maps);
}
