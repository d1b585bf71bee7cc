/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for Nanoscope traces of one thread: lines "ns:method" for an enter, "ns:POP" for an exit.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "trace.h"

#define ROWS_MAX (UINT32_MAX / 4)	/* maximum number of methods: an event stores a method in 30 bits */
#define NANO_TID 1

/* A distinct text after the colon of an event. */
struct text {
	uint64_t	note;		/* text after the # */
	uint32_t	row;		/* row of listed.*, from 1 */
};

/* Refs into the source. */
struct method {
	uint64_t	class, name, signature;
};

/* A comment after # that belongs to one event. */
struct note {
	uint64_t	row, text;
};

/* A Nanoscope trace has exactly one thread. */
struct thread {
	uint32_t	tid;
};

struct nano {
	struct store	*st;
	struct work	*work;
	const char	*data;
	uint64_t	 size;
	uint64_t	*time;		/* columns with room for an event per line */
	uint32_t	*word;
	uint64_t	 n, room;
	uint64_t	 first;		/* the first time */
	bool		 begun;
	struct scratch	 texts, methods, notes;
	struct idmap	 by_text;
	uint64_t	 ntexts, nmethods, nnotes;
	struct scratch	 stack;		/* u32: rows of the open calls */
	uint64_t	 depth;
	uint64_t	 bad_lines, extra_pops, lost_bytes;
};

/* Parse "digits:text" with non-empty text; false: another form. */
static inline bool
nano_read_line(struct str line, uint64_t *time, struct str *text)
{
	uint64_t v = 0;
	size_t i = 0;

	/* 19 digits fit into 64 bits; 20 may not, and would be centuries. */
	while (i < line.n && i < 20 && (unsigned)(line.s[i] - '0') < 10)
		v = v * 10 + (unsigned)(line.s[i++] - '0');
	if (i == 0 || i > 19 || i + 1 >= line.n || line.s[i] != ':')
		return false;
	*time = v;
	text->s = line.s + i + 1;
	text->n = line.n - i - 1;
	return true;
}

static inline bool
is_pop(struct str text)
{
	return text.n == 3 && memcmp(text.s, "POP", 3) == 0;
}

/*
 * Log files and lists of matches also contain lines "digits:". At least one line must be an exit or a method with
 * arguments, and most lines must be events.
 */
static bool
nano_sniff(const uint8_t *head, size_t n)
{
	uint64_t events = 0, others = 0, time;
	struct str rest = { (const char *)head, n }, line, text;
	bool sure = false;

	while (str_line(&rest, &line)) {
		if (line.n == 0)
			continue;
		if (!nano_read_line(line, &time, &text)) {
			others++;
			continue;
		}
		events++;
		sure = sure || is_pop(text) || (!is_blank(text.s[0]) &&
		    (text.s[0] == '+' || text.s[text.n - 1] == ')'));
	}
	return sure && events > others;
}

/* ---- methods ---------------------------------------------------------------------- */

/*
 * "void a.b.C.d(int)" is class a.b.C, method d, signature (int). A text after + and a text without parentheses, such
 * as the loading of a class, are names without parts.
 */
static struct method
nano_split_name(const struct nano *o, struct str s)
{
	const char *open = memchr(s.s, '(', s.n);
	struct method m = { 0, 0, 0 };
	size_t from, end, dot;

	if (str_take(&s, STR("+")) || open == NULL) {
		m.name = make_ref(o->data, s);
		return m;
	}
	end = (size_t)(open - s.s);
	for (from = end; from > 0 && s.s[from - 1] != ' '; from--)
		;
	for (dot = end; dot > from && s.s[dot - 1] != '.'; dot--)
		;
	if (dot > from)
		m.class = make_ref(o->data, (struct str){ s.s + from, dot - 1 - from });
	m.name = make_ref(o->data, (struct str){ s.s + dot, end - dot });
	m.signature = make_ref(o->data, (struct str){ s.s + end, s.n - end });
	return m;
}

static bool	nano_text_of(struct nano *, struct str, const struct text **, struct err *);

