/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof_frames: the functions of a location, and which of them drop_frames hides.
 */
#include "config.h"

#include <assert.h>

#include "pprof.h"

/* ---- names --------------------------------------------------------------------------- */

/* Append "[libfoo.so.1]" for the mapped file, otherwise "[unknown]". */
static uint32_t
place_frame(struct pprof *p, uint64_t mapping, struct err *err)
{
	uint32_t row = pprof_row(&p->by_mapping, mapping), *frame = &p->unknown_frame;
	struct str file = STR(""), folder;

	if (row != 0) {
		frame = &SCRATCH(p->mappings, struct pprof_mapping)[row - 1].frame;
		file = *frame != 0 ? STR("") :
		    pprof_string(p, SCRATCH(p->mappings, struct pprof_mapping)[row - 1].file);
		(void)str_divide_last(file, '/', &folder, &file);
	}
	if (*frame != 0)
		return *frame;
	buf_clear(&p->text);
	buf_chr(&p->text, '[');
	buf_str(&p->text, file.n > 0 ? file : STR("unknown"));
	buf_chr(&p->text, ']');
	*frame = p->text.bad ? (fail(err, E_SYSTEM, "out of memory (names)"), 0) :
	    samples_frame(&p->s, buf_view(&p->text), STR(""), 0, err);
	return *frame;
}

/* 0: failure, or, if place is set, no name. */
static uint32_t
function_frame(struct pprof *p, uint32_t row, uint64_t mapping, struct err *err)
{
	struct pprof_function *f = row == 0 ? NULL : &SCRATCH(p->functions, struct pprof_function)[row - 1];
	struct str name = STR("");

	if (f != NULL && f->frame != 0)
		return f->frame;
	if (f != NULL)
		name = pprof_string(p, f->name);
	if (f != NULL && name.n == 0)
		name = pprof_string(p, f->system);
	if (f != NULL && name.n == 0)
		name = pprof_name(p, f->name);
	if (name.n == 0)
		return place_frame(p, mapping, err);
	f->frame = samples_frame(&p->s, name, pprof_string(p, f->file), 0, err);
	if (f->frame != 0)
		samples_line(&p->s, f->frame, f->line);
	return f->frame;
}

/* ---- hidden frames ---------------------------------------------------------------------- */

/* An invalid pattern is ignored and counted. */
static bool
open_pattern(struct pprof *p, uint32_t number, struct limited **pattern, struct err *err)
{
	struct str text = pprof_string(p, number);
	struct err why = { .kind = E_NONE };

	*pattern = text.n == 0 ? NULL : limited_open(text, LIMITED_WHOLE, &why);
	p->bad_patterns += why.kind == E_USAGE;
	if (why.kind == E_SYSTEM)
		*err = why;
	return why.kind != E_SYSTEM;
}

bool
pprof_open_patterns(struct pprof *p, struct err *err)
{
	return open_pattern(p, p->is.drop, &p->drops, err) && open_pattern(p, p->is.keep, &p->keeps, err);
}

void
pprof_close_patterns(struct pprof *p)
{
	limited_free(p->drops);
	limited_free(p->keeps);
}

/* Return the part of a name that patterns match: no leading dot, no arguments. */
static struct str
simple_name(struct str name)
{
	const struct str space = STR("(anonymous namespace)"), word = STR("operator()");
	size_t at = 0;
	const char *open;

	(void)str_take(&name, STR("."));
	while (at < name.n && (open = memchr(name.s + at, '(', name.n - at)) != NULL) {
		at = (size_t)(open - name.s);
		if (str_has_prefix(str_after(name, at), space))
			at += space.n;
		else if (at + 2 >= word.n && str_has_prefix(str_after(name, at + 2 - word.n), word))
			at += 2;
		else
			return str_head(name, at);
	}
	return name;
}

static bool
is_dropped(struct pprof *p, uint32_t row)
{
	struct pprof_function *f = row == 0 ? NULL : &SCRATCH(p->functions, struct pprof_function)[row - 1];
	struct str name;

	if (p->drops == NULL || f == NULL)
		return false;
	if (!f->known) {
		name = simple_name(pprof_string(p, f->name));
		f->known = true;
		f->drop = name.n > 0 && limited_matches(p->drops, name, &p->bad_patterns) &&
		    (p->keeps == NULL || !limited_matches(p->keeps, name, &p->bad_patterns));
	}
	return f->drop;
}

/* ---- locations -------------------------------------------------------------------------- */

/* Return the row of a line's function. */
static uint32_t
line_function(struct pprof *p, struct str in)
{
	struct line m;

	p->bad_messages += !line_read(in, &m, &p->unread);
	return pprof_row(&p->by_function, m.function);
}

/* Lines come innermost first. */
static void
pprof_frames_turn(uint32_t *frame, uint64_t n)
{
	for (uint64_t i = 0; i < n / 2; i++) {
		uint32_t other = frame[n - 1 - i];

		frame[n - 1 - i] = frame[i];
		frame[i] = other;
	}
}

bool
pprof_read_location(struct pprof *p, struct pprof_location *l, struct err *err)
{
	struct location m;
	uint64_t n = 0, dropped = 0;
	uint32_t row, frame;

	assert(l->nframes == 0);
	l->first = p->nframes;
	(void)location_read(l->in, &m, NULL);
	SHAPE_EACH(l->in, 4, line) {
		row = line_function(p, line);
		frame = function_frame(p, row, m.mapping, err);
		if (frame == 0 || !make_add(&p->frames, &p->nframes, &frame, sizeof frame, MAKE_MOST,
		    "frames", err))
			return false;
		n++;
		/* The outermost match is used, which is the last one. */
		if (is_dropped(p, row))
			dropped = n;
	}
	p->inlined += n > 1 ? n - 1 : 0;
	if (n == 0) {
		frame = place_frame(p, m.mapping, err);
		if (frame == 0 || !make_add(&p->frames, &p->nframes, &frame, sizeof frame, MAKE_MOST,
		    "frames", err))
			return false;
		n = 1;
	}
	pprof_frames_turn(SCRATCH(p->frames, uint32_t) + l->first, n);
	l->nframes = (uint32_t)n;
	l->keep = dropped == 0 ? l->nframes : (uint32_t)(n - dropped);
	assert(l->keep <= l->nframes);
	return true;
}
