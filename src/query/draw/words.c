/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words: what a picture says: its title, its notes, of each box what it is.
 */
#include "config.h"


#include "icecore/directory.h"
#include "icecore/facts.h"
#include "draw.h"

#define NAME_MOST 400u		/* columns of a name that are shown */

/* Append fitted text, cut in the middle if it is too long. */
void
words_cut(struct buf *b, struct str fitted, size_t columns)
{
	if (text_width(fitted) <= columns) {
		buf_str(b, fitted);
		return;
	}
	buf_add(b, fitted.s, text_cut(fitted, (columns - 1) / 2, NULL));
	buf_str(b, STR("\xe2\x80\xa6"));
	buf_str(b, text_end(fitted, columns / 2));
}

/* ---- title --------------------------------------------------------------------------- */

void
title_add(struct rows *rows, const struct draw_options *o, struct buf *b)
{
	const struct session *s = rows_origin(rows)->session;
	const struct store *st = session_store(s);
	struct weights w = { .differs = false };

	if (o->title.n > 0 || st == NULL || s->nstores == 0) {
		text_fit_buf(b, o->title.n > 0 ? o->title : STR("icecore"));
		return;
	}
	weights_of(st, &w);
	if (w.differs && s->nstores == 2) {
		text_fit_buf(b, shown_name(store_path(s->store[1])));
		buf_str(b, STR(" compared with "));
		text_fit_buf(b, shown_name(store_path(s->store[0])));
	} else
		text_fit_buf(b, shown_name(store_path(s->store[s->at])));
}

/* ---- notes --------------------------------------------------------------------------- */

void
percent_add(struct buf *b, uint64_t part, uint64_t whole)
{
	double share = whole == 0 ? 0 : 100 * (double)part / (double)whole;

	buf_printf(b, share > 0 && share < 0.995 ? "%.2f%%" : "%.1f%%", share);
}

void
stacks_show(const struct stack_tree *s, uint64_t weight, struct buf *b)
{
	struct cell c = { .type = s->type, .u = weight };

	if (s->type == CELL_REAL)
		c.f = (double)weight / (double)s->unit;
	else if (s->type == CELL_DECIMAL)
		cell_decimal(&c, (struct decimal){ (__int128)weight, weights_places(&s->weights) },
		    money_currency(s->weights.unit));
	cell_show(&c, b);
}

/* Likewise with its unit; times, sizes and money include theirs. */
static void
show_with_unit(const struct stack_tree *s, uint64_t weight, struct buf *b)
{
	struct str unit = s->weights.unit;

	stacks_show(s, weight, b);
	if (!s->profile || (s->type != CELL_COUNT && s->type != CELL_REAL) || unit.n == 0)
		return;
	buf_chr(b, ' ');
	text_fit_buf(b, weight == 1 && str_eq(unit, STR("samples")) ? STR("sample") : unit);
}

void
change_add(const struct stack_tree *s, uint64_t weight, uint64_t before, struct buf *b)
{
	if (weight != before)
		buf_chr(b, weight > before ? '+' : '-');
	stacks_show(s, weight > before ? weight - before : before - weight, b);
	if (before > 0 && weight != before)
		buf_printf(b, " (%+.1f%%)", 100 * ((double)weight - (double)before) / (double)before);
}

static void
add_before(const struct stack_tree *s, uint64_t weight, uint64_t before, struct buf *b)
{
	buf_str(b, STR(", before "));
	stacks_show(s, before, b);
	buf_str(b, STR(", change "));
	change_add(s, weight, before, b);
}

