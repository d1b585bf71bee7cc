/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Args of calls: their positions, as columns; and, on request, their text as a part of call names.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "chrome_marks.h"

#define NAMES_MOST 100000u		/* maximum number of names with args; further calls keep plain names */
#define NAMES_BYTES ((size_t)64 << 20)	/* total bytes of these names */

uint64_t
chrome_args(struct json args)
{
	return args.at < args.size && scan_peek(&args) == '{' ? args.at + 1 : 0;
}

struct json
chrome_args_at(struct json doc, uint64_t place)
{
	doc.at = place == 0 || place > doc.size ? doc.size : place - 1;
	return doc;
}

static uint64_t
chrome_args_place_of(const struct chrome_marks *m, uint32_t number)
{
	return number == 0 ? 0 : SCRATCH(m->args, uint64_t)[number - 1];
}

/* ---- names ------------------------------------------------------------------------------------ */

struct naming {
	struct chrome_marks *m;
	struct scratch	 read;		/* struct sample_name: original frames */
	struct scratch	 open;		/* uint32_t: frames of open calls */
	struct idmap	 by_both;	/* original frame << 32 | word: frame */
	uint64_t	 names, bytes;	/* number of calls with args in the name */
};

/* Return the text of an original frame, alone or with a word. */
static uint32_t
make_frame(struct naming *n, uint32_t read, uint32_t word, struct err *err)
{
	struct samples *s = n->m->in.l->spans.calls.names;
	const struct sample_name *name = &SCRATCH(n->read, struct sample_name)[read - 1];
	struct str text = samples_text_at(s, &s->own, name->ref, name->own);
	struct buf *b = &n->m->in.l->name;
	uint32_t frame;

	buf_clear(b);
	buf_str(b, text);
	if (word != 0) {
		buf_chr(b, ' ');
		buf_str(b, marks_text(&n->m->in, word));
		n->names++;
		n->bytes += b->n;
	}
	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (name)");
	frame = samples_frame(s, word == 0 && samples_has_text(s, text) ? text : buf_view(b), STR(""), 0, err);
	if (frame == 0 || !scratch_array(&n->m->frames, frame, sizeof read, err))
		return 0;
	SCRATCH(n->m->frames, uint32_t)[frame - 1] = read;
	return frame;
}

static uint32_t
chrome_args_frame_of(struct naming *n, uint32_t read, uint32_t word, struct err *err)
{
	uint64_t key = (uint64_t)read << 32;
	uint32_t frame = idmap_get(&n->by_both, key | word);

	if (frame != 0)
		return frame;
	if (word != 0 && (n->names >= NAMES_MOST || n->bytes >= NAMES_BYTES)) {
		n->m->plain++;
		word = 0;
		frame = idmap_get(&n->by_both, key);
	}
	if (frame == 0 && ((frame = make_frame(n, read, word, err)) == 0 || !idmap_put(&n->by_both, key | word, frame, err)))
		return 0;
	return frame;
}

/* Return the args of an event as text. */
static bool
word_of(struct naming *n, uint64_t event, uint32_t *word, struct err *err)
{
	const struct calls_in *c = &n->m->in.l->spans.calls;
	struct span_args args = event < c->nargs ? SCRATCH(c->args, struct span_args)[event] : (struct span_args){ 0, 0 };
	uint64_t places[2] = { chrome_args_place_of(n->m, args.begin), chrome_args_place_of(n->m, args.end) };

	return chrome_detail(n->m, places, word, err);
}

/* Calls of a thread are nested: an exit ends the last call entered. */
static bool
name_calls(struct naming *n, struct err *err)
{
	struct calls_in *c = &n->m->in.l->spans.calls;
	struct call_event *e = SCRATCH(c->events, struct call_event);
	uint64_t depth = 0;
	uint32_t *open, word;

	for (uint64_t i = 0; i < c->n; i++) {
		if (i % 4096 == 0 && !work_go(n->m->in.l->work, n->m->in.l->doc.size, err))
			return false;
		if (e[i].word % 4 == ACT_ENTER) {
			if ((open = make_row(&n->open, depth, sizeof *open, UINT64_MAX, "open calls", err)) == NULL ||
			    !word_of(n, i, &word, err) || (*open = chrome_args_frame_of(n, e[i].word / 4, word, err)) == 0)
				return false;
			depth++;
		} else {
			assert(depth > 0);
			open = &SCRATCH(n->open, uint32_t)[--depth];
		}
		e[i].word = 4 * *open + e[i].word % 4;
	}
	return true;
}

/* Rebuild the frames, so that frames without calls are removed. */
static bool
name_all(struct chrome_marks *m, struct err *err)
{
	struct calls_in *c = &m->in.l->spans.calls;
	struct naming n = { .m = m, .read = c->names->names };
	bool ok;

	c->names->names = SCRATCH_INIT;
	c->names->nnames = 0;
	idmap_free(&c->names->by_name);
	ok = name_calls(&n, err);
	c->nframes = c->names->nnames;
	SCRATCH_FREE(&n.read, &n.open);
	idmap_free(&n.by_both);
	return ok;
}

uint32_t
chrome_args_frame(const struct chrome_marks *m, uint32_t frame)
{
	return m->frames.data == NULL ? frame : SCRATCH(m->frames, uint32_t)[frame - 1];
}

/* ---- columns ---------------------------------------------------------------------------------- */

/* Add columns with a row for each call and each end, up to the last call with args. */
static bool
put_places(struct chrome_marks *m, column_id col, bool of_end, struct err *err)
{
	const struct calls_in *c = &m->in.l->spans.calls;
	const struct span_args *args = SCRATCH(c->args, struct span_args);
	enum column_type type = column_fit(m->in.l->doc.size);
	void *to = store_make(m->in.l->st, col, type, c->nargs, err);

	for (uint64_t i = 0; to != NULL && i < c->nargs; i++) {
		if (i % 4096 == 0 && !work_go(m->in.l->work, m->in.l->doc.size, err))
			return false;
		column_set(to, type, i, chrome_args_place_of(m, of_end ? args[i].end : args[i].begin));
	}
	return to != NULL;
}

bool
chrome_args_columns(struct chrome_marks *m, struct err *err)
{
	const struct calls_in *c = &m->in.l->spans.calls;
	const struct span_args *args = SCRATCH(c->args, struct span_args);
	bool ends = false;

	for (uint64_t i = 0; i < c->nargs; i++)
		ends |= args[i].end != 0;
	if (c->nargs == 0)
		return true;
	return put_places(m, COL_EVENT_ARGS, false, err) && (!ends || put_places(m, COL_EVENT_END_ARGS, true, err)) &&
	    (fact_text(m->in.l->st, FACT_TRACE_ASK_DETAIL).n == 0 || name_all(m, err));
}
