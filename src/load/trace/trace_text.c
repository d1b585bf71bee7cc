/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text section of a method trace: version keys, threads, methods.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "trace.h"

static const char *const key_names[TRACE_KEYS] = {
	[KEY_OVERFLOW] = "data-file-overflow",
	[KEY_CLOCK] = "clock",
	[KEY_ELAPSED_US] = "elapsed-time-usec",
	[KEY_ELAPSED_NS] = "elapsed-time-nsec",
	[KEY_CALLS] = "num-method-calls",
	[KEY_OVERHEAD] = "clock-call-overhead-nsec",
	[KEY_VM] = "vm",
	[KEY_PID] = "pid",
	[KEY_ALLOC_COUNT] = "alloc-count",
	[KEY_ALLOC_SIZE] = "alloc-size",
	[KEY_GC_COUNT] = "gc-count",
};

/* A line of the method list, by distinct method id; texts are refs into the source. */
struct listed {
	uint64_t	raw, class, name, signature, file;
	int64_t		line;
};

struct listed_thread {
	uint64_t	name;
	uint32_t	tid;
	uint32_t	before;		/* 1 + the earlier row with this tid, or 0 */
};

/* A C integer: 0x, decimal, or decimal with leading zeros. */
static bool
c_integer(struct str s, uint64_t *v)
{
	s = str_skip_blanks(s);
	while (s.n > 0 && s.s[s.n - 1] == ' ')
		s.n--;
	return num_u64(s, 0, v) || num_u64(s, 10, v);
}

/* Return the row of a method id, adding it if it is new: the last line is used. */
static struct listed *
listed_row(struct trace *t, uint64_t raw, struct err *err)
{
	uint32_t id = idmap_get(&t->ids, raw);
	struct listed *new;

	if (id != 0)
		return &SCRATCH(t->methods, struct listed)[id - 1];
	new = make_row(&t->methods, t->nmethods, sizeof *new, UINT32_MAX, "methods", err);
	if (new == NULL || !idmap_put(&t->ids, raw, (uint32_t)t->nmethods + 1, err))
		return NULL;
	t->nmethods++;
	return new;
}

bool
trace_method(struct trace *t, uint64_t raw, struct str line, struct err *err)
{
	struct str f[5] = { { NULL, 0 } }, *class = &f[0], *name = &f[1];
	struct str *sig = &f[2], *file = &f[3], *number = &f[4];
	struct str none = { NULL, 0 };
	struct listed *m;
	size_t n = 0;

	while (line.n > 0 && (line.s[line.n - 1] == '\n' || line.s[line.n - 1] == '\r'))
		line.n--;
	while (n < NELEM(f) && str_split(&line, '\t', &f[n]))
		n++;
	if (sig->n > 0 && sig->s[0] != '(') {
		/* Native style: class.method, source, line. */
		number = sig;
		file = name;
		name = sig = &none;
	}
	if (t->in_summary && idmap_get(&t->ids, raw & ~(uint64_t)3) != 0)
		return true;
	if ((m = listed_row(t, raw & ~(uint64_t)3, err)) == NULL)
		return false;
	assert(m->raw == 0 || m->raw == (raw & ~(uint64_t)3));
	t->method_lines += !t->in_summary;
	m->raw = raw & ~(uint64_t)3;
	m->class = make_ref(t->data, *class);
	m->name = make_ref(t->data, *name);
	m->signature = make_ref(t->data, *sig);
	m->file = make_ref(t->data, *file);
	if (!num_i64(*number, 10, &m->line))
		m->line = -1;
	return true;
}

bool
trace_method_line(struct trace *t, struct str line, struct err *err)
{
	struct str id;
	uint64_t raw;

	if (memchr(line.s, '\t', line.n) == NULL ||
	    !str_split(&line, '\t', &id) || !c_integer(id, &raw)) {
		t->bad_lines++;
		return true;
	}
	return trace_method(t, raw, line, err);
}

bool
trace_thread(struct trace *t, uint32_t tid, struct str name, struct err *err)
{
	const struct listed_thread *row = SCRATCH(t->threads, struct listed_thread);
	uint32_t key = t->wide ? tid : tid & 0xffff;
	uint32_t last = idmap_get(&t->tids, key);
	struct listed_thread new = { make_ref(t->data, name), tid, last };

	assert(last <= t->nthreads);
	if (t->in_summary && last != 0 && str_eq(store_text(t->st, row[last - 1].name), name))
		return true;
	t->dup_tids += last != 0;
	return make_add(&t->threads, &t->nthreads, &new, sizeof new, UINT32_MAX, "threads", err) &&
	    idmap_put(&t->tids, key, (uint32_t)t->nthreads, err);
}

