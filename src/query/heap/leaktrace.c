/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leaktrace: a path from a root to an object as lines for people.
 *
 * Each object has a line, and under it stands the field by which it holds the next one; what is to
 * blame is underlined.  Where an owner is known the lines begin with it: what holds the owner, mostly its
 * class loader, explains nothing.
 */
#include "config.h"

#include <inttypes.h>
#include <langinfo.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "leaktrace.h"

#define INDENT 4u		/* columns that a reference is indented below its object */
#define FOLD_MIN 3u		/* repeated hops from which on one line replaces them */
#define PERIODS 4u		/* maximum number of hops in one repetition */

const char *const trace_line_names[TRACE_LINES] = {
	[TRACE_HEAD] = "head", [TRACE_WHY] = "why", [TRACE_SIGNATURE] = "signature",
	[TRACE_ROOT] = "root", [TRACE_HOP] = "hop", [TRACE_MARK] = "mark",
	[TRACE_NOTE] = "note", [TRACE_REFERENCE] = "reference",
	[TRACE_UNDERLINE] = "underline", [TRACE_FOLD] = "fold", [TRACE_EMPTY] = "empty"
};

void
traces_open(struct traces *t, struct rows *rows, struct blame *blame)
{
	*t = (struct traces){ .rows = rows, .blame = blame, .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0 };
}

void
traces_close(struct traces *t)
{
	SCRATCH_FREE(&t->hops, &t->lines, &t->chars, &t->steps, &t->path);
	buf_free(&t->raw);
	buf_free(&t->text);
}

/* ---- texts ----------------------------------------------------------------------- */

/* Columns of fitted text as it will be printed. */
static size_t
leaktrace_width_of(const struct traces *t, struct str fitted)
{
	return text_columns(fitted, t->ascii);
}

static bool
leaktrace_add_line(struct traces *t, enum trace_line line, uint64_t hop, size_t indent, struct str s)
{
	struct err *err = &t->rows->err;
	size_t n = indent + s.n;

	if (t->raw.bad || t->text.bad)
		return fail_memory(err, "leak trace");
	if (!array_grow(&t->lines, t->nlines + 1, err) ||
	    !array_grow(&t->chars, t->nchars + n + 1, err))
		return false;
	memset(t->chars.raw.data + t->nchars, ' ', indent);
	if (s.n > 0)
		memcpy(t->chars.raw.data + t->nchars + indent, s.s, s.n);
	t->lines.at[t->nlines++] =
	    (struct trace_row){ t->nchars, hop, (uint32_t)n, (uint8_t)line };
	t->nchars += n;
	return true;
}

/* Add the text in raw, wrapped between words. */
static bool
leaktrace_add_words(struct traces *t, enum trace_line line, uint64_t hop, size_t indent)
{
	size_t room = TRACE_WIDTH - indent, n;

	buf_clear(&t->text);
	text_fit_buf(&t->text, buf_view(&t->raw));
	for (struct str rest = buf_view(&t->text); ; room = TRACE_WIDTH - indent) {
		n = text_words(rest, room, t->ascii);
		if (!leaktrace_add_line(t, line, hop, indent, (struct str){ rest.s, n }))
			return false;
		if (n == rest.n)
			return true;
		indent += rest.s == t->text.s ? 2 : 0;
		rest.s += n + 1;
		rest.n -= n + 1;
	}
}

static uint64_t
last_hop(const struct traces *t)
{
	return t->nhops - 1;
}

/* Add a hop. For lines without an object, it only names the object or finding of the trace. */
static bool
add_hop(struct traces *t, const struct trace_hop *hop)
{
	return array_add(&t->hops, &t->nhops, hop, &t->rows->err);
}

bool
trace_say(struct traces *t, enum trace_line line, uint32_t of, uint32_t finding,
    size_t indent, struct str raw)
{
	struct trace_hop hop = { .of = of, .finding = finding };

	if (!add_hop(t, &hop))
		return false;
	buf_clear(&t->raw);
	buf_str(&t->raw, raw);
	return leaktrace_add_words(t, line, last_hop(t), indent);
}

/* ---- steps ----------------------------------------------------------------------- */

/* Key to compare hops when repeated hops are folded: the class, and how it is held. */
struct step {
	uint32_t		class, declared;
	enum heap_slot_kind	kind;
	enum leak_mark		mark;
	bool			known, suspect;
	struct str		name;
};

static const struct verdict *
verdict_at(const struct traces *t, size_t i)
{
	return &t->blame->verdicts.at[i];
}

static bool
is_suspect(const struct traces *t, size_t i)
{
	return i > 0 && i >= t->blame->from && i <= t->blame->to;
}

/* Whether a reference to hop i, or to one of those inside a collection before it, is to blame. */
static bool
has_suspect(const struct traces *t, size_t i, size_t inner)
{
	for (size_t k = 0; k <= inner; k++)
		if (is_suspect(t, i - k))
			return true;
	return false;
}

