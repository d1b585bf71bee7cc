/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weighted stacks without time being read.
 */
#include "config.h"

#include <assert.h>

#include "icecore/name.h"
#include "icecore/scan.h"
#include "load/decode.h"
#include "tracers_in.h"

#define FRAMES_MOST (1u << 24)	/* maximum number of frames in a stack */

void
tracers_open(struct tracers_in *in, struct store *st, struct work *w, struct err *err)
{
	memset(in, 0, sizeof *in);
	samples_open(&in->s, st, w);
	points_open(&in->points);
	in->s.counts = COUNT_TOLD;
	in->s.chosen_by = "first one with stacks in the file";
	in->err = err;
	in->text = (struct str){ in->s.source, (size_t)in->s.source_size };
	scan(&in->text, "\xef\xbb\xbf");
	in->lines = lines_of(in->text);
}

void
tracers_close(struct tracers_in *in)
{
	samples_close(&in->s);
	points_close(&in->points);
	SCRATCH_FREE(&in->path, &in->kept, &in->levels);
	buf_free(&in->buf);
	buf_free(&in->name);
	buf_free(&in->notes);
	buf_free(&in->peak);
	buf_free(&in->others);
	buf_free(&in->picture);
}

/* ---- text --------------------------------------------------------------------------- */

bool
tracers_tick(struct tracers_in *in, uint64_t at)
{
	in->bad = in->bad || !lines_look(&in->lines, at, in->s.work, in->err);
	return !in->bad;
}

bool
tracers_peek(const struct tracers_in *in, struct str *line)
{
	struct lines ahead = in->lines;

	return !in->bad && lines_next(&ahead, line);
}

bool
tracers_line(struct tracers_in *in, struct str *line)
{
	return tracers_tick(in, lines_at(&in->lines)) && lines_next(&in->lines, line);
}

bool
tracers_number(struct tracers_in *in, struct str s, uint64_t *v)
{
	bool digits = text_all_digits(s), fits = digits && str_number(&s, v);

	in->count[TRACED_LARGE] += digits && !fits;
	return fits;
}

void
tracers_message(struct tracers_in *in, struct str line)
{
	line = text_trim(line);
	in->count[TRACED_MESSAGES] += line.n > 0 && !banner_is(line);
}

/* ---- samples ------------------------------------------------------------------------ */

void
tracers_event(struct tracers_in *in, struct str name, enum weight_type type, const char *unit)
{
	in->event = in->bad ? 0 : samples_event(&in->s, name, type, unit, in->err);
	in->bad |= in->event == 0;
}

void
tracers_period(struct tracers_in *in, struct str event, uint64_t n, uint64_t unit)
{
	n = n > PERIOD_MOST / unit ? 0 : n * unit;
	in->bad |= !in->bad && !samples_period(&in->s, event, 0, n, in->err);
}

void
tracers_thread(struct tracers_in *in, uint32_t pid, uint32_t tid, struct str name)
{
	in->thread = in->bad ? 0 : samples_thread(&in->s, pid, tid, name, in->err);
	in->bad |= in->thread == 0;
}

/* The id of a frame; 0: failed. */
static uint32_t
traced_frame_id(struct tracers_in *in, struct traced_frame f)
{
	uint32_t id;

	if (f.library && f.name.n > 0 && f.name.s[0] != '[')
		f.name = buf_set(&in->name, STR("["), str_head(f.name, REF_MAX), STR("]"));
	else
		f.name = name_rust(f.name, &in->name);
	if ((in->name.bad || in->buf.bad) && !in->bad)
		in->bad = !fail(in->err, E_SYSTEM, "out of memory (name)");
	if (f.name.n == 0)
		f.name = STR("[unknown]");
	in->count[TRACED_ADDRESSES] += str_begins(f.name, "0x");
	id = in->bad ? 0 : samples_placed(&in->s, f.name, f.file, f.module, f.kind, in->err);
	in->bad |= id == 0;
	if (id != 0)
		samples_line(&in->s, id, f.line);
	return id;
}

void
tracers_push_id(struct tracers_in *in, uint32_t frame)
{
	assert(in->bad || (frame != 0 && frame <= in->s.nnames));
	if (in->npath == FRAMES_MOST)
		in->count[TRACED_DEEP]++;
	else
		MAKE_PUT(in, path, frame, FRAMES_MOST, "frames");
}

void
tracers_push(struct tracers_in *in, struct traced_frame f)
{
	tracers_push_id(in, traced_frame_id(in, f));
}

void
tracers_push_name(struct tracers_in *in, struct str name)
{
	tracers_push(in, (struct traced_frame){ .name = name });
}