static bool
thread_line(struct trace *t, struct str line, struct err *err)
{
	struct str id, name = line;
	uint64_t tid;

	if (memchr(line.s, '\t', line.n) == NULL)
		return true;
	if (!str_split(&name, '\t', &id) || !c_integer(id, &tid) || tid > UINT32_MAX) {
		t->bad_lines++;
		return true;
	}
	return trace_thread(t, (uint32_t)tid, name, err);
}

static void
version_line(struct trace *t, struct str line)
{
	struct str key;

	if (!str_divide(line, STR("="), &key, &line))
		return;
	for (size_t i = 0; i < TRACE_KEYS; i++)
		if (str_eq(key, str_of(key_names[i]))) {
			t->key[i] = t->key[i].s == NULL ? line : t->key[i];
			return;
		}
	unread_add(&t->unread, UNREAD_KEY, key, 1);
}

bool
trace_text(struct trace *t, uint64_t pos, uint64_t end, uint64_t *after,
    bool *whole, struct err *err)
{
	enum { NONE, VERSION, THREADS, METHODS } section = NONE;
	struct str rest = { (const char *)t->data + pos, (size_t)(end - pos) }, line;

	assert(pos <= end && end <= t->size);
	*whole = false;
	while (str_line(&rest, &line)) {
		*after = end - rest.n;
		t->crlf |= line.s[line.n] == '\r';
		if (!work_go(t->work, *after, err))
			return false;
		*whole = str_eq(line, STR("*end"));
		if (*whole)
			return true;
		if (line.n > 0 && line.s[0] == '*') {
			section = str_eq(line, STR("*version")) ? VERSION : str_eq(line, STR("*threads")) ? THREADS :
			    str_eq(line, STR("*methods")) ? METHODS : NONE;
			if (section == NONE)
				unread_add(&t->unread, UNREAD_SECTION, str_after(line, 1), 1);
		}
		else if (section == VERSION)
			version_line(t, line);
		else if (section == THREADS && !thread_line(t, line, err))
			return false;
		else if (section == METHODS && memchr(line.s, '\t', line.n) != NULL &&
		    !trace_method_line(t, line, err))
			return false;
	}
	*after = end;
	return true;
}

/* ---- segments and clocks ------------------------------------------------- */

bool
trace_segment(struct trace *t, uint64_t offset, struct err *err)
{
	struct segment s = { offset, t->records };

	/* Readers find the segment of a row by binary search. */
	assert(t->nsegments == 0 || SCRATCH(t->segments, struct segment)[t->nsegments - 1].row <= t->records);
	return make_add(&t->segments, &t->nsegments, &s, sizeof s, UINT64_MAX, "runs of records", err);
}

void
trace_clock(struct trace *t, unsigned otherwise)
{
	struct str c = t->key[KEY_CLOCK];

	t->guessed = c.n == 0;
	if (str_eq(c, STR("dual")))
		t->clocks = 1 << CLOCK_WALL | 1 << CLOCK_CPU;
	else if (str_eq(c, STR("wall")) || str_eq(c, STR("global")))
		t->clocks = 1 << CLOCK_WALL;
	else if (c.n > 0)
		t->clocks = 1 << CLOCK_CPU;
	else
		t->clocks = otherwise;
}

/* ---- writing columns ---------------------------------------------------- */

bool
trace_tables(struct trace *t, struct err *err)
{
	static const struct make_column methods[] = {
		MAKE(COL_LISTED_METHOD, listed, raw), MAKE(COL_LISTED_CLASS, listed, class),
		MAKE(COL_LISTED_NAME, listed, name), MAKE(COL_LISTED_SIGNATURE, listed, signature),
		MAKE(COL_LISTED_FILE, listed, file), MAKE_COLUMN(COL_LISTED_LINE, listed, line, MAKE_SIGNED),
	}, threads[] = {
		MAKE(COL_LISTED_TID, listed_thread, tid), MAKE(COL_LISTED_BEFORE, listed_thread, before),
		MAKE(COL_LISTED_THREAD, listed_thread, name),
	}, segments[] = {
		MAKE(COL_SEGMENT_OFFSET, segment, offset), MAKE(COL_SEGMENT_ROW, segment, row),
	};
	const struct listed *method = SCRATCH(t->methods, struct listed);
	const struct listed_thread *thread = SCRATCH(t->threads, struct listed_thread);
	const struct segment *segment = SCRATCH(t->segments, struct segment);

	return make_columns(t->st, methods, NELEM(methods), MAKE_ROWS(method, t->nmethods), err) &&
	    make_columns(t->st, threads, NELEM(threads), MAKE_ROWS(thread, t->nthreads), err) &&
	    make_columns(t->st, segments, NELEM(segments), MAKE_ROWS(segment, t->nsegments), err);
}