/* Append what the widths measure. */
static void
words_add_weights(struct rows *rows, const struct drawing *p, struct buf *b)
{
	const struct stack_tree *s = &p->stacks;
	const struct session *session = rows_origin(rows)->session;
	struct str unit = s->st == NULL ? STR("") : event_name(s->st,
	    (uint32_t)fact_value(s->st, FACT_EVENT));
	const char *clock = s->st == NULL ? NULL : s->weights.name[session->clock];

	if (s->differs)
		buf_str(b, STR("Widths: weight before plus weight after"));
	else if (s->timed)
		buf_str(b, STR("In time order; widths: wall time"));
	else if (s->objects)
		buf_printf(b, "Widths: retained size, %s references, %s sizes",
		    heap_refs_names[session->refs], heap_sizes_names[session->sizes]);
	else if (s->type == CELL_BYTES && !s->profile)
		buf_str(b, STR("Widths: bytes"));
	else if (clock != NULL)
		buf_printf(b, "Widths: %s%s", clock, s->weights.clocks ? " time" : "");
	else
		buf_str(b, STR("Widths: weight"));
	if (s->profile && unit.n > 0 && !str_eq(unit, str_of(clock))) {
		buf_str(b, STR(", event "));
		text_fit_buf(b, unit);
	}
	buf_str(b, STR("; total "));
	show_with_unit(s, p->total == NULL ? 0 : p->total[0], b);
	if (s->differs)
		add_before(s, p->total == NULL ? 0 : p->total[0], p->before == NULL ? 0 : p->before[0], b);
	if (s->left_out[0] > 0) {
		buf_str(b, STR(", of which filtered out by the query "));
		stacks_show(s, s->left_out[0], b);
		buf_str(b, STR(" ("));
		percent_add(b, s->left_out[0], p->total[0]);
		buf_chr(b, ')');
	}
	buf_chr(b, '\n');
}

static void
add_colours(const struct stack_tree *s, struct buf *b)
{
	if (s->differs)
		buf_str(b, STR("Colours: change in percent of the larger value, + more, - less; no sign: unchanged\n"));
}

static void
add_joined(const struct drawing *p, struct buf *b)
{
	char n[NUM_TEXT];

	if (p->joined == 0)
		return;
	num_show_count(n, sizeof n, p->joined);
	buf_printf(b, "Hatched: %s boxes under %g%% merged, ", n, p->share);
	percent_add(b, p->joined_width, picture_width(p, 0));
	buf_str(b, STR(" of the total"));
	if (p->raised)
		buf_printf(b, "; limit raised to stay below %u boxes", BOXES_MAX);
	buf_chr(b, '\n');
}

/* Note repairs and losses in pictures of damaged data. */
static void
add_losses(const struct store *st, struct buf *b)
{
	uint64_t repairs = store_repairs(st);
	char n[NUM_TEXT];

	if (repairs > 0) {
		num_show_count(n, sizeof n, repairs);
		buf_printf(b, "Repairs: %s; info lists them\n", n);
	}
	if (!store_damaged(st) && !store_lost(st))
		return;
	buf_str(b, STR("DAMAGED FILE: "));
	text_fit_buf(b, fact_text(st, FACT_LOSS_REASON).n > 0 ? fact_text(st, FACT_LOSS_REASON) :
	    STR("parts of the file could not be read"));
	buf_chr(b, '\n');
}

void
lead_add(struct rows *rows, const struct drawing *p, struct buf *b)
{
	struct buf query = BUF_INIT;

	if (p != NULL)
		words_add_weights(rows, p, b);
	if (rows->asked.n > 0) {
		buf_str(b, STR("Query: "));
		text_fit_buf(&query, str_trim(rows->asked));
		words_cut(b, buf_view(&query), 2 * NAME_MOST);
		buf_chr(b, '\n');
	}
	b->bad |= query.bad;
	buf_free(&query);
}

void
notes_add(struct rows *rows, const struct drawing *p, struct buf *b)
{
	const struct store *st = session_store(rows_origin(rows)->session);

	if (p != NULL) {
		add_colours(&p->stacks, b);
		add_joined(p, b);
	}
	if (st != NULL)
		add_losses(st, b);
	buf_printf(b, "Generated by %s\n", base_program);
}

/* ---- boxes ----------------------------------------------------------------------------- */

static char
box_kind(const struct drawing *p, const struct flame *b)
{
	return b->name == 0 ? KIND_NONE : texts_get(&p->stacks.names, b->name).s[0];
}

void
box_name(const struct drawing *p, const struct flame *b, struct buf *to)
{
	char n[NUM_TEXT];

	if (b->more > 0) {
		num_show_count(n, sizeof n, b->more);
		buf_printf(to, "%s more", n);
	} else if (b->name == 0)
		buf_str(to, STR("all"));
	else
		words_cut(to, stack_name(&p->stacks, b->name), NAME_MOST);
}