static bool
make_steps(struct traces *t, const uint32_t *object, size_t n)
{
	const struct heap *h = &t->blame->links;
	struct heap_slot slot;
	struct step *step;

	if (!array_grow(&t->steps, n, &t->rows->err))
		return false;
	step = t->steps.at;
	for (size_t i = 0; i < n; i++) {
		if (!rows_tick(t->rows, i))
			return false;
		step[i] = (struct step){ .class = heap_class(h, object[i]),
		    .mark = verdict_at(t, i)->mark, .suspect = is_suspect(t, i) };
		if (i == 0 || !blame_link(t->blame, object[i - 1], object[i], &slot))
			continue;
		step[i].known = true;
		step[i].kind = slot.kind;
		step[i].declared = slot.class;
		step[i].name = slot.name;
	}
	return true;
}

static bool
same_step(const struct step *a, const struct step *b)
{
	return a->known && b->known && a->class == b->class && a->declared == b->declared &&
	    a->kind == b->kind && a->mark == b->mark && a->suspect == b->suspect &&
	    str_eq(a->name, b->name);
}

/* Return how many hops from i on repeat the hops before them, in whole periods. The last hop never counts. */
static size_t
repeated(const struct traces *t, size_t i, size_t n, size_t *period)
{
	const struct step *step = t->steps.at;
	size_t k, run;

	for (size_t p = 1; p <= PERIODS && p < i; p++) {
		for (k = i; k + 1 < n && same_step(&step[k], &step[k - p]); k++)
			continue;
		run = (k - i) / p * p;
		if (run >= FOLD_MIN) {
			*period = p;
			return run;
		}
	}
	return 0;
}

/* ---- a path ---------------------------------------------------------------------- */

static bool
leaktrace_add_root(struct traces *t, const struct trace_path *p)
{
	const struct column *kind = store_column(t->blame->links.st, COL_ROOT_KIND);
	struct trace_hop hop = { .of = p->of, .finding = p->finding, .root = p->root };

	buf_clear(&t->raw);
	buf_printf(&t->raw, "GC root: %s", heap_root_name(p->root == 0 ? ROOT_PSEUDO :
	    (unsigned)column_get(kind, p->root - 1ull)));
	return add_hop(t, &hop) && leaktrace_add_words(t, TRACE_ROOT, last_hop(t), 0);
}

/* Add the reference to hop i from that before the inner ones; if one of them is a suspect, its underline. */
static bool
leaktrace_add_reference(struct traces *t, const uint32_t *object, size_t i, size_t inner)
{
	const struct heap *h = &t->blame->links;
	struct heap_slot slot = { .kind = SLOT_FIELD };
	struct str prefix = STR("static ");
	size_t width;

	buf_clear(&t->raw);
	if (inner > 0)
		heap_inside_name(h, object[i - 1], object[i], &t->raw);
	else if (blame_link(t->blame, object[i - 1], object[i], &slot))
		slot_name_add(h, &slot, &t->raw);
	else
		buf_text(&t->raw, "?");
	buf_clear(&t->text);
	text_fit_buf(&t->text, buf_view(&t->raw));
	if (!leaktrace_add_line(t, TRACE_REFERENCE, last_hop(t), INDENT, buf_view(&t->text)))
		return false;
	if (!has_suspect(t, i, inner))
		return true;
	if (slot.kind != SLOT_STATIC || !str_has_prefix(buf_view(&t->raw), prefix))
		prefix.n = 0;
	width = leaktrace_width_of(t, buf_view(&t->text)) - prefix.n;
	buf_clear(&t->text);
	while (width-- > 0)
		buf_chr(&t->text, '~');
	return leaktrace_add_line(t, TRACE_UNDERLINE, last_hop(t), INDENT + prefix.n,
	    buf_view(&t->text));
}

/*
 * "(leaking: mDestroyed is true; id 0x7f010001)": known facts of hop i; or nothing.  Holders of an object
 * that is not leaking cannot leak: only the reason of the last one is shown.  If nothing leaks, no mark would
 * help.
 */
static void
make_mark(struct traces *t, uint32_t object, size_t i, const struct verdict *v)
{
	bool owner = i == t->blame->owner, last = v->mark == LEAK_NOT && i == t->blame->kept && !owner;
	size_t n;

	buf_clear(&t->raw);
	buf_chr(&t->raw, '(');
	if (owner)
		buf_text(&t->raw, "the owner");
	if (last || t->blame->leaks)
		buf_text(&t->raw, leak_mark_names[v->mark]);
	if ((last || v->mark == LEAK_YES) && v->why != NULL && v->why[0] != '\0')
		buf_printf(&t->raw, ": %s", v->why);
	if (t->raw.n > 1)
		buf_text(&t->raw, "; ");
	n = t->raw.n;
	inspect_label(t->blame->inspector, object, &t->raw);
	if (t->raw.n == n)
		t->raw.n = n > 2 ? n - 2 : 0;
	if (t->raw.n > 0)
		buf_chr(&t->raw, ')');
}

/* Make the printable text of an object: its class, number and retained size. */
static void
make_object(struct traces *t, const struct heap *sizes, uint32_t object)
{
	char retained[NUM_TEXT];

	buf_clear(&t->raw);
	slot_object_add(sizes, object, &t->raw);
	num_show_size(retained, sizeof retained, heap_retained(sizes, object));
	buf_printf(&t->raw, ", retained %s", retained);
	buf_clear(&t->text);
	text_fit_buf(&t->text, buf_view(&t->raw));
}