/* Add a new text. Text after a # belongs to the event, not to the method. */
static bool
new_text(struct nano *o, struct str s, uint64_t key, struct err *err)
{
	const char *mark = s.s[0] == '+' ? NULL : memchr(s.s, '#', s.n);
	struct text t = { .note = 0 };
	const struct text *plain;
	struct method m;

	if (mark != NULL) {
		t.note = make_ref(o->data, str_after(s, (size_t)(mark + 1 - s.s)));
		if (!nano_text_of(o, (struct str){ s.s, (size_t)(mark - s.s) }, &plain, err))
			return false;
		t.row = plain->row;
	} else {
		m = nano_split_name(o, s);
		if (!make_add(&o->methods, &o->nmethods, &m, sizeof m, ROWS_MAX, "methods", err))
			return false;
		t.row = (uint32_t)o->nmethods;
	}
	assert(t.row != 0 && t.row <= o->nmethods);
	return make_add(&o->texts, &o->ntexts, &t, sizeof t, MAKE_MOST, "texts", err) &&
	    idmap_put(&o->by_text, key, (uint32_t)o->ntexts, err);
}

static inline bool
nano_text_of(struct nano *o, struct str s, const struct text **t, struct err *err)
{
	uint64_t key = idmap_hash_text(str_head(s, REF_MAX), 0);
	uint32_t id = idmap_get(&o->by_text, key);

	assert(id <= o->ntexts);
	if (id == 0) {
		if (!new_text(o, str_head(s, REF_MAX), key, err))
			return false;
		id = (uint32_t)o->ntexts;
	}
	*t = &SCRATCH(o->texts, struct text)[id - 1];
	return true;
}

/* ---- events ----------------------------------------------------------------------- */

static inline bool
nano_enter(struct nano *o, struct str text, struct err *err)
{
	struct note note = { o->n, 0 };
	const struct text *t;

	if (!nano_text_of(o, text, &t, err))
		return false;
	note.text = t->note;
	if ((t->note != 0 && !make_add(&o->notes, &o->nnotes, &note, sizeof note, UINT64_MAX, "notes", err)) ||
	    !make_add(&o->stack, &o->depth, &t->row, sizeof t->row, UINT64_MAX, "open calls", err))
		return false;
	o->word[o->n] = 4 * t->row + ACT_ENTER;
	return true;
}

static inline bool
nano_take_line(struct nano *o, struct str line, struct err *err)
{
	struct str text;
	uint64_t time;

	if (!nano_read_line(line, &time, &text)) {
		o->bad_lines += line.n > 0;
		return true;
	}
	if (!o->begun) {
		o->begun = true;
		o->first = time;
	}
	if (!is_pop(text)) {
		if (!nano_enter(o, text, err))
			return false;
	} else if (o->depth > 0) {
		o->word[o->n] = 4 * SCRATCH(o->stack, uint32_t)[--o->depth] + ACT_EXIT;
	} else {
		o->extra_pops++;
		return true;
	}
	/* There is room for one event per line. */
	assert(o->n < o->room);
	o->time[o->n++] = time > o->first ? time - o->first : 0;
	return true;
}

/* A last line without its end may be truncated, unless it is an exit or a method with all its arguments. */
static bool
last_line(struct nano *o, struct str line, struct err *err)
{
	struct str text;
	uint64_t time;

	if (line.n == 0)
		return true;
	line.n -= line.s[line.n - 1] == '\r';
	if (nano_read_line(line, &time, &text) && (is_pop(text) || text.s[text.n - 1] == ')'))
		return nano_take_line(o, line, err);
	o->lost_bytes = line.n;
	return true;
}

static bool
nano_take_lines(struct nano *o, struct err *err)
{
	struct str rest = { o->data, (size_t)o->size }, line;
	uint64_t lines = 0;

	work_start_bytes(o->work, "trace", o->size);
	while (str_line(&rest, &line)) {
		if ((lines++ % 256 == 0 || line.n > 4096) && !work_go(o->work, o->size - rest.n, err))
			return false;
		if (!nano_take_line(o, line, err))
			return false;
	}
	return last_line(o, rest, err);
}

/* Eight bytes at a time: bytes that are line ends get their highest bit set. */
static uint64_t
nano_count_lines(const char *s, size_t n)
{
	const uint64_t low = UINT64_MAX / 255 * 0x7f, ends = UINT64_MAX / 255 * '\n';
	uint64_t lines = 0, v;
	size_t i;

	for (i = 0; i + 8 <= n; i += 8) {
		memcpy(&v, s + i, 8);
		v ^= ends;
		v = ~(((v & low) + low) | v | low);
		lines += (unsigned)__builtin_popcountll(v);
	}
	for (; i < n; i++)
		lines += s[i] == '\n';
	return lines;
}