/* Describe the kind of frame that the colour shows. */
static const char *
words_kind(char kind)
{
	switch (kind) {
	case 'k':
		return "kernel";
	case 'j':
	case '0':
	case '1':
		return "compiled";
	case 'i':
		return "inlined";
	case 'c':
		return "class";
	case 'w':
		return "waker";
	case 'p':
		return "Java or Android";
	case KIND_THREAD:
		return "thread";
	}
	return "";
}

static bool
is_money(const struct stack_tree *s)
{
	return s->st != NULL && (load_shapes(s->st) & SHAPE_MONEY) != 0;
}

bool
picture_calls(const struct drawing *p)
{
	const struct stack_tree *s = &p->stacks;

	return !s->differs && !s->objects && (s->profile || s->type != CELL_BYTES) && !is_money(s);
}

char
box_tone(const struct drawing *p, const struct flame *b)
{
	char kind = box_kind(p, b);

	return b->name == 0 || !picture_calls(p) ? kind : frame_tone(kind, stack_name(&p->stacks, b->name));
}

void
kinds_add(const struct drawing *p, struct buf *b)
{
	static const char tones[] = { KIND_THREAD, 'k', 'j', 'i', 'c', 'w', 'p' };
	bool has[NELEM(tones)] = { false }, others = false, any = false;
	char tone;

	for (size_t n = 0; n < p->n; n++) {
		tone = box_tone(p, &p->box[n]);
		for (size_t i = 0; i < NELEM(tones); i++)
			has[i] |= tones[i] == tone;
		others |= tone == KIND_NONE && p->box[n].name != 0;
	}
	buf_str(b, STR("<p class=\"keys\">Colours: "));
	for (size_t i = 0; i < NELEM(tones); i++)
		if (has[i]) {
			any |= tones[i] != KIND_THREAD;
			buf_printf(b, "<span class=\"%c\">%s</span> ",
			    tones[i] == KIND_THREAD ? 't' : tones[i], words_kind(tones[i]));
		}
	buf_str(b, !others ? STR("</p>\n") : any ? STR("other frames by package</p>\n") :
	    STR("frames by package</p>\n"));
}

/* Return true if the box has a weight only before. */
static bool
is_removed(const struct flame *b)
{
	return b->weight == 0 && b->before > 0;
}

void
share_add(const struct drawing *p, const struct flame *b, struct buf *to)
{
	if (is_removed(b))
		percent_add(to, b->before, p->before[0]);
	else
		percent_add(to, b->weight, p->total[0]);
}

void
weight_add(const struct drawing *p, const struct flame *b, struct buf *to)
{
	(p->stacks.differs ? stacks_show : show_with_unit)(&p->stacks, b->weight, to);
	if (p->stacks.differs)
		add_before(&p->stacks, b->weight, b->before, to);
}

void
tip_add(const struct drawing *p, const struct flame *b, struct buf *to)
{
	const struct flame *above = b->above == 0 ? b : &p->box[b->above - 1];
	bool removed = is_removed(b);
	const char *word;
	char n[NUM_TEXT];

	share_add(p, b, to);
	buf_str(to, removed ? STR(" of the total before") : STR(" of the total"));
	if (b->above > 1 && !p->stacks.timed) {
		buf_str(to, STR(", "));
		percent_add(to, removed ? b->before : b->weight, removed ? above->before : above->weight);
		buf_str(to, p->stacks.type == CELL_BYTES && !p->stacks.profile ? STR(" of its holder") :
		    STR(" of its caller"));
	}
	if (b->self > 0 && !p->stacks.timed) {
		buf_str(to, STR(", self "));
		percent_add(to, b->self, removed ? p->before[0] : p->total[0]);
	}
	buf_str(to, STR(", "));
	weight_add(p, b, to);
	if (p->stacks.timed) {
		buf_str(to, STR(" at "));
		stacks_show(&p->stacks, b->calls, to);
	} else if (b->calls > 0) {
		num_show_count(n, sizeof n, b->calls);
		buf_printf(to, ", %s %s%s", n, p->stacks.type == CELL_BYTES ? "object" : "call",
		    b->calls == 1 ? "" : "s");
	}
	word = is_money(&p->stacks) ? "" : words_kind(box_kind(p, b));
	if (*word != '\0')
		buf_printf(to, ", %s", word);
}
