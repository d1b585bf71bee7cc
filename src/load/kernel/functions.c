/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for texts of tracer function of ftrace: a sample for each call of a function, with its caller or its stack.
 */
#include "config.h"

#include <assert.h>

#include "icecore/facts.h"
#include "icecore/lines.h"
#include "icecore/scan.h"
#include "icecore/unread.h"
#include "graph.h"

#define SNIFF_BYTES 8192u

struct functions {
	struct into	 to;
	struct samples	 samples;
	struct unread	 unread;
	struct sample	 hit;		/* the last one; a stack may follow; thread 0: none */
	struct scratch	 frames;	/* u32: the stack of the hit, innermost first */
	uint64_t	 nframes;
	bool		 stacked;	/* lines of the stack follow */
	uint64_t	 lost, bad_lines, tail;
};

/* ---- lines ------------------------------------------------------------------------------------ */

/* "name <-caller", of trace-cmd "name <-- caller", or the name alone. */
static bool
functions_hit(const struct sched_wrote *w, struct str *name, struct str *caller)
{
	struct str s = str_trim(w->rest), rest = s;

	*caller = STR("");
	if (w->event.n > 0 && !str_is(w->event, "function"))
		return false;
	if (scan(&rest, "%t <-{-}%_%w", name, caller))
		return name->n > 0 && caller->n > 0;
	*name = s;
	return s.n > 0 && s.s[0] != '<' && str_until(s, ' ').n == s.n;
}

static bool
functions_is_hit(struct str line)
{
	struct str name, caller;
	struct sched_wrote w;

	return sched_wrote(line, &w) && functions_hit(&w, &name, &caller) && caller.n > 0;
}

static bool
functions_sniff(const uint8_t *head, size_t n)
{
	struct str text = { (const char *)head, n };

	if (n == 0 || memchr(head, '\0', n) != NULL)
		return false;
	return str_begins(text, "# tracer: function\n") || lines_have(str_head(text, SNIFF_BYTES), functions_is_hit);
}

/* ---- samples ---------------------------------------------------------------------------------- */

static uint32_t
functions_frame(struct functions *f, struct str call)
{
	struct str rest = call, name, module;

	if (!scan(&rest, "%t [%t]$", &name, &module)) {
		name = call;
		module = STR("");
	}
	return INTO_ID(&f->to, samples_function(&f->samples, str_until(name, '('), module, 'k', f->to.err));
}

/* Add the hit that waits. */
static void
functions_flush(struct functions *f)
{
	const uint32_t *frame = SCRATCH(f->frames, uint32_t);

	if (f->hit.thread != 0) {
		for (uint64_t i = f->nframes; i-- > 0; )
			f->hit.stack = into_stack(&f->to, f->hit.stack, frame[i]);
		into_sample(&f->to, &f->hit);
	}
	f->hit.thread = 0;
	f->nframes = 0;
	f->stacked = false;
}

static void
functions_add(struct functions *f, struct str call)
{
	uint32_t frame = functions_frame(f, call);

	INTO_ROW(&f->to, f->frames, f->nframes, frame, "frames");
}

static void
functions_begin(struct functions *f, const struct sched_wrote *w, struct str name, struct str caller)
{
	f->hit = (struct sample){ .weight = samples_whole(&f->samples, 1), .time = w->time,
	    .offset = (uint64_t)(name.s - f->samples.source),
	    .event = into_event(&f->to, STR("function"), WEIGHT_COUNT, "calls"),
	    .thread = INTO_ID(&f->to, samples_thread(&f->samples, 0, w->tid, w->name, f->to.err)) };
	assert(f->nframes == 0 && f->hit.offset < f->samples.source_size);
	functions_add(f, name);
	if (caller.n > 0)
		functions_add(f, caller);
}

/* "=> name", "=> name+0x12/0x40", "=> name (ffff81)": a stack says more than the caller. */
static void
functions_stacked(struct functions *f, struct str name)
{
	f->bad_lines += !f->stacked || f->hit.thread == 0;
	if (f->stacked && f->hit.thread != 0)
		functions_add(f, str_until(name, '+'));
}

static void
functions_line(struct functions *f, struct str line, bool cut)
{
	struct str name, caller, s = line;
	struct sched_wrote w;

	if (scan(&s, "%_=> %w", &name)) {
		functions_stacked(f, name);
	} else if (sched_wrote(line, &w)) {
		s = str_trim(w.rest);
		if (str_begins(s, "<stack trace") || str_is(w.event, "kernel_stack") || str_is(w.event, "user_stack")) {
			f->stacked = true;
			f->nframes = 0;
			return;
		}
		functions_flush(f);
		if (functions_hit(&w, &name, &caller))
			functions_begin(f, &w, name, caller);
		else
			unread_add(&f->unread, UNREAD_KERNEL, w.event.n > 0 ? w.event : str_until(s, ' '), 1);
	} else if (w.lost > 0) {
		f->lost = num_add(f->lost, w.lost);
	} else if (!graph_blank(str_trim(line))) {
		f->bad_lines += !cut;
		f->tail = cut ? line.n : 0;
	}
}

/* ---- file ------------------------------------------------------------------------------------- */

static bool
functions_facts(const struct functions *f, struct store *st, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("function trace of ftrace (text)") },
		{ FACT_REPAIR_BAD_LINES, f->bad_lines, MAKE_ANY },
		{ FACT_LOSS_EVENTS, f->lost, MAKE_ANY }, { FACT_LOSS_TAIL_BYTES, f->tail, MAKE_ANY },
	};

	return unread_facts(&f->unread, st, err) && make_facts(st, facts, NELEM(facts), err) &&
	    sched_loss_reason(st, f->lost, f->tail, err);
}

static bool
functions_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct lines lines = lines_of((struct str){ (const char *)m->data, (size_t)m->size });
	struct functions f = { .to = { .samples = &f.samples, .work = w, .err = err } };
	struct str line;

	scratch_budget_input(m->size, 0);
	samples_open(&f.samples, st, w);
	f.samples.times = true;
	work_start_bytes(w, "function trace", m->size);
	while (!f.to.bad && lines_next(&lines, &line)) {
		INTO(&f.to, lines_look(&lines, lines_at(&lines), w, err));
		functions_line(&f, line, lines.cut);
	}
	functions_flush(&f);
	INTO(&f.to, f.samples.nsamples > 0 || fail(err, E_UNREADABLE, "no functions in this trace"));
	INTO(&f.to, functions_facts(&f, st, err) && samples_columns(&f.samples, err));
	scratch_free(&f.frames);
	samples_close(&f.samples);
	return !f.to.bad;
}

const struct loader load_functions = {
	"functions", "function trace of ftrace as text (tracefs, trace-cmd report): calls by caller or stack",
	SHAPE_SAMPLES, functions_sniff, functions_load
};