static bool
leaktrace_add_object(struct traces *t, const struct heap *sizes, uint32_t object, size_t i)
{
	const struct verdict *v = verdict_at(t, i);
	size_t n;
	bool below;

	make_object(t, sizes, object);
	make_mark(t, object, i, v);
	n = t->text.n;
	buf_text(&t->text, "  ");
	text_fit_buf(&t->text, buf_view(&t->raw));
	below = t->raw.n > 0 && leaktrace_width_of(t, buf_view(&t->text)) > TRACE_WIDTH;
	if (below || t->raw.n == 0)
		t->text.n = n;
	if (!leaktrace_add_line(t, TRACE_HOP, last_hop(t), 0, buf_view(&t->text)) ||
	    (below && !leaktrace_add_words(t, TRACE_MARK, last_hop(t), INDENT)))
		return false;
	if (v->note == NULL)
		return true;
	buf_clear(&t->raw);
	buf_printf(&t->raw, "known: %s", v->note);
	return leaktrace_add_words(t, TRACE_NOTE, last_hop(t), INDENT);
}

/* "... 4 998 more of com.example.Node.next" */
static bool
add_fold(struct traces *t, const uint32_t *object, size_t i, size_t n, size_t period)
{
	char count[NUM_TEXT];

	num_show_count(count, sizeof count, n);
	buf_clear(&t->raw);
	buf_printf(&t->raw, "... %s more ", count);
	for (size_t k = i; k < i + period; k++) {
		if (k > i)
			buf_text(&t->raw, " > ");
		blame_reference(t->blame, object[k - 1], object[k], &t->raw);
	}
	return leaktrace_add_words(t, TRACE_FOLD, last_hop(t), INDENT);
}

/* "... 3 steps above the owner omitted: see leaktrace @4554" */
static bool
leaktrace_add_above(struct traces *t, uint32_t owner, size_t n)
{
	char count[NUM_TEXT];

	num_show_count(count, sizeof count, n);
	buf_clear(&t->raw);
	buf_printf(&t->raw, "... %s step%s above the owner omitted: see leaktrace @%" PRIu32, count,
	    n == 1 ? "" : "s", owner);
	return leaktrace_add_words(t, TRACE_FOLD, last_hop(t), INDENT);
}

static bool
add_hops(struct traces *t, const struct heap *sizes, const struct trace_path *p,
    const uint32_t *object)
{
	struct trace_hop hop = { .of = p->of, .finding = p->finding, .root = p->root };
	size_t begin = t->blame->owner < p->n ? t->blame->owner : 0, skip, period, inner;

	if (begin > 0 && !leaktrace_add_above(t, object[begin], begin))
		return false;
	for (size_t i = begin; i < p->n; i++) {
		if (!rows_tick(t->rows, t->nlines))
			return false;
		skip = i == begin ? 0 : repeated(t, i, p->n, &period);
		if (skip > 0 && !add_fold(t, object, i, skip, period))
			return false;
		i += skip;
		inner = i == begin ? 0 : heap_inside(&t->blame->links, object + i - 1, p->n - i + 1);
		i += inner;
		hop.object = object[i];
		hop.holder = i == 0 ? 0 : object[i - 1];
		hop.inside = inner > 0;
		hop.depth = (uint32_t)i;
		hop.verdict = *verdict_at(t, i);
		hop.suspect = has_suspect(t, i, inner);
		if (!add_hop(t, &hop) || (i > begin && !leaktrace_add_reference(t, object, i, inner)) ||
		    !leaktrace_add_object(t, sizes, object[i], i))
			return false;
	}
	return true;
}

/* Explain for a finding why no reference is underlined. */
static bool
add_no_suspect(struct traces *t, const struct trace_path *p)
{
	if (p->finding == 0 || t->blame->from < p->n)
		return true;
	return trace_say(t, TRACE_NOTE, p->of, p->finding, 0, t->blame->leaks ?
	    STR("no suspect reference: the GC root refers to the leaking object") :
	    STR("no suspect reference: no object on the path is known to leak"));
}

/* Copy a path, root first. Callers pass it root first or object first. */
static bool
turn_path(struct traces *t, const struct trace_path *p)
{
	uint32_t *object;

	if (!array_grow(&t->path, p->n, &t->rows->err))
		return false;
	object = t->path.at;
	for (size_t i = 0; i < p->n; i++)
		object[i] = p->object[p->root_first ? i : p->n - 1 - i];
	return true;
}

bool
trace_add(struct traces *t, const struct heap *sizes, const struct trace_path *p)
{
	const uint32_t *object;

	if (p->n == 0 || !turn_path(t, p))
		return p->n == 0;
	object = t->path.at;
	return blame_path(t->blame, object, p->n, p->owner, &t->rows->err) &&
	    make_steps(t, object, p->n) && leaktrace_add_root(t, p) && add_hops(t, sizes, p, object) &&
	    add_no_suspect(t, p);
}
