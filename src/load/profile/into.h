/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * into: what a loader fills, with an error that sticks.
 *
 * After a failure all calls do nothing and return 0, so a loader looks at bad once per event, packet or
 * line, and before it uses an id as a row.  err has the first error.  The loader owns what is filled.
 */
#ifndef LOAD_INTO_H
#define LOAD_INTO_H

struct into {
	struct samples	*samples;
	struct spans_in	*spans;		/* or NULL */
	struct marks_in	*marks;		/* or NULL */
	struct work	*work;
	struct err	*err;
	bool		 bad;
};

/* A call that returns false if it fails, and gets to->err. */
#define INTO(to, call) ((to)->bad = (to)->bad || !(call))
/* A call that returns an id, or 0 if it fails. */
#define INTO_ID(to, call) ((to)->bad ? 0 : into_id((to), (call)))
/* Append a row to n rows in a scratch; what: their name in an error. */
#define INTO_ROW(to, rows, n, row, what) INTO(to, \
    make_add(&(rows), &(n), &(row), sizeof (row), MAKE_MOST, (what), (to)->err))

static inline uint32_t
into_id(struct into *to, uint32_t id)
{
	to->bad = id == 0;
	return id;
}

/* Show progress; false: cancelled, or a call failed before. */
static inline bool
into_go(struct into *to, uint64_t at)
{
	return !INTO(to, work_go(to->work, at, to->err));
}

/* Fails if the buffer ran out of memory. */
static inline struct str
into_made(struct into *to, const struct buf *b)
{
	INTO(to, !b->bad || fail(to->err, E_SYSTEM, "out of memory (text)"));
	return buf_view(b);
}

/* ---- names ---------------------------------------------------------------------- */

static inline uint32_t
into_frame(struct into *to, struct str text)
{
	return INTO_ID(to, samples_frame(to->samples, text, STR(""), 0, to->err));
}

static inline uint32_t
into_stack(struct into *to, uint32_t parent, uint32_t frame)
{
	return INTO_ID(to, samples_stack(to->samples, parent, frame, to->err));
}

static inline uint32_t
into_event(struct into *to, struct str name, enum weight_type type, const char *unit)
{
	return INTO_ID(to, samples_event(to->samples, name, type, unit, to->err));
}

/* A word of a raw text from the file; 0: it is empty. */
static inline uint32_t
into_word(struct into *to, struct str raw)
{
	uint32_t word = 0;

	INTO(to, marks_word(to->marks, raw, &word, to->err));
	return word;
}

/* The word of a text without escapes. */
static inline uint32_t
into_text(struct into *to, struct str text)
{
	uint32_t word = 0;

	INTO(to, marks_word_of(to->marks, text, &word, to->err));
	return word;
}

static inline uint32_t
into_process(struct into *to, struct str pid)
{
	return INTO_ID(to, marks_process(to->marks, pid, 0, to->err));
}

/* The row with the same first `key` bytes. */
static inline uint32_t
into_key(struct into *to, struct mark_set *set, const void *row, size_t key, size_t size, const char *what)
{
	return INTO_ID(to, mark_set_add(set, row, key, size, what, to->err));
}

static inline void
into_map(struct into *to, struct idmap *map, uint64_t key, uint32_t v)
{
	INTO(to, idmap_put(map, key, v, to->err));
}

/* ---- data ----------------------------------------------------------------------- */

static inline void
into_sample(struct into *to, const struct sample *s)
{
	INTO(to, samples_add(to->samples, s, to->err));
}

static inline void
into_level(struct into *to, uint32_t series, uint64_t time, uint64_t value)
{
	INTO(to, marks_level(to->marks, series, time, value, to->err));
}

#endif