static bool
make_events(struct nano *o, struct err *err)
{
	const uint64_t step = 1 << 20;
	uint64_t pos, lines = 1;

	work_start_bytes(o->work, "lines", o->size);
	for (pos = 0; pos < o->size; pos += step) {
		if (!work_go(o->work, pos, err))
			return false;
		lines += nano_count_lines(o->data + pos, (size_t)(o->size - pos < step ? o->size - pos : step));
	}
	o->time = store_make(o->st, COL_EVENT_TIME, COL_U64, lines, err);
	if (o->time != NULL)
		o->word = store_make(o->st, COL_EVENT_WORD, COL_U32, lines, err);
	o->room = lines;
	if (o->time == NULL || o->word == NULL || !nano_take_lines(o, err))
		return false;
	store_trim(o->st, COL_EVENT_WORD, o->n);
	store_trim(o->st, COL_EVENT_TIME, o->n);
	return true;
}

/* ---- writing columns -------------------------------------------------------------- */

/* The only thread, and the only segment of its records. */
static bool
columns(const struct nano *o, struct err *err)
{
	static const struct make_column methods[] = {
		MAKE_CONST(COL_LISTED_METHOD, 8, MAKE_METHOD), MAKE(COL_LISTED_CLASS, method, class),
		MAKE(COL_LISTED_NAME, method, name), MAKE(COL_LISTED_SIGNATURE, method, signature),
		MAKE_CONST(COL_LISTED_FILE, 8, MAKE_ZERO), MAKE_CONST(COL_LISTED_LINE, 8, MAKE_NO_LINE),
	}, notes[] = {
		MAKE(COL_NOTE_ROW, note, row), MAKE(COL_NOTE_TEXT, note, text),
	}, threads[] = {
		MAKE(COL_LISTED_TID, thread, tid), MAKE_CONST(COL_LISTED_BEFORE, 4, MAKE_ZERO),
		MAKE_CONST(COL_LISTED_THREAD, 8, MAKE_ZERO),
	};
	static const struct thread one = { NANO_TID };

	return make_columns(o->st, methods, NELEM(methods),
	    MAKE_ROWS(SCRATCH(o->methods, struct method), o->nmethods), err) &&
	    make_columns(o->st, notes, NELEM(notes), MAKE_ROWS(SCRATCH(o->notes, struct note), o->nnotes), err) &&
	    make_columns(o->st, threads, NELEM(threads), MAKE_ROWS(&one, 1), err) && make_segment(o->st, err);
}

static bool
nano_put_facts(const struct nano *o, struct err *err)
{
	char reason[128] = "", records[NUM_TEXT];

	num_show_count(records, sizeof records, o->n);
	if (o->lost_bytes > 0)
		snprintf(reason, sizeof reason, "truncated at byte %llu; %s events read",
		    (unsigned long long)o->size, records);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("Nanoscope trace") }, { FACT_CLOCK, .text = STR("wall") },
		{ FACT_RECORDS, o->n }, { FACT_THREADS_LISTED, 1 }, { FACT_METHODS_LISTED, o->nmethods },
		MAKE_COLUMN_TRACE, { FACT_TRACE_FIRST, o->first },
		{ FACT_REPAIR_BAD_LINES, o->bad_lines }, { FACT_REPAIR_EXTRA_POPS, o->extra_pops },
		{ FACT_LOSS_TAIL_BYTES, o->lost_bytes },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	return make_facts(o->st, facts, NELEM(facts), err);
}

static bool
nano_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct nano o = { .st = st, .work = w, .data = (const char *)m->data, .size = m->size };
	bool ok;

	scratch_budget_input(m->size, 0);
	ok = make_events(&o, err) && (o.n > 0 ||
	    fail(err, E_UNREADABLE, "not a Nanoscope trace: no line has the form \"ns:method\"")) &&
	    columns(&o, err) && nano_put_facts(&o, err);
	SCRATCH_FREE(&o.texts, &o.methods, &o.notes, &o.stack);
	idmap_free(&o.by_text);
	return ok;
}

const struct loader load_nano = {
	"nanoscope", "Nanoscope trace (lines \"ns:method\" and \"ns:POP\") with its .timer and .state files",
	SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_ROWS, nano_sniff, nano_load
};