uint32_t
tracers_stack(struct tracers_in *in)
{
	struct sample_path p = { SCRATCH(in->path, uint32_t), in->npath, 0 };

	in->npath = 0;
	if (in->bad || p.n == 0)
		return 0;
	in->bad = !samples_stacks(&in->s, &p, 1, in->err);
	assert(in->bad || p.stack != 0);
	return p.stack;
}

void
tracers_add(struct tracers_in *in, uint32_t stack, uint64_t weight, uint64_t count, const char *at)
{
	struct sample sample = { .weight = weight, .count = count, .time = in->time, .stack = stack,
	    .event = in->event, .thread = in->thread, .state = in->state, .labels = in->labels };

	if (in->bad)
		return;
	assert(in->event != 0 && in->event <= in->s.nevents);
	assert(stack <= in->s.nstacks);
	if (sample.thread == 0)
		sample.thread = samples_thread(&in->s, 0, 0, STR(""), in->err);
	sample.offset = samples_has_text(&in->s, (struct str){ at, 0 }) ? (uint64_t)(at - in->s.source) : 0;
	if (in->s.chosen == 0)
		in->s.chosen = in->event;
	in->bad = sample.thread == 0 || !samples_add(&in->s, &sample, in->err);
}

/* ---- stacks by lines ------------------------------------------------------------------ */

void
tracers_keep(struct tracers_in *in, struct str line)
{
	struct traced_line l = { line, in->part };

	MAKE_PUT(in, kept, l, UINT32_MAX, "lines of a stack");
}

void
tracers_part(struct tracers_in *in)
{
	if (in->nkept > 0 && SCRATCH(in->kept, struct traced_line)[in->nkept - 1].part == in->part)
		in->part++;
}

void
tracers_forget(struct tracers_in *in)
{
	in->nkept = 0;
	in->part = 0;
}

/* Whether a function is where the kernel begins. */
static bool
is_entry(struct str name)
{
	static const char *const prefixes[] = {
		"entry_", "do_syscall_64", "el0_", "el0t_", "ret_from_fork", "asm_", "secondary_startup",
		    "cpu_startup_entry", "x64_sys_call",
		"start_kernel", "syscall_enter", "common_startup", "__sysvec", "sysvec_"
	};

	for (size_t i = 0; i < NELEM(prefixes); i++)
		if (str_has_prefix(name, str_of(prefixes[i])))
			return true;
	return str_is(name, "kthread");
}

/* The row before the stack whose last line is row end - 1. */
static uint64_t
part_begin(const struct traced_line *l, uint64_t end)
{
	uint64_t from = end - 1;

	assert(end > 0);
	while (from > 0 && l[from - 1].part == l[end - 1].part)
		from--;
	return from;
}

/* Add lines from to end, leaf first, and so from the end on. */
static void
traced_push_part(struct tracers_in *in, uint64_t from, uint64_t end, char kind)
{
	struct traced_frame f;

	assert(from < end && end <= in->nkept);
	while (end-- > from) {
		f = traced_frame_of(SCRATCH(in->kept, struct traced_line)[end].text);
		f.kind = kind;
		tracers_push(in, f);
	}
}

/* Add the stacks of the kernel, or of users in the order of the key, or from the last one on. */
static void
traced_push_parts(struct tracers_in *in, bool kernel, bool first_is_kernel)
{
	const struct traced_line *l = SCRATCH(in->kept, struct traced_line);
	uint64_t end;

	for (uint64_t from = 0; from < in->nkept && !in->bad; from = end) {
		for (end = from + 1; end < in->nkept && l[end].part == l[from].part; end++)
			;
		if ((is_entry(traced_frame_of(l[end - 1].text).name) ||
		    (first_is_kernel && from == 0)) == kernel)
			traced_push_part(in, from, end, kernel ? 'k' : 0);
	}
}

void
tracers_join(struct tracers_in *in, bool kernel_first)
{
	const struct traced_line *l = SCRATCH(in->kept, struct traced_line);
	bool several = in->nkept > 0 && l[in->nkept - 1].part != l[0].part, any = kernel_first && several;

	for (uint64_t end = in->nkept; end > 0 && !any; end = part_begin(l, end))
		any = is_entry(traced_frame_of(l[end - 1].text).name);
	if (any) {
		traced_push_parts(in, false, kernel_first && several);
		traced_push_parts(in, true, kernel_first && several);
	} else {
		for (uint64_t end = in->nkept; end > 0 && !in->bad; end = part_begin(l, end))
			traced_push_part(in, part_begin(l, end), end, 0);
	}
	tracers_forget(in);
}

