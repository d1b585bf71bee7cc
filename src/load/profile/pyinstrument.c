/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pyinstrument: its JSON, a tree of frames, each with the time of its function and of those it called; and its
 * sessions, which have each record with its stack.
 */
#include "config.h"

#include <assert.h>

#include "icecore/facts.h"

#include "jtree.h"

/* Counts and times of the whole run are not shown. */
#define TOP(W, V, O) V(root_frame) V(start_time) V(duration) V(min_interval) V(max_interval) V(sample_count) \
	V(start_call_stack) V(target_description) V(cpu_time) V(program) V(sys_path) V(sys_prefixes) V(frame_records)
JLOAD_SHAPE(py_top, TOP)

enum { PY_NAME, PY_FILE, PY_LINE, PY_TIME };

/* "[self]" stands for the time of the frame above it. */
static uint32_t
py_stack(struct jtree *t, const struct jtree_node *f, uint32_t parent)
{
	return parent != 0 && str_is(f->word[PY_NAME], "[self]") ? parent : into_stack(&t->l->to, parent,
	    jload_function(t->l, f->word[PY_NAME], f->word[PY_FILE], jload_whole(f->word[PY_LINE], 0)));
}

/* The time of a frame outside its children is a sample of it. */
static void
py_leave(struct jtree *t, struct jtree_node *f, struct jtree_node *above)
{
	uint64_t time = 0;

	jload_number(t->l, f->word[PY_TIME], 9, &time);
	if (time > f->inside) {
		t->one.stack = f->stack;
		t->one.offset = f->at;
		t->one.weight = samples_whole(&t->l->samples, time - f->inside);
		into_sample(&t->l->to, &t->one);
	}
	if (above != NULL)
		above->inside = num_add(above->inside, time);
}

/* ---- sessions ------------------------------------------------------------------------------ */

#define PART STR("\\u0000")	/* between the parts of a frame, still escaped: name, file, line */
#define ATTRIBUTE STR("\\u0001")	/* before "cCLASS" and other attributes */

/* The parts of "NAME\0FILE\0LINE\1cCLASS\1l12". */
struct py_record_frame {
	struct str	name, file, line, class;
};

static struct py_record_frame
py_frame_of(struct str text)
{
	struct py_record_frame f = { text, STR(""), STR(""), STR("") };
	struct str rest = STR(""), attribute;

	(void)str_divide(text, ATTRIBUTE, &f.name, &rest);
	if (str_divide(f.name, PART, &f.name, &f.file))
		(void)str_divide(f.file, PART, &f.file, &f.line);
	while (rest.n > 0) {
		attribute = rest;
		if (!str_divide(rest, ATTRIBUTE, &attribute, &rest))
			rest = STR("");
		if (attribute.n > 1 && attribute.s[0] == 'c')
			f.class = str_after(attribute, 1);
	}
	return f;
}

/* The thread that was recorded comes first, as a frame. */
static uint32_t
py_thread(struct jload *l, struct py_record_frame f)
{
	uint64_t tid = 0;

	if (!num_u64(f.line, 10, &tid) || tid > UINT32_MAX)
		tid = 0;
	return INTO_ID(&l->to, samples_thread(&l->samples, 0, (uint32_t)tid, jload_text(l, f.name), l->to.err));
}

static void
py_record(struct jload *l, struct json record, struct sample *one, struct buf *b)
{
	struct json rest = json_items(record), frames, stack;
	struct py_record_frame f;
	struct str word;
	uint32_t thread = 0;
	uint64_t ns = 0;

	if (!json_next(&rest, &stack) || !json_next_word(&rest, &word) || !scan_fixed(word, 10, &ns)) {
		l->bad++;
		return;
	}
	one->stack = 0;
	for (frames = json_items(stack); !l->to.bad && json_next_word(&frames, &word); ) {
		f = py_frame_of(word);
		if (one->stack == 0 && thread == 0 && str_is(f.file, "<thread>")) {
			thread = py_thread(l, f);
			continue;
		}
		if (f.class.n > 0) {
			buf_set(b, f.class, STR("."), f.name);
			f.name = into_made(&l->to, b);
		}
		one->stack = into_stack(&l->to, one->stack, jload_function(l, f.name, f.file, jload_whole(f.line, 0)));
	}
	assert(one->event > 0 || l->to.bad);
	/* The time since the last record, rounded. */
	ns = num_add(ns, 5) / 10;
	one->offset = record.at;
	one->thread = thread != 0 ? thread : INTO_ID(&l->to, samples_thread(&l->samples, 0, 0, STR("all"), l->to.err));
	one->weight = samples_whole(&l->samples, ns);
	into_sample(&l->to, one);
	one->time = jload_step(l, one->time, ns < TIME_MOST ? TIME_ZERO + ns : TIME_ZERO + TIME_MOST);
}

static void
py_session(struct jload *l, struct json records, struct json start)
{
	struct sample one = { .time = TIME_ZERO };
	OWN_BUF b = BUF_INIT;

	(void)jload_time(l, jload_word(start), 9, &one.time);
	one.event = into_event(&l->to, STR("time"), WEIGHT_TIME, "ns");
	l->samples.times = true;
	JLOAD_EACH(l, records, record)
		py_record(l, record, &one, &b);
	INTO(&l->to, fact_set_text(l->st, FACT_FORMAT, STR("pyinstrument session (JSON)"), l->to.err));
}

void
pyinstrument_load(struct jload *l)
{
	struct json doc = l->doc;
	struct py_top at = py_top_take(l, &doc, true);
	struct jtree t = { .l = l, .keys = { "function", "file_path", "line_no", "time" }, .stack = py_stack,
	    .leave = py_leave,
	    .one.time = SAMPLE_NO_TIME };

	if (json_is(at.frame_records)) {
		py_session(l, at.frame_records, at.start_time);
		return;
	}
	t.one.thread = INTO_ID(&l->to, samples_thread(&l->samples, 0, 0, STR("all"), l->to.err));
	t.one.event = into_event(&l->to, STR("time"), WEIGHT_TIME, "ns");
	jtree_read(&t, at.root_frame);
}
