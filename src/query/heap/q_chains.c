/*
 * q_chains: the ways from static fields to an object, as lines of text.
 */
#include "config.h"

#include <inttypes.h>

#include "slots.h"

static const struct arg_type arg_address = { .name = "ADDRESS" };

#define STEPS 65536u		/* references looked at between two ticks */

enum line_kind { LINE_HEAD, LINE_STATIC, LINE_LINK, LINE_LAST };

/* A line; nth: which of the statics of the class that hold next is meant. */
struct line {
	uint32_t	object, next, nth;
	enum line_kind	kind;
};

struct chain_rows {
	struct rows		 rows;
	struct heap_view	 view;
	struct heap_paths	*paths;		/* NULL: no file is open */
	uint64_t		 got, most;	/* chains */
	struct scratch		 lines;
	uint64_t		 n;
	bool			 ended;
	struct buf		 text;
};

/* ---- finding them ---------------------------------------------------------------- */

static bool
add_line(struct chain_rows *s, struct line line)
{
	if (!scratch_array(&s->lines, s->n + 1, sizeof line, &s->rows.err))
		return false;
	SCRATCH(s->lines, struct line)[s->n++] = line;
	return true;
}

static bool
add_chain(struct chain_rows *s, const struct heap_path *p, uint32_t nth)
{
	const uint32_t *object = p->object;
	size_t i = p->n - 1;

	if (!add_line(s, (struct line){ .kind = LINE_HEAD }) ||
	    !add_line(s, (struct line){ object[i], object[i - 1], nth, LINE_STATIC }))
		return false;
	for (i--; i > 0; i--)
		if (!add_line(s, (struct line){ object[i], object[i - 1], 0, LINE_LINK }))
			return false;
	s->got++;
	return add_line(s, (struct line){ object[0], 0, 0, LINE_LAST });
}

/* The nth static of the class that holds the object. */
static bool
static_slot(const struct heap *h, uint32_t class, uint32_t object, uint32_t nth,
    struct heap_slot *slot)
{
	uint32_t i;

	*slot = (struct heap_slot){ .type = 0 };
	for (i = 0; i <= nth; i++)
		if (!heap_link_next(h, class, object, slot))
			return false;
	return slot->kind == SLOT_STATIC;
}

/* A class can hold an object by several of its statics: each is a chain. */
static bool
add_chains(struct chain_rows *s, const struct heap_path *p)
{
	struct heap_slot slot = { .type = 0 };
	uint32_t nth;

	for (nth = 0; s->got < s->most; nth++) {
		if (!heap_link_next(&s->view.heap, p->object[p->n - 1],
		    p->object[p->n - 2], &slot) || slot.kind != SLOT_STATIC)
			return true;
		if (!add_chain(s, p, nth))
			return false;
	}
	return true;
}

static bool
chain_step(struct chain_rows *s)
{
	struct heap_path path;
	bool more;

	if (s->got >= s->most)
		return false;
	if (heap_paths_next(s->paths, &path, STEPS, &more, s->rows.work, &s->rows.err))
		return path.n < 2 || add_chains(s, &path);
	return more;
}

static uint64_t
chains_reach(struct rows *r, uint64_t n)
{
	struct chain_rows *s = (struct chain_rows *)r;

	while (s->n < n && !s->ended)
		if (!rows_tick(r, s->n) || !chain_step(s))
			s->ended = true;
	return s->n;
}

/* ---- lines ----------------------------------------------------------------------- */

static void
add_object(const struct heap *h, uint32_t object, struct buf *b)
{
	heap_label(h, object, b);
	if (heap_is_array(h, object))
		buf_str(b, STR(" array"));
	buf_printf(b, " (%" PRIu64 ")", heap_addr(h, object));
}

/* " -field-> 866149120", of elements only the arrow. */
static void
add_link(const struct heap *h, const struct heap_slot *slot, uint32_t next, struct buf *b)
{
	if (slot != NULL && slot->kind != SLOT_ELEMENT) {
		buf_str(b, STR(" -"));
		slot_name_add(h, slot, b);
		buf_str(b, STR("->"));
	} else {
		buf_str(b, STR(" ->"));
	}
	buf_printf(b, " %" PRIu64, heap_addr(h, next));
}

static void
add_text(const struct heap *h, const struct line *line, struct buf *b)
{
	struct heap_slot slot;

	switch (line->kind) {
	case LINE_HEAD:
		buf_str(b, STR("Found statically referenced chain:"));
		break;
	case LINE_STATIC:
		heap_class_name(h, heap_class_of_object(h, line->object), b);
		add_link(h, static_slot(h, line->object, line->next, line->nth, &slot) ?
		    &slot : NULL, line->next, b);
		break;
	case LINE_LINK:
		add_object(h, line->object, b);
		add_link(h, heap_link(h, line->object, line->next, &slot) ? &slot : NULL,
		    line->next, b);
		break;
	case LINE_LAST:
		add_object(h, line->object, b);
		break;
	}
}

static void
chains_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct chain_rows *s = (struct chain_rows *)r;
	const struct line *line = &SCRATCH(s->lines, struct line)[row];

	(void)col;
	buf_clear(&s->text);
	add_text(&s->view.heap, line, &s->text);
	cell_text(r, c, &s->text);
}

static void
chains_close(struct rows *r)
{
	struct chain_rows *s = (struct chain_rows *)r;

	heap_paths_close(s->paths);
	scratch_free(&s->lines);
	buf_free(&s->text);
	heap_view_close(&s->view);
}

static const struct rows_ops chains_ops = { chains_reach, chains_cell, chains_close };

static const struct coldef chain_cols[] = {
	{ "chain", CELL_TEXT, "a line of text; objects are shown as addresses, decimal", false }
};

/* ---- opening --------------------------------------------------------------------- */

static bool
chains_begin(struct chain_rows *s, const struct stage *stage, struct err *err)
{
	uint32_t object;

	if (stage->n == 0)
		return fail_at(err, E_USAGE, stage->end, "'chains' needs an object: its address, "
		    "or @id");
	if (stage->n == 2 && (stage->token[1].kind != TOKEN_WORD ||
	    !num_u64(stage->token[1].text, 10, &s->most) || s->most == 0))
		return fail_at(err, E_USAGE, stage_at(stage, 1), "expected how many chains");
	if (s->view.heap.st == NULL)
		return true;
	return object_of_token(&s->view.heap, &stage->token[0], &object, err) &&
	    heap_chains_open(&s->paths, &s->view.heap, object, err);
}

static bool
chains_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct chain_rows *s;

	(void)in;
	if (!stage_at_most(stage, 2, err))
		return false;
	s = rows_new(sizeof *s, &chains_ops, session, NULL, err);
	if (s == NULL)
		return false;
	s->lines = SCRATCH_INIT;
	s->text = BUF_INIT;
	s->most = UINT64_MAX;
	s->rows.cols = chain_cols;
	s->rows.ncols = NELEM(chain_cols);
	if (!heap_view_open(&s->view, session, err) || !chains_begin(s, stage, err)) {
		rows_close(&s->rows);
		return false;
	}
	s->ended = s->paths == NULL;
	*out = &s->rows;
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN,
	COL_EACH_PARENT, COL_NONE };

const struct command source_chains = {
	.word = "chains",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_address }, { &arg_object, ARG_OR }, { &arg_number, ARG_OPTIONAL }),
	.what = "ways from static fields to an object, the shortest first, as lines",
	.example = "chains @1 3",
	.needs = needs,
	.cols = chain_cols,
	.ncols = NELEM(chain_cols),
	.open = chains_open
};