/* "/lib/x.so", "[vdso]", "libx.so.6": what frames name in brackets as their module. */
static bool
is_module(struct str s)
{
	if (s.n == 0 || memchr(s.s, '(', s.n) != NULL)
		return false;
	return s.s[0] == '/' || (s.s[0] == '[' && s.s[s.n - 1] == ']') ||
	    (str_has(s, STR(".so")) && memchr(s.s, ' ', s.n) == NULL && memchr(s.s, ',', s.n) == NULL &&
	    memchr(s.s, ':', s.n) == NULL);
}

/* Without "+12" or "+0x1f" at its end. */
static struct str
cut_offset(struct str s)
{
	size_t n = s.n;

	while (n > 0 && is_hex(s.s[n - 1]))
		n--;
	if (n < s.n && n > 2 && s.s[n - 1] == 'x' && s.s[n - 2] == '0' && s.s[n - 3] == '+')
		return str_head(s, n - 3);
	return n < s.n && n > 0 && s.s[n - 1] == '+' && text_all_digits(str_after(s, n)) ?
	    str_head(s, n - 1) : s;
}

/*
 * Without what tools write in front of a name: "#3  0x00007f5c ", "3 [<00007f5c>] ", "0x00007f5c ", "7f5c1041 ".  Of
 * a frame without a name and a module the address stays.
 */
static struct str
after_address(struct str s)
{
	static const char *const heads[] = { "{#}%*d%_[<%x>]", "{#}%*d%_0x%x", "0x%x", "%x" };
	enum { LISTED, BARE = NELEM(heads) - 1 };
	struct str rest, address;

	for (size_t i = 0; i <= BARE; i++) {
		rest = s;
		if (!scan(&rest, heads[i], &address) || address.n < 4 || address.n > 16)
			continue;
		if (rest.n == 0)
			return i == LISTED ? rest : i == BARE ? s : str_after(s, s.n - address.n - 2);
		if (is_blank(rest.s[0]) && (i < BARE || (rest.n > 1 && !is_one_of(rest.s[1], " +("))))
			return str_skip_blanks(rest);
	}
	return s;
}

struct traced_frame
traced_frame_of(struct str line)
{
	struct str s = after_address(text_trim(line)), rest = s, before, module;
	struct traced_frame f = { .kind = 0 };
	bool placed = str_ends(s, ")") && scan(&rest, "%l (%l)$", &before, &module);

	if (!placed && scan(&rest, "(%l)$", &module)) {
		before = STR("");
		placed = true;
	}
	if (placed && is_module(module)) {
		s = before;
		f.module = module;
		if (scan(&module, "%l+0x%*x$", &before))
			f.module = before;
	}
	f.name = cut_offset(s);
	if (f.module.n > 0 && (f.name.n == 0 || str_is(f.name, "[unknown]") || str_is(f.name, "0x0") ||
	    str_is(f.name, "??"))) {
		f.name = text_after_last(f.module, '/');
		f.library = true;
	}
	return f;
}

/* ---- trees ------------------------------------------------------------------------------ */

uint64_t
tracers_self(struct tracers_in *in, const struct traced_level *l)
{
	in->count[TRACED_CHILDREN] += l->children > l->value;
	return l->children > l->value ? 0 : l->value - l->children;
}

void
tracers_close_level(struct tracers_in *in, const struct traced_level *l)
{
	uint64_t self = tracers_self(in, l);

	if (self > 0)
		tracers_add(in, l->stack, self, self, l->at);
}

void
tracers_level(struct tracers_in *in, size_t depth,
    void (*close)(struct tracers_in *, const struct traced_level *))
{
	in->count[TRACED_LEVELS] += depth > in->nlevels;
	while (in->nlevels > depth) {
		in->nlevels--;
		if (close != NULL)
			close(in, &SCRATCH(in->levels, struct traced_level)[in->nlevels]);
	}
	assert(in->nlevels <= depth);
}

/* Open a level above the others; frame 0: it is none. */
static void
open_level(struct tracers_in *in, uint32_t frame, uint64_t value, const char *at)
{
	struct traced_level *below = in->nlevels == 0 ? NULL :
	    &SCRATCH(in->levels, struct traced_level)[in->nlevels - 1];
	struct traced_level l = { .frame = frame, .value = value, .at = at };

	if (in->bad)
		return;
	if (below != NULL)
		below->children = num_add(below->children, value);
	if (frame != 0 && !in->upwards &&
	    (l.stack = samples_stack(&in->s, below == NULL ? 0 : below->stack, frame, in->err)) == 0)
		in->bad = true;
	MAKE_PUT(in, levels, l, FRAMES_MOST, "nested lines");
}

void
tracers_node(struct tracers_in *in, struct traced_frame f, uint64_t value, const char *at)
{
	open_level(in, traced_frame_id(in, f), value, at);
}

void
tracers_root(struct tracers_in *in, uint64_t value, const char *at)
{
	open_level(in, 0, value, at);
}
