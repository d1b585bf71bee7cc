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
	return json_is(args) && scan_peek(&args) == '{' ? args.at + 1 : 0;
}

struct json
chrome_args_at(struct json doc, uint64_t place)
{
	doc.at = place == 0 || place > doc.size ? doc.size : place - 1;
	return doc;
}

uint32_t
chrome_args_detail(struct chrome_marks *m, const uint64_t places[2])
{
	struct jload *l = m->l;
	const struct json args[] = { chrome_args_at(l->doc, places[0]), chrome_args_at(l->doc, places[1]) };

	buf_clear(&l->file);
	chrome_detail_add(l, args, &l->file);
	into_made(m->to, &l->text);
	return into_text(m->to, into_made(m->to, &l->file));
}

static uint64_t
chrome_args_place_of(const struct chrome_marks *m, uint32_t number)
{
	assert(number <= m->nargs);
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
make_frame(struct naming *n, uint32_t read, uint32_t word)
{
	struct into *to = n->m->to;
	const struct sample_name *name = &SCRATCH(n->read, struct sample_name)[read - 1];
	struct str text = samples_text_at(to->samples, &to->samples->own, name->ref, name->own);
	struct buf *b = &n->m->l->name;
	uint32_t frame;

	buf_clear(b);
	buf_str(b, text);
	if (word != 0) {
		buf_chr(b, ' ');
		buf_str(b, marks_text(to->marks, word));
		n->names++;
		n->bytes += b->n;
	}
	into_made(to, b);
	frame = into_frame(to, word == 0 && samples_has_text(to->samples, text) ? text : buf_view(b));
	INTO(to, scratch_array(&n->m->frames, frame, sizeof read, to->err));
	if (!to->bad)
		SCRATCH(n->m->frames, uint32_t)[frame - 1] = read;
	return frame;
}

static uint32_t
chrome_args_frame_of(struct naming *n, uint32_t read, uint32_t word)
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
	if (frame == 0) {
		frame = make_frame(n, read, word);
		into_map(n->m->to, &n->by_both, key | word, frame);
	}
	return frame;
}

/* Return the args of an event as text. */
static uint32_t
word_of(struct naming *n, uint64_t event)
{
	const struct calls_in *c = &n->m->l->spans.calls;
	struct span_args args = event < c->nargs ? SCRATCH(c->args, struct span_args)[event] :
	    (struct span_args){ 0, 0 };

	return chrome_args_detail(n->m, (uint64_t[2]){ chrome_args_place_of(n->m, args.begin),
	    chrome_args_place_of(n->m, args.end) });
}

/* Calls of a thread are nested: an exit ends the last call entered. */
static void
name_calls(struct naming *n)
{
	struct into *to = n->m->to;
	struct calls_in *c = &to->spans->calls;
	struct call_event *e = SCRATCH(c->events, struct call_event);
	uint64_t depth = 0;
	uint32_t open;

	for (uint64_t i = 0; i < c->n && !to->bad; i++) {
		if (i % 4096 == 0)
			into_go(to, n->m->l->doc.size);
		if (e[i].word % 4 == ACT_ENTER) {
			open = chrome_args_frame_of(n, e[i].word / 4, word_of(n, i));
			INTO_ROW(to, n->open, depth, open, "open calls");
		} else {
			assert(depth > 0);
			open = SCRATCH(n->open, uint32_t)[--depth];
		}
		e[i].word = 4 * open + e[i].word % 4;
	}
}

/* Rebuild the frames, so that frames without calls are removed. */
static void
name_all(struct chrome_marks *m)
{
	struct calls_in *c = &m->l->spans.calls;
	struct naming n = { .m = m, .read = c->names->names };

	c->names->names = SCRATCH_INIT;
	c->names->nnames = 0;
	idmap_free(&c->names->by_name);
	name_calls(&n);
	c->nframes = c->names->nnames;
	SCRATCH_FREE(&n.read, &n.open);
	idmap_free(&n.by_both);
}

uint32_t
chrome_args_frame(const struct chrome_marks *m, uint32_t frame)
{
	return m->frames.data == NULL ? frame : SCRATCH(m->frames, uint32_t)[frame - 1];
}

/* ---- columns ---------------------------------------------------------------------------------- */

/* Add columns with a row for each call and each end, up to the last call with args. */
static void
put_places(struct chrome_marks *m, column_id col, bool of_end)
{
	const struct calls_in *c = &m->l->spans.calls;
	const struct span_args *args = SCRATCH(c->args, struct span_args);
	enum column_type type = column_fit(m->l->doc.size);
	void *data = m->to->bad ? NULL : store_make(m->l->st, col, type, c->nargs, m->to->err);

	m->to->bad |= data == NULL;
	for (uint64_t i = 0; i < c->nargs && !m->to->bad; i++) {
		if (i % 4096 == 0)
			into_go(m->to, m->l->doc.size);
		column_set(data, type, i, chrome_args_place_of(m, of_end ? args[i].end : args[i].begin));
	}
}

void
chrome_args_columns(struct chrome_marks *m)
{
	const struct calls_in *c = &m->l->spans.calls;
	const struct span_args *args = SCRATCH(c->args, struct span_args);
	bool ends = false;

	for (uint64_t i = 0; i < c->nargs; i++)
		ends |= args[i].end != 0;
	if (c->nargs == 0)
		return;
	put_places(m, COL_EVENT_ARGS, false);
	if (ends)
		put_places(m, COL_EVENT_END_ARGS, true);
}

void
chrome_args_names(struct chrome_marks *m)
{
	if (m->l->spans.calls.nargs > 0 && fact_text(m->l->st, FACT_TRACE_ASK_DETAIL).n > 0)
		name_all(m);
}
